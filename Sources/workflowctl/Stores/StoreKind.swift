internal import Adapters
internal import EventLog
internal import SwedbankPay

/// A kind of store that `--store` can name, with everything that the program needs beyond the
/// ports.
///
/// A new kind conforms to this protocol and is added to ``StoreLocation/kinds``; no other code
/// mentions kinds.
protocol StoreKind: Sendable {
    /// How a store of this kind is named, for people.
    static var form: String { get }

    /// Whether a text names a store of this kind.
    static func isMeant(by text: String) -> Bool

    /// Returns a text without its password; the same text when it has none.
    static func pasted(_ text: String) -> String

    /// Parses a text that names a store of this kind.
    ///
    /// - Throws: A usage failure that quotes no part that may be a secret.
    init(_ text: String) throws(Failure)

    /// The name of the kind.
    var name: String { get }
    /// The schema that this build writes.
    var schema: Int { get }
    /// The value of `--store`, which may contain a password.
    var secretText: String { get }
    /// The base name of the files beside the store; for a file, its path.
    var path: String { get }
    /// Distinguishes the files of several databases used from one directory; empty for a file.
    var database: String { get }
    /// The identity of the store, without credentials, which is the same for every client.
    var place: String { get }
    /// Whether the store is a local file, which is quick to examine and has an owner.
    var isFile: Bool { get }
    /// Whether there is a store, or might be one.
    var exists: Bool { get }

    /// Returns the same store, which gets a number of lanes when it is created.
    ///
    /// - Throws: A usage failure when there cannot be as many, or its kind has no lanes.
    func creating(lanes: Int) throws(Failure) -> Self

    /// Fails when there is no store of any schema version.
    func requireStore(on loop: UVLoop) async throws(Failure)

    /// Opens the store.
    ///
    /// `wanted` is the session to read; when there is no store, that session does not exist.
    /// `readers` is the number of reading threads, for a kind of store that has threads.
    func open(
        _ access: StoreAccess,
        for wanted: SessionID?,
        on loop: UVLoop,
        readers: Int
    ) async throws(Failure) -> any PaymentStore

    /// Opens a scratch store, and creates a missing one.
    ///
    /// - Throws: A failure when it is a store of real payments, or its kind has no scratch stores.
    func openScratch(on loop: UVLoop) async throws(Failure) -> any PaymentStore

    /// Checks that the schema is this build's, and unaltered.
    func checkSchema(of store: any PaymentStore) async throws -> Finding

    /// Returns where the store's sessions were moved to; `nil` when they were not moved.
    func movedTo(from store: any PaymentStore) async throws -> String?

    /// Checks that there is enough space.
    func checkSpace() -> Finding

    /// Checks whether the connection to the store is protected.
    func connectionRisks() -> [Finding]
}

extension StoreKind {
    static func pasted(_ text: String) -> String { text }

    var database: String { "" }

    func creating(lanes: Int) throws(Failure) -> Self {
        throw .usage(
            "lanes",
            "--lanes requires a PostgreSQL store",
            hint: "a SQLite file has one writer, and so one commit order"
        )
    }

    func openScratch(on loop: UVLoop) async throws(Failure) -> any PaymentStore {
        throw .onlyForFiles
    }

    func movedTo(from store: any PaymentStore) async throws -> String? { nil }

    func connectionRisks() -> [Finding] { [] }
}
