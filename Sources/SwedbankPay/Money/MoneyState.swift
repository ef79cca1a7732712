public import EventLog

/// The state of a session's money as of the PSP's newest response, and never more certain than that
/// response.
///
/// It is pure, a function of the state alone. Everything that reports money (views, stories,
/// tables, hints, texts for the payer, metrics) reads this type, so that no two of them can
/// contradict each other.
public struct MoneyState: Hashable, Sendable {
    /// The standing of the money.
    public var standing: Standing
    /// When the newest response that this is based on arrived; `nil` before the first.
    public var asOf: Instant?
    /// Since when the money has had this standing; `nil` before the first event.
    public var since: Instant?
    /// The sequence number of the event that last changed it; 0 before the first.
    public var sequence: SequenceNumber
    /// Why it is unknown: everything whose result the PSP has not reported, oldest first.
    public var doubts: [MoneyDoubt]
    /// The money that the PSP took; `nil` while no payment is confirmed.
    ///
    /// It is also present while a capture, cancellation or reversal is in doubt; ``standing`` is
    /// then unknown.
    public var taken: TakenMoney?
    /// The amount to be paid, in minor units, if the log contains it: for an order always, for a
    /// native session only if a method names it.
    public var amount: Amount?
    /// The currency as an ISO 4217 code, if the log contains it.
    public var currency: String?
    /// Whether it is a verification of the payer's details, which never includes a charge.
    public var isVerification: Bool
    /// What an operator found at the PSP, if the standing is based on that.
    public var finding: MoneyResolution.Verdict?
    /// The captures, cancellations and reversals that this engine requested, oldest first.
    public var requested: [RequestedTransaction] = []
    /// What is known about how it was paid; `nil` while the PSP does not report it as paid, and for
    /// a verification.
    public var paidWith: PaidWith? = nil

    /// The standing of money.
    public enum Standing: String, Hashable, Sendable, CaseIterable {
        /// No money was taken, and nothing that could take it is in progress.
        case none
        /// As ``none``, but the payer may still pay.
        case intended
        /// Something was started, by this engine or visibly by someone else, and may still take
        /// money: the normal course of a payment.
        case underWay
        /// A request was sent, or an attempt or the session ended, without a result from the PSP.
        case unknown
        /// The PSP reports that it is paid.
        case confirmed
    }
}

extension MoneyState {
    /// Whether the newest response cannot be relied on, so that it is not known what is paid.
    public var isContradicted: Bool { doubts.contains { $0.cause == .contradiction } }

    /// Whether the log lacks a transaction of this engine, so that nothing is sent before a person
    /// has found out why.
    public var isSetBack: Bool { doubts.contains(where: \.isOfLostTransaction) }

    /// Whether an operator found that less than the amount due was paid.
    package var isFoundPaidInPart: Bool {
        guard finding == .paid, let paid = taken?.amount, let amount else { return false }
        return paid < amount
    }

    /// The sum in doubt; `nil` when one of the doubts concerns all of the payment.
    public var doubtedAmount: Amount? {
        guard !doubts.isEmpty else { return nil }
        return doubts.reduce(Optional(Amount.zero)) { sum, doubt in
            guard let sum, let amount = doubt.amount else { return nil }
            return sum + amount
        }
    }
}

/// Something whose result the PSP has not reported.
///
/// A doubt is removed only by a response that resolves it, or visibly by an operator; never by a
/// later attempt.
public struct MoneyDoubt: Hashable, Sendable {
    /// The cause.
    public var cause: Cause
    /// The attempt it belongs to; `nil` when there is none.
    public var attempt: Int?
    /// The sequence number of the event that caused it.
    public var sequence: SequenceNumber
    /// When that event was recorded.
    public var at: Instant
    /// When the request was sent, if it concerns one.
    public var sentAt: Instant?
    /// The amount in doubt, in minor units; `nil` means all of the payment.
    public var amount: Amount?

    /// Whether the log lacks a transaction of this engine.
    var isOfLostTransaction: Bool { if case .lostTransaction = cause { true } else { false } }

    /// Something whose outcome is unknown.
    public enum Cause: Hashable, Sendable {
        /// A request was sent, and no response shows whether it took effect.
        case request(Rel)
        /// The PSP refused a request of an attempt and has not reported the attempt's result.
        case refused(Rel)
        /// An attempt, or the PSP's page, was left without a result from the PSP.
        case attempt
        /// The client reports that the payer finished, and the PSP has not confirmed it.
        case clientsWord
        /// A capture, cancellation or reversal was sent, and no response shows whether it took
        /// effect.
        case transaction(TransactionKind)
        /// The session ended, and no response was read at its end.
        case end
        /// The newest response contains a transaction of a type that this build does not know.
        case unknownTransaction(String)
        /// The order has a transaction that this engine requested, of which the session's log knows
        /// nothing: the log was put back to an earlier state. The type that the PSP names.
        case lostTransaction(String)
        /// The newest response contradicts itself, or takes back an earlier one in a way that is
        /// not documented.
        case contradiction

