internal import ArgumentParser
internal import EventLog
internal import Inspection
internal import SwedbankPay

/// `doctor`: whether this installation is well.
struct DoctorCommand: Command {
    static let configuration = CommandConfiguration(
        commandName: "doctor",
        abstract: "Check store, keys, permissions, disk, clock, PSP, stuck sessions.",
        discussion: """
            Nothing is changed, and nothing that could move money is asked: with --psp URL the root of that host is \
            read, to see whether it can be reached, whether its certificate is trusted, and whether the clocks agree. \
            Exits 0 when all is well and 1 when something is bad; a warning is no reason to exit 1 unless --strict is \
            given. With --check only what is named is looked at and counts, as health checks of a service want it; \
            --list names the checks and says what is bad. Waiting payers are never bad. Sessions that were taken in from \
            elsewhere are looked at by no check but projections; with --imported it is said how many there are. projections compares \
            the index of some sessions, the newest and others at random, and the sums of the hours in which they were opened with \
            their logs; with --all of every session, which reads all logs.

            Examples:
              workflowctl doctor
              workflowctl doctor --list
              workflowctl doctor --check store --check keys --check sessions
              workflowctl doctor --check projections --all
              workflowctl doctor --json
              workflowctl doctor --psp http://127.0.0.1:8093 --allow-insecure-loopback
            """
    )

    @Option(help: ArgumentHelp("The PSP to ask whether it is there.", valueName: "url"))
    var psp: String?

    @Option(
        help: ArgumentHelp(
            "Look at this alone; may be given several times. --list names the checks.",
            valueName: "name"
        )
    )
    var check: [DoctorCheck] = []

    @Flag(help: "Compare the index with the logs of all sessions, not of some.")
    var all = false

    @Flag(help: "Name the checks, and say what is bad.")
    var list = false

    @Flag(help: "Exit 1 also when there is a warning.")
    var strict = false

    @OptionGroup var imported: ImportedOption

    @OptionGroup var global: GlobalOptions

    func refuseBadArguments() throws(Failure) {
        let provider = check.first(where: DoctorCheck.ofProvider.contains)
        guard psp != nil || provider == nil else {
            throw .usage(
                "psp",
                "nobody is to be asked, and a check of a PSP is wanted",
                hint: "name the PSP with --psp URL"
            )
        }
        _ = try address()
    }

    /// What is looked at.
    private var checks: Set<DoctorCheck> {
        var checks = Set(check.isEmpty ? DoctorCheck.allCases : check)
        if check.isEmpty { checks.remove(.imported) }
        if imported.imported { checks.insert(.imported) }
        return checks
    }

    func perform(in invocation: Invocation) async throws(Failure) -> ExitStatus {
        guard !list else { return tellChecks(invocation) }
        var checkup = Checkup(global, checks: checks, readsAll: all, in: invocation)
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

    private func tellChecks(_ invocation: Invocation) -> ExitStatus {
        guard !global.json else {
            invocation.print(
                .array(
                    DoctorCheck.allCases.map {
                        ["check": .string($0.rawValue), "bad": .string($0.words)]
                    }
                )
            )
            return .done
        }
        let table = Table(
            columns: ["check", "bad when"],
            rows: DoctorCheck.allCases.map { [$0.rawValue, $0.words] }
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
                    + error.description.replacing("session URL", with: "address"),
                hint: error == .loopbackNotAllowed
                    ? "add --allow-insecure-loopback to talk to a sandbox" : nil
            )
        }
    }
}
