internal import Adapters
internal import ArgumentParser
internal import EventLog
internal import Inspection
internal import SwedbankPay

/// `store`: manages the store itself.
struct StoreCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "store",
        abstract: "Create, upgrade, inspect, copy, index, compress and adopt stores.",
        discussion: """
            A store is a SQLite file (sqlite:PATH) or a PostgreSQL database that several nodes \
            can share (postgres://USER@HOST/DATABASE). Other users of this machine can see \
            command lines, so do not put a password in --store: set WORKFLOWCTL_STORE or \
            PGPASSWORD, or use ~/.pgpass.

            Examples:
              workflowctl store init
              workflowctl store status
              workflowctl store copy sqlite:copy.db
              workflowctl store adopt --reason "restored the backup of 10:00"
              workflowctl store reproject
              workflowctl store compress
              workflowctl store index
              workflowctl store grants payments_engine
              workflowctl store grants payments_engine --schema payments
            """,
        subcommands: [
            StoreInitCommand.self, StoreMigrateCommand.self, StoreStatusCommand.self,
            StoreCopyCommand.self, StoreAdoptCommand.self, StoreReprojectCommand.self,
            StoreCompressCommand.self, StoreIndexCommand.self, StoreGrantsCommand.self,
        ]
    )
}

/// A command that opens the store and reports its state.
protocol StoreStateCommand: Command {
    /// The access that the command needs.
    static var access: StoreAccess { get }
    /// Whether a missing store is a failure, whatever the access would allow.
    static var hasToExist: Bool { get }
    /// The number of lanes of a store that is created; `nil` for the default.
    var lanes: Int? { get }
}

extension StoreStateCommand {
    static var hasToExist: Bool { false }
    var lanes: Int? { nil }

    func perform(in invocation: Invocation) async throws(Failure) -> ExitStatus {
        try await StoreState.open(
            global,
            access: Self.access,
            hasToExist: Self.hasToExist,
            lanes: lanes,
            in: invocation
        )
    }
}

/// `store init`: creates a store's tables.
struct StoreInitCommand: StoreStateCommand {
    static let configuration = CommandConfiguration(
        commandName: "init",
        abstract: "Create the store if it does not exist.",
        discussion: """
            In a PostgreSQL database, creates the tables, which are owned by the role that runs \
            the command. 'open' also creates the store if its role is allowed to. An existing \
            store is upgraded, as with 'store migrate'. A new PostgreSQL store has eight lanes, \
            whose commits do not wait for each other; the number never changes.

            Examples:
              workflowctl store init
              workflowctl store init --json
              workflowctl store init --store postgres:///payments --lanes 1
            """
    )

    static let access = StoreAccess.createIfMissing

    @Option(
        help: ArgumentHelp(
            "The number of lanes of a new PostgreSQL store: 1, 2, 4 … 64. (default: 8)",
            valueName: "number"
        )
    )
    var lanes: Int?

    @OptionGroup var global: GlobalOptions
}

/// `store migrate`: upgrades the tables of a store.
struct StoreMigrateCommand: StoreStateCommand {
    static let configuration = CommandConfiguration(
        commandName: "migrate",
        abstract: "Upgrade the store to this build's schema.",
        discussion: """
            Builds with an earlier schema cannot use the store afterwards. Several processes may \
            run this at the same time. On PostgreSQL, run it as the owner of the tables.

            Examples:
              workflowctl store migrate
              workflowctl store migrate --json
            """
    )

    static let access = StoreAccess.createIfMissing
    static let hasToExist = true

    @OptionGroup var global: GlobalOptions
}

/// `store status`: reports the state of a store.
struct StoreStatusCommand: StoreStateCommand {
    static let configuration = CommandConfiguration(
        commandName: "status",
        abstract: "Show the store's kind, schema version and size.",
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

/// `store grants`: prints the permissions of roles.
struct StoreGrantsCommand: Command {
    static let configuration = CommandConfiguration(
        commandName: "grants",
        abstract: "Print the SQL that grants a PostgreSQL role the rights it needs.",
        discussion: """
            By default, prints the minimum for an engine: the role can add events but not change \
            or delete them. With --reading, the role can read everything except the sessions' \
            keys; with --checkpoints, it can also create checkpoints. With --erasing, the role \
            has an engine's rights and can also replace and destroy sessions' keys; use it for \
            'erase', 'retention' and 'keys', not for an engine.

            Run the output as the owner of the tables. If they are in a schema of their own, \
            name it with --schema and in the role's URL: ?options=-csearch_path%3DNAME.

            Examples:
              workflowctl store grants payments_engine
              workflowctl store grants payments_engine --schema payments
              workflowctl store grants auditor --reading
              workflowctl store grants notary --checkpoints
              workflowctl store grants eraser --erasing
            """
    )

    @Argument(help: ArgumentHelp("The name of the role.", valueName: "role"))
    var role: String

    @Flag(help: "Grant read access.")
    var reading = false

    @Flag(help: "Grant read access and the right to create checkpoints.")
    var checkpoints = false

    @Flag(help: "Grant an engine's rights and the right to replace and destroy keys.")
    var erasing = false

    @Option(help: ArgumentHelp("The schema that contains the tables.", valueName: "name"))
    var schema: String?

    @OptionGroup var global: GlobalOptions

    func refuseBadArguments() throws(Failure) {
        guard Self.isName(role) else { throw .usage("role", "invalid role name") }
        guard schema.map(Self.isName) ?? true else {
            throw .usage("role", "invalid schema name")
        }
        guard [reading, checkpoints, erasing].count(where: { $0 }) <= 1 else {
            throw .usage("role", "--reading, --checkpoints and --erasing cannot be combined")
        }
    }

    /// Returns whether PostgreSQL can use a text as a name; it truncates names after 63 bytes.
    private static func isName(_ text: String) -> Bool {
        !text.isEmpty && text.utf8.count <= 63 && Screen.safe(text) == text
    }

    func perform(in invocation: Invocation) async throws(Failure) -> ExitStatus {
        let duty: StoreDuty =
            if erasing {
                .erasing
            } else if checkpoints {
                .checkpoints
            } else {
                reading ? .reading : .engine
            }
        let grants = StoreKinds.all.flatMap { $0.grants(for: role, duty: duty, schema: schema) }
        if global.json {
            invocation.print(.array(grants.map { .string($0) }))
        } else {
            for grant in grants { invocation.print(grant + ";") }
        }
        return .done
    }
}
