internal import Adapters
internal import EventLog
internal import Inspection
internal import SwedbankPay

/// Checks whether a PSP can be reached over TLS, and whether both clocks agree.
///
/// It requests the root of the host without any credentials, so that the request has no effect.
struct ProviderCheck {
    /// The clock difference from which there is a warning, because retries, expiry and the times in
    /// the log become misleading.
    static let clockTolerance = Duration.seconds(5)
    /// The clock difference at which certificates and tokens become invalid.
    static let clockLimit = Duration.seconds(60)
    /// The time limit of the request.
    static let deadline = Duration.seconds(10)

    /// The result of the request.
    enum Answer: Sendable {
        case response(HTTPResponse)
        case failure(TransportFailure)
    }

    /// The host with its port.
    var host: String
    var answer: Answer
    /// The time of the response by this machine's clock.
    var answeredAt: Instant

    /// Sends a request to the address of a PSP, which has been validated before.
    static func ask(
        _ base: SessionAddress,
        by transport: any Transport,
        now: @Sendable () -> Instant
    ) async -> ProviderCheck {
        let url = base.text
        // Only scheme and host are used: a path may be a secret, and requesting it may have an
        // effect.
        let end = url.dropFirst("https://".count).firstIndex { "/?".contains($0) }
        let root = String(url[..<(end ?? url.endIndex)])
        let answer: Answer
        do throws(TransportFailure) {
            answer = .response(
                try await transport.perform(
                    HTTPRequest(
                        method: "HEAD",
                        url: root + "/",
                        connectDeadline: deadline,
                        overallDeadline: deadline
                    )
                )
            )
        } catch {
            answer = .failure(error)
        }
        return ProviderCheck(host: base.host, answer: answer, answeredAt: now())
    }

    /// Returns the finding about the connection and the clocks.
    var findings: [Finding] {
        switch answer {
        case .response(let response):
            let milliseconds = Int64(response.duration / .milliseconds(1))
            let found =
                "\(host) answers over \(response.protocolVersion) after \(milliseconds) ms (status \(response.status))"
            return [Finding(.psp, .good, found), clock(response.header("date"))]
        case .failure(let failure):
            return [
                Finding(.psp, .bad, "\(host): \(failure)", advice: Self.advice(on: failure)),
                Finding(.clock, .skipped, "the PSP's time is not known"),
            ]
        }
    }

    /// The difference between this machine's clock and the PSP's, which has a resolution of a
    /// second.
    private func clock(_ date: String?) -> Finding {
        guard let seconds = date.flatMap(HTTPDate.seconds) else {
            return Finding(.clock, .skipped, "\(host) does not tell its time")
        }
        let there = Instant(microseconds: seconds * 1_000_000)
        let difference = answeredAt - there
        // The PSP's time is truncated to a second, and the response took time to arrive.
        let distance = difference < .zero ? .zero - difference : difference - .seconds(1)
        let way = difference < .zero ? "behind" : "ahead of"
        guard distance >= Self.clockTolerance else {
            return Finding(.clock, .good, "this machine's clock agrees with \(host)")
        }
        return Finding(
            .clock,
            distance >= Self.clockLimit ? .bad : .warning,
            "this machine's clock is \(distance.spoken) \(way) that of \(host)",
            advice: "let the machine keep its time: 'timedatectl set-ntp true'"
        )
    }

    private static func advice(on failure: TransportFailure) -> String {
        switch failure.kind {
        case .unresolvedHost: "check the host's name and this machine's name servers"
        case .connectionRefused, .unreachable, .timedOut, .reset, .truncated:
            "check the network and its firewalls: that host has to be reachable at the port of its address (443 for https)"
        case .proxy: "check the proxy in the configuration"
        case .tls(.untrusted):
            "the certificate is not trusted: is there a proxy in between, or is 'authorityFile' wrong?"
        case .tls(.pinMismatch):
            "the host's key is not among 'pinnedKeys': ask the PSP whether it was changed"
        case .tls: "check this machine's clock and its certificate authorities"
        case .refusedURL: "the host is not among 'allowedHosts' in the configuration"
        case .malformedAnswer, .responseTooLarge, .headersTooLarge, .endlessAnswer, .canceled,
            .refusedRequest, .queueFull, .shutdown, .other:
            "--verbose and the error's page tell more"
        }
    }
}
