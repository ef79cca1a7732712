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
