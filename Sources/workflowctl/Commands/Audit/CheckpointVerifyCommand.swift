internal import Adapters
internal import ArgumentParser
internal import EventLog
internal import Inspection
internal import SwedbankPay

/// `checkpoint verify`: verifies that the store still matches its checkpoints.
struct CheckpointVerifyCommand: Command {
    static let configuration = CommandConfiguration(
        commandName: "verify",
        abstract: "Compare the store with its checkpoints, and with kept ones.",
        discussion: """
            Checks signatures, computes the roots anew, and compares every end of a log with the store. With files: \
            each is a checkpoint or a proof that somebody kept; its own claims are checked, and that the store's list goes \
            on from it. Without --public-key any key may have signed: whoever can rewrite the whole store could have \
            signed it with a key of his own. Exits 65 with the first contradiction and what is still trustworthy.

            Examples:
              workflowctl checkpoint verify
              workflowctl checkpoint verify kept.json
              workflowctl checkpoint verify --public-key PUBLICKEY kept.json
            """
    )

    @Argument(
        help: ArgumentHelp(
            "Checkpoints or proofs that were kept; - for standard input.",
            valueName: "file"
        )
    )
    var files: [String] = []

    @OptionGroup var trust: CheckpointTrust
    @OptionGroup var global: GlobalOptions

    func perform(in invocation: Invocation) async throws(Failure) -> ExitStatus {
        let keys = try trust.keys(environment: invocation.environment)
        var kept: [CheckpointAudit.Kept] = []
        for path in files {
            kept.append(
                .init(
                    name: path == "-" ? "standard input" : Screen.safe(path),
                    document: try CheckpointFile.read(path, in: invocation)
                )
            )
        }
        let chosen = kept
        return try await Reader.withStore(for: self, in: invocation) { reader throws(Failure) in
            let audit = try CheckpointAudit(of: reader, trusting: keys, kept: chosen)
            let report = try await audit.run()
            guard report.first != nil || report.checkpoints + report.kept > 0 else {
                throw CheckpointTree.none
            }
            return tell(report, isPinned: !keys.isEmpty, invocation)
        }
    }

    private func tell(
        _ report: CheckpointReport,
        isPinned: Bool,
        _ invocation: Invocation
    ) -> ExitStatus {
        if global.json {
            invocation.print(report.json)
        } else if report.first == nil {
            let style = invocation.output.style
            invocation.print(
                style.paint("sound", .good)
                    + "  checkpoints: \(report.checkpoints), ends of logs: \(report.leaves), "
                    + "kept checkpoints: \(report.kept)"
            )
            for signer in report.signers {
                invocation.print(
                    "signed by key \(signer.key.id), public key \(signer.key): \(signer.count)"
                )
            }
            if !isPinned, invocation.output.isTerminal {
                invocation.note("any key may have signed; --public-key says whose must have")
            }
        }
        guard let first = report.first else { return .done }
        let still = report.stillTrue.map { "what is still trustworthy: \($0)" }
        invocation.note("\(first.failure(stillTrue: still))")
        return .damaged
    }
}
