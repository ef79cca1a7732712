public import EventLog
public import SwedbankPay

extension Story {
    /// What a sentence tells.
    public enum Fact: Hashable, Sendable {
        /// The payment was taken in.
        case takenIn(host: String, isCheckout: Bool, isHandedOver: Bool)
        /// Its address was given again, or it was read a last time before it expires; of a checkout, somebody asked to read
        /// its order anew.
        case takenInAgain(by: String, isOrder: Bool)
        /// The payer was shown these ways to pay.
        case offered([Instrument])
        /// The payer chose an instrument; whether that was chosen before the methods were known, and whether the PSP began
        /// the payment at once.
        case attempt(number: Int, Choice, isPreset: Bool, hasBegun: Bool)
        /// The PSP began the payment of an attempt.
        case begun(attempt: Int)
        /// The payer wanted the PSP's page.
        case page(MenuMode)
        /// A request failed, once or in a row.
        case trouble(Trouble)
        /// The engine stopped while a request was under way, and went on later; whether the session was read since.
        case interrupted(Rel, Duration, Ending?, isRead: Bool)
        /// The payer's app or browser was asked to do something; what came of it and after how long, when that is told in
        /// the same breath.
        case asked(ClientStep, answer: Answer?, after: Duration)
        /// It answered.
        case answered(ClientStep, Answer, after: Duration)
        /// Nothing was heard for a while; how often the engine looked meanwhile.
        case silence(Silence, Duration, looks: Int)
        /// The payer came back; how long after the app was opened.
        case returned(ReturnForm, after: Duration?)
        /// The PSP called the merchant; whether that was before the payer came back.
        case calledBack(beforeReturn: Bool)
        /// An attempt failed, in the PSP's words.
        case attemptFailed(number: Int, Problem, ProblemAdvice)
        /// Something else went wrong.
        case problem(Problem, ProblemAdvice)
        /// The PSP would not be told that the failed attempt was seen.
        case notAcknowledged
        /// The PSP was told why the client could not go on.
        case failureTold
        /// Somebody asked to try again.
        case retryAsked(by: String)
        /// Somebody asked to give up; whether the PSP took that.
        case abortAsked(by: String, isTaken: Bool)
        /// An answer could not be read.
        case unreadable(Rel)
        /// The payment is over.
        case ended(End)
        /// Something of a checkout's order.
        case order(OrderFact)
        /// A person looked at sealed values or intervened.
        case person(OperatorActed)
        /// A person wrote something down.
        case note(by: String)
        /// An event of a type that this build does not know.
        case unknown(type: String)
    }

    /// A request that failed, once or in a row.
    public struct Trouble: Hashable, Sendable {
        /// What it was to do.
        public var rel: Rel
        /// How often it failed.
        public var count = 0
        /// How it failed: each way once, in order.
        public var causes: [Cause] = []
        /// When it failed last.
        public var lastAt: Instant
        /// Whether it may have taken effect without our knowing, at least once.
        public var isUncertain = false
        /// Whether the session or order was read since it failed first.
        public var isRead = false
        /// When the engine goes on by itself; nothing when it does not.
        public var retryAt: Instant?
        /// How it ended; nothing while it goes on.
        public var ending: Ending?
        /// When that was.
        public var endedAt: Instant?
    }

    /// How a request failed.
    public struct Cause: Hashable, Sendable {
        /// The failure's code.
        public var code: String
        /// The HTTP status, when the PSP answered.
        public var status: Int?
        /// How far the request got.
        public var reach: Reach
        /// How long it took to fail, the first time.
        public var duration: Duration
    }

    /// How it ended that a request failed.
    public enum Ending: String, Hashable, Sendable, CaseIterable {
        /// It was answered in the end.
        case answered
        /// The session, read anew, showed that it had taken effect.
        case tookEffect
        /// The session, read anew, showed that it had not taken effect, and it was sent again.
        case sentAgain
        /// The session, read anew, showed that something else is to be done.
        case movedOn
        /// The PSP refused, and it is not repeated.
        case refused
        /// The engine gave up.
        case gaveUp
    }

