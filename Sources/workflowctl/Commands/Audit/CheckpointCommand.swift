internal import ArgumentParser

/// `checkpoint`: the signed state of a store, for those who do not trust the store.
struct CheckpointCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "checkpoint",
        abstract: "Create, verify and export signed checkpoints of all logs.",
        discussion: """
            A checkpoint is a signed hash of the current end of every log in the store. With a \
            checkpoint that was kept elsewhere, you can detect later that a session was deleted, \
            that the end of a log was cut off or that its history was rewritten; a recomputed \
            hash chain alone would not show this. These commands do not need the keys of sealed \
            values.

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
