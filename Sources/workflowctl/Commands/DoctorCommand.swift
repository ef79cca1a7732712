internal import Adapters
internal import ArgumentParser
internal import EventLog
internal import Inspection
internal import SwedbankPay

/// `doctor`: checks this installation.
struct DoctorCommand: Command {
    static let configuration = CommandConfiguration(
        commandName: "doctor",
        abstract: "Check the store, keys, permissions, disk, clock, PSP and stuck sessions.",
        discussion: """
            Changes nothing and sends no payment requests. With --psp URL, also requests the \
            root of that host to check that it can be reached, that its certificate is trusted \
            and that the clocks agree. Exits 1 if a check fails; with --strict, also if there is \
            a warning.

            With --check, runs only the named checks, for example as a service's health check. \
            --list prints the checks and when each one fails. Sessions that are waiting for the \
            payer never fail a check. Imported sessions are checked only by 'projections', which \
            compares the index of some sessions, the latest and others at random, and the sums of \
            the hours in which they were opened with their logs; with --all, it reads all logs. \
            --imported counts imported sessions.

            Examples:
              workflowctl doctor
              workflowctl doctor --list
              workflowctl doctor --check store --check keys --check sessions
              workflowctl doctor --check projections --all
              workflowctl doctor --json
              workflowctl doctor --psp http://127.0.0.1:8093 --allow-insecure-loopback
            """
    )

    @Option(help: ArgumentHelp("Also check the connection to this PSP.", valueName: "url"))
    var psp: String?

    @Option(
        help: ArgumentHelp(
            "Run only this check; may be repeated. See --list.",
            valueName: "name"
        )
    )
    var check: [InstallationCheck] = []

    @Flag(help: "Compare the index with the logs of all sessions instead of a sample.")
    var all = false

    @Flag(help: "List the checks and when each one fails.")
    var list = false

    @Flag(help: "Exit 1 for warnings too.")
    var strict = false

    @OptionGroup var imported: ImportedOption

    @OptionGroup var global: GlobalOptions

    static var commonOptions: Set<String> { ["--allow-insecure-loopback"] }

    static var mayReveal: Bool { false }

    func refuseBadArguments() throws(Failure) {
        let provider = check.first(where: InstallationCheck.ofProvider.contains)
        guard psp != nil || provider == nil else {
            throw .usage(
                "psp",
                "the checks 'psp' and 'clock' need a PSP",
                hint: "name the PSP with --psp URL"
            )
        }
        _ = try address()
    }

    /// The checks to run.
    private var checks: Set<InstallationCheck> {
        var checks = Set(check.isEmpty ? InstallationCheck.allCases : check)
        if check.isEmpty { checks.remove(.imported) }
        if imported.imported { checks.insert(.imported) }
        return checks
    }

    func perform(in invocation: Invocation) async throws(Failure) -> ExitStatus {
        guard !list else { return printChecks(invocation) }
        var checkup = Checkup(
            of: Installation(global, in: invocation),
            checks: checks,
            readsAll: all
        )
        await checkup.run(psp: try address())
        let isHealthy = checkup.findings.areHealthy(strictly: strict)
        if global.json {
            invocation.print([
                "healthy": .bool(isHealthy),
                "version": .string(Build.version),
                "checks": .array(checkup.findings.map(\.json)),
            ])
        } else if invocation.output.isTerminal {
            for finding in checkup.findings {
                invocation.output.write(finding.text(for: invocation.output))
            }
        } else {
            let table = Table(
                columns: ["check", "grade", "finding", "advice"],
                rows: checkup.findings.map {
                    [$0.check.rawValue, $0.grade.rawValue, $0.words, $0.advice ?? ""]
                }
            )
            invocation.output.write(table.text(for: invocation.output))
        }
        return isHealthy ? .done : .refused
    }

    private func printChecks(_ invocation: Invocation) -> ExitStatus {
        guard !global.json else {
            invocation.print(
                .array(
                    InstallationCheck.allCases.map {
                        ["check": .string($0.rawValue), "bad": .string($0.words)]
                    }
                )
            )
            return .done
        }
        let table = Table(
            columns: ["check", "fails if"],
            rows: InstallationCheck.allCases.map { [$0.rawValue, $0.words] }
        )
        invocation.output.write(table.text(for: invocation.output))
        return .done
    }

    private func address() throws(Failure) -> SessionAddress? {
        guard let psp else { return nil }
        do {
            return try SessionAddress(psp, allowsInsecureLoopback: global.allowInsecureLoopback)
        } catch {
            throw Failure(
                .usage,
                "usage.psp",
                "the PSP's address cannot be used: "
                    + error.description.rewriting("session URL", as: "address"),
                hint: error == .loopbackNotAllowed
                    ? "add --allow-insecure-loopback to talk to a sandbox" : nil
            )
        }
    }
}
