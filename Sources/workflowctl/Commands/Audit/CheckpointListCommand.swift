internal import Adapters
internal import ArgumentParser
internal import EventLog
internal import Inspection
internal import SwedbankPay

/// `checkpoint list`: lists the checkpoints of the store.
struct CheckpointListCommand: Command {
    static let configuration = CommandConfiguration(
        commandName: "list",
        abstract: "List the store's checkpoints, newest first.",
        discussion: """
            The list is not verified; run 'checkpoint verify' to check it.

            Examples:
              workflowctl checkpoint list
              workflowctl checkpoint list --json
            """
    )

    @OptionGroup var global: GlobalOptions

    func perform(in invocation: Invocation) async throws(Failure) -> ExitStatus {
        try await Reader.withStore(for: self, in: invocation) { reader throws(Failure) in
            let checkpoints: [SignedCheckpoint]
            do throws(EventStoreError) {
                checkpoints = try await reader.store.allCheckpoints().reversed()
            } catch {
                throw Failure(error)
            }
            if global.json {
                invocation.print(.array(checkpoints.map(\.json)))
            } else {
                let output = invocation.output
                output.write(table(checkpoints, for: output).text(for: output))
            }
            return .done
        }
    }

    private func table(_ checkpoints: [SignedCheckpoint], for output: Sink) -> Table {
        Table(
            columns: ["size", "at", "key", "root", "public key"],
            rows: checkpoints.map {
                [
                    "\($0.checkpoint.size)", $0.checkpoint.at.text(for: output),
                    $0.checkpoint.key, "\($0.checkpoint.root)", "\($0.publicKey)",
                ]
            },
            // People compare public keys; roots are for programs.
            flexible: 3
        )
    }
}
