internal import Adapters
internal import ArgumentParser
internal import EventLog
internal import Inspection
internal import SwedbankPay

/// `checkpoint verify`: checks the store against its checkpoints.
struct CheckpointVerifyCommand: Command {
    static let configuration = CommandConfiguration(
        commandName: "verify",
        abstract: "Verify the store against its checkpoints and against exported ones.",
        discussion: """
            Checks the signatures, recomputes the root hashes and compares the end of every log \
            with the store. Each FILE is a checkpoint or proof that was exported earlier; it is \
            checked by itself, and the store must extend it. Without --public-key, a signature \
            by any key is accepted, so an attacker who can rewrite the whole store could have \
            signed it with a key of their own. At the first contradiction, exits 65 and prints \
            what can still be trusted. With --log, no store is needed: the files are compared \
            with an exported log.

            Examples:
              workflowctl checkpoint verify
              workflowctl checkpoint verify kept.json
              workflowctl checkpoint verify --public-key PUBLICKEY kept.json
              workflowctl checkpoint verify proof.json --log case.ndjson
            """
    )

    @Argument(
        help: ArgumentHelp(
            "Exported checkpoints or proofs, or - for standard input.",
            valueName: "file"
        )
    )
    var files: [String] = []

    @Option(
        help: ArgumentHelp(
            "Compare the files with this exported log, without a store.",
            valueName: "file"
        )
    )
    var log: String?

    @OptionGroup var trust: CheckpointTrust
    @OptionGroup var global: GlobalOptions

    func refuseBadArguments() throws(Failure) {
        guard log != nil, files.isEmpty else { return }
        throw .usage(
            "log",
            "--log requires a checkpoint or proof to compare the log with",
            hint: "'workflowctl checkpoint prove SESSION' makes the proof of a session"
        )
    }

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
        if let log {
            let report = try LogAgainstCheckpoints(kept, trusting: keys).compare(
                log,
                in: invocation
            )
            return printResult(report, isPinned: !keys.isEmpty, invocation)
        }
        let chosen = kept
        return try await Reader.withStore(for: self, in: invocation) { reader throws(Failure) in
            let audit = try LocalCheckpointAudit(of: reader, trusting: keys, kept: chosen)
            let report = try await audit.run()
            guard report.first != nil || report.checkpoints + report.kept > 0 else {
                throw Failure.noCheckpoint
            }
            return printResult(report, isPinned: !keys.isEmpty, invocation)
        }
    }

    private func printResult(
        _ report: CheckpointReport,
        isPinned: Bool,
        _ invocation: Invocation
    ) -> ExitStatus {
        if global.json {
            invocation.print(report.json)
        } else if report.first == nil {
            let style = invocation.output.style
            invocation.print(
                style.paint("verified", .good)
                    + "  checkpoints: \(report.checkpoints), log ends: \(report.leaves), "
                    + "exported checkpoints: \(report.kept)"
            )
            for signer in report.signers {
                invocation.print(
                    "signed by key \(signer.key.id), public key \(signer.key): \(signer.count)"
                )
            }
            if !isPinned, invocation.output.isTerminal {
                invocation.note(
                    "signatures by any key were accepted; use --public-key to "
                        + "require a certain key"
                )
            }
        }
        guard let first = report.first else { return .done }
        let still = report.stillTrue.map { "still trustworthy: \($0)" }
        invocation.note("\(first.failure(stillTrue: still))")
        return .damaged
    }
}
