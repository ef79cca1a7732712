internal import Adapters
internal import ArgumentParser
internal import EventLog
internal import Inspection
internal import SwedbankPay

/// `store`: manages the store itself.
struct StoreCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "store",
        abstract: "Make, upgrade, look at, copy and adopt stores.",
        discussion: """
            A store is a SQLite file (sqlite:PATH), or a PostgreSQL database that several nodes share \
            (postgres://USER@HOST/DATABASE). Keep passwords out of --store, which other users of the machine can see: \
            put the URL into WORKFLOWCTL_STORE, or the password into PGPASSWORD or ~/.pgpass.

            Examples:
              workflowctl store init
              workflowctl store status
              workflowctl store copy sqlite:copy.db
              workflowctl store adopt --reason "restored the backup of 10:00"
              workflowctl store reproject
              workflowctl store grants payments_engine
              workflowctl store grants payments_engine --schema payments
            """,
        subcommands: [
            StoreInitCommand.self, StoreMigrateCommand.self, StoreStatusCommand.self,
            StoreCopyCommand.self, StoreAdoptCommand.self, StoreReprojectCommand.self,
            StoreGrantsCommand.self,
        ]
    )
}

/// A command that opens the store and describes it.
protocol StoreStateCommand: Command {
    /// The access that the command needs.
    static var access: StoreAccess { get }
    /// Whether a missing store is an error, even if the access would allow to create it.
    static var hasToExist: Bool { get }
}

extension StoreStateCommand {
    static var hasToExist: Bool { false }

    func perform(in invocation: Invocation) async throws(Failure) -> ExitStatus {
        try await StoreState.tell(
            global,
            access: Self.access,
            hasToExist: Self.hasToExist,
            in: invocation
        )
    }
}

/// `store init`: creates the tables of a store.
struct StoreInitCommand: StoreStateCommand {
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

    static let access = StoreAccess.createIfMissing

    @OptionGroup var global: GlobalOptions
}

/// `store migrate`: upgrades the tables of a store.
struct StoreMigrateCommand: StoreStateCommand {
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

    static let access = StoreAccess.createIfMissing
    static let hasToExist = true

    @OptionGroup var global: GlobalOptions
}

/// `store status`: describes a store.
struct StoreStatusCommand: StoreStateCommand {
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

    static let access = StoreAccess.readOnly

    @OptionGroup var global: GlobalOptions
}

/// `store grants`: prints the statements that grant the rights of roles.
struct StoreGrantsCommand: Command {
    static let configuration = CommandConfiguration(
        commandName: "grants",
        abstract: "Print what a role of PostgreSQL has to be granted, as SQL.",
        discussion: """
            For an engine the least that it needs: it can add events, and neither change nor remove them. For readers \
            (--reading) everything can be read but the sessions' keys; --checkpoints lets a reader make checkpoints \
            as well. With --erasing it is what an engine may, and sessions' keys can be replaced and destroyed: for \
            'erase', 'retention' and 'keys', and for no engine. Run the output as the owner of the tables. Where these \
            are in a schema of their own, --schema says which, and the role's URL has to name it: \
            ?options=-csearch_path%3DNAME.

            Examples:
              workflowctl store grants payments_engine
              workflowctl store grants payments_engine --schema payments
              workflowctl store grants auditor --reading
              workflowctl store grants notary --checkpoints
              workflowctl store grants eraser --erasing
            """
    )

    @Argument(help: ArgumentHelp("The role.", valueName: "role"))
    var role: String

    @Flag(help: "For a role that only reads.")
    var reading = false

    @Flag(help: "For a role that reads and makes checkpoints.")
    var checkpoints = false

    @Flag(help: "For a role that also replaces and destroys sessions' keys.")
    var erasing = false

    @Option(help: ArgumentHelp("The schema that the tables are in.", valueName: "name"))
    var schema: String?

    @OptionGroup var global: GlobalOptions

    func refuseBadArguments() throws(Failure) {
        guard Self.isName(role) else { throw .usage("role", "that is no role of PostgreSQL") }
        guard schema.map(Self.isName) ?? true else {
            throw .usage("role", "that is no schema of PostgreSQL")
        }
        guard [reading, checkpoints, erasing].count(where: { $0 }) <= 1 else {
            throw .usage("role", "a role has one of --reading, --checkpoints and --erasing")
        }
    }

    /// Whether PostgreSQL supports a name of this length; it truncates names after 63 bytes.
    private static func isName(_ text: String) -> Bool {
        !text.isEmpty && text.utf8.count <= 63 && Screen.safe(text) == text
    }

    func perform(in invocation: Invocation) async throws(Failure) -> ExitStatus {
        let duty: PostgreSQLGrants.Duty =
            if erasing {
                .erasing
            } else if checkpoints {
                .checkpoints
            } else {
                reading ? .reading : .engine
            }
        let grants = PostgreSQLGrants.statements(for: role, duty: duty, schema: schema)
        if global.json {
            invocation.print(.array(grants.map { .string($0) }))
        } else {
            for grant in grants { invocation.print(grant + ";") }
        }
        return .done
    }
}
