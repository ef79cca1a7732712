internal import ArgumentParser

/// The root of all commands.
struct Workflowctl: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "workflowctl",
        abstract: "Run payment sessions, record every step in a log, and replay it.",
        discussion: """
            Examples:
              workflowctl demo
              workflowctl sandbox --port 8093
              workflowctl schema
              workflowctl --version --verbose

            A payment from start to finish: 'open' opens a session for a session URL, 'attempt' \
            starts a payment attempt, 'report' records what the payer's app or browser did, and \
            'return' records that the payer came back. Each command prints what to do next. \
            'list', 'show', 'log' and 'replay' show what happened and why; 'verify' checks that \
            no log was altered.

            Exit codes: 0 success, 1 refused or a check failed, 64 usage error, 65 damaged data, \
            66 not found, 69 unavailable, 70 internal error, 75 try again, 77 bad credentials, \
            78 configuration error, 130 interrupted.
            """,
        version: BuildFacts.text,
        groupedSubcommands: [
            CommandGroup(
                name: "Get started:",
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
                name: "Investigate:",
                subcommands: [
                    FindCommand.self, ExplainCommand.self, TimelineCommand.self,
                    TailCommand.self, AtRiskCommand.self, StatsCommand.self,
                    SettleCommand.self,
                ]
            ),
            CommandGroup(
                name: "Read logs:",
                subcommands: [
                    ListCommand.self, ShowCommand.self, LogCommand.self, ReplayCommand.self,
                    BisectCommand.self, VerifyCommand.self, ProblemsCommand.self,
                    DiagramCommand.self,
                    ReportPageCommand.self,
                ]
            ),
            CommandGroup(
                name: "Operate:",
                subcommands: [
                    ServeCommand.self, DoctorCommand.self, MetricsCommand.self, ConfigCommand.self,
                    CompletionsCommand.self,
                ]
            ),
            CommandGroup(name: "Audit:", subcommands: [CheckpointCommand.self]),
            CommandGroup(
                name: "Protect data:",
                subcommands: [EraseCommand.self, RetentionCommand.self, KeysCommand.self]
            ),
            CommandGroup(
                name: "Manage stores:",
                subcommands: [StoreCommand.self, NodeCommand.self]
            ),
            CommandGroup(
                name: "Export and import:",
                subcommands: [
                    ExportCommand.self, PublishCommand.self, RedactCommand.self,
                    ImportCommand.self, SchemaCommand.self,
                ]
            ),
        ]
    )
}

/// Facts about this build.
enum Build {
    /// The version that is recorded with every event.
    static let version = "0.1.0"
}
