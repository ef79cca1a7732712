internal import EventLog
internal import HTTPTypes
internal import Inspection
internal import SwedbankPay

/// Checks whether a PSP can be reached over TLS, and whether both clocks agree.
///
/// It requests the root of the host without any credentials, which can have no effect.
struct ProviderCheck {
    /// A difference between the clocks that misleads: retries, expiry, and the times in the log.
    static let clockTolerance = Duration.seconds(5)
    /// A difference between the clocks that makes certificates and tokens fail.
    static let clockLimit = Duration.seconds(60)
    /// The time limit for the PSP's response.
    static let deadline = Duration.seconds(10)

    /// The result of the request.
    enum Outcome: Sendable {
        case response(TransportResponse)
        case failure(TransportFailure)
    }

    /// The host with its port.
    var host: String
    var response: Outcome
    /// When the response arrived, by this machine's clock.
    var respondedAt: Instant

    /// Sends a request to the address of a PSP, which has been validated before.
    static func ask(
        _ base: SessionAddress,
        by transport: any Transport,
        now: @Sendable () -> Instant
    ) async -> ProviderCheck {
        let url = base.text
        // Only scheme and host: the path may be a secret, and requesting it may have an effect.
        let end = url.utf8.dropFirst("https://".count).firstIndex { "/?".utf8.contains($0) }
        let root = String(url[..<(end ?? url.endIndex)])
        let result: Outcome
        do throws(TransportFailure) {
            result = .response(
                try await transport.perform(
                    TransportRequest(
                        method: .head,
                        url: root + "/",
                        connectDeadline: deadline,
                        overallDeadline: deadline
                    )
                )
            )
        } catch {
            result = .failure(error)
        }
        return ProviderCheck(host: base.host, response: result, respondedAt: now())
    }

    /// Whether the PSP can be reached, and whether the clocks agree.
    var findings: [Finding] {
        switch response {
        case .response(let response):
            let milliseconds = Int64(response.duration / .milliseconds(1))
            let found =
                "\(host) responded over \(response.protocolVersion) in \(milliseconds) ms "
                + "(status \(response.status))"
            return [Finding(.psp, .good, found), clock(response.headers.lastValue(of: .date))]
        case .failure(let failure):
            return [
                Finding(.psp, .bad, "\(host): \(failure)", advice: Self.advice(on: failure)),
                Finding(.clock, .skipped, "the PSP's time is unknown"),
            ]
        }
    }

    /// Compares this machine's clock with the PSP's, which has a resolution of one second.
    private func clock(_ date: String?) -> Finding {
        guard let seconds = date.flatMap(HTTPDate.seconds) else {
            return Finding(.clock, .skipped, "\(host) sent no time")
        }
        let there = Instant(microseconds: seconds * 1_000_000)
        let difference = respondedAt - there
        // The PSP's time was true up to a second earlier, and the response took time to arrive.
        let distance = difference < .zero ? .zero - difference : difference - .seconds(1)
        let way = difference < .zero ? "behind" : "ahead of"
        guard distance >= Self.clockTolerance else {
            return Finding(.clock, .good, "this machine's clock agrees with \(host)")
        }
        return Finding(
            .clock,
            distance >= Self.clockLimit ? .bad : .warning,
            "this machine's clock is \(distance.spoken) \(way) the clock of \(host)",
            advice: "turn on time synchronization: 'timedatectl set-ntp true'"
        )
    }

    private static func advice(on failure: TransportFailure) -> String {
        switch failure.kind {
        case .unresolvedHost: "check the host name and this machine's DNS settings"
        case .connectionRefused, .unreachable, .timedOut, .reset, .truncated:
            "check the network and its firewalls; the host must be reachable at the port of its "
                + "URL (443 for https)"
        case .proxy: "check the proxy in the configuration"
        case .tls(.untrusted):
            "the certificate is not trusted; check for an intercepting proxy, and check 'authorityFile'"
        case .tls(.pinMismatch):
            "the host's key is not among 'pinnedKeys'; ask the PSP whether its key was changed"
        case .tls(.unreadableAuthorities): "correct 'authorityFile' in the configuration"
        case .tls: "check this machine's clock and its certificate authorities"
        case .refusedURL: "add the host to 'allowedHosts' in the configuration if you trust it"
        case .malformedResponse, .responseTooLarge, .headersTooLarge, .endlessResponse, .canceled,
            .refusedRequest, .queueFull, .shutdown, .other:
            "look up the code in Documentation/errors.md, and use --verbose for details"
        }
    }
}
