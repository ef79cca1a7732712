internal import Adapters
internal import EventLog
internal import SwedbankPay

/// A store in a PostgreSQL database that several nodes share: `postgres://…`.
struct PostgreSQLKind: StoreKind {
    static let form = "postgres://USER@HOST/DATABASE"

    /// The connection string, which may contain a password.
    let secretText: String
    /// The number of lanes that the store has to have; `nil` for any, and the default when it is
    /// created.
    private var lanes: Int?

    static func isMeant(by text: String) -> Bool {
        text.hasPrefix("postgres://") || text.hasPrefix("postgresql://")
    }

    /// The connection string if it has no password; otherwise the variable that contains it.
    static func pasted(_ text: String) -> String {
        let authority = text.drop { $0 != "/" }.dropFirst(2).prefix { $0 != "/" && $0 != "?" }
        let user = authority.lastIndex(of: "@").map { authority[..<$0] } ?? ""
        let hasPassword = user.contains(":") || text.lowercased().contains("password=")
        return hasPassword ? "$WORKFLOWCTL_STORE" : text
    }

    init(_ text: String) throws(Failure) {
        // It may contain a password, so the message quotes only the option's name.
        let isTorn = text.utf8.contains(0) || Self.mayHoldPieceOfPassword(text)
        let fault = isTorn ? "the connection string is invalid" : nil
        if let fault = fault ?? PostgreSQLEventStore.fault(inURL: text) {
            throw .usage(
                "store",
                fault,
                hint:
                    "use --store postgres://USER@HOST:PORT/DATABASE?OPTION=VALUE with libpq "
                    + "options, and percent-encode special characters in user and password"
            )
        }
        secretText = text
    }

    /// Whether part of a password would be parsed as a host or a database, which appear in errors.
    ///
    /// libpq ends the password at the first `@`, and finds none if a `/` precedes it.
    private static func mayHoldPieceOfPassword(_ server: String) -> Bool {
        let place = server.drop { $0 != "/" }.dropFirst(2).prefix { $0 != "?" }
        let marks = place.filter { $0 == "@" }.count
        return marks > 1 || (marks == 1 && !place.prefix { $0 != "/" }.contains("@"))
    }

    var name: String { "postgresql" }
    var schema: Int { PostgreSQLEventStore.schemaVersion }
    /// A path in the current directory.
    var path: String { "payments" }
    var database: String { PostgreSQLEventStore.shortName(url: secretText).map { "-" + $0 } ?? "" }
    var isFile: Bool { false }
    var exists: Bool { true }

    var place: String {
        let address = secretText.prefix { $0 != "?" }
        let host = address.lastIndex(of: "@").map { address[address.index(after: $0)...] }
        return "postgres://" + (host ?? address.drop { $0 != "/" }.dropFirst(2))
    }

    func creating(lanes: Int) throws(Failure) -> PostgreSQLKind {
        guard PostgreSQLOptions.canHave(lanes: lanes) else {
            throw .usage(
                "lanes",
                "the number of lanes must be a power of two, at most 64",
                hint: "use 1, 2, 4, 8, 16, 32 or 64; 8 is the default"
            )
        }
        var kind = self
        kind.lanes = lanes
        return kind
    }

    func requireStore(on loop: UVLoop) async throws(Failure) {
        let version: Int?
        do throws(EventStoreError) {
            version = try await PostgreSQLEventStore.schemaVersion(at: secretText, on: loop)
        } catch {
            throw Failure(error)
        }
        guard version != nil else { throw Failure(EventStoreError.noTables) }
    }

    func open(
        _ access: StoreAccess,
        for wanted: SessionID?,
        on loop: UVLoop,
        readers: Int
    ) async throws(Failure) -> any PaymentStore {
        var options = PostgreSQLOptions(
            access: access,
            node: Operator.nodeName,
            identityFile: path + database + "-identity"
        )
        options.lanes = lanes ?? options.lanes
        // Opening it upgrades it, so its lanes are compared before.
        if access == .createIfMissing { try await requireLanes(on: loop) }
        let store: PostgreSQLEventStore
        do {
            store = try await PostgreSQLEventStore(url: secretText, loop: loop, options: options)
        } catch {
            throw Failure(error)
        }
        do throws(Failure) {
            // Another process may have created it meanwhile.
            try requireLanes(store.laneCount)
        } catch {
            await store.close()
            throw error
        }
        return store
    }

    private func requireLanes(on loop: UVLoop) async throws(Failure) {
        guard lanes != nil else { return }
        let existing: Int?
        do throws(EventStoreError) {
            existing = try await PostgreSQLEventStore.laneCount(at: secretText, on: loop)
        } catch {
            throw Failure(error)
        }
        if let existing { try requireLanes(existing) }
    }

    private func requireLanes(_ existing: Int) throws(Failure) {
        guard existing != lanes ?? existing else { return }
        throw .usage(
            "lanes",
            "the store has \(existing) lane\(existing == 1 ? "" : "s"), and keeps them",
            hint: "create another store with --lanes, and copy this one to it: 'store copy'"
        )
    }

    func checkSchema(of store: any PaymentStore) async throws -> Finding {
        // The tables of another version could not be read.
        Finding(.schema, .good, "version \(schema), current for this build")
    }

    func checkSpace() -> Finding {
        Finding(.disk, .skipped, "not checked for a database server")
    }

    func connectionRisks() -> [Finding] {
        guard let protection = PostgreSQLEventStore.remoteProtection(inURL: secretText),
            !protection.isVerified
        else { return [] }
        let (mode, isRefused) = (protection.mode, protection.isRefused)
        let words =
            isRefused
            ? "sslmode=\(mode) would send the store's password unencrypted; it is not sent"
            : "sslmode=\(mode) does not verify the identity of the store's server"
        let advice =
            "remove sslmode or use sslmode=verify-full, and name the certificate authority with sslrootcert"
        return [Finding(.connections, isRefused ? .bad : .warning, words, advice: advice)]
    }
}
