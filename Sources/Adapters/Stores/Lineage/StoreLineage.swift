public import EventLog
internal import SwedbankPay

/// Which store it is, and how often somebody has declared that it is the one that lives.
public struct StoreIdentity: Hashable, Sendable {
    /// The same for a store and all its copies: 32 hexadecimal digits.
    public var id: String
    /// Counts from 1; one more with each ``StoreLineageKeeper/adopt()``.
    public var epoch: Int64

    /// An identity.
    public init(id: String, epoch: Int64) {
        self.id = id
        self.epoch = epoch
    }
}

/// Why a store may not be the one that lives: another copy may have sent what this one knows nothing of.
public enum LineageDoubt: Hashable, Sendable {
    /// It lacks a record that it had: it was put back to an earlier state.
    case wentBack(stream: SessionID, sequence: Int64)
    /// Another store was here before.
    case anotherStore
    /// It is another file than before, as after a copy or a restore.
    case copied
    /// The file that remembers it is gone, as where only the database was copied or restored.
    case forgotten
    /// The file that remembers it can't be read.
    case unreadable
    /// The database was made or restored on another server.
    case anotherServer

    /// What is wrong, in words.
    public var words: String {
        switch self {
        case .wentBack(let stream, let sequence):
            "it lacks record \(sequence) of session \(stream), which it had: an earlier state was restored"
        case .anotherStore: "another store was in this place before"
        case .copied: "it is another file than before: it was copied or restored"
        case .forgotten: "what is remembered beside it is missing: it was copied or restored"
        case .unreadable: "what is remembered beside it can't be read"
        case .anotherServer: "it was copied or restored to another server"
        }
    }

    /// The error of whoever wants to send something all the same.
    var error: EventStoreError { .notAdopted(reason: words) }
}

/// What a store says of itself, and whether it may be relied upon.
public struct StoreLineage: Hashable, Sendable {
    /// Which store it is.
    public var identity: StoreIdentity
    /// Why nothing is sent from it; nil where it lives.
    public var doubt: LineageDoubt?

    /// What a store says of itself.
    public init(identity: StoreIdentity, doubt: LineageDoubt? = nil) {
        self.identity = identity
        self.doubt = doubt
    }
}

/// A store that knows whether it is the one that lives.
///
/// A restored backup or a copy lacks what was sent since it was made, or what another copy sends now. So before the first lease
/// a store compares itself with what is remembered outside of it (``StoreMemory``); where they differ no lease is
/// given, until somebody says which one lives.
public protocol StoreLineageKeeper: Sendable {
    /// What the store is; changes nothing.
    func lineage() async throws(EventStoreError) -> StoreLineage

    /// Declares that this store is the one that lives, whatever is remembered: from now on it may be driven again.
    ///
    /// Every other copy with the same memory is refused from then on. Nothing may be driven meanwhile.
    ///
    /// - Returns: The store with its next epoch.
    @discardableResult
    func adopt() async throws(EventStoreError) -> StoreLineage
}

/// What a database says of itself.
struct FoundStore: Hashable, Sendable {
    var identity: StoreIdentity
    /// Whether it was ever driven since it knows itself.
    var isRemembered: Bool
    /// The server that it was made on, as the database has it; nil where a server does not tell, and for files.
    var birthServer: String?
    /// The server that it is on.
    var server: String?
    /// The number of its file; nil for servers.
    var file: UInt64?
    /// Whether it has no record.
    var isEmpty: Bool
    /// Whether it has the record that is remembered; yes where none is.
    var hasMark: Bool
}

extension FoundStore {
    /// Why this store may not be the one that is remembered.
    ///
    /// - Parameters:
    ///   - memory: What is remembered outside of it.
    ///   - isShared: Whether several machines drive it: then a machine that knows nothing of it is a further one, and one
    ///     that remembers an earlier epoch has not heard of the last adoption yet.
    func doubt(against memory: StoreMemory.Reading, isShared: Bool) -> LineageDoubt? {
        if let birthServer, let server, birthServer != server { return .anotherServer }
        // In an empty store there is nothing that could be sent twice.
        if isEmpty, !isRemembered { return nil }
        switch memory {
        case .absent: return isRemembered && !isShared ? .forgotten : nil
        case .unreadable: return .unreadable
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
