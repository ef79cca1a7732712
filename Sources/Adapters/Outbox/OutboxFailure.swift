public import EventLog
internal import SwedbankPay

/// Why publishing stopped.
@nonexhaustive
public enum OutboxFailure: Error, Hashable, Sendable, CustomStringConvertible {
    /// Another publisher holds the position.
    case inUse
    /// The position cannot be read or stored.
    case position(reason: String)
    /// The store has a different record at the position, or ends before it: it is another store, or
    /// an older state of it.
    case otherStore
    /// The receiver did not accept some events: the reason, and the first of them.
    case undelivered(reason: String, first: SessionID, sequence: SequenceNumber)
    /// The store cannot be read.
    case store(EventStoreError)
    /// The keys cannot be used now.
    case vault(KeyVaultError)
    /// The keys do not prove the log of a session: its records are sent, and nothing is said about
    /// its payment.
    case unreadable(SessionID, code: String)

    /// A short code for metrics and messages.
    public var code: String {
        switch self {
        case .inUse: "outbox.in-use"
        case .position: "outbox.position"
        case .otherStore: "outbox.other-store"
        case .undelivered: "outbox.undelivered"
        case .store(let error): error.code
        case .vault(let error): error.code
        case .unreadable(_, let code): code
        }
    }

    /// A description without any part of the events or of the receiver's address.
    public var description: String {
        switch self {
        case .inUse: "another publisher uses the position"
        case .position(let reason): "the position can't be used: \(reason)"
        case .otherStore: "the store does not have the record that was published last"
        case .undelivered(let reason, let session, let sequence):
            "the receiver does not accept event \(sequence) of session \(session), or one that was sent with it: \(reason)"
        case .store(let error): error.description
        case .vault: "the keys can't be used"
        case .unreadable(let session, _):
            "the keys do not prove the log of session \(session): its records are sent without notices"
        }
    }

    /// A failure to deliver the events that begin with a record.
    static func undelivered(_ first: StoredRecord, _ reason: String) -> OutboxFailure {
        .undelivered(reason: reason, first: first.stream, sequence: first.sequence)
    }
}
