public import EventLog
public import Workflow

/// What a payment session and a checkout keep alike: where their log is, their requests, what the client was asked to do,
/// what stands in the way, what is known of the money, and the end.
public struct Progress: Hashable, Sendable {
    /// The session.
    public let session: SessionID
    /// The last event's place; 0 before the first.
    public internal(set) var sequence: Int64 = 0
    /// When the session was opened.
    public internal(set) var openedAt = Instant(microseconds: 0)
    /// When the last event was recorded.
    public internal(set) var lastAt = Instant(microseconds: 0)
    /// The requests to the PSP: what is under way, what has to be read first, what failed.
    public package(set) var requests = SessionRequests()
    /// What the client was asked to do, the newest last.
    public internal(set) var actions: [ClientAction] = []
    /// The order's addresses, also those that the newest view leaves out.
    public internal(set) var orderURLs = OrderURLs()
    /// Whether it is a copy that goes on at another PSP, with another session or order than before.
    var isForked = false
    /// The problem that the payer has not moved on from.
    public internal(set) var problem: StandingProblem?
    /// That somebody asked to give up the session, until that is done or refused.
    var abort: PendingAbort?
    /// Whether the engine waits for a command, because it has given up on a request.
    package internal(set) var isStalled = false
    /// Whether it was asked to be read once more because it is about to expire.
    var isReadAtEnd = false
    /// The end.
    var ending: Ending?
    /// What the events say of the money.
    var book = MoneyBook()
    /// The order was read and says that it is paid.
    public internal(set) var confirmation: OrderConfirmed?

    init(session: SessionID) { self.session = session }

    /// The request that changes something and whose outcome is not recorded.
    var running: RunningOperation? {
        requests.inFlight.map { RunningOperation(start: $0.start, at: $0.at) }
    }

    /// How the session ended.
    public var outcome: Outcome? { ending?.outcome }
    /// Whether a person ended it, without the PSP's word.
    public var isClosedByHand: Bool { ending?.isByHand ?? false }
    /// Who asked to give up the session, until that is done or refused.
    var abortRequestedBy: String? { abort?.by }
}

/// How a session ended.
struct Ending: Hashable, Sendable {
    /// In one word.
    var outcome: Outcome
    /// Whether a person ended it, without the PSP's word.
    var isByHand = false
}

/// That a session is to be given up, as somebody asked.
struct PendingAbort: Hashable, Sendable {
    /// Who it was.
    var by: String
    /// Whether the PSP took the request; the session shows it soon.
    var isAccepted = false
}

/// A state that holds a ``Progress``, whose members can be read as its own.
@dynamicMemberLookup
public protocol Progressing: Hashable, Sendable {
    /// What either kind of session keeps.
    var progress: Progress { get }
}

extension Progressing {
    /// A member of the progress.
    public subscript<Value>(dynamicMember member: KeyPath<Progress, Value>) -> Value {
        progress[keyPath: member]
    }

    /// Whether the session has come to its end.
    public var isOver: Bool { progress.outcome != nil }

    /// The request that changes something and whose outcome is not recorded.
    public var running: RunningOperation? { progress.running }

    /// The identity of an action that the next event requests.
    var nextAction: ActionID { ActionID(requestedAt: progress.sequence + 1) }
}

/// The ledger of a session's requests.
public typealias SessionRequests = RequestLedger<
    OperationStarted, OperationFailed, ReadingOccasion
>

/// Why the rules of a session want it to be read.
public enum ReadingOccasion: Hashable, Sendable {
    /// A problem was acknowledged.
    case acknowledged
    /// The payer came back, or somebody says that they did something.
    case returned
    /// Somebody wants another try.
    case retry
    /// The payer did not finish in time.
    case overdue
    /// Somebody asks how the payment stands.
    case refetched
    /// The session is about to end: it is read, and nothing else is done.
    case closing
}

/// A request that changes something, under way.
public struct RunningOperation: Hashable, Sendable {
    /// What was recorded when it started.
    public var start: OperationStarted
    /// When that was.
    public var at: Instant
}

/// A problem that stands, and where the log tells of it.
public struct StandingProblem: Hashable, Sendable {
    /// The problem.
    public var problem: Problem
    /// The place of its event.
    public var sequence: Int64
}
