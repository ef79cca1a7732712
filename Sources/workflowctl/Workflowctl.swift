internal import ArgumentParser

/// The root of all commands.
struct Workflowctl: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "workflowctl",
        abstract: "Drives payment sessions, keeps their log, and replays it.",
        discussion: """
            Examples:
              workflowctl demo
              workflowctl sandbox --port 8093
              workflowctl schema
              workflowctl --version --verbose

            A payment from end to end: 'open' a session URL, 'attempt' a payment, 'report' what the payer's app or \
            browser did, 'return' when the payer comes back. Each prints what has to be done next. 'list', 'show', \
            'log' and 'replay' tell what happened and why; 'verify' that nothing was altered.

            Exit codes: 0 done, 1 refused or a difference was found, 64 usage, 65 damaged, 66 unknown, \
            69 out of reach, 70 internal error, 75 try again, 77 credentials, 78 configuration, 130 interrupted.
            """,
        version: BuildFacts.text,
        groupedSubcommands: [
            CommandGroup(
                name: "Try it:",
                subcommands: [
                    DemoCommand.self, SandboxCommand.self, ScenarioCommand.self,
                    SimulateCommand.self, ForkCommand.self,
                ]
            ),
            CommandGroup(
                name: "Drive a session:",
                subcommands: [
                    OpenCommand.self, AttemptCommand.self, MenuCommand.self, ReportCommand.self,
                    ReturnCommand.self, RetryCommand.self, AbortCommand.self,
                    ResumeCommand.self, NoteCommand.self, CloseCommand.self, ResolveCommand.self,
                    PageCommand.self,
                ]
            ),
            CommandGroup(
                name: "Orders and checkout:",
                subcommands: [OrderCommand.self, CheckoutCommand.self, TokensCommand.self]
            ),
            CommandGroup(
                name: "Find out what happened:",
                subcommands: [
                    FindCommand.self, ExplainCommand.self, TimelineCommand.self,
                    TailCommand.self, AtRiskCommand.self, StatsCommand.self,
                ]
            ),
            CommandGroup(
                name: "Read:",
                subcommands: [
                    ListCommand.self, ShowCommand.self, LogCommand.self, ReplayCommand.self,
                    BisectCommand.self, VerifyCommand.self, ProblemsCommand.self,
                    DiagramCommand.self,
                    ReportPageCommand.self,
                ]
            ),
            CommandGroup(
                name: "Look after it:",
                subcommands: [
                    DoctorCommand.self, MetricsCommand.self, ConfigCommand.self,
                    CompletionsCommand.self,
                ]
            ),
            CommandGroup(name: "Audit:", subcommands: [CheckpointCommand.self]),
            CommandGroup(
                name: "Protect data:",
                subcommands: [EraseCommand.self, RetentionCommand.self, KeysCommand.self]
            ),
            CommandGroup(name: "The store:", subcommands: [StoreCommand.self, NodeCommand.self]),
            CommandGroup(
                name: "Move logs:",
                subcommands: [
                    ExportCommand.self, PublishCommand.self, RedactCommand.self,
                    ImportCommand.self, SchemaCommand.self,
                ]
            ),
        ]
    )
}

/// The identity of this program.
enum Build {
    /// The version that is recorded with every event.
    static let version = "0.1.0"
}
