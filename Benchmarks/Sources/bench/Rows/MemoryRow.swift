internal import Adapters
internal import Foundation
internal import Measuring
internal import SwedbankPay
internal import Workflow

/// The memory of waiting sessions.
enum MemoryRow {
    static let name = "memory"

    static func measure(_ options: Options, in directory: String) async throws -> Row {
        let count = options.count(100_000, quick: 5000)
        let sandbox = try SandboxProcess()
        defer { sandbox.stop() }
        var row = Row(
            name: name,
            what: "memory of \(count) parked sessions",
            baseline: "the same process before them (resident memory)"
        )
        let parked = try bytes("parked", count, in: directory, at: sandbox.baseURL)
        let held = try bytes("held", count / 5, in: directory, at: sandbox.baseURL)
        row.expect("parked: settled, waiting for the client", parked, atMost: 1024, "bytes each")
        row.add("held in memory: waiting for the PSP between two polls", held, "bytes each")
        row.notes.append(
            """
            the engine lets go of a session that only the client can move on: its log is in the store and its row says \
            when something is due; a session that the PSP is polled for stays in memory with its keys and addresses
            """
        )
        row.notes.append(
            "each kind in a process of its own, after a hundredth as many for warming up; held: \(count / 5) sessions"
        )
        return row
    }

    private static func bytes(
        _ kind: String,
        _ count: Int,
        in directory: String,
        at base: String
    ) throws -> Double {
        let place = directory + "/" + kind
        try WorkingDirectory.make(place)
        let child = try ChildProcess.helper(["memory", kind, "\(count)", place, base])
        let line = try child.line()
        guard child.wait() == 0, let bytes = Double(line) else {
            throw ChildProcess.Failure(description: "the memory helper failed")
        }
        return bytes
    }

    // MARK: Helper process

    /// Opens sessions until they wait, and prints how much memory one of them needs.
    static func child(
        kind: String,
        count: Int,
        directory: String,
        sandbox: String
    ) async throws {
        let isHeld = kind == "held"
        let preferences: [PreferenceRequest] =
            isHeld ? [.swish(msisdn: MSISDN("+46739000001"))] : []
        let recording = try await record(preferences, in: directory + "/recorded", at: sandbox)
        let host = try await EngineHost(
            in: directory,
            transport: { _ in CannedTransport(recording.exchanges) },
            configure: Self.configure
        )
        let (engine, address) = (host.engine, recording.address)
        let copies = Counter()
        let open: @Sendable (Int) async throws -> Void = { _ in
            let session = try await engine.open(
                CannedTransport.copy(copies.next(), of: address),
                reference: "order-4711",
                preferences: preferences,
                allowsInsecureLoopback: true
            )
            for await update in try await engine.updates(of: session)
            where isHeld ? isWaitingForPoll(update.state) : update.isSettled { return }
        }
        try await sharing(max(200, count / 100), among: 64, on: host.loop, open)
        try await Task.sleep(for: .milliseconds(300))
        let before = Machine.residentBytes()
        try await sharing(count, among: 64, on: host.loop, open)
        try await Task.sleep(for: .milliseconds(500))
        let after = Machine.residentBytes()
        print(Double(after - before) / Double(count))
        exit(0)
    }

    /// Returns whether an attempt has begun at the PSP and no request is in progress.
    private static func isWaitingForPoll(_ state: SessionState) -> Bool {
        state.payment?.attempt?.isStarted == true && state.running == nil
    }

    private static func configure(_ configuration: inout PaymentConfiguration) {
        configuration.sessionLimits.pollInterval = .seconds(3600)
        configuration.sessionLimits.longestPollInterval = .seconds(3600)
        configuration.shutdownGrace = .zero
    }

    /// Records the exchanges of a session until it waits.
    private static func record(
        _ preferences: [PreferenceRequest],
        in directory: String,
        at base: String
    ) async throws -> (exchanges: [ExchangeRecorder.Exchange], address: String) {
        try WorkingDirectory.make(directory)
        let recorders = SharedValue([ExchangeRecorder]())
        let host = try await EngineHost(
            in: directory,
            transport: { http in
                let recorder = ExchangeRecorder(over: http)
                recorders.withLock { $0.append(recorder) }
                return recorder
            },
            configure: Self.configure
        )
        let urls = try await SandboxProcess.orders(
            1,
            at: base,
            scenario: #"{"swishApprovalMilliseconds":3600000}"#,
            over: host.http,
            on: host.loop
        )
        let engine = host.engine
        try await onLoop(host.loop) {
            let session = try await engine.open(
                urls[0],
                preferences: preferences,
                allowsInsecureLoopback: true
            )
            for await update in try await engine.updates(of: session)
            where preferences.isEmpty ? update.isSettled : isWaitingForPoll(update.state) {
                return
            }
        }
        await host.shutdown()
        host.loop.shutdown()
        return (recorders.withLock { $0.first?.exchanges ?? [] }, urls[0])
    }
}
