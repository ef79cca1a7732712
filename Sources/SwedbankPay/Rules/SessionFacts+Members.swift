public import EventLog

extension SessionFacts {
    /// The facts about a payment, in the order of the columns.
    package enum Member: Int, CaseIterable, Sendable {
        case turn, money, moneySince, moneySequence, amount, net, doubted, currency, host, attempts,
            countsWith, orderReference, marks

        /// The column in the table of rows.
        package var column: String {
            switch self {
            case .turn: "turn"
            case .money: "money"
            case .moneySince: "money_since"
            case .moneySequence: "money_seq"
            case .amount: "amount"
            case .net: "net"
            case .doubted: "doubted"
            case .currency: "currency"
            case .host: "host"
            case .attempts: "attempts"
            case .countsWith: "counts_with"
            case .orderReference: "order_reference"
            case .marks: "marks"
            }
        }

        /// What the values of the column are.
        package var kind: ReadModel.Column.Kind {
            switch self {
            case .turn, .money, .currency, .host, .countsWith, .orderReference: .text
            case .moneySince, .moneySequence, .amount, .net, .doubted, .attempts, .marks: .integer
            }
        }
    }

    /// The party that has to act next.
    public var turn: String? {
        get { text(.turn) }
        set { set(newValue, .turn) }
    }

    /// The standing of the money, as a word.
    public var money: String? {
        get { text(.money) }
        set { set(newValue, .money) }
    }

    /// Since when the money has had this standing.
    public var moneySince: Instant? {
        get { integer(.moneySince).map(Instant.init(microseconds:)) }
        set { set(newValue?.microseconds, .moneySince) }
    }

    /// The sequence number of the event that last changed the standing; 0 before the first.
    public var moneySequence: SequenceNumber {
        get { SequenceNumber(rawValue: integer(.moneySequence) ?? 0) }
        set { set(newValue.rawValue, .moneySequence) }
    }

    /// The amount, in minor units.
    public var amount: Int64? {
        get { integer(.amount) }
        set { set(newValue, .amount) }
    }

    /// The session's contribution to a sum, in minor units.
    public var net: Int64? {
        get { integer(.net) }
        set { set(newValue, .net) }
    }

    /// The part of the contribution that is in doubt, in minor units, if the rest is not; `nil`
    /// when all of it is or nothing.
    public var doubted: Int64? {
        get { integer(.doubted) }
        set { set(newValue, .doubted) }
    }

    /// The currency, as an ISO 4217 code.
    public var currency: String? {
        get { text(.currency) }
        set { set(newValue, .currency) }
    }

    /// The host name of the PSP, or of the merchant backend.
    public var host: String? {
        get { text(.host) }
        set { set(newValue, .host) }
    }

    /// The number of attempts.
    public var attempts: Int64 {
        get { integer(.attempts) ?? 0 }
        set { set(newValue, .attempts) }
    }

    /// The session that this one is counted with in a sum, because both are of the same payment.
    public var countsWith: SessionID? {
        get { text(.countsWith).flatMap { SessionID($0) } }
        set { set(newValue?.description, .countsWith) }
    }

    /// The reference of the order in the books of whoever sells; sessions with the same one may be
    /// of the same order.
    public var orderReference: String? {
        get { text(.orderReference) }
        set { set(newValue, .orderReference) }
    }

    /// Further facts that sums depend on, one bit each.
    public var marks: Int64 {
        get { integer(.marks) ?? 0 }
        set { set(newValue, .marks) }
    }

    /// Creates the facts about a payment.
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
        self.init(values: [
            turn.map { .text($0) }, money.map { .text($0) },
            moneySince.map { .integer($0.microseconds) }, .integer(moneySequence.rawValue),
            amount.map { .integer($0) }, net.map { .integer($0) }, doubted.map { .integer($0) },
            currency.map { .text($0) }, host.map { .text($0) }, .integer(attempts),
            countsWith.map { .text($0.description) },
            orderReference.map { .text($0.withoutNUL) }, .integer(marks),
        ])
    }

    /// Facts of another version may have fewer values.
    private func value(_ member: Member) -> ReadModel.Value? {
        values.indices.contains(member.rawValue) ? values[member.rawValue] : nil
    }

    private func text(_ member: Member) -> String? { value(member)?.text }

    private func integer(_ member: Member) -> Int64? { value(member)?.integer }

    private mutating func set(_ text: String?, _ member: Member) {
        values[member.rawValue] = text.map { .text($0) }
    }

    private mutating func set(_ number: Int64?, _ member: Member) {
        values[member.rawValue] = number.map { .integer($0) }
    }
}

extension SessionQuery {
    /// Only sessions whose money has this standing.
    public var money: String? {
        get { self[.money] }
        set { self[.money] = newValue }
    }

    /// Only sessions of this host name.
    public var host: String? {
        get { self[.host] }
        set { self[.host] = newValue }
    }

    /// Only sessions in which this party has to act.
    public var turn: String? {
        get { self[.turn] }
        set { self[.turn] = newValue }
    }

    /// Only sessions of orders with exactly this reference.
    public var orderReference: String? {
        get { self[.orderReference] }
        set { self[.orderReference] = newValue }
    }

    /// Returns the query with further conditions on payments.
    public func with(
        money: String? = nil,
        host: String? = nil,
        turn: String? = nil,
        orderReference: String? = nil
    ) -> SessionQuery {
        var query = self
        if let money { query.money = money }
        if let host { query.host = host }
        if let turn { query.turn = turn }
        if let orderReference { query.orderReference = orderReference }
        return query
    }

    private subscript(member: SessionFacts.Member) -> String? {
        get { facts[member.column]?.text }
        set { facts[member.column] = newValue.map { .text($0) } }
    }
}
