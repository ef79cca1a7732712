import Adapters
import EventLog
import Foundation
import Sandbox
import SwedbankPay
import TestSupport
import Testing
import Workflow

/// Repeatedly created engines, and a long-lived one: neither accumulates resources.
@Suite(.timeLimit(.minutes(10))) struct LeakTests {
    private static let warmUp = 5
    private static let cycles = 30

    @Test func `an engine stopped with payments under way leaves nothing behind`() async throws {
        let sandbox = try await SandboxServer.start()
        var orders: [String] = []
        for _ in 0..<5 { orders.append(try await sandbox.createOrder().sessionURL) }
        // Each engine is stopped while its requests wait for responses.
        await sandbox.injectFaults(
            with: [Fault(rel: "*", requests: .every, kind: .delay(.milliseconds(200)))]
        )
        for _ in 0..<Self.warmUp { _ = try await Self.cycle(orders) }
        var before = Footprint.now()
        // The simulated PSP is also in this process: its side of the connections ends a little
        // later.
        try await until("the connections of the first engines are gone") {
            let now = Footprint.now()
            defer { before = now }
            return now.files == before.files && now.threads == before.threads
        }
        var points: [(x: Double, y: Double)] = []
        for number in 0..<Self.cycles {
            let remains = try await Self.cycle(orders)
            try await until("nothing of engine \(number) is left, not \(remains.names)") {
                remains.names.isEmpty
            }
            points.append((Double(number), Double(Footprint.now().resident)))
        }
        // A leak shows with many engines, if not with each. The thread pool of the process, which
        // other work uses too, may have some threads more than before.
        try await until("no engine has left a descriptor or a thread", within: .seconds(10)) {
            let now = Footprint.now()
            return now.files <= before.files + 4
                && now.threads < before.threads + Self.cycles / 2
        }
        let growth = LineFit(points).slope / 1024
        #expect(growth < 64, "resident memory grew by \(growth) KiB an engine")
        await sandbox.shutdown()
    }

    /// Starts an engine, lets it send requests, stops it meanwhile, and returns which of its parts
    /// remain.
    private static func cycle(_ orders: [String]) async throws -> Remains {
        try await withDirectory { directory in
            let bench = try await LoadBench(in: directory) { $0.shutdownGrace = .zero }
            for order in orders {
                _ = try await bench.engine.open(
                    order,
                    preferences: [.swish(msisdn: nil)],
                    allowsInsecureLoopback: true
                )
            }
            try await until("all have asked") { bench.sent.counts.all >= orders.count }
            await bench.shutdown()
            return Remains(
                engine: bench.engine,
                store: bench.store,
                transport: bench.transport,
                loop: bench.loop
            )
        }
    }

    /// Weak references to an engine's parts, to find what is kept alive.
    private struct Remains {
        weak var engine: PaymentEngine?
        weak var store: SQLiteEventStore?
        weak var transport: CurlTransport?
        weak var loop: UVLoop?

        /// The parts that are still alive.
        var names: [String] {
            [
                engine.map { _ in "engine" }, store.map { _ in "store" },
                transport.map { _ in "transport" }, loop.map { _ in "loop" },
            ].compactMap { $0 }
        }
    }

    @Test(.tags(.thorough))
    func `an engine that polls for ten seconds accumulates no memory, files or threads`()
        async throws
    {
        try await withDirectory { directory in
            var configuration = SandboxConfiguration()
            configuration.maximumLedgerEntries = 100
            let sandbox = try await SandboxServer.start(configuration)
            let bench = try await LoadBench(in: directory) {
                $0.sessionLimits.pollInterval = .milliseconds(50)
                $0.sessionLimits.longestPollInterval = .milliseconds(50)
            }
            let sessions = try await bench.openPolled(
                20,
                at: sandbox
            )
            let warm = ContinuousClock.now + .seconds(4)
            try await Self.look(at: sessions, of: bench, until: warm) { _ in }
            let first = Footprint.now()
            let start = ContinuousClock.now
            let polls = bench.sent.counts.all
            var points: [(x: Double, y: Double)] = []
            var most = first
            try await Self.look(at: sessions, of: bench, until: start + .seconds(10)) { now in
                points.append(((ContinuousClock.now - start) / .seconds(1), Double(now.resident)))
                most.files = max(most.files, now.files)
                most.threads = max(most.threads, now.threads)
            }
            let growth = LineFit(points).slope / 1024
            #expect(bench.sent.counts.all - polls > 200, "there was hardly any load")
            // The number of connections depends on the requests in progress.
            #expect(most.files <= first.files + 8, "\(first.files) files became \(most.files)")
            #expect(most.threads <= first.threads + 4)
            #expect(growth < 256, "resident memory grew by \(growth) KiB a second")
            await bench.shutdown()
            await sandbox.shutdown()
        }
    }

    /// Reads sessions and subscribes to them, as clients do, and measures the process meanwhile.
    private static func look(
        at sessions: [SessionID],
        of bench: LoadBench,
        until end: ContinuousClock.Instant,
        _ see: (Footprint) -> Void
    ) async throws {
        while ContinuousClock.now < end {
            for session in sessions {
                _ = try await bench.engine.state(of: session)
                for await _ in try await bench.engine.updates(of: session) { break }
            }
            see(Footprint.now())
            try await Task.sleep(for: .milliseconds(50))
        }
    }
}
