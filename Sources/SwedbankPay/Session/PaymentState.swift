public import EventLog

/// The state of a payment session in addition to that of any session: the methods, the attempts,
/// the PSP's page.
public struct PaymentState: SessionPart {
    /// The state that both kinds of session share.
    @Boxed public internal(set) var progress: Progress
    /// How the session was opened; `nil` for a log that lacks its beginning, which is shown and
    /// never driven.
    @Boxed public internal(set) var opening: Opened? = nil
    /// The PSP's newest view.
    @Boxed public internal(set) var snapshot: Snapshot? = nil
    /// The PSP's identifier of the session, as in the first view.
    var identity: Sealed?
    /// The digest of the newest view.
    public internal(set) var digest: Digest256?
    /// The last attempt that began at the PSP, or may have; 0 before the first.
    ///
    /// It remains after the attempt ended, because a view may show its failure only then.
    package internal(set) var begunAttempt = 0
    /// The methods last offered to the client.
    public internal(set) var offers: [MethodOffer] = []
    /// The cards that the ranks of the saved cards have referred to so far.
    var cardPlaces: [Int: CardPlace] = [:]
    /// Whether the choice made at opening has been used.
    package internal(set) var preferencesUsed = false
    /// The number of attempts.
    public internal(set) var attemptCount = 0
    /// The payer's choice.
    @Boxed var course = Course.choosing
    /// How the session is presented at our request.
    var presentation = PresentationChange.none
    /// The choice of the newest attempt, also after it ended.
    @Boxed public internal(set) var lastChoice: Choice? = nil
    /// The address that a challenge's result is posted to, as last named by a view.
    ///
    /// The view that requires the challenge need not name it, and it may do so without an attempt
    /// of ours in progress.
    var notificationURL: Sealed?
    /// Problems of the PSP that have already been reported.
    var reportedProblems: [ProblemMark] = []
    /// The problem that has to be acknowledged, whatever the payer has chosen meanwhile.
    @Boxed var acknowledging: SessionProblem? = nil
    /// The newest attempt, or visit to the PSP's page, that ended without the PSP reporting that it
    /// failed.
    var leftContender: Contender?
    /// What could have been paid with when the PSP first reported the payment.
    var firstPaidWith: PaidWith?
    /// What the order shows about its money, as its checkout reported it last.
    @Boxed var reported: OrderFetched? = nil
    /// Acknowledging links that have been used.
    var acknowledged: [Sealed] = []

    init(_ progress: Progress) { self.progress = progress }
}

/// The payer's current choice in a payment session.
enum Course: Hashable, Sendable {
    /// No choice: the session is read, or its methods are offered.
    case choosing
    /// An instrument.
    case attempting(Attempt)
    /// The PSP's page, without an attempt of ours.
    case onPage(MenuChoice)
    /// The client was asked to show the PSP's page, although the log contains no choice.
    case straying(PageVisit)
}

extension PaymentState {
    /// The attempt in progress.
    public internal(set) var attempt: Attempt? {
        get { if case .attempting(let attempt) = course { attempt } else { nil } }
        set {
            // Changing a member of a missing attempt writes `nil` back.
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

    /// The PSP's page that the client was asked to show for the current choice or attempt.
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
    /// The number of the attempt within the session, from 1.
    public var number: Int
    /// The instrument and its parameters.
    public var choice: Choice
    /// Whether the attempt exists at the PSP.
    var beginning = Beginning.chosen
    /// When the payer chose, or when the time limit was restarted.
    public internal(set) var since: Instant
    /// Whether it exceeded the time limit of attempts.
    package internal(set) var isOverdue = false
    /// Whether the PSP refused one of its requests permanently; only the session shows the
    /// attempt's result.
    var isRefused = false
    /// Whether the PSP was asked to end it for that reason.
    var isFailureTold = false
    /// Whether a request that expands its method or changes the session's presentation was sent.
    var hasAsked = false
    /// The number of times that the PSP expanded the method.
    var expansions = 0
    /// The number of times that the PSP changed the session's presentation for it.
    var customizations = 0
    /// The PSP's page that it is paid on.
    var page: PageVisit?

    /// Whether an attempt exists at the PSP.
    enum Beginning: Hashable, Sendable {
        /// It was chosen, and the PSP was not asked to start it, or did not start it.
        case chosen
        /// The response to the request that starts it was lost; the PSP's view shows what happened.
        case uncertain
        /// The PSP confirmed it.
        case begun
    }

    /// Whether the PSP confirmed that it started.
    public var isStarted: Bool { beginning == .begun }
    /// Whether the response to the request that starts it was lost.
    package var mayHaveStarted: Bool { beginning == .uncertain }
}

/// The payer's choice to pay on the PSP's page.
public struct MenuChoice: Hashable, Sendable {
    /// The content of the page.
    public var mode: MenuMode
    /// The sequence number of the event that recorded the choice.
    public var chosenAt: SequenceNumber
    /// When the payer chose, or when the time limit was restarted.
    public internal(set) var since: Instant
    /// Whether it exceeded the time limit of attempts.
    package internal(set) var isOverdue = false
    /// Whether a request that changes the session's presentation was sent.
    var hasAsked = false
    /// The number of times that the PSP changed the session's presentation for it.
    var customizations = 0
    /// The PSP's page, once the client was asked to show it.
    var page: PageVisit?
}

/// The PSP's page that the client shows.
package struct PageVisit: Hashable, Sendable {
    /// The action that requested it.
    var action: ActionID
    /// How it was left, as reported by the client.
    var closed: MenuOutcome?
    /// The number of reads of the session since then.
    var reads = 0
}

/// The features by which a problem of the PSP is recognized.
struct ProblemMark: Hashable, Sendable {
    /// The acknowledging link, or `nil`.
    var reference: Sealed?
    /// Without such a link, type, status, detail and attempt distinguish problems.
    var type: String
    var status: Int?
    var detail: OutsideText?
    /// The last attempt that had begun.
    var attempt: Int
    /// Whether a later view of the PSP had no problem.
    var isGone = false
}

extension ProblemMark {
    /// Creates the mark of a problem in a snapshot.
    init(of problem: SessionProblem, attempt: Int) {
        self.init(
            reference: problem.acknowledgement?.href,
            type: problem.type,
            status: problem.status,
            detail: problem.detail,
            attempt: attempt
        )
    }

    /// Whether both marks identify the same failure: by the acknowledging link, otherwise by the
    /// other members.
    ///
    /// A problem remains the same when its link changes while the problem stays.
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
    /// The link that acknowledges the problem, if it can be followed.
    var acknowledgement: Operation? {
        guard let acknowledge, acknowledge.rel == .acknowledgeFailedAttempt,
            acknowledge.href != nil
        else { return nil }
        return acknowledge
    }
}
