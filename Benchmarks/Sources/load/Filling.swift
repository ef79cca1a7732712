internal import Adapters
internal import Foundation
internal import Measuring
internal import SwedbankPay
internal import Workflow

/// Opens many sessions over HTTP that then wait: most for their clients, some for payers in the
/// Swish app.
enum Filling {
    /// The costs.
    struct Result: Codable {
        /// The bytes of a session that waits for its client.
        var parkedBytes: Double
        /// The bytes of a session that is polled.
        var polledBytes: Double
        /// The number of sessions opened per second.
        var openedPerSecond: Double
        /// The resident memory of the whole process at the end.
        var resident: Int
    }

    /// The number of concurrent openings.
    static let atOnce = 64

    /// Runs the helper until all sessions wait; it continues to poll until it is killed.
    static func run(
        _ options: Options,
        in directory: String,
        at sandbox: SandboxControl
    ) throws -> (result: Result, process: ChildProcess) {
        printProgress("the sandbox makes \(options.sessions) orders")
        let urls = try sandbox.orders(options.sessions, approval: 3_600_000, in: directory)
        let file = directory + "/urls"
        try urls.joined(separator: "\n").write(toFile: file, atomically: true, encoding: .utf8)
        let process = try ChildProcess.helper(
            ["fill", directory, file, "\(options.polled)", "\(options.interval)"]
        )
        let line = try process.line()
        return (try JSONDecoder().decode(Result.self, from: Data(line.utf8)), process)
    }

    /// Configures the engine of all stages, with the defaults of a service except for what is set
    /// here.
    static func configure(_ configuration: inout PaymentConfiguration, interval: Int) {
        configuration.sessionLimits.pollInterval = .seconds(interval)
        configuration.sessionLimits.longestPollInterval = .seconds(interval)
        // Sessions wait for the PSP longer than payers do, since the engine is what is measured.
        configuration.sessionLimits.tries = 100_000
        configuration.sessionLimits.retryBudget = .seconds(24 * 3600)
        configuration.adoptionInterval = .seconds(1)
    }

    // MARK: Helper process

    static func child(directory: String, file: String, polled: Int, interval: Int) async throws {
        let urls = try String(contentsOfFile: file, encoding: .utf8).split(separator: "\n")
            .map(String.init)
        let host = try await EngineHost(
            in: directory,
            configure: { configure(&$0, interval: interval) }
        )
        Task { [engine = host.engine] in await engine.run() }
        let parked = urls.count - polled
        let warmUp = parked / 20
        let start = Machine.seconds()
        try await open(urls[..<warmUp], in: host, pays: false, "to warm up")
        try await Task.sleep(for: .seconds(1))
        let before = Machine.residentBytes()
        try await open(urls[warmUp..<parked], in: host, pays: false, "that wait for their clients")
        let seconds = Machine.seconds() - start
        try await Task.sleep(for: .seconds(2))
        let between = Machine.residentBytes()
        try await open(urls[parked...], in: host, pays: true, "that are polled")
        try await Task.sleep(for: .seconds(2))
        let after = Machine.residentBytes()
        let result = Result(
            parkedBytes: Double(between - before) / Double(max(parked - warmUp, 1)),
            polledBytes: Double(after - between) / Double(max(polled, 1)),
            openedPerSecond: Double(parked) / seconds,
            resident: after
        )
        print(String(decoding: try JSONEncoder().encode(result), as: UTF8.self))
        try await Task.sleep(for: .seconds(24 * 3600))
        withExtendedLifetime(host) {}
    }

    private static func open(
        _ urls: ArraySlice<String>,
        in host: EngineHost,
        pays: Bool,
        _ what: String
    ) async throws {
        let engine = host.engine
        let start = Machine.seconds()
        let step = max(urls.count / 10, 1)
        let urls = Array(urls)
        try await sharing(urls.count, among: atOnce, on: host.loop) { number in
            let session = try await engine.open(
                urls[number],
                reference: "load",
                preferences: pays ? [.swish(msisdn: MSISDN("+46739000001"))] : [],
                allowsInsecureLoopback: true
            )
            for await update in try await engine.updates(of: session)
            where pays ? isPolled(update.state) : update.isSettled { break }
            if number % step == step - 1 {
                let rate = Double(number + 1) / (Machine.seconds() - start)
                printProgress(
                    "\(number + 1) of \(urls.count) sessions \(what), \(Int(rate)) a second"
                )
            }
        }
    }

    /// Returns whether an attempt has begun at the PSP and no request is in progress.
    private static func isPolled(_ state: SessionState) -> Bool {
        state.payment?.attempt?.isStarted == true && state.running == nil
    }
}
