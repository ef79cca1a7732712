public import EventLog

/// Why a store may not be the live copy: another copy may have sent requests that this one does not
/// know of.
@nonexhaustive
public enum LineageDoubt: Hashable, Sendable {
    /// The store lacks a record that it had: an earlier state was restored.
    case wentBack(stream: SessionID, sequence: SequenceNumber)
    /// Another store was at this location before.
    case anotherStore
    /// The database is a different file than before, as after a copy or a restore.
    case copied
    /// The lineage file is missing or empty, as when only the database was copied or restored.
    case forgotten
    /// The lineage file cannot be read.
    case unreadable
    /// The database was created or restored on another server.
    case anotherServer

    /// A description of the doubt.
    public var words: String {
        switch self {
        case .wentBack(let stream, let sequence):
            "it no longer has record \(sequence) of session \(stream): an earlier state was restored"
        case .anotherStore: "another store was at this location before"
        case .copied: "it is not the same file as before: it was copied or restored"
        case .forgotten: "its companion file is missing or empty: the store was copied or restored"
        case .unreadable: "its companion file cannot be read"
        case .anotherServer: "it was copied or restored to another server"
        }
    }

    /// The error of an operation that requires the live copy.
    var error: EventStoreError { .notAdopted(reason: words) }
}

/// The identity of a store, and whether it may be relied upon.
public struct StoreLineage: Hashable, Sendable {
    /// The store's identity.
    public var identity: StoreIdentity
    /// Why no request is sent from the store; `nil` when it is the live copy.
    public var doubt: LineageDoubt?

    /// Creates a lineage with these members.
    public init(identity: StoreIdentity, doubt: LineageDoubt? = nil) {
        self.identity = identity
        self.doubt = doubt
    }
}

/// A store that knows whether it is the live copy.
///
/// A restored backup or a copy lacks what was sent since it was created, or what another copy sends
/// now. So before the first lease, a store compares itself with what was recorded outside of it
/// (``StoreMemory``). When they differ, it grants no lease until an operator declares which copy is
/// the live one.
public protocol StoreLineageKeeper: Sendable {
    /// Returns the store's lineage without changing anything.
    func lineage() async throws(EventStoreError) -> StoreLineage

    /// Declares this store the live copy, whatever was recorded: it may be driven again from now
    /// on.
    ///
    /// Every other copy with the same record is refused from then on. No engine may drive the store
    /// meanwhile.
    ///
    /// - Returns: The store with its next epoch.
    @discardableResult
    func adopt() async throws(EventStoreError) -> StoreLineage
}

/// The contents of a database about its own lineage.
struct FoundStore: Hashable, Sendable {
    var identity: StoreIdentity
    /// Whether the store was ever driven since it got an identity.
    var isRemembered: Bool
    /// The server on which the database was created, as recorded in it; `nil` for files and for
    /// servers without an identity.
    var birthServer: String?
    /// The current server.
    var server: String?
    /// The inode number of the file; `nil` for servers.
    var file: UInt64?
    /// Whether the store has no records.
    var isEmpty: Bool
    /// Whether the store has the remembered record; `true` when none is remembered.
    var hasMark: Bool
}

extension FoundStore {
    /// Returns why this store may not be the remembered one.
    ///
    /// - Parameters:
    ///   - memory: What was recorded outside of the store.
    ///   - isShared: Whether several machines drive it: then a machine without a record is a new
    ///     one, and a machine that remembers an earlier epoch has not yet seen the last adoption.
    /// - Returns: The doubt; `nil` when there is none.
    func doubt(against memory: StoreMemory.Reading, isShared: Bool) -> LineageDoubt? {
        if let birthServer, let server, birthServer != server { return .anotherServer }
        // An empty store has no request that could be sent twice.
        if isEmpty, !isRemembered { return nil }
        switch memory {
        case .absent: return isRemembered && !isShared ? .forgotten : nil
        // The database is marked after the file was written, and nothing is sent before: whoever
        // wrote the file first ended meanwhile.
        case .unreadable: return isRemembered || isShared ? .unreadable : nil
        case .remembered(let known):
            guard known.identity.id == identity.id else { return .anotherStore }
            if isShared, known.identity.epoch < identity.epoch { return nil }
            guard hasMark else {
                guard let mark = known.mark else { return .anotherStore }
                return .wentBack(stream: mark.stream, sequence: mark.sequence)
            }
            guard known.identity.epoch == identity.epoch else { return .anotherStore }
            guard known.file == file else { return .copied }
            return nil
        }
    }
}
