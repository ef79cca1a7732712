public import EventLog

extension ReadModel {
    /// What lists and sums of payments need.
    public static let payments = ReadModel(
        version: 1,
        columns: SessionFacts.Member.allCases.map { Column($0.column, $0.kind) },
        indexes: [
            Index("outcome", .isNoneOf([.text(Outcome.completed.rawValue)])),
            Index("money", ReadModel.Condition.isMoneyOpen.test),
            Index("turn", .isNoneOf([.text(Turn.nobody.word)])),
            Index("host", .isPresent, isBroad: true),
            Index("counts_with", .isPresent),
            Index("marks", .isNoneOf([.integer(0)])),
            Index("order_reference", .isPresent),
        ],
        sums: [.confirmedMoney, .endings],
        // Money that may still move or is unknown; sessions that count with another, whatever
        // their standing; and those with a mark. One whose standing is `none` affects a sum when it
        // has a mark that is counted, or knows the amount of the session that counts with it.
        apart: [
            .isMoneyOpen,
            Condition("marks", .isNoneOf([.integer(0)])),
            Condition("counts_with", .isPresent),
        ],
        endings: [EventType.completed, .canceled, .failed, .expired].map(\.name)
    )
}

extension ReadModel.Condition {
    /// Whether money may still move, or is unknown.
    static let isMoneyOpen = Self(
        "money",
        .isOneOf(
            ([.intended, .underWay, .unknown] as [MoneyState.Standing]).map { .text($0.rawValue) }
        )
    )
}

extension ReadModel.Sum {
    /// The money that is confirmed, of sessions that count on their own, by host and currency.
    public static let confirmedMoney = Self(
        "money",
        of: [
            .init("money", .isOneOf([.text(MoneyState.Standing.confirmed.rawValue)])),
            .init("marks", .isOneOf([.integer(0)])),
            .init("counts_with", .isAbsent),
            .init("host", .isPresent),
            .init("money_since", .isPresent),
        ],
        by: [.column("host"), .column("currency")],
        amount: "net",
        since: "money_since"
    )

    /// The sessions that are over, by how they ended.
    public static let endings = Self(
        "ended",
        of: [.init("phase", .isOneOf([.text(SessionSummary.ended)]))],
        by: [
            .column("outcome"), .column("label"), .column("money"),
            .bits("marks", EndedCount.countedMarks),
        ]
    )
}

/// A sum over the sessions of one host and currency whose money is confirmed.
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

    init?(_ sum: SessionSum) {
        guard let host = sum.key[0]?.text, let oldest = sum.oldest else { return nil }
        self.init(
            host: host,
            currency: sum.key[1]?.text,
            sessions: sum.sessions,
            net: sum.total,
            withoutAmount: sum.sessions - sum.known,
            oldestSince: oldest.since,
            oldest: oldest.session
        )
    }
}

/// The number of sessions that are over and agree in what counts distinguish.
public struct EndedCount: Hashable, Sendable {
    /// How they ended, in the workflow's own word.
    public var outcome: String?
    /// The label under which the workflow files them.
    public var label: String?
    /// The standing of their money.
    public var money: String?
    /// Those of their marks that counts distinguish: ``countedMarks``.
    public var marks: Int64
    /// The number of sessions.
    public var sessions: Int64

    /// The marks that counts distinguish.
    public static let countedMarks = FactMarks([.closedByHand, .verification]).rawValue

    /// Creates a number with these members.
    public init(outcome: String?, label: String?, money: String?, marks: Int64, sessions: Int64) {
        self.outcome = outcome
        self.label = label
        self.money = money
        self.marks = marks
        self.sessions = sessions
    }

    /// The group of ``ReadModel/Sum/endings`` with a number of sessions.
    package func sum(of sessions: Int64) -> SessionSum {
        let texts = [outcome, label, money].map { $0.map { ReadModel.Value.text($0) } }
        return SessionSum(key: texts + [.integer(marks)], sessions: sessions, known: 0, total: 0)
    }

    init(_ sum: SessionSum) {
        self.init(
            outcome: sum.key[0]?.text,
            label: sum.key[1]?.text,
            money: sum.key[2]?.text,
            marks: sum.key[3]?.integer ?? 0,
            sessions: sum.sessions
        )
    }
}
