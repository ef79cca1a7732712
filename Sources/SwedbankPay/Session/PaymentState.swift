public import EventLog

/// What rules know of a payment session, beside what they know of any: the methods, the attempts, the PSP's page.
public struct PaymentState: SessionPart {
    /// What either kind of session keeps.
    public internal(set) var progress: Progress
    /// How the session was opened; nil for a log that lacks its beginning, which is shown and never driven.
    public internal(set) var opening: Opened?
    /// The PSP's newest view.
    public internal(set) var snapshot: Snapshot?
    /// The PSP's identifier of the session, as the first view named it.
    var identity: Sealed?
    /// The digest of that view.
    public internal(set) var digest: Digest256?
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
    /// What the payer has chosen.
    var course = Course.choosing
    /// How the session is presented on our request, as far as we know.
    var presented: Presentation?
    /// What the request under way asks the session to be presented as.
    var presenting: Presentation?
    /// What the newest attempt paid with, also after it ended.
    public internal(set) var lastChoice: Choice?
    /// Where the running challenge's result is posted to.
    var notificationURL: Sealed?
    /// Problems of the PSP that were reported already.
    var reportedProblems: [ProblemMark] = []
    /// The problem that has to be acknowledged.
    var acknowledging: SessionProblem?
    /// Acknowledging links that are done with.
    var acknowledged: [Sealed] = []

    init(_ progress: Progress) { self.progress = progress }
}

/// What the payer has chosen in a payment session.
enum Course: Hashable, Sendable {
    /// Nothing: the session is read, or its methods are offered.
    case choosing
    /// An instrument.
    case attempting(Attempt)
    /// The PSP's page, without an attempt of ours.
    case onPage(MenuChoice)
    /// Nothing that the log tells of, and yet the client was asked to show the PSP's page.
    case straying(PageVisit)
}

extension PaymentState {
    /// The attempt under way.
    public internal(set) var attempt: Attempt? {
        get { if case .attempting(let attempt) = course { attempt } else { nil } }
        set {
            // A change of an attempt that isn't there writes nil back.
            guard newValue != nil || attempt != nil else { return }
            course = newValue.map { .attempting($0) } ?? .choosing
        }
    }

    /// The payer's choice to pay on the PSP's page without an attempt of ours.
    public internal(set) var menu: MenuChoice? {
        get { if case .onPage(let menu) = course { menu } else { nil } }
        set {
            guard newValue != nil || menu != nil else { return }
            course = newValue.map { .onPage($0) } ?? .choosing
        }
    }

    /// The PSP's page that the client was asked to show for the choice or attempt under way.
    package internal(set) var page: PageVisit? {
        get {
            switch course {
            case .choosing: nil
            case .attempting(let attempt): attempt.page
            case .onPage(let menu): menu.page
            case .straying(let page): page
            }
        }
        set {
            switch course {
            case .attempting: attempt?.page = newValue
            case .onPage: menu?.page = newValue
            case .choosing, .straying: course = newValue.map { .straying($0) } ?? .choosing
            }
        }
    }
}

/// One try to pay with one instrument.
public struct Attempt: Hashable, Sendable {
    /// Counted from 1 within the session.
    public var number: Int
    /// The instrument and its parameters.
    public var choice: Choice
    /// Whether the PSP has it.
    var beginning = Beginning.chosen
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
    /// The PSP's page that it is paid on.
    var page: PageVisit?

    /// Whether the PSP has an attempt.
    enum Beginning: Hashable, Sendable {
        /// It was chosen, and the PSP was not asked to start it, or did not.
        case chosen
        /// The answer to the request that starts it was lost: the PSP's view tells what happened.
        case uncertain
        /// The PSP confirmed it.
        case begun
    }

    /// Whether the PSP confirmed that it started.
    public var isStarted: Bool { beginning == .begun }
    /// Whether the answer to the request that starts it was lost.
    package var mayHaveStarted: Bool { beginning == .uncertain }
}

/// The payer's choice to pay on the PSP's page.
public struct MenuChoice: Hashable, Sendable {
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
    /// The PSP's page, once the client was asked to show it.
    var page: PageVisit?
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
