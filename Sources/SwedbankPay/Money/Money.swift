public import EventLog

/// What is known of a session's money: as of the PSP's newest answer, and never more certain than that answer was.
///
/// Pure, a function of the state alone: whatever speaks of money (views, stories, tables, hints, texts for the payer,
/// metrics) reads this, so that no two of them can say different things.
public struct Money: Hashable, Sendable {
    /// How the money stands, in one word.
    public var standing: Standing
    /// When the newest answer came that says so; nil before the first.
    public var asOf: Instant?
    /// Since when the money stands like this; nil before the first event.
    public var since: Instant?
    /// The sequence number of the event that changed it last; 0 before the first.
    public var sequence: Int64
    /// Why it is unknown: each thing of which the PSP has not said what came of it, the oldest first.
    public var doubts: [MoneyDoubt]
    /// What the PSP took; nil while nothing is confirmed.
    ///
    /// There is something here also while a capture, cancellation or reversal is in doubt: then ``standing`` is unknown.
    public var taken: TakenMoney?
    /// What is to be paid, in minor units, where the log says it: of an order always, of a native session only if a method
    /// names it.
    public var amount: Int64?
    /// ISO 4217, where the log says it.
    public var currency: String?
    /// Whether it is a verification of the payer's details: whatever comes of it, nothing is charged.
    public var isVerification: Bool

    /// How money stands.
    public enum Standing: String, Hashable, Sendable, CaseIterable {
        /// Nothing is taken, and nothing that could take it is under way.
        case none
        /// The same, and the payer may still pay.
        case intended
        /// Something was started, by this engine or visibly by somebody else, and may still take money: the normal course
        /// of a payment.
        case underWay
        /// A request left, or an attempt or the session ended, without the PSP's word.
        case unknown
        /// The PSP says that it is paid.
        case confirmed
    }
}

/// Something of which the PSP has not said what came of it.
///
/// Removed only by an answer that resolves it, or visibly by a person; never by a later attempt.
public struct MoneyDoubt: Hashable, Sendable {
    /// What it is.
    public var cause: Cause
    /// The attempt that it belongs to; nil where there is none.
    public var attempt: Int?
    /// The event that brought it.
    public var sequence: Int64
    /// When that was.
    public var at: Instant
    /// When the request left, where it is about one.
    public var sentAt: Instant?

    /// What nobody knows the outcome of.
    public enum Cause: Hashable, Sendable {
        /// A request left, and no answer says what it did.
        case request(Rel)
        /// The PSP refused a request of an attempt, and has not said what becomes of the attempt.
        case refused(Rel)
        /// An attempt, or the PSP's page, was left without the PSP's word.
        case attempt
        /// The payer finished, by the client's account, and the PSP has not confirmed it.
        case clientsWord
        /// A capture, cancellation or reversal left, and no answer says what it did.
        case transaction(TransactionKind)
        /// The session ended, and no answer was read at its end.
        case end

        /// The cause in one word, for programs.
        public var word: String {
            switch self {
            case .request: "request"
            case .refused: "refused"
            case .attempt: "attempt"
            case .clientsWord: "clientsWord"
            case .transaction: "transaction"
            case .end: "end"
            }
        }
    }
}

/// Money that the PSP says it took, and what became of it; amounts in minor units.
public struct TakenMoney: Hashable, Sendable {
    /// How we know.
    public var evidence: Evidence
    /// What was authorised or paid, whatever was ordered; nil where no answer names an amount.
    public var amount: Int64?
    /// How much of it was captured; a sale is captured at once.
    public var captured: Int64?
    /// How much of the authorisation was released.
    public var canceled: Int64?
    /// How much was given back.
    public var reversed: Int64?
    /// How much can still be captured.
    public var capturable: Int64?
    /// How much can still be given back.
    public var reversible: Int64?
    /// What the merchant has, or may still capture: what was paid, less what was released and given back.
    public var net: Int64?

    /// How we know that money was taken.
    public enum Evidence: String, Hashable, Sendable, CaseIterable {
        /// The PSP redirects the payer to the address for completed payments.
        case redirect
        /// The payment order's status says so.
        case order
        /// A person found it out at the PSP, and said so.
        case person
    }

    /// What a verification took, in every place of an amount: nothing.
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

    /// Money that was taken, of which no more than this is known.
    public init(
        evidence: Evidence,
        amount: Int64? = nil,
        captured: Int64? = nil,
        canceled: Int64? = nil,
        reversed: Int64? = nil,
        capturable: Int64? = nil,
        reversible: Int64? = nil,
        net: Int64? = nil
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

/// What a person found out at the PSP about money that was unknown.
public struct MoneyResolution: Hashable, Sendable {
    /// What they found.
    public var verdict: Verdict
    /// How much, in minor units; nil means all of it.
    public var amount: Int64?

    /// What was found.
    public enum Verdict: String, Hashable, Sendable, CaseIterable {
        /// It is paid.
        case paid
        /// It is not paid.
        case notPaid
        /// It was paid, and given back.
        case refunded
    }

    /// A finding.
    public init(verdict: Verdict, amount: Int64? = nil) {
        self.verdict = verdict
        self.amount = amount
    }
}
