internal import Adapters
internal import EventLog
internal import Glibc
internal import SwedbankPay

/// Where the store is, and how it is opened.
struct StoreLocation: Hashable, Sendable {
    /// The path of the SQLite file; of a server, what its files here are named after.
    var path: String
    /// The connection string of a PostgreSQL server, which may hold a password.
    var server: String?
    /// The line of shell that the caller gave for the master keys.
    var keyCommand: String?
    /// Where the configuration has the master keys from.
    var configuredKeys = KeyPolicy()
    /// Who named it, for people; nothing when it is the default.
    var source: String?

    /// What the files beside a store on a server are named after, in the current directory.
    static let pathOfServer = "payments"

    /// Which store it is, whoever opens it from wherever, without credentials.
    var place: String {
        guard let server else {
            guard !path.hasPrefix("/"), let folder = getcwd(nil, 0) else { return "sqlite:\(path)" }
            defer { free(folder) }
            return "sqlite:\(String(cString: folder))/\(path)"
        }
        let address = server.prefix { $0 != "?" }
        let host = address.lastIndex(of: "@").map { address[address.index(after: $0)...] }
        return "postgres://" + (host ?? address.drop { $0 != "/" }.dropFirst(2))
    }

    /// Reads the location from `--store`, else from the environment or the configuration, else takes the default.
    static func read(
        _ options: GlobalOptions,
        environment: [String: String]
    ) throws(Failure) -> StoreLocation {
        try read(
            options,
            environment: environment,
            configuration: Configuration.read(options, environment: environment)
        )
    }

    /// The same with a configuration that was read already.
    static func read(
        _ options: GlobalOptions,
        environment: [String: String],
        configuration: Configuration
    ) throws(Failure) -> StoreLocation {
        let given = try configuration.file.value(
            "store",
            typed: options.store,
            variable: "WORKFLOWCTL_STORE",
            in: environment
        )
        var location = try StoreLocation(given?.text ?? "sqlite:payments.db")
        location.source = given?.source
        location.keyCommand = options.keyCommand
        location.configuredKeys = configuration.keys
        return location
    }

    /// A location in the form `sqlite:PATH` or `postgres://…`.
    init(_ text: String) throws(Failure) {
        if Self.isServer(text) {
            // It may hold a password: nothing of it is repeated but an option's name.
            let isTorn = text.utf8.contains(0) || Self.mayHoldPieceOfPassword(text)
            let fault = isTorn ? "the connection string can't be read" : nil
            if let fault = fault ?? PostgreSQLEventStore.fault(inURL: text) {
                throw .usage(
                    "store",
                    fault,
                    hint:
                        "write --store postgres://USER@HOST:PORT/DATABASE?OPTION=VALUE with options of libpq; other "
                        + "characters than letters and digits in user and password percent-encoded"
                )
            }
            (path, server) = (Self.pathOfServer, text)
            return
        }
        guard text.hasPrefix("sqlite:"), text.utf8.count > "sqlite:".utf8.count,
            !text.utf8.contains(0)
        else {
            throw .usage(
                "store",
                "that is no store",
                hint: "write --store sqlite:PATH, or postgres://USER@HOST/DATABASE"
            )
        }
        path = String(text.dropFirst("sqlite:".count))
    }

    /// Whether a text is meant for a connection string.
    static func isServer(_ text: String) -> Bool {
        text.hasPrefix("postgres://") || text.hasPrefix("postgresql://")
    }

    /// Whether part of a password would be taken for a host or a database, which stand in errors: libpq ends the password at
    /// the first `@`, and sees none where a `/` comes before it.
    private static func mayHoldPieceOfPassword(_ server: String) -> Bool {
        let place = server.drop { $0 != "/" }.dropFirst(2).prefix { $0 != "?" }
        let marks = place.filter { $0 == "@" }.count
        return marks > 1 || (marks == 1 && !place.prefix { $0 != "/" }.contains("@"))
    }

    /// What tells the files of several databases apart that are asked from one directory; empty for a file.
    var database: String {
        server.flatMap(PostgreSQLEventStore.shortName).map { "-" + $0 } ?? ""
    }

    /// The location as `--store` takes it, for people and for commands to paste: never with a password.
    var text: String {
        guard let server else { return "sqlite:\(path)" }
        let text = Self.pasted(server)
        guard text != server, let source, source != "WORKFLOWCTL_STORE" else { return text }
        return "the store of \(source)"
    }

    /// A connection string without a password as it is; else the variable that holds it.
    static func pasted(_ server: String) -> String {
        let authority = server.drop { $0 != "/" }.dropFirst(2).prefix { $0 != "/" && $0 != "?" }
        let user = authority.lastIndex(of: "@").map { authority[..<$0] } ?? ""
        let hasPassword = user.contains(":") || server.lowercased().contains("password=")
        return hasPassword ? "$WORKFLOWCTL_STORE" : server
    }

    /// Whether there is a file, or may be a store on the server.
    var exists: Bool {
        server != nil || FileFacts(path: path) != nil
    }

