internal import Adapters
internal import Foundation
internal import Measuring
internal import SwedbankPay
internal import Workflow

/// Resuming sessions whose process is gone, each with a payment attempt of unknown outcome.
enum ResumeRow {
    static let name = "resume"

    static func measure(_ options: Options, in directory: String) async throws -> Row {
        let rounds = options.count(7, quick: 3)
        let count = 1000
        let sandbox = try SandboxProcess()
        defer { sandbox.stop() }
        let origin = directory + "/origin"
        try WorkingDirectory.make(origin)
        try abandon(count, in: origin, at: sandbox.baseURL)
        var first: [Double] = []
        var responses: [Double] = []
        let pair = try await Alternation(rounds: rounds) {
            let place = directory + "/round"
            try? FileManager.default.removeItem(atPath: place)
            try FileManager.default.copyItem(atPath: origin, toPath: place)
            try await adopt(place)
            let times = try await resume(count, in: place)
            first.append(times.first * 1e3)
            responses.append(times.answered * 1e3)
            return times.all * 1e3
        } baseline: {
            let start = Machine.seconds()
            let bare = try BareDatabase(path: origin + "/payments.db")
            let sessions = try bare.sessions()
            guard sessions.count == count else {
                throw ChildProcess.Failure(description: "there are \(sessions.count) sessions")
            }
            for session in sessions { _ = try bare.read(session) }
            return (Machine.seconds() - start) * 1e3
        }
        var row = Row(
            name: name,
            what: "resume 1,000 sessions that were in flight",
            baseline: "reading their rows with a bare prepared statement"
        )
        row.add("reading their rows", pair.baselineMedian, "ms")
        row.add("every session's first response read", Array(responses.dropFirst()).median, "ms")
        row.expect("first request out", Array(first.dropFirst()).median, atMost: 20, "ms")
        row.expect("all requests out", pair.oursMedian, atMost: 150, "ms")
        row.notes.append(
            """
            their process was killed while each waited for the response to its payment attempt; counted from before the \
            store is opened until the request that reads the session is handed to libcurl, 1,000 at a time allowed
            """
        )
        row.notes.append(
            """
            the pause before a session with a lost response is read (until five seconds after the request's deadline, so \
            that the PSP can finish what it may have begun) is set to nothing, since it is a choice and not work
            """
        )
        return row
    }

    /// Lets a process run sessions until each waits for the response to its payment attempt, and
    /// kills it.
    private static func abandon(_ count: Int, in directory: String, at base: String) throws {
        let child = try ChildProcess.helper(["abandon", "\(count)", directory, base])
        guard try child.line() == "waiting" else {
            throw ChildProcess.Failure(description: "the helper did not get its sessions under way")
        }
        child.kill()
    }

    // MARK: Helper process

    /// Runs sessions until each waits for the response to its payment attempt, reports that, and
    /// waits to be killed.
    static func child(_ count: Int, directory: String, sandbox: String) async throws {
        let host = try await EngineHost(
            in: directory,
            connections: count + 10,
            configure: { $0.readsLostResponsesAtOnce() }
        )
        let scenario =
            #"{"faults":[{"rel":"start-payment-attempt","kind":"hang","every":true}]}"#
        let urls = try await SandboxProcess.orders(
            count,
            at: sandbox,
            scenario: scenario,
            over: host.http,
            on: host.loop
        )
        let engine = host.engine
        try await sharing(count, among: 32, on: host.loop) { number in
            let session = try await engine.open(
                urls[number],
                preferences: [.swish(msisdn: nil)],
                allowsInsecureLoopback: true
            )
            for await update in try await engine.updates(of: session)
            where update.state.running?.start.rel == .startPaymentAttempt { return }
        }
        print("waiting")
        try await Task.sleep(for: .seconds(600))
        withExtendedLifetime(host) {}
    }

    // MARK: This process

    /// Makes a copy the live store: an engine sends nothing from a copy.
    private static func adopt(_ directory: String) async throws {
        let loop = try UVLoop(name: "adopting")
        let store = try await SQLiteEventStore(path: directory + "/payments.db", loop: loop)
        _ = try await store.adopt()
        await store.close()
        loop.shutdown()
    }

    /// Resumes them with a new engine; returns the seconds until the first request, the last one,
    /// and the last response.
    private static func resume(
        _ count: Int,
        in directory: String
    ) async throws -> (first: Double, all: Double, answered: Double) {
        let loop = try UVLoop(name: "engine")
        let watches = SharedValue([DepartureWatch]())
        let start = Machine.seconds()
        let host = try await EngineHost(
            in: directory,
            loop: loop,
            connections: count + 10,
            transport: { http in
                let watch = DepartureWatch(over: http)
                watches.withLock { $0.append(watch) }
                return watch
            },
            configure: {
                $0.adoptionBatch = count
                $0.shutdownGrace = .zero
                $0.sessionLimits.pollInterval = .seconds(600)
                $0.sessionLimits.longestPollInterval = .seconds(600)
                $0.readsLostResponsesAtOnce()
            }
        )
        let engine = host.engine
        let taken = try await onLoop(loop) { try await engine.resumeDue() }
        guard taken.count == count, let watch = watches.withLock({ $0.first }) else {
            throw ChildProcess.Failure(description: "\(taken.count) sessions were taken up")
        }
        let deadline = Machine.seconds() + 30
        while watch.responses.count < count, Machine.seconds() < deadline {
            try await Task.sleep(for: .milliseconds(2))
        }
        let (departures, responses) = (watch.departures, watch.responses)
        await host.shutdown()
        loop.shutdown()
        guard responses.count >= count else {
            throw ChildProcess.Failure(description: "only \(responses.count) responses came")
        }
        return (
            departures[0] - start, departures[count - 1] - start, responses[count - 1] - start
        )
    }
}
