/// The facts about a session's subject in its row, in the workflow's own terms, so that lists, sums
/// and searches need not read the log.
///
/// The facts are derived from the state by the same fold as everything else in the row, and written
/// with it.
public struct SessionFacts: Hashable, Sendable {
    /// The party that has to act next.
    public var turn: String?
    /// The standing of the session's subject, in the workflow's own word.
    public var money: String?
    /// Since when the subject has had this standing.
    public var moneySince: Instant?
    /// The sequence number of the event that last changed the standing; 0 before the first.
    public var moneySequence: SequenceNumber
    /// The amount, in minor units.
    public var amount: Int64?
    /// The session's contribution to a sum, in minor units.
    public var net: Int64?
    /// The part of the contribution that is in doubt, in minor units, if the rest is not; `nil`
    /// when all of it is or nothing.
    public var doubted: Int64?
    /// The currency, as an ISO 4217 code.
    public var currency: String?
    /// The host name of the other side.
    public var host: String?
    /// The number of attempts.
    public var attempts: Int64
    /// The session that this one is counted with in a sum, because both concern the same subject.
    public var countsWith: SessionID?
    /// The reference of the order in the books of whoever sells; sessions with the same one may
    /// concern the same order.
    public var orderReference: String?
    /// Further facts that sums depend on, one bit each, as the workflow defines them.
    public var marks: Int64

    /// The version of the facts that this build derives; a row with facts of another version is
    /// derived again from the log.
    public static let version: Int64 = 1

    /// Creates facts with these members.
    public init(
        turn: String? = nil,
        money: String? = nil,
        moneySince: Instant? = nil,
        moneySequence: SequenceNumber = 0,
        amount: Int64? = nil,
        net: Int64? = nil,
        doubted: Int64? = nil,
        currency: String? = nil,
        host: String? = nil,
        attempts: Int64 = 0,
        countsWith: SessionID? = nil,
        orderReference: String? = nil,
        marks: Int64 = 0
    ) {
        self.turn = turn
        self.money = money
        self.moneySince = moneySince
        self.moneySequence = moneySequence
        self.amount = amount
        self.net = net
        self.doubted = doubted
        self.currency = currency
        self.host = host
        self.attempts = attempts
        self.countsWith = countsWith
        self.orderReference = orderReference?.withoutNUL
        self.marks = marks
    }
}

/// A sum over sessions of one host, currency and standing, computed by the store.
public struct FactsSum: Hashable, Sendable {
    /// The host name.
    public var host: String
    /// The currency, as an ISO 4217 code.
    public var currency: String?
    /// The number of sessions.
    public var sessions: Int64
    /// The sum of ``SessionFacts/net`` where it is known; `nil` when it exceeds the range of the
    /// number.
    public var net: Int64?
    /// The number of sessions whose amount is not known.
    public var withoutAmount: Int64
    /// Since when the oldest session has had this standing.
    public var oldestSince: Instant
    /// The oldest session; of several the first by its identifier.
    public var oldest: SessionID

    /// Creates a sum with these members.
    public init(
        host: String,
        currency: String?,
        sessions: Int64,
        net: Int64?,
        withoutAmount: Int64,
        oldestSince: Instant,
        oldest: SessionID
    ) {
        self.host = host
        self.currency = currency
        self.sessions = sessions
        self.net = net
        self.withoutAmount = withoutAmount
        self.oldestSince = oldestSince
        self.oldest = oldest
    }
}

/// The number of sessions that are over and agree in what counts distinguish.
public struct EndedCount: Hashable, Sendable {
    /// How they ended, in the workflow's own word.
    public var outcome: String?
    /// The label under which the workflow files them.
    public var label: String?
    /// The standing of their subject, in the workflow's own word.
    public var money: String?
    /// Those of their marks that counts distinguish: ``countedMarks``.
    public var marks: Int64
    /// The number of sessions.
    public var sessions: Int64

    /// The marks that counts distinguish.
    public static let countedMarks: Int64 = 5

    /// Creates a number with these members.
    public init(outcome: String?, label: String?, money: String?, marks: Int64, sessions: Int64) {
        self.outcome = outcome
        self.label = label
        self.money = money
        self.marks = marks
        self.sessions = sessions
    }
}

/// How the kept sums of a store agree with its rows.
public struct SumsCheck: Hashable, Sendable {
    /// Whether the sums contain all rows; until then, the missing rows are added up with each
    /// question.
    public var isComplete: Bool
    /// The hours of which a sum differs from its rows.
    public var hours: [Instant] = []

    /// Creates a result without differences.
    public init(isComplete: Bool) { self.isComplete = isComplete }
}
