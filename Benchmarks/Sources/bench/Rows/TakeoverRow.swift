internal import Adapters
internal import Measuring
internal import SwedbankPay
internal import Workflow

/// How long the sessions of a killed node wait for another one.
enum TakeoverRow {
    static let name = "takeover"
    static let sessions = 100
    /// How often a node polls for due sessions.
    static let look = Duration.seconds(1)

    static func measure(_ options: Options, in directory: String) async throws -> Row {
        let sandbox = try SandboxProcess()
        defer { sandbox.stop() }
        let cluster = try PostgreSQLCluster(in: directory)
        defer { cluster.stop() }
        let keys = directory + "/payments.key"
        _ = try KeyFileVault(path: keys)
        var row = Row(
            name: name,
            what:
                "a node with 100 sessions in the middle of an attempt is killed; another one goes on",
            baseline: "-"
        )
        for seconds in options.isQuick ? [2] : [2, 10] {
            var first: [Double] = []
            var all: [Double] = []
            for _ in 0..<options.count(5, quick: 2) {
                let times = try await takeOver(
                    try cluster.makeDatabase(),
                    keys,
                    sandbox.baseURL,
                    leaseSeconds: seconds
                )
                first.append(times.first)
                all.append(times.all)
            }
            row.add("lease of \(seconds) s, first request out, median", first.median, "s")
            row.add("lease of \(seconds) s, all requests out, median", all.median, "s")
            row.expect(
                "lease of \(seconds) s, all requests out, worst",
                all.max() ?? .nan,
                atMost: Double(seconds) + 1,
                "s"
            )
        }
        row.notes.append(
            """
            from the kill to the request with which the other node reads a session at the PSP; the reach is the lease and the \
            second after which a node looks again for what is due. The pause before a session with a lost response is read \
            (until five seconds after the request's deadline) is set to nothing, since it is a choice and not work
            """
        )
        return row
    }

    /// Kills a node and waits for another one; returns the seconds until its first and its last
    /// request.
    private static func takeOver(
        _ url: String,
        _ keys: String,
        _ sandbox: String,
        leaseSeconds: Int
    ) async throws -> (first: Double, all: Double) {
        let watches = SharedValue([DepartureWatch]())
        let host = try await ServerHost(
            url,
            keys: keys,
            leaseTime: .seconds(leaseSeconds),
            connections: sessions + 10,
            transport: { http in
                let watch = DepartureWatch(over: http)
                watches.withLock { $0.append(watch) }
                return watch
            },
            configure: {
                $0.adoptionInterval = look
                $0.adoptionBatch = sessions
                $0.shutdownGrace = .zero
                $0.sessionLimits.pollInterval = .seconds(600)
                $0.sessionLimits.longestPollInterval = .seconds(600)
                $0.readsLostResponsesAtOnce()
            }
        )
        let child = try ChildProcess.helper(
            ["hold", url, keys, sandbox, "\(sessions)", "\(leaseSeconds * 1000)"]
        )
        guard try child.line() == "waiting", let watch = watches.withLock({ $0.first }) else {
            throw ChildProcess.Failure(description: "the helper did not get its sessions under way")
        }
        Task { [engine = host.engine] in await engine.run() }
        // At a random time between two renewals.
        try await Task.sleep(for: .milliseconds(Int.random(in: 0...leaseSeconds * 1000)))
        guard watch.departures.isEmpty else {
            throw ChildProcess.Failure(description: "a session was taken from a living node")
        }
        let start = Machine.seconds()
        child.kill()
        let deadline = start + Double(leaseSeconds) + 30
        while watch.departures.count < sessions, Machine.seconds() < deadline {
            try await Task.sleep(for: .milliseconds(5))
        }
        let departures = watch.departures
        await host.shutdown()
        guard departures.count >= sessions else {
            throw ChildProcess.Failure(description: "only \(departures.count) were taken over")
        }
        return (departures[0] - start, departures[sessions - 1] - start)
    }

    // MARK: Helper process

    /// Runs sessions until each waits for the response to its payment attempt, reports that, and
    /// waits to be killed.
    static func child(
        store url: String,
        keys: String,
        sandbox: String,
        count: Int,
        leaseMilliseconds: Int
    ) async throws {
        let host = try await ServerHost(
            url,
            keys: keys,
            leaseTime: .milliseconds(leaseMilliseconds),
            connections: count + 10,
            configure: { $0.readsLostResponsesAtOnce() }
        )
        let urls = try await SandboxProcess.orders(
            count,
            at: sandbox,
            scenario:
                #"{"faults":[{"rel":"start-payment-attempt","kind":"hang","every":true}]}"#,
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
        InputReader.start { _ in }
        print("waiting")
        try await Task.sleep(for: .seconds(600))
        withExtendedLifetime(host) {}
    }
}
