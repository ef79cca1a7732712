internal import Adapters
internal import ArgumentParser
internal import Glibc
internal import Inspection
internal import Sandbox
internal import SwedbankPay

/// `demo`: pays six times at a sandbox over real HTTP, and verifies the logs.
struct DemoCommand: Command {
    static let configuration = CommandConfiguration(
        commandName: "demo",
        abstract: "Make payments at a built-in sandbox, then replay and verify the logs.",
        discussion: """
            Everything runs on this machine. The logs stay in a temporary store, or in the one \
            given with --store, for you to explore.

            With --sessions, fills a new store with a month of sample payments for training: \
            paid with every instrument, canceled, declined, expired, lost in an outage, captured \
            and refunded. The engine makes them at the sandbox on simulated clocks. The same \
            --seed and --until produce the same payments. The store must not contain any \
            sessions.

            With --checkout, runs a checkout in a headless Chromium: the payer checks in, the \
            order is switched to another method, the payer pays on the hosted page, the PSP \
            sends its callback, and the order is confirmed and captured.

            Examples:
              workflowctl demo
              workflowctl demo --checkout
              workflowctl demo --store sqlite:training.db --sessions 20
            """
    )

    @Flag(help: "Run a checkout in a headless Chromium instead.")
    var checkout = false

    @Option(
        help: ArgumentHelp(
            "Fill a new store with this many sample payments from the last month instead.",
            valueName: "n"
        )
    )
    var sessions: Int?

    @Option(help: ArgumentHelp("With --sessions, the random seed.", valueName: "n"))
    var seed: UInt64 = 1

    @Option(
        help: ArgumentHelp(
            "With --sessions, the end of the month. (default: now)",
            valueName: "time"
        )
    )
    var until: TimeArgument?

    @OptionGroup var global: GlobalOptions

    func refuseBadArguments() throws(Failure) {
        guard let sessions else {
            guard until == nil, seed == 1 else {
                throw .usage("sessions", "--seed and --until require --sessions")
            }
            return
        }
        let bounds = TrainingStore.bounds
        guard bounds.contains(sessions), !checkout else {
            throw .usage(
                "sessions",
                "--sessions must be a whole number from \(bounds.lowerBound) to "
                    + "\(bounds.upperBound) and cannot be combined with --checkout"
            )
        }
    }

    func perform(in invocation: Invocation) async throws(Failure) -> ExitStatus {
        if let sessions { return try await fill(with: sessions, invocation) }
        let stage = global.json ? invocation.diagnostics : invocation.output
        let needsFolder = checkout || global.store == nil
        let temporary = needsFolder ? try Self.temporaryFolder(invocation) : "."
        defer { if needsFolder, global.store != nil { rmdir(temporary) } }
        let folder = global.store == nil ? temporary : nil
        let location = try StoreLocation(global.store ?? "sqlite:\(folder ?? ".")/payments.db")
        var options = global
        options.allowInsecureLoopback = true
        let configuration = try Configuration.read(options, environment: invocation.environment)
        let sandbox: SandboxServer
        do {
            var stand = SandboxConfiguration(swishApprovalDelay: .milliseconds(800))
            if checkout { stand.payerDelay = .milliseconds(stage.isTerminal ? 900 : 200) }
            sandbox = try await SandboxServer.start(stand)
        } catch {
            throw Failure(
                .unavailable,
                "sandbox.not-listening",
                "the sandbox cannot listen on 127.0.0.1"
            )
        }
        if checkout {
            return try await playCheckout(
                configuration,
                at: location,
                sandbox,
                on: stage,
                folder: temporary,
                invocation
            )
        }
        let result: Result<[DemoResult], Failure>
        do throws(Failure) {
            result = .success(
                try await Driver.withEngine(
                    configuration,
                    at: location,
                    access: .createIfMissing,
                    in: invocation
                ) { driver throws(Failure) in
                    var results: [DemoResult] = []
                    for scenario in DemoScenario.all {
                        let session = DemoSession(
                            scenario: scenario,
                            driver: driver,
                            sandbox: sandbox,
                            stage: stage
                        )
                        results.append(try await session.run())
                    }
                    return results
                }
            )
        } catch {
            result = .failure(error)
        }
        await sandbox.shutdown()
        let results = try result.get()
        let report = DemoReport(
            results: results,
            location: location,
            folder: folder,
            invocation: invocation
        )
        report.printReport(on: stage)
        if global.json { invocation.print(report.json) }
        return report.isAsExpected ? .done : .refused
    }

    /// Creates a training store.
    private func fill(
        with count: Int,
        _ invocation: Invocation
    ) async throws(Failure) -> ExitStatus {
        let named = try StoreLocation.read(global, environment: invocation.environment)
        let isNamed = named.source != nil
        let folder = isNamed ? nil : try Self.temporaryFolder(invocation)
        let location = try folder.map { path throws(Failure) in
            try StoreLocation("sqlite:\(path)/payments.db")
        }
        var options = global
        options.allowInsecureLoopback = true
        let now = invocation.now()
        let training = TrainingStore(
            count: count,
            seed: seed,
            until: until?.end(from: now) ?? now,
            location: location ?? named,
            configuration: try Configuration.read(options, environment: invocation.environment),
            invocation: invocation
        )
        let report = try await training.make()
        if global.json {
            invocation.print(report.json)
        } else {
            report.printReport(on: invocation.output, program: invocation.program)
        }
        return report.isAsExpected ? .done : .refused
    }

    private func playCheckout(
        _ configuration: Configuration,
        at location: StoreLocation,
        _ sandbox: SandboxServer,
        on stage: Sink,
        folder: String,
        _ invocation: Invocation
    ) async throws(Failure) -> ExitStatus {
        let played: Result<CheckoutDemo.Result, Failure>
        do throws(Failure) {
            played = .success(
                try await Driver.withEngine(
                    configuration,
                    at: location,
                    access: .createIfMissing,
                    secrets: OrderSecrets(accessToken: "sandbox"),
                    in: invocation
                ) { driver throws(Failure) in
                    let demo = CheckoutDemo(
                        driver: driver,
                        sandbox: sandbox,
                        stage: stage,
                        folder: folder
                    )
                    return try await demo.run()
                }
            )
        } catch {
            played = .failure(error)
        }
        await sandbox.shutdown()
        let result = try played.get()
        let report = CheckoutReport(
            result: result,
            location: location,
            folder: global.store == nil ? folder : nil,
            invocation: invocation
        )
        report.printReport(on: stage)
        if global.json { invocation.print(report.json) }
        return result.isAsExpected ? .done : .refused
    }

    /// Creates a folder that only the owner can read.
    private static func temporaryFolder(_ invocation: Invocation) throws(Failure) -> String {
        let base = invocation.environment["TMPDIR"].nonEmpty ?? "/tmp"
        // mkdtemp replaces the six letters with an unpredictable name.
        var template = Array((base + "/workflowctl-demo.XXXXXX").utf8CString)
        let isMade = template.withUnsafeMutableBufferPointer { path in
            path.baseAddress.flatMap { mkdtemp($0) } != nil
        }
        guard isMade else {
            throw Failure(
                .unavailable,
                "demo.no-folder",
                "cannot create a temporary folder in \(base)",
                hint: "set TMPDIR, or choose a store with --store sqlite:PATH"
            )
        }
        return String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }
}
