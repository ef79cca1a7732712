import HTTPTypes
import TestSupport
import Testing

@testable import UVTransport

/// Servers that violate HTTP/2: nothing is sent twice, and each failure is classified.
@Suite(.duty("C-12")) struct HostileFramesTests {
    private typealias Frame = FrameServer.Frame

    /// The result of one payment request.
    private struct Outcome {
        var response: TransportResponse?
        var failure: TransportFailure?
    }

    /// Sends a payment to a server that responds with frames, and expects that it arrives once.
    private func outcome(
        in folder: String,
        _ frames: [Frame],
        after first: [UInt8] = [],
        then manner: FrameServer.Manner = .wait,
        within: Duration = .seconds(10),
        turn: Duration = TransportConfiguration(allowedHostSuffixes: []).maximumTurn,
        arrivals: ClosedRange<Int> = 1...1
    ) async throws -> Outcome {
        let server = try FrameServer(folder, first, frames.flatMap(\.bytes), then: manner)
        var outcome = Outcome()
        let result = await withTransport(trusting: folder, turn: turn) { transport in
            await transport.result(request(.post, server.url, body: "pay", within: within))
        }
        switch result {
        case .success(let response): outcome.response = response
        case .failure(let failure): outcome.failure = failure
        case nil: Issue.record("there is no loop")
        }
        let arrived = try server.stop()
        #expect(arrivals.contains(arrived), "nothing is sent twice, nor not at all")
        return outcome
    }

    @Test func `frames in order form a response, and unknown frames between them are ignored`()
        async throws
    {
        try await withAuthority { folder in
            let outcome = try await outcome(
                in: folder,
                [
                    Frame(kind: .unheardOf, flags: 0xFF, payload: [1, 2, 3]),
                    Frame(kind: .ping, stream: 0, payload: [UInt8](repeating: 7, count: 8)),
                    .status(), .body("he", isLast: false),
                    Frame(kind: .windowUpdate, payload: [0, 0, 1, 0]), .body("llo"),
                ]
            )
            #expect(outcome.response?.status == 200, "\(String(describing: outcome.failure))")
            #expect(outcome.response?.protocolVersion == "HTTP/2")
            #expect(outcome.response?.body == Array("hello".utf8))
        }
    }

    /// Protocol error, internal error, refused stream (which promises that nothing was done),
    /// cancel, enhance your calm: a promise of the peer is not enough to pay again without
    /// reconciling.
    @Test func `a stream reset before the response may have been processed, and is not sent again`()
        async throws
    {
        try await withAuthority { folder in
            for code in [1, 2, 7, 8, 11] as [UInt8] {
                let outcome = try await outcome(in: folder, [.reset(code)])
                #expect(outcome.failure?.kind == .reset, "\(code)")
                #expect(outcome.failure?.reach == .maybeSent, "\(code)")
            }
        }
    }

    @Test func `a stream reset within the response counts as answered, with a truncated response`()
        async throws
    {
        try await withAuthority { folder in
            let outcome = try await outcome(
                in: folder,
                [.reset(2)],
                after: Frame.status().bytes + Frame.body("half", isLast: false).bytes
            )
            #expect(outcome.failure?.kind == .truncated)
            #expect(outcome.failure?.reach == .responded)
        }
    }

    @Test func `a request that GOAWAY declares unprocessed is not sent again`()
        async throws
    {
        try await withAuthority { folder in
            for code in [0, 2, 11] as [UInt8] {
                let outcome = try await outcome(
                    in: folder,
                    [.goAway(last: 0, code)],
                    then: .close,
                    within: .seconds(2)
                )
                #expect(outcome.response == nil)
                #expect(outcome.failure?.reach == .maybeSent, "\(code)")
            }
        }
    }

    @Test func `a response that follows GOAWAY is accepted`() async throws {
        try await withAuthority { folder in
            let outcome = try await outcome(
                in: folder,
                [.goAway(last: 1, 0), .status(), .body("ok")]
            )
            #expect(outcome.response?.status == 200, "\(String(describing: outcome.failure))")
            #expect(outcome.response?.body == Array("ok".utf8))
        }
    }

    @Test func `a connection closed without a response leaves the outcome unknown`() async throws {
        try await withAuthority { folder in
            let outcome = try await outcome(in: folder, [], then: .close)
            #expect(outcome.failure?.kind == .reset)
            #expect(outcome.failure?.reach == .maybeSent)
        }
    }

    @Test func `an HTTP/1 response where HTTP/2 was negotiated is not accepted`() async throws {
        try await withAuthority { folder in
            let outcome = try await outcome(
                in: folder,
                [],
                after: Array("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok".utf8),
                then: .close
            )
            #expect(outcome.response == nil)
            #expect(outcome.failure?.reach == .maybeSent)
        }
    }

    @Test func `malformed frames are not accepted as the response to a payment`() async throws {
        try await withAuthority { folder in
            for (name, frames) in HostileFrames.malformed {
                let outcome = try await outcome(
                    in: folder,
                    frames,
                    then: .close,
                    within: .seconds(5)
                )
                // When the connection fails after the headers, libcurl 7.88 may treat that as the
                // end of a body without a length. The JSON is incomplete then, so it is rejected.
                #expect(
                    outcome.response == nil || outcome.response?.body == [],
                    "\(name): a payment was taken for answered"
                )
                #expect(outcome.failure?.reach != .notSent, "\(name)")
            }
        }
    }

    // The limit is only for what never ends. libcurl reads on while a peer is faster than it, so
    // the time that this takes depends on the machine: a few seconds, or ten minutes under the
    // address sanitizer on a busy one.
    @Test(.tags(.repeatedThoroughly), .timeLimit(.minutes(60)))
    func `endless frames stop at a limit or at the deadline`() async throws {
        try await withAuthority { folder in
            // The one ends at the deadline, the other at a limit.
            let some = ["pings", "headers"]
            for (name, first, frames) in HostileFrames.endless
            where Tier.isThorough || some.contains(name) {
                let outcome = try await outcome(
                    in: folder,
                    frames,
                    after: first.flatMap(\.bytes),
                    then: .again,
                    within: .seconds(2)
                )
                #expect(outcome.response == nil, "\(name)")
                #expect(outcome.failure != nil, "\(name)")
            }
        }
    }

    @Test func `a server that sends faster than it can be read is cut off as endless`()
        async throws
    {
        try await withAuthority { folder in
            let outcome = try await outcome(
                in: folder,
                [Frame](
                    repeating: Frame(
                        kind: .unheardOf,
                        payload: [UInt8](repeating: 0, count: 16_000)
                    ),
                    count: 3
                ),
                then: .again,
                within: .seconds(5),
                turn: .nanoseconds(1),
                // With so short a time it may be given up before it is written.
                arrivals: 0...1
            )
            #expect(outcome.failure?.kind == .endlessResponse)
            #expect(outcome.failure?.reach == .maybeSent)
        }
    }
}

extension CurlTransport {
    fileprivate func result(
        _ request: TransportRequest
    ) async -> Result<TransportResponse, TransportFailure>? {
        do throws(TransportFailure) {
            return .success(try await perform(request))
        } catch {
            return .failure(error)
        }
    }
}

/// Runs a test with a transport that trusts the authority of a directory.
private func withTransport(
    trusting folder: String,
    turn: Duration,
    _ body: (CurlTransport) async -> Result<TransportResponse, TransportFailure>?
) async -> Result<TransportResponse, TransportFailure>? {
    try? await withTransport(
        {
            $0.authorityFile = folder + "/ca.pem"
            $0.maximumTurn = turn
        },
        { transport, _ in await body(transport) }
    )
}
