internal import Adapters
internal import EventLog
internal import SwedbankPay

/// A kind of store for `--store`: everything that the program knows of it beyond the ports.
///
/// A new kind conforms to this and is listed in ``StoreLocation/kinds``; no other code names kinds.
protocol StoreKind: Sendable {
    /// Returns whether a text names a store of this kind.
    static func isMeant(by text: String) -> Bool

    /// Returns a text without its password, so that it may be repeated; unchanged if it has none.
    static func pasted(_ text: String) -> String

    /// Parses a text that names a store of this kind.
    ///
    /// - Throws: A usage failure that quotes nothing that may be a secret.
    init(_ text: String) throws(Failure)

    var name: String { get }
    /// The schema that this build writes.
    var schema: Int { get }
    /// The value of `--store`, which may contain a password.
    var secretText: String { get }
    /// The path from which the names of the files beside the store derive; that of a file store
    /// itself.
    var path: String { get }
    /// Distinguishes the files of several databases used from one directory; empty for a file.
    var database: String { get }
    /// Identifies the store, whoever opens it and from where, without credentials.
    var place: String { get }
    /// Whether the store is a file on this machine, which is quick to examine and has an owner.
    var isFile: Bool { get }
    /// Whether there is a store, or may be one.
    var exists: Bool { get }

    /// Fails when there is no store, of whatever schema.
    func requireStore(on loop: UVLoop) async throws(EventStoreError)

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

    /// Opens a scratch store, and creates it when there is none.
    ///
    /// - Throws: A failure when it is a store of real payments, or its kind has no scratch stores.
    func openScratch(on loop: UVLoop) async throws(Failure) -> any PaymentStore

    /// Checks whether its schema is this build's, and unaltered.
    func lookAtSchema(of store: any PaymentStore) async throws -> Finding

    /// Checks whether it has space left.
    func lookAtRoom() -> Finding

    /// Checks who could intercept the connection to the store.
    func connectionRisks() -> [Finding]
}

extension StoreKind {
    static func pasted(_ text: String) -> String { text }

    var database: String { "" }

    func openScratch(on loop: UVLoop) async throws(Failure) -> any PaymentStore {
        throw .onlyForFiles
    }

    func connectionRisks() -> [Finding] { [] }
}
