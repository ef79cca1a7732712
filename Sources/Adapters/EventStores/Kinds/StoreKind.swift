package import EventLog
package import UVTransport

/// A store that an address names, with what programs need besides the ports; its type is the kind
/// of store.
///
/// A new kind is a type in the store's own folder, and a line in ``StoreKinds/all``. Other code
/// names a store only for options that a service may set.
package protocol StoreKind: Sendable {
    /// The name of the kind in output, which never changes.
    static var name: String { get }
    /// The name of the kind, for people.
    static var title: String { get }
    /// How a store of this kind is named, for people.
    static var form: String { get }
    /// How a store of this kind is named, with everything that an address may contain.
    static var fullForm: String { get }
    /// The schema version that this build writes.
    static var schema: Int { get }
    /// The database library in this process, as `name/version`.
    static var libraryVersion: String { get }
    /// The numbers of lanes that a new store can have; empty when the kind has no lanes.
    static var laneCounts: [Int] { get }

    /// Returns the statements that grant a role of the database its rights.
    ///
    /// - Parameters:
    ///   - role: The name of the role.
    ///   - duty: The role's duty.
    ///   - schema: The database schema of the tables; `nil` for one that everyone may use.
    /// - Returns: The statements; empty when the kind has no roles.
    static func grants(for role: String, duty: StoreDuty, schema: String?) -> [String]

    /// Returns whether a text names a store of this kind.
    static func isMeant(by text: String) -> Bool

    /// Returns whether a text may contain a password.
    static func mayHoldPassword(_ text: String) -> Bool

    /// Returns why a text that ``isMeant(by:)`` cannot be used.
    ///
    /// - Returns: A message that quotes no part that may be a secret; `nil` when the text is valid.
    static func fault(in text: String) -> String?

    /// Creates the name of a store from a text without a ``fault(in:)``; nothing is opened.
    init(_ text: String)

    /// The address of the store, which may contain a password.
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
    /// The risk of the connection to the store; `nil` when it is protected.
    var connectionRisk: StoreConnectionRisk? { get }

    /// Returns whether there is a store of any schema version.
    func hasTables(
        on loop: UVLoop,
        within patience: Duration?
    ) async throws(EventStoreError) -> Bool

    /// Returns the number of lanes that an existing store has, without upgrading it; `nil` when
    /// there is no store yet, or its kind has no lanes.
    func laneCount(
        on loop: UVLoop,
        within patience: Duration?
    ) async throws(EventStoreError) -> Int?

    /// Opens the store.
    func open(
        _ opening: StoreOpening,
        on loop: UVLoop
    ) async throws(EventStoreError) -> any PersistentStore

    /// Returns the schema of a store that this kind opened.
    func schemaState(
        of store: any PersistentStore
    ) async throws(EventStoreError) -> StoreSchemaState

    /// Returns where the sessions of a store that this kind opened were moved to; `nil` when they
    /// were not moved.
    func movedTo(from store: any PersistentStore) async throws(EventStoreError) -> String?
}

extension StoreKind {
    package static var fullForm: String { form }

    package static var laneCounts: [Int] { [] }

    package static func grants(
        for role: String,
        duty: StoreDuty,
        schema: String?
    ) -> [String] { [] }

    package static func mayHoldPassword(_ text: String) -> Bool { false }

    package var database: String { "" }

    package var connectionRisk: StoreConnectionRisk? { nil }

    package func laneCount(
        on loop: UVLoop,
        within patience: Duration?
    ) async throws(EventStoreError) -> Int? { nil }

    package func movedTo(
        from store: any PersistentStore
    ) async throws(EventStoreError) -> String? { nil }
}

/// The schema of an opened store.
package struct StoreSchemaState: Hashable, Sendable {
    /// The version.
    package var version: Int
    /// What was altered by others; empty for an intact store.
    package var faults: [String] = []
}

/// Why a connection to a store is not protected.
package struct StoreConnectionRisk: Hashable, Sendable {
    /// Whether the store refuses to connect that way.
    package var isRefused: Bool
    /// The reason, without any part of the address that may be a secret.
    package var reason: String
    /// What to change.
    package var advice: String
}
