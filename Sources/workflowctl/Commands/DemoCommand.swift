internal import Adapters
internal import ArgumentParser
internal import Glibc
internal import Inspection
internal import Sandbox
internal import SwedbankPay

/// `demo`: makes six payments at a sandbox over HTTP, and verifies their logs.
struct DemoCommand: Command {
    static let configuration = CommandConfiguration(
        commandName: "demo",
        abstract: "Pay at a sandbox, then replay and verify what was written.",
        discussion: """
            Nothing leaves this machine. The log stays, in a temporary store or in the one given with --store, so \
            that you can look around in it.

            --sessions fills a new store for trying and teaching: payments of the last month, made by the engine at the \
            sandbox on a clock of their own, in the scenarios of the folder Scenarios: paid with each instrument, \
            canceled, declined, expired, refused by the bank, lost in an outage, captured and given back. The same \
            --seed and --until give the same payments. A store that has sessions is refused.

            --checkout plays a checkout in a headless Chromium: a payer checks in, the order's method is changed, the \
            hosted page is paid, the PSP calls back, the order is confirmed and captured.

            Examples:
              workflowctl demo
              workflowctl demo --checkout
              workflowctl demo --store sqlite:training.db --sessions 20
            """
    )

    @Flag(help: "Play a checkout in a headless Chromium instead.")
    var checkout = false

    @Option(
        help: ArgumentHelp(
            "Fill a new store with so many payments of the last month instead.",
            valueName: "n"
        )
    )
    var sessions: Int?

    @Option(help: ArgumentHelp("With --sessions: from which chance they are.", valueName: "n"))
    var seed: UInt64 = 1

    @Option(
        help: ArgumentHelp(
            "With --sessions: when the month ends (default: now).",
            valueName: "time"
        )
    )
    var until: TimeArgument?

    @OptionGroup var global: GlobalOptions

    func refuseBadArguments() throws(Failure) {
        guard let sessions else {
            guard until == nil, seed == 1 else {
                throw .usage("sessions", "--seed and --until go with --sessions")
            }
            return
        }
        let bounds = TrainingStore.bounds
        guard bounds.contains(sessions), !checkout else {
            throw .usage(
                "sessions",
                "--sessions takes a whole number from \(bounds.lowerBound) to \(bounds.upperBound), and not --checkout"
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
        report.tell(on: stage)
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
            until: until?.instant(from: now) ?? now,
            location: location ?? named,
            configuration: try Configuration.read(options, environment: invocation.environment),
            invocation: invocation
        )
        let report = try await training.make()
        if global.json {
            invocation.print(report.json)
        } else {
            report.tell(on: invocation.output, program: invocation.program)
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
        report.tell(on: stage)
        if global.json { invocation.print(report.json) }
        return result.isAsExpected ? .done : .refused
    }

    /// Creates a directory that only its owner can read.
    private static func temporaryFolder(_ invocation: Invocation) throws(Failure) -> String {
        let base = invocation.environment["TMPDIR"].nonEmpty ?? "/tmp"
        // mkdtemp(3) replaces the six letters with an unpredictable name.
        var template = Array((base + "/workflowctl-demo.XXXXXX").utf8CString)
        let isMade = template.withUnsafeMutableBufferPointer { path in
            path.baseAddress.flatMap { mkdtemp($0) } != nil
        }
        guard isMade else {
            throw Failure(
                .unavailable,
                "demo.no-folder",
                "no temporary folder can be made in \(base)",
                hint: "set TMPDIR, or give a store with --store sqlite:PATH"
            )
        }
        return String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }
}
