internal import CSQLite
internal import EventLog
internal import Glibc
internal import UVTransport

/// A store in a SQLite file: `sqlite:PATH`.
struct SQLiteKind: StoreKind {
    private static let scheme = "sqlite:"

    static let name = "sqlite"
    static let title = "SQLite"
    static let form = "sqlite:PATH"
    static var schema: Int { SQLiteEventStore.schemaVersion }
    static var libraryVersion: String { "sqlite/" + String(cString: sqlite3_libversion()) }

    /// The path as it was given.
    private let given: String
    /// The path of the file, without a link as its last part: SQLite's files are beside the file,
    /// and so are all others.
    let path: String

    static func isMeant(by text: String) -> Bool { text.hasPrefix(scheme) }

    static func fault(in text: String) -> String? {
        text.utf8.count > scheme.utf8.count && !text.utf8.contains(0)
            ? nil : "the address contains no path of a file"
    }

    init(_ text: String) { self.init(path: String(text.dropFirst(Self.scheme.count))) }

    init(path: String) {
        given = path
        let isLink = FileFacts(link: path)?.isLink == true
        let target = isLink ? realpath(path, nil) : nil
        defer { free(target) }
        self.path = target.map { String(cString: $0) } ?? path
    }

    var secretText: String { Self.scheme + given }
    var isFile: Bool { true }
    var exists: Bool { FileFacts(path: path) != nil }

    var place: String {
        guard !path.hasPrefix("/"), let folder = getcwd(nil, 0) else { return secretText }
        defer { free(folder) }
        return "\(Self.scheme)\(String(cString: folder))/\(path)"
    }

    func hasTables(
        on loop: UVLoop,
        within patience: Duration?
    ) async throws(EventStoreError) -> Bool { exists }

    func open(
        _ opening: StoreOpening,
        on loop: UVLoop
    ) async throws(EventStoreError) -> any PersistentStore {
        var options = opening.settings(or: SQLiteOptions())
        options.access = opening.access ?? options.access
        options.readers = max(1, opening.readers ?? options.readers)
        options.isScratch = opening.isScratch || options.isScratch
        return try await SQLiteEventStore(
            path: path,
            readModel: opening.readModel,
            loop: loop,
            options: options
        )
    }

    /// Returns a store that this kind opened.
    private func opened(_ store: any PersistentStore) -> SQLiteEventStore {
        guard let store = store as? SQLiteEventStore else {
            preconditionFailure("a store in a file is a SQLite store")
        }
        return store
    }

    func schemaState(
        of store: any PersistentStore
    ) async throws(EventStoreError) -> StoreSchemaState {
        let store = opened(store)
        return StoreSchemaState(
            version: try await store.schemaVersion(),
            faults: try await store.schemaFaults()
        )
    }

    func movedTo(from store: any PersistentStore) async throws(EventStoreError) -> String? {
        try await opened(store).movedTo()
    }
}
