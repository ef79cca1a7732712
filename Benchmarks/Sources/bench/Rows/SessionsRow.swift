internal import Adapters
internal import Measuring
internal import SwedbankPay
internal import Workflow

/// Whole payments with Swish, many at a time, with the sandbox in another process.
enum SessionsRow {
    static let name = "sessions"
    static let inFlight = 64

    static func measure(_ options: Options, in directory: String) async throws -> Row {
        let rounds = options.count(8, quick: 3)
        let times = options.count(640, quick: 128)
        let sandbox = try SandboxProcess()
        defer { sandbox.stop() }
        let base = sandbox.baseURL
        let script = try await script(in: directory, at: base)
        let host = try await EngineHost(in: directory, configure: Self.configure)
        let (http, loop) = (host.http, host.loop)
        Task { [engine = host.engine] in await engine.run() }
        let payer = SwishPayer(engine: host.engine)
        var cpu: [Double] = []
        var bareCPU: [Double] = []
        let pair = try await Alternation(rounds: rounds) {
            let urls = try await SandboxProcess.orders(times, at: base, over: http, on: loop)
            let start = (Machine.seconds(), Machine.processorSeconds())
            try await sharing(times, among: inFlight, on: loop) { number in
                _ = try await payer.pay(urls[number])
            }
            cpu.append((Machine.processorSeconds() - start.1) / Double(times) * 1e6)
            return Double(times) / (Machine.seconds() - start.0)
        } baseline: {
            let urls = try await SandboxProcess.orders(times, at: base, over: http, on: loop)
            let start = (Machine.seconds(), Machine.processorSeconds())
            try await sharing(times, among: inFlight, on: loop) { number in
                try await script.run(urls[number], over: http)
            }
            bareCPU.append((Machine.processorSeconds() - start.1) / Double(times) * 1e6)
            return Double(times) / (Machine.seconds() - start.0)
        }
        await host.shutdown()
        loop.shutdown()
        var row = Row(
            name: name,
            what: "whole sessions (Swish on this device, everything on) a second, 64 in flight",
            baseline: "the same HTTP exchanges over the same transport, without engine and log"
        )
        row.add("exchanges a session", Double(script.count), "")
        row.add("ours", pair.oursMedian, "sessions/s")
        row.add("baseline", pair.baselineMedian, "sessions/s")
        row.add("ours", cpu.median, "µs CPU a session")
        row.add("baseline", bareCPU.median, "µs CPU a session")
        row.expect("of its sessions a second", pair.ratio * 100, atLeast: 60, "%")
        row.notes.append(
            "the payer approves at once, so no session waits for a poll; the sandbox has its own process"
        )
        return row
    }

    /// Polls, should one be necessary, are not measured.
    private static func configure(_ configuration: inout PaymentConfiguration) {
        configuration.sessionLimits.pollInterval = .milliseconds(1)
    }

    /// The recorded exchanges of one payment.
    private static func script(
        in directory: String,
        at base: String
    ) async throws -> ExchangeScript {
        let recorders = SharedValue([ExchangeRecorder]())
        let path = directory + "/recorded"
        try WorkingDirectory.make(path)
        let host = try await EngineHost(
            in: path,
            transport: { http in
                let recorder = ExchangeRecorder(over: http)
                recorders.withLock { $0.append(recorder) }
                return recorder
            },
            configure: Self.configure
        )
        let urls = try await SandboxProcess.orders(1, at: base, over: host.http, on: host.loop)
        let payer = SwishPayer(engine: host.engine)
        _ = try await onLoop(host.loop) { try await payer.pay(urls[0]) }
        await host.shutdown()
        host.loop.shutdown()
        let exchanges = recorders.withLock { $0.first?.exchanges ?? [] }
        return try ExchangeScript(exchanges, session: urls[0])
    }
}
