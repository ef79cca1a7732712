public import EventLog
public import Workflow

/// The state that payment sessions and checkouts share: the log's end, the requests, the client
/// actions, the current problem, the money and the ending.
public struct Progress: Hashable, Sendable {
    /// The session.
    public let session: SessionID
    /// The sequence number of the last event; 0 before the first.
    public internal(set) var sequence: SequenceNumber = 0
    /// When the session was opened.
    public internal(set) var openedAt = Instant(microseconds: 0)
    /// When the last event was recorded.
    public internal(set) var lastAt = Instant(microseconds: 0)
    /// The requests to the PSP: what is in flight, what has to be read first, what failed.
    @Boxed public package(set) var requests = SessionRequests()
    /// The client actions, newest last.
    public internal(set) var actions: [ClientAction] = []
    /// The order's addresses, including those that the newest view omits.
    @Boxed public internal(set) var orderURLs = OrderURLs()
    /// Whether it is a copy that continues at another PSP, with another session or order than
    /// before.
    var isForked = false
    /// The problem that the payer has not moved on from.
    @Boxed public internal(set) var problem: CurrentProblem? = nil
    /// Whether it goes on or has ended.
    var lifecycle = Lifecycle.ongoing(Lifecycle.Ongoing())
    /// The events so far as they concern the money.
    @Boxed var book = MoneyBook()
    /// The order was read and is paid.
    @Boxed public internal(set) var confirmation: OrderConfirmed? = nil

    init(session: SessionID) { self.session = session }

    /// The request that changes something and whose outcome is not recorded yet.
    var running: RunningOperation? {
        requests.inFlight.map { RunningOperation(start: $0.start, at: $0.at) }
    }
}

/// A state that contains a ``Progress``, whose members can be read as its own.
@dynamicMemberLookup
public protocol Progressing: Hashable, Sendable {
    /// The state that both kinds of session share.
    var progress: Progress { get }
}

extension Progressing {
    /// A member of the progress.
    public subscript<Value>(dynamicMember member: KeyPath<Progress, Value>) -> Value {
        progress[keyPath: member]
    }

    /// Whether the session has ended.
    public var isOver: Bool { progress.outcome != nil }

    /// The request that changes something and whose outcome is not recorded yet.
    public var running: RunningOperation? { progress.running }

    /// The identifier of an action that the next event requests.
    var nextAction: ActionID { ActionID(requestedAt: progress.sequence + 1) }
}

/// The ledger of a session's requests.
public typealias SessionRequests = RequestLedger<
    OperationStarted, OperationFailed, ReadPurpose
>

/// Why the rules of a session require it to be read.
public enum ReadPurpose: Hashable, Sendable {
    /// A problem was acknowledged.
    case acknowledged
    /// The payer returned, or the client reports that something was done.
    case returned
    /// A retry was requested.
    case retry
    /// The payer did not finish in time.
    case overdue
    /// The status of the payment was requested.
    case refetched
    /// The session is about to end: it is read, and no other request is sent.
    case closing
}

/// A request in flight that changes something.
public struct RunningOperation: Hashable, Sendable {
    /// The record of its start.
    public var start: OperationStarted
    /// When it started.
    public var at: Instant
}

/// A current problem, and its event in the log.
public struct CurrentProblem: Hashable, Sendable {
    /// The problem.
    public var problem: Problem
    /// The sequence number of its event.
    public var sequence: SequenceNumber
}
