internal import Adapters
internal import ArgumentParser
internal import Workflow

/// `store`: the store itself.
struct StoreCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "store",
        abstract: "Make, upgrade, look at and copy stores.",
        discussion: """
            A store is a SQLite file (sqlite:PATH), or a PostgreSQL database that several nodes share \
            (postgres://USER@HOST/DATABASE). Keep passwords out of --store, which other users of the machine can see: \
            put the URL into WORKFLOWCTL_STORE, or the password into PGPASSWORD or ~/.pgpass.

            Examples:
              workflowctl store init
              workflowctl store status
              workflowctl store copy sqlite:copy.db
              workflowctl store grants payments_engine
            """,
        subcommands: [
            StoreInitCommand.self, StoreMigrateCommand.self, StoreStatusCommand.self,
            StoreCopyCommand.self, StoreGrantsCommand.self,
        ]
    )
}

/// `store init`: makes a store's tables.
struct StoreInitCommand: Command {
    static let configuration = CommandConfiguration(
        commandName: "init",
        abstract: "Make the store, unless it is there.",
        discussion: """
            Of a PostgreSQL database it makes the tables, which then belong to the role that it is run as; 'open' does \
            the same where its role may. A store that is there is upgraded as 'store migrate' does.

            Examples:
              workflowctl store init
              workflowctl store init --json
            """
    )

    @OptionGroup var global: GlobalOptions

    func perform(in invocation: Invocation) async throws(Failure) -> ExitStatus {
        try await StoreState.tell(global, access: .createIfMissing, in: invocation)
    }
}

/// `store migrate`: upgrades a store.
struct StoreMigrateCommand: Command {
    static let configuration = CommandConfiguration(
        commandName: "migrate",
        abstract: "Bring a store that is there to the schema of this build.",
        discussion: """
            Forward only: an older build refuses the store afterwards. Several processes may do it at once. In \
            PostgreSQL it has to be run as the owner of the tables.

            Examples:
              workflowctl store migrate
              workflowctl store migrate --json
            """
    )

    @OptionGroup var global: GlobalOptions

    func perform(in invocation: Invocation) async throws(Failure) -> ExitStatus {
        try await StoreState.tell(
            global,
            access: .createIfMissing,
            hasToExist: true,
            in: invocation
        )
    }
}

/// `store status`: what a store is.
struct StoreStatusCommand: Command {
    static let configuration = CommandConfiguration(
        commandName: "status",
        abstract: "Tell what the store is, and how much is in it.",
        discussion: """
            Changes nothing.

            Examples:
              workflowctl store status
              workflowctl store status --json
            """
    )

    @OptionGroup var global: GlobalOptions

    func perform(in invocation: Invocation) async throws(Failure) -> ExitStatus {
        try await StoreState.tell(global, access: .readOnly, in: invocation)
    }
}

/// `store grants`: the rights of roles.
struct StoreGrantsCommand: Command {
    static let configuration = CommandConfiguration(
        commandName: "grants",
        abstract: "Print what a role of PostgreSQL has to be granted, as SQL.",
        discussion: """
            For an engine the least that it needs: it can add events, and neither change nor remove them. For readers \
            (--reading) everything can be read but the sessions' keys. Run the output as the owner of the tables.

            Examples:
              workflowctl store grants payments_engine
              workflowctl store grants auditor --reading
            """
    )

    @Argument(help: ArgumentHelp("The role.", valueName: "role"))
    var role: String

    @Flag(help: "For a role that only reads.")
    var reading = false

    @OptionGroup var global: GlobalOptions

    func refuseBadArguments() throws(Failure) {
        guard !role.isEmpty, role.utf8.count <= 63, Screen.safe(role) == role else {
            throw .usage("role", "that is no role of PostgreSQL")
        }
    }

    func perform(in invocation: Invocation) async throws(Failure) -> ExitStatus {
        let grants = PostgreSQLGrants.statements(for: role, onlyReading: reading)
        if global.json {
            invocation.print(.array(grants.map { .string($0) }))
        } else {
            for grant in grants { invocation.print(grant + ";") }
        }
        return .done
    }
}
