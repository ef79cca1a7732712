public import EventLog
public import Workflow

/// Everything that rules know of a session: the fold of its events.
///
/// It holds no time but that of events, no plaintext of a secret, and nothing of the process that folded it; so the
/// same log gives the same state everywhere, and ``SessionDecider/effects(owedBy:)`` the same effects.
public struct SessionState: Hashable, Sendable {
    /// The session.
    public let session: SessionID
    /// The last event's place; 0 before the first.
    public internal(set) var sequence: Int64 = 0
    /// When the session was opened.
    public internal(set) var openedAt = Instant(microseconds: 0)
    /// When the last event was recorded.
    public internal(set) var lastAt = Instant(microseconds: 0)
    /// How the session was taken in.
    public internal(set) var opening: Opened?
    /// The PSP's newest view.
    public internal(set) var snapshot: Snapshot?
    /// The order's addresses, also those that the newest view leaves out.
    public internal(set) var orderURLs = OrderURLs()
    /// Whether it is a copy that goes on at another PSP, with another session or order than before.
    var isForked = false
    /// The PSP's identifier of the session, as the first view named it.
    var identity: Sealed?
    /// The digest of that view.
    public internal(set) var digest: Digest256?
    /// The requests to the PSP: what is under way, what has to be read first, what failed.
    public package(set) var requests = SessionRequests()
    /// Whether the PSP took the request to give up; the session shows it soon.
    var isAbortAccepted = false
    /// The last attempt that began at the PSP, or may have; 0 before the first.
    package internal(set) var begunAttempt = 0
    /// What the client was offered last.
    public internal(set) var offers: [MethodOffer] = []
    /// What the places among the saved cards have meant so far.
    var cardPlaces: [Int: CardPlace] = [:]
    /// Whether the choice that was made at opening has had its turn.
    package internal(set) var preferencesUsed = false
    /// How many attempts there were.
    public internal(set) var attemptCount = 0
    /// The attempt under way.
    public internal(set) var attempt: Attempt?
    /// The payer's wish to pay on the PSP's page without an attempt of ours.
    public internal(set) var menu: MenuWish?
    /// The PSP's page that the client was asked to show for the wish or attempt under way.
    package internal(set) var page: PageVisit?
    /// How the session is presented on our request, as far as we know.
    var presented: Presentation?
    /// What the request under way asks the session to be presented as.
    var presenting: Presentation?
    /// What the newest attempt paid with, also after it ended.
    public internal(set) var lastChoice: Choice?
    /// What the client was asked to do, the newest last.
    public internal(set) var actions: [ClientAction] = []
    /// Where the running challenge's result is posted to.
    var notificationURL: Sealed?
    /// The problem that the payer has not moved on from.
    public internal(set) var problem: StandingProblem?
    /// Problems of the PSP that were reported already.
    var reportedProblems: [ProblemMark] = []
    /// The problem that has to be acknowledged.
    var acknowledging: SessionProblem?
    /// Acknowledging links that are done with.
    var acknowledged: [Sealed] = []
    /// Who asked to give up the session, until that is done or refused.
    var abortRequestedBy: String?
    /// Whether the engine waits for a command, because it has given up on a request.
    package internal(set) var isStalled = false
    /// Whether it was asked to be read once more because it is about to expire.
    var isReadAtEnd = false
    /// How the session ended.
    public internal(set) var outcome: Outcome?
    /// Whether a person ended it, without the PSP's word.
    public internal(set) var isClosedByHand = false
    /// What the events say of the money.
    var book = MoneyBook()
    /// Which kind of session it is.
    var kind = SessionKind.payment
    /// The order was read and says that it is paid.
    public internal(set) var confirmation: OrderConfirmed?

    /// A session that nothing has happened in.
    public init(session: SessionID) { self.session = session }
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

extension SessionState: WorkflowState {
    /// Whether the session has come to its end.
    public var isOver: Bool { outcome != nil }

    /// The session URL; a checkout has none.
    public var address: Sealed? { opening?.sessionURL }

    /// The request that changes something and whose outcome is not recorded.
    public var running: RunningOperation? {
        requests.inFlight.map { RunningOperation(start: $0.start, at: $0.at) }
    }
}

/// One try to pay with one instrument.
public struct Attempt: Hashable, Sendable {
    /// Counted from 1 within the session.
    public var number: Int
    /// The instrument and its parameters.
    public var choice: Choice
    /// Whether the PSP confirmed that it started.
    public internal(set) var isStarted = false
    /// Whether the answer to the request that starts it was lost: the PSP's view tells what happened.
    package internal(set) var mayHaveStarted = false
    /// When the payer chose, or when waiting began anew.
    public internal(set) var since: Instant
    /// Whether it took longer than attempts may take.
    package internal(set) var isOverdue = false
    /// Whether the PSP refused a request of it for good; what becomes of the attempt, only the session tells.
    var isRefused = false
    /// Whether the PSP was asked to end it for that.
    var isFailureTold = false
    /// How often the method was expanded.
    var expansions = 0
    /// How often the session's presentation was changed for it.
    var customizations = 0
}

/// The payer's wish to pay on the PSP's page.
public struct MenuWish: Hashable, Sendable {
    /// What the page shall show.
    public var mode: MenuMode
    /// The place of the event that told of the wish.
    public var chosenAt: Int64
    /// When the payer chose, or when waiting began anew.
    public internal(set) var since: Instant
    /// Whether it took longer than attempts may take.
    package internal(set) var isOverdue = false
    /// How often the session's presentation was changed for it.
    var customizations = 0
}

/// The PSP's page on the client's screen.
package struct PageVisit: Hashable, Sendable {
    /// The action that asked for it.
    var action: ActionID
    /// How the client says that it was left.
    var closed: MenuOutcome?
    /// How often the session was read since.
    var looks = 0
}

/// A problem that stands, and where the log tells of it.
public struct StandingProblem: Hashable, Sendable {
    /// The problem.
    public var problem: Problem
    /// The place of its event.
    public var sequence: Int64
}

/// What a problem of the PSP is recognised by.
struct ProblemMark: Hashable, Sendable {
    /// The acknowledging link, or nothing.
    var reference: Sealed?
    /// Without such a link: type, status, detail and attempt tell problems apart.
    var type: String
    var status: Int?
    var detail: OutsideText?
    /// The last attempt that had begun.
    var attempt: Int
    /// Whether the PSP's view came without a problem since.
    var isGone = false
}

extension ProblemMark {
    /// The mark of a problem in a snapshot.
    init(of problem: SessionProblem, attempt: Int) {
        self.init(
            reference: problem.acknowledgement?.href,
            type: problem.type,
            status: problem.status,
            detail: problem.detail,
            attempt: attempt
        )
    }

    /// Whether both tell of the same failure: by the acknowledging link, else by what is said.
    ///
    /// A link that changes while the problem stays is still the same problem.
    func matches(_ other: ProblemMark) -> Bool {
        if let reference, reference == other.reference { return true }
        guard (reference == nil) == (other.reference == nil), reference == nil || !isGone else {
            return false
        }
        return type == other.type && status == other.status && detail == other.detail
            && attempt == other.attempt
    }
}

extension SessionProblem {
    /// The link that acknowledges the problem, when it is one that can be followed.
    var acknowledgement: Operation? {
        guard let acknowledge, acknowledge.rel == .acknowledgeFailedAttempt,
            acknowledge.href != nil
        else { return nil }
        return acknowledge
    }
}
