internal import CPQ
internal import EventLog
internal import UVTransport

/// A store in a PostgreSQL database that several nodes share: `postgres://…`.
struct PostgreSQLKind: StoreKind {
    static let name = "postgresql"
    static let title = "PostgreSQL"
    static let form = "postgres://USER@HOST/DATABASE"
    static let fullForm =
        "postgres://USER@HOST:PORT/DATABASE?OPTION=VALUE with libpq options, and percent-encode "
        + "special characters in user and password"
    static var schema: Int { PostgreSQLEventStore.schemaVersion }
    static let laneCounts = (1...LogCursor.maximumLanes).filter { PostgreSQLLanes($0) != nil }

    /// The version of libpq, which the library reports as a number: 150018 is 15.18.
    static var libraryVersion: String {
        let number = PQlibVersion()
        return "libpq/\(number / 10_000).\(number % 10_000)"
    }

    /// The connection string, which may contain a password.
    let secretText: String

    static func grants(for role: String, duty: StoreDuty, schema: String?) -> [String] {
        PostgreSQLGrants.statements(for: role, duty: duty, schema: schema)
    }

    static func isMeant(by text: String) -> Bool {
        text.hasPrefix("postgres://") || text.hasPrefix("postgresql://")
    }

    static func mayHoldPassword(_ text: String) -> Bool { PQTarget.mayHoldPassword(text) }

    static func fault(in text: String) -> String? {
        guard !text.utf8.contains(0), !mayHoldPieceOfPassword(text) else {
            return "the connection string is invalid"
        }
        return PostgreSQLEventStore.fault(inURL: text)
    }

    /// Whether part of a password would be parsed as a host or a database, which appear in errors.
    ///
    /// libpq ends the password at the first `@`, and finds none if a `/` precedes it.
    private static func mayHoldPieceOfPassword(_ server: String) -> Bool {
        let place = server.utf8.drop { $0 != UInt8(ascii: "/") }.dropFirst(2)
            .prefix { $0 != UInt8(ascii: "?") }
        let marks = place.count { $0 == UInt8(ascii: "@") }
        let authority = place.prefix { $0 != UInt8(ascii: "/") }
        return marks > 1 || (marks == 1 && !authority.contains(UInt8(ascii: "@")))
    }

    init(_ text: String) { secretText = text }

    /// A path in the current directory.
    var path: String { "payments" }
    var database: String { PostgreSQLEventStore.shortName(url: secretText).map { "-" + $0 } ?? "" }
    var isFile: Bool { false }
    var exists: Bool { true }

    var place: String {
        // A text that libpq cannot read may hold anything.
        (try? PQTarget(secretText))?.address ?? "postgres://"
    }

    var connectionRisk: StoreConnectionRisk? {
        guard let protection = PostgreSQLEventStore.remoteProtection(inURL: secretText),
            !protection.isVerified
        else { return nil }
        let (mode, isRefused) = (protection.mode, protection.isRefused)
        return StoreConnectionRisk(
            isRefused: isRefused,
            reason: isRefused
                ? "sslmode=\(mode) would send the store's password unencrypted; it is not sent"
                : "sslmode=\(mode) does not verify the identity of the store's server",
            advice:
                "remove sslmode or use sslmode=verify-full, and name the certificate authority "
                + "with sslrootcert"
        )
    }

    func hasTables(
        on loop: UVLoop,
        within patience: Duration?
    ) async throws(EventStoreError) -> Bool {
        try await PostgreSQLEventStore.reading(
            secretText,
            on: loop,
            within: patience,
            PostgreSQLSchema.version(on:)
        ) != nil
    }

    func laneCount(
        on loop: UVLoop,
        within patience: Duration?
    ) async throws(EventStoreError) -> Int? {
        try await PostgreSQLEventStore.reading(
            secretText,
            on: loop,
            within: patience,
            PostgreSQLSchema.laneCount(on:)
        )
    }

    func open(
        _ opening: StoreOpening,
        on loop: UVLoop
    ) async throws(EventStoreError) -> any PersistentStore {
        var options = opening.settings(or: PostgreSQLOptions())
        options.access = opening.access ?? options.access
        options.node = opening.node
        options.lanes = opening.lanes ?? options.lanes
        options.identityFile = opening.identityFile ?? options.identityFile
        options.patience = opening.patience ?? options.patience
        return try await PostgreSQLEventStore(
            url: secretText,
            readModel: opening.readModel,
            loop: loop,
            options: options
        )
    }

    func schemaState(
        of store: any PersistentStore
    ) async throws(EventStoreError) -> StoreSchemaState {
        // The tables of another version could not be read.
        StoreSchemaState(version: Self.schema)
    }
}

extension PostgreSQLEventStore: LanedStore {}
