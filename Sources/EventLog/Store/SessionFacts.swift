/// What a session's row says of its subject, in the workflow's own words, so that lists, sums and searches need not read its log.
///
/// Derived from the state by the same fold as everything else in the row, and written with it.
public struct SessionFacts: Hashable, Sendable {
    /// Who has to do something next.
    public var turn: String?
    /// How the money stands.
    public var money: String?
    /// Since when it stands like this.
    public var moneySince: Instant?
    /// The sequence number of the event that changed it last; 0 before the first.
    public var moneySequence: Int64
    /// The amount, in minor units.
    public var amount: Int64?
    /// What the session counts for in a sum, in minor units.
    public var net: Int64?
    /// ISO 4217.
    public var currency: String?
    /// The host of the other side.
    public var host: String?
    /// How many attempts there were.
    public var attempts: Int64
    /// The session that this one counts with in a sum: both are about the same money.
    public var countsWith: SessionID?
    /// What else sums depend on, a bit each, as the workflow defines them.
    public var marks: Int64

    /// The version of what this build derives; a row with facts of another version is derived again from the log.
    public static let version: Int64 = 1

    /// Facts with these members.
    public init(
        turn: String? = nil,
        money: String? = nil,
        moneySince: Instant? = nil,
        moneySequence: Int64 = 0,
        amount: Int64? = nil,
        net: Int64? = nil,
        currency: String? = nil,
        host: String? = nil,
        attempts: Int64 = 0,
        countsWith: SessionID? = nil,
        marks: Int64 = 0
    ) {
        self.turn = turn
        self.money = money
        self.moneySince = moneySince
        self.moneySequence = moneySequence
        self.amount = amount
        self.net = net
        self.currency = currency
        self.host = host
        self.attempts = attempts
        self.countsWith = countsWith
        self.marks = marks
    }
}

/// The sum over sessions of one host, currency and standing, made by the store.
public struct FactsSum: Hashable, Sendable {
    /// The host.
    public var host: String
    /// ISO 4217.
    public var currency: String?
    /// How many sessions.
    public var sessions: Int64
    /// The sum of ``SessionFacts/net`` where it is known; nil when it is more than a number can say.
    public var net: Int64?
    /// Of how many it is not known.
    public var withoutAmount: Int64
    /// Since when the oldest stands like this.
    public var oldestSince: Instant
    /// Which one that is; of several the first by its id.
    public var oldest: SessionID

    /// A sum with these members.
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