        /// The cause as one word, for programs.
        public var word: String {
            switch self {
            case .request: "request"
            case .refused: "refused"
            case .attempt: "attempt"
            case .clientsWord: "clientsWord"
            case .transaction: "transaction"
            case .end: "end"
            case .unknownTransaction: "unknownTransaction"
            case .lostTransaction: "lostTransaction"
            case .contradiction: "contradiction"
            }
        }
    }
}

/// A capture, cancellation or reversal that was requested, and what became of it.
public struct RequestedTransaction: Hashable, Sendable {
    /// The kind of transaction.
    public var kind: TransactionKind
    /// The amount in minor units; `nil` for a cancellation, which has none.
    public var amount: Amount?
    /// What became of it, according to the newest response.
    public var state: State
    /// When it was requested.
    public var at: Instant

    /// What became of a requested transaction.
    public enum State: String, Hashable, Sendable, CaseIterable {
        /// It is sent, or the PSP accepted it and has not reported its result.
        case pending
        /// The order shows it.
        case done
        /// It was not performed: the PSP refused it, at once or later, or does not show it.
        case refused
    }

    /// Creates a requested transaction.
    public init(kind: TransactionKind, amount: Amount?, state: State, at: Instant) {
        self.kind = kind
        self.amount = amount
        self.state = state
        self.at = at
    }
}

/// Money that the PSP reports as taken, and what became of it; amounts in minor units.
public struct TakenMoney: Hashable, Sendable {
    /// The evidence.
    public var evidence: Evidence
    /// The amount authorized or paid, whatever was ordered; `nil` when no response names an amount.
    public var amount: Amount?
    /// The amount captured; a sale is captured immediately.
    public var captured: Amount?
    /// The amount of the authorization that was released.
    public var canceled: Amount?
    /// The amount that was reversed.
    public var reversed: Amount?
    /// The amount that can still be captured.
    public var capturable: Amount?
    /// The amount that can still be reversed.
    public var reversible: Amount?
    /// The amount that the merchant has, or can still capture: the amount paid less what was
    /// released and reversed.
    public var net: Amount?
    /// The amount before the method's fee and discount.
    public var submitted: Amount?
    /// The fee of the method that was used.
    public var fee: Amount?
    /// The discount of the method that was used.
    public var discount: Amount?

    /// The evidence that money was taken.
    public enum Evidence: String, Hashable, Sendable, CaseIterable {
        /// The PSP redirects the payer to the address for completed payments.
        case redirect
        /// The payment order's status.
        case order
        /// An operator found it out at the PSP and reported it.
        case person
    }

    /// The result of a verification: zero for every amount.
    static func nothing(_ evidence: Evidence) -> TakenMoney {
        TakenMoney(
            evidence: evidence,
            amount: 0,
            captured: 0,
            canceled: 0,
            reversed: 0,
            capturable: 0,
            reversible: 0,
            net: 0
        )
    }

    /// Creates a value for money that was taken, with the amounts that are known.
    public init(
        evidence: Evidence,
        amount: Amount? = nil,
        captured: Amount? = nil,
        canceled: Amount? = nil,
        reversed: Amount? = nil,
        capturable: Amount? = nil,
        reversible: Amount? = nil,
        net: Amount? = nil
    ) {
        self.evidence = evidence
        self.amount = amount
        self.captured = captured
        self.canceled = canceled
        self.reversed = reversed
        self.capturable = capturable
        self.reversible = reversible
        self.net = net
    }
}

/// An operator's finding at the PSP about money whose outcome was unknown.
public struct MoneyResolution: Hashable, Sendable {
    /// The finding.
    public var verdict: Verdict
    /// The amount in minor units; `nil` means all of it.
    public var amount: Amount?
    /// A second person who confirmed the finding, as the first one said; or who proposed it, of a
    /// finding that was confirmed.
    public var secondPerson: String?

    /// The possible findings.
    public enum Verdict: String, Hashable, Sendable, CaseIterable {
        /// It is paid.
        case paid
        /// It is not paid.
        case notPaid
        /// It was paid and refunded.
        case refunded
    }

    /// Creates a finding.
    public init(verdict: Verdict, amount: Amount? = nil, secondPerson: String? = nil) {
        self.verdict = verdict
        self.amount = amount
        self.secondPerson = secondPerson
    }
}