    /// What came of something that the payer's app or browser was asked to do.
    public enum Answer: String, Hashable, Sendable, CaseIterable {
        /// The app is open.
        case opened
        /// It was done.
        case done
        /// The payer finished.
        case finished
        /// The payer closed it.
        case closed
        /// It could not be done.
        case failed
        /// Nobody answered in time.
        case timedOut
    }

    /// What everybody waited for.
    public enum Silence: Hashable, Sendable {
        /// The payer's app or browser, with something that it was asked to do.
        case client(ClientStep)
        /// The payer in an app or at a bank; the PSP tells when that is over.
        case payerElsewhere(Instrument)
        /// A sign of life of the payer, who took longer than attempts may take.
        case signOfLife
        /// The payer, who has to choose how to pay.
        case choice
        /// What comes of the PSP's page.
        case pageResult
        /// The PSP's answer to a request.
        case answer(Rel)
        /// Somebody who tells the engine to go on, after it gave up.
        case support
        /// News of the PSP.
        case psp
    }

    /// How a payment ended.
    public enum End: Hashable, Sendable {
        /// Paid: how we know, whether no attempt of this session was under way then, and whether the payer was still in
        /// another app.
        case paid(Completed.Evidence, isElsewhere: Bool, isPayerAway: Bool)
        /// Given up, and by whom.
        case canceled(Canceled.Party)
        /// Not finished in time; whether it may have been paid all the same.
        case expired(Expired.Reason, mayBePaid: Bool)
        /// Ended by a person, without the PSP; whether it may have been paid all the same.
        case closed(mayBePaid: Bool)
        /// Over without a clean end; whether it may have been paid all the same.
        case failed(Failed.Reason, host: String?, mayBePaid: Bool)
    }

    /// What happened to a checkout's order.
    public enum OrderFact: Hashable, Sendable {
        /// It was created.
        case created(amount: Int64?, currency: String?)
        /// Its status changed.
        case status(OrderStatus)
        /// The single try of a charge by token was refused: why, and what that means.
        case refused(ProblemDocument, ProblemAdvice)
        /// The payer wants to pay with another method.
        case instrument(PaymentMethodName)
        /// A native session took over.
        case handedOver(SessionID)
        /// It gave back.
        case handedBack(SessionID, Outcome?)
        /// The payer was identified.
        case payerIdentified
        /// It says that it is paid as it was ordered.
        case confirmed(amount: Int64?, currency: String?)
        /// A capture, cancellation or reversal was asked for, of an order in this currency.
        case transactionAsked(TransactionRequest, currency: String?)
        /// How it ended.
        case transactionSettled(TransactionSettled)
    }
}

extension Story.Fact {
    /// The kind of fact in one word, for programs.
    public var kind: String {
        switch self {
        case .takenIn: "takenIn"
        case .takenInAgain: "takenInAgain"
        case .offered: "offered"
        case .attempt: "attempt"
        case .begun: "begun"
        case .page: "page"
        case .trouble: "trouble"
        case .interrupted: "interrupted"
        case .asked: "asked"
        case .answered: "answered"
        case .silence: "silence"
        case .returned: "returned"
        case .calledBack: "calledBack"
        case .attemptFailed: "attemptFailed"
        case .problem: "problem"
        case .notAcknowledged: "notAcknowledged"
        case .failureTold: "failureTold"
        case .retryAsked: "retryAsked"
        case .abortAsked: "abortAsked"
        case .unreadable: "unreadable"
        case .ended: "ended"
        case .order: "order"
        case .person: "person"
        case .note: "note"
        case .unknown: "unknown"
        }
    }
}

extension Story.Cause {
    /// How a request failed.
    package init(_ failed: OperationFailed) {
        self.init(
            code: failed.code,
            status: failed.status,
            reach: failed.reach,
            duration: .milliseconds(failed.durationMilliseconds)
        )
    }
}
