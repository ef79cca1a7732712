internal import ArgumentParser

/// `checkpoint`: signed roots of a store's logs, for auditors who do not trust the store.
struct CheckpointCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "checkpoint",
        abstract: "Make, check and hand out signed checkpoints of all logs.",
        discussion: """
            A checkpoint is a signed hash of where every log of the store ends. Whoever keeps one can tell later whether \
            a session was removed, its tail was cut or its history was rewritten: a chain of hashes alone shows none of \
            these when it was computed anew. No command of this needs the keys of sealed values.

            Examples:
              workflowctl checkpoint create
              workflowctl checkpoint list
              workflowctl checkpoint verify
            """,
        subcommands: [
            CheckpointCreateCommand.self, CheckpointListCommand.self, CheckpointVerifyCommand.self,
            CheckpointProveCommand.self, CheckpointExportCommand.self,
        ]
    )
}
