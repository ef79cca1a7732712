internal import Adapters
internal import Foundation
internal import Measuring
internal import SwedbankPay

/// Many sessions on one engine: they are opened, the engine is killed, a new one resumes them, and
/// the PSP has an outage.
struct Campaign {
    let options: Options
    let directory: String

    init(_ options: Options, in directory: String) {
        self.options = options
        self.directory = directory
    }

    /// Runs all stages in order on the same sessions.
    func run() async throws -> [Row] {
        let sandbox = try SandboxControl()
        defer { sandbox.stop() }
        var rows: [Row] = []
        let filled = try Filling.run(options, in: directory, at: sandbox)
        rows.append(row(of: filled.result))
        filled.process.kill()
        printProgress("the engine was killed; waiting until all polls are overdue")
        try await Task.sleep(for: .seconds(options.interval + 1))

        let (asked, sent) = (SharedValue([RequestWatch]()), SharedValue([RequestWatch]()))
        let start = Machine.seconds()
        let host = try await EngineHost(
            in: directory,
            provider: { psp in
                let inner = RequestWatch(over: psp)
                let outer = RequestWatch(over: GuardedProvider(inner))
                sent.withLock { $0.append(inner) }
                asked.withLock { $0.append(outer) }
                return outer
            },
            configure: { Filling.configure(&$0, interval: options.interval) }
        )
        guard let outer = asked.withLock({ $0.first }), let inner = sent.withLock({ $0.first })
        else {
            throw ChildProcess.Failure(description: "the engine has no provider")
        }
        let bench = Bench(host: host, sandbox: sandbox, asked: outer, sent: inner, options: options)
        rows.append(try await Resuming(bench: bench).run(since: start))
        rows.append(try await Fairness(bench: bench).run())
        rows.append(try await Outage(bench: bench).run())
        await host.shutdown()
        host.loop.shutdown()
        return rows
    }

    private func row(of result: Filling.Result) -> Row {
        var row = Row(
            name: "memory",
            what: "\(options.sessions) sessions come in, \(options.polled) of them are polled",
            baseline: "resident memory of the same process before them"
        )
        // With fewer, the noise of the allocator is larger than the result.
        if options.sessions >= 20_000 {
            row.expect(
                "a session that waits for its client",
                result.parkedBytes,
                atMost: 1024,
                "bytes"
            )
        } else {
            row.add("a session that waits for its client", result.parkedBytes, "bytes")
        }
        row.add("a session that is polled", result.polledBytes, "bytes")
        row.add("the whole process then", Double(result.resident) / 1e6, "MB")
        row.add("sessions came in", result.openedPerSecond, "a second")
        row.notes.append(
            """
            each over HTTP, \(Filling.atOnce) at a time: opened, read and prepared at the PSP, its methods offered; the ones \
            that are polled have begun to pay with Swish
            """
        )
        return row
    }
}

/// What all stages share.
struct Bench {
    let host: EngineHost
    let sandbox: SandboxControl
    /// The requests of the engine.
    let asked: RequestWatch
    /// The requests that the guard lets through.
    let sent: RequestWatch
    let options: Options

    /// Returns the processor time of the loop's thread, in seconds.
    func loopSeconds() async -> Double { await host.loop.spawn { Machine.threadSeconds() }.value }

    /// Waits for a condition; returns the time when it held, or `nil` if it never did.
    func wait(_ limit: Double, until condition: () throws -> Bool) async throws -> Double? {
        let end = Machine.seconds() + limit
        while Machine.seconds() < end {
            if try condition() { return Machine.seconds() }
            try await Task.sleep(for: .milliseconds(20))
        }
        return nil
    }
}
