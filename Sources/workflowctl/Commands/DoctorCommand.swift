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
            Exits 0 when all is well and 1 when something is bad; a warning is no reason to exit 1. Sessions that were taken \
            in from elsewhere are looked at by no check; with --imported it is said how many there are.

            Examples:
              workflowctl doctor
              workflowctl doctor --json
              workflowctl doctor --psp http://127.0.0.1:8093 --allow-insecure-loopback
            """
    )

    @Option(help: ArgumentHelp("The PSP to ask whether it is there.", valueName: "url"))
    var psp: String?

    @OptionGroup var imported: ImportedOption

    @OptionGroup var global: GlobalOptions

    func refuseBadArguments() throws(Failure) { _ = try address() }

    func perform(in invocation: Invocation) async throws(Failure) -> ExitStatus {
        var checkup = Checkup(global, countsImported: imported.imported, in: invocation)
        await checkup.run(psp: try address())
        let isHealthy = checkup.findings.areHealthy
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
                    [$0.check, $0.grade.rawValue, $0.words, $0.advice ?? ""]
                }
            )
            invocation.output.write(table.text(for: invocation.output))
        }
        return isHealthy ? .done : .refused
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
