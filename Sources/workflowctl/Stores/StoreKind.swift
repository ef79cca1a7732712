internal import Adapters
internal import EventLog
internal import SwedbankPay

/// A store that `--store` names, of one kind: all that the program knows of it beyond the ports.
///
/// A new kind conforms and stands in ``StoreLocation/kinds``; nothing else names kinds.
protocol StoreKind: Sendable {
    /// Whether a text is meant for a store of this kind.
    static func isMeant(by text: String) -> Bool

    /// A text without its password, as it may be repeated; the same text when it has none.
    static func pasted(_ text: String) -> String

    /// Reads a text that names a store of this kind.
    ///
    /// - Throws: A usage failure that quotes nothing that may be a secret.
    init(_ text: String) throws(Failure)

    /// What the kind is called.
    var name: String { get }
    /// The schema that this build writes.
    var schema: Int { get }
    /// What `--store` was given; it may hold a password.
    var secretText: String { get }
    /// What the files beside the store are named after; of a file itself, its path.
    var path: String { get }
    /// Distinguishes the files of several databases used from one directory; empty for a file.
    var database: String { get }
    /// Which store it is, whoever opens it from wherever, without credentials.
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

    /// Opens a scratch store, and makes it when there is none.
    ///
    /// - Throws: A failure when it is a store of real payments, or of a kind that has no scratch
    ///   stores.
    func openScratch(on loop: UVLoop) async throws(Failure) -> any PaymentStore

    /// Whether its schema is this build's, and unaltered.
    func checkSchema(of store: any PaymentStore) async throws -> Finding

    /// Whether there is room for it.
    func checkSpace() -> Finding

    /// Who could read along on the way to the store.
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