    /// Opens the store.
    ///
    /// - Parameters:
    ///   - access: What may be done to the store.
    ///   - wanted: The session that is wanted; without a file there is no such session.
    func open(
        _ access: SQLiteOptions.Access,
        for wanted: SessionID? = nil,
        on loop: UVLoop,
        readers: Int = SQLiteOptions().readers
    ) async throws(Failure) -> any PaymentStore {
        guard let server else {
            return try await openFile(access, for: wanted, on: loop, readers: readers)
        }
        do {
            return try await PostgreSQLEventStore(
                url: server,
                loop: loop,
                options: PostgreSQLOptions(
                    access: access.onServer,
                    node: Operator.nodeName,
                    memory: path + database + "-identity"
                )
            )
        } catch {
            throw Failure(error)
        }
    }

    /// Opens the store that is a file.
    private func openFile(
        _ access: SQLiteOptions.Access,
        for wanted: SessionID? = nil,
        on loop: UVLoop,
        readers: Int = SQLiteOptions().readers
    ) async throws(Failure) -> SQLiteEventStore {
        if access != .createIfMissing, !exists {
            if let wanted {
                throw Failure(
                    .unknown,
                    "engine.unknown-session",
                    "there is no session \(wanted): the store \(path) does not exist",
                    hint: "name the store with --store sqlite:PATH"
                )
            }
            throw Failure(
                .unavailable,
                "store.unavailable",
                "the store \(path) does not exist",
                hint: "name the store with --store sqlite:PATH; 'open' makes it"
            )
        }
        do {
            return try await SQLiteEventStore(
                path: path,
                loop: loop,
                options: SQLiteOptions(access: access, readers: readers)
            )
        } catch {
            throw Failure(error)
        }
    }

    /// The vault with the master keys of the store; nothing when there is no key file.
    ///
    /// They come from the command that the caller gave, else from the environment (a command, the keys, a file), else
    /// from where the configuration says, else from the file beside the store.
    func vault(environment: [String: String]) throws(Failure) -> (any KeyVault)? {
        do throws(KeyVaultError) {
            if let command = command(environment) { return try KeyCommandVault(command: command) }
            if environment["WORKFLOWCTL_MASTER_KEY"].nonEmpty != nil {
                return try EnvironmentVault(environment: environment)
            }
            return try KeyFileVault(path: keyFile(environment), createsMissing: false)
        } catch {
            if case .missing = error { return nil }
            throw Failure(error)
        }
    }

    /// Makes the key file of a store in which nothing is sealed yet.
    ///
    /// - Throws: A failure when the store has sealed values: their key is lost or elsewhere, and another would not
    ///   open them.
    func firstVault(
        of store: any PaymentStore,
        environment: [String: String],
        mayBeMade: Bool
    ) async throws(Failure) -> any KeyVault {
        let path = keyFile(environment)
        do {
            for summary in try await store.sessions(matching: SessionQuery()) {
                guard try await store.wrappedKey(of: summary.session) == nil else {
                    // Another process may have made the key since it was looked for, and sealed with it.
                    if let vault = try vault(environment: environment) { return vault }
                    throw KeyVaultError.missing(
                        reason: "the store has sealed values, and there is no key file \(path)"
                    )
                }
            }
            return try KeyFileVault(path: path, createsMissing: mayBeMade)
        } catch let error as EventStoreError {
            throw Failure(error)
        } catch let error as KeyVaultError {
            throw Failure(error)
        } catch let failure as Failure {
            throw failure
        } catch {
            throw Failure(.defect, "vault.unavailable", "\(error)")
        }
    }

    /// The vault of a store that is only read.
    func existingVault(environment: [String: String]) throws(Failure) -> any KeyVault {
        guard let vault = try vault(environment: environment) else {
            throw Failure(
                KeyVaultError.missing(reason: "there is no key file \(keyFile(environment))")
            )
        }
        return vault
    }

    /// Refuses to take in sessions under a master key when the newest one's is not at hand: whoever has the other key
    /// would not find their addresses, and whoever has this one not those that are there.
    func refuseForeignKeys(
        _ vault: any KeyVault,
        in store: any PaymentStore
    ) async throws(Failure) {
        guard let holder = vault as? any MasterKeyHolder else { return }
        let newest: [UInt8]?
        do { newest = try await store.newestWrappedKey() } catch { throw Failure(error) }
        guard let newest, let identity = MasterKeyIdentity(ofWrapped: newest),
            !holder.identities.contains(identity)
        else { return }
        throw Failure(KeyVaultError.wrongKey)
    }

    private func command(_ environment: [String: String]) -> String? {
        if let given = keyCommand ?? environment["WORKFLOWCTL_KEY_COMMAND"].nonEmpty {
            return given
        }
        let isElsewhere = ["WORKFLOWCTL_MASTER_KEY", "WORKFLOWCTL_KEY_FILE"]
            .contains { environment[$0].nonEmpty != nil }
        return isElsewhere ? nil : configuredKeys.command
    }

    private func keyFile(_ environment: [String: String]) -> String {
        environment["WORKFLOWCTL_KEY_FILE"].nonEmpty ?? configuredKeys.file ?? path + ".key"
    }
}

extension SQLiteOptions.Access {
    /// The same of a server.
    var onServer: PostgreSQLOptions.Access {
        switch self {
        case .createIfMissing: .createIfMissing
        case .existing: .existing
        case .readOnly: .readOnly
        }
    }
}
