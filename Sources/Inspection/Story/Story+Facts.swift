public import EventLog
public import SwedbankPay

extension Story {
    /// The content of a sentence.
    public enum Fact: Hashable, Sendable {
        /// The session was opened.
        case takenIn(host: String, isCheckout: Bool, isHandedOver: Bool)
        /// The session was opened again with the same address, or was read a last time before it
        /// expires; for a checkout, a new read of its order was requested.
        case takenInAgain(by: String, isOrder: Bool)
        /// The payer was offered these payment methods.
        case offered([Instrument])
        /// The payer chose an instrument; whether it was chosen before the methods were known, and
        /// whether the PSP started the payment at once.
        case attempt(number: Int, Choice, isPreset: Bool, hasBegun: Bool)
        /// The PSP started the payment of an attempt.
        case begun(attempt: Int)
        /// The payer chose the PSP's page.
        case page(MenuMode)
        /// A request failed, once or repeatedly.
        case trouble(Trouble)
        /// The engine stopped while a request was in progress, and continued later; whether the
        /// session was read since.
        case interrupted(Rel, Duration, Ending?, isRead: Bool)
        /// A client action was requested; its result and the time until then, if that is part of
        /// the same sentence.
        case asked(ClientStep, response: ActionResult?, after: Duration)
        /// The client reported the result of an action.
        case reported(ClientStep, ActionResult, after: Duration)
        /// There were no events for a while; the number of polls meanwhile.
        case silence(Silence, Duration, polls: Int)
        /// The payer returned; the time since the app was opened.
        case returned(ReturnForm, after: Duration?)
        /// The PSP's callback arrived; whether that was before the payer returned.
        case calledBack(beforeReturn: Bool)
        /// An attempt failed, with the PSP's problem.
        case attemptFailed(Tried, Problem, ProblemAdvice)
        /// Another problem occurred.
        case problem(Problem, ProblemAdvice)
        /// The PSP refused the acknowledgement of the failed attempt.
        case notAcknowledged
        /// The failure of a client action was reported to the PSP.
        case failureTold
        /// A retry was requested.
        case retryAsked(by: String)
        /// An abort was requested; whether the PSP accepted it.
        case abortAsked(by: String, isTaken: Bool)
        /// A response could not be read.
        case unreadable(Rel)
        /// The session ended.
        case ended(End)
        /// A fact about a checkout's order.
        case order(OrderFact)
        /// An operator revealed sealed values or intervened; the currency is that of the payment.
        case person(OperatorActed, currency: String? = nil)
        /// An operator added a note.
        case note(by: String)
        /// An event of a type that this build does not know.
        case unknown(type: String)
    }

    /// What the PSP reports as failed.
    public enum Tried: Hashable, Sendable {
        /// An attempt of this session.
        case attempt(Int)
        /// The payment on the PSP's page.
        case page
        /// An attempt that was not started here, such as another device's.
        case elsewhere
    }

    /// A request that failed, once or repeatedly.
    public struct Trouble: Hashable, Sendable {
        /// The request's operation.
        public var rel: Rel
        /// The number of failures.
        public var count = 0
        /// The causes of the failures: each once, in order.
        public var causes: [Cause] = []
        /// When it failed last.
        public var lastAt: Instant
        /// Whether it may have taken effect at least once with its outcome unknown.
        public var isUncertain = false
        /// Whether the session or order was read since the first failure.
        public var isRead = false
        /// When the engine continues on its own; `nil` when it does not.
        public var retryAt: Instant?
        /// How the series of failures ended; `nil` while it continues.
        public var ending: Ending?
        /// When it ended.
        public var endedAt: Instant?
    }

    /// The cause of a failed request.
    public struct Cause: Hashable, Sendable {
        /// The failure's code.
        public var code: String
        /// The HTTP status, if the PSP responded.
        public var status: Int?
        /// How far the request got.
        public var reach: Reach
        /// The time until the first failure.
        public var duration: Duration
        /// Why the PSP refused the request, in its words; `nil` when it gave no reason, or one that
        /// is sealed.
        public var reason: String?
    }

    /// How a series of failures ended.
    public enum Ending: String, Hashable, Sendable, CaseIterable {
        /// The request got a response in the end.
        case responded = "answered"
        /// Reading the session showed that the request had taken effect.
        case tookEffect
        /// Reading the session showed that the request had not taken effect, and it was sent again.
        case sentAgain
        /// Reading the session showed that something else had to be done.
        case movedOn
        /// The PSP refused the request, and it is not repeated.
        case refused
        /// The engine gave up.
        case gaveUp
    }

    /// The result of a client action.
    public enum ActionResult: String, Hashable, Sendable, CaseIterable {
        /// The app is open.
        case opened
        /// The action was performed.
        case done
        /// The payer finished.
        case finished
        /// The payer closed it.
        case closed
        /// The action failed.
        case failed
        /// The client did not report in time.
        case timedOut
    }

    /// The reason for waiting in a quiet period.
    public enum Silence: Hashable, Sendable {
        /// The client, to perform an action.
        case client(ClientStep)
        /// The payer in an app or at a bank; the PSP reports the result.
        case payerElsewhere(Instrument)
        /// Any activity of the payer, who exceeded the time limit of attempts.
        case signOfLife
        /// The payer, to choose a payment method.
        case choice
        /// The result of the PSP's page.
        case pageResult
        /// The PSP's response to a request.
        case response(Rel)
        /// An operator, who has to retry after the engine gave up.
        case support
        /// A change at the PSP.
        case psp
    }

    /// How a payment ended.
    public enum End: Hashable, Sendable {
        /// Paid: the evidence, whether no attempt of this session was in progress then, and whether
        /// the payer was still in another app.
        case paid(Completed.Evidence, with: PaidWith?, isPayerAway: Bool)
        /// Aborted, and by which party.
        case canceled(Canceled.Party)
        /// Expired; whether it may have been paid all the same.
        case expired(Expired.Reason, mayBePaid: Bool)
        /// Closed by an operator without the PSP; whether it may have been paid all the same.
        case closed(mayBePaid: Bool)
        /// Failed; whether it may have been paid all the same.
        case failed(Failed.Reason, host: String?, mayBePaid: Bool)
    }

    /// A fact about a checkout's order.
    public enum OrderFact: Hashable, Sendable {
        /// It was created.
        case created(amount: Amount?, currency: String?)
        /// Its status changed.
        case status(OrderStatus)
        /// The single try of a merchant-initiated charge was refused: the problem, and the advice
        /// on it.
        case refused(ProblemDocument, ProblemAdvice)
        /// The payer chose another method.
        case instrument(PaymentMethodName)
        /// A native session took over.
        case handedOver(SessionID)
        /// The native session returned control.
        case handedBack(SessionID, Outcome?)
        /// The payer was identified.
        case payerIdentified
        /// The order is paid as ordered, according to a read, or else to the response to another
        /// request.
        case confirmed(amount: Amount?, currency: String?, isRead: Bool = true)
        /// A capture, cancellation or reversal was requested, for an order in this currency.
        case transactionAsked(TransactionRequest, currency: String?)
        /// The capture, cancellation or reversal has a result.
        case transactionSettled(TransactionSettled)
    }
}

extension Story.Fact {
    /// The kind of fact, for programs.
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
        case .reported: "answered"
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
    /// Creates the cause of a failed request.
    package init(_ failed: OperationFailed) {
        self.init(
            code: failed.code,
            status: failed.status,
            reach: failed.reach,
            duration: .milliseconds(failed.durationMilliseconds),
            reason: failed.status.map { (400..<500).contains($0) } == true
                ? failed.document?.reason : nil
        )
    }
}

extension ProblemDocument {
    /// The title and the explanation, as far as they are not sealed.
    fileprivate var reason: String? {
        let parts = [title, detail].compactMap { text in
            if case .plain(let plain)? = text, !plain.isEmpty { plain } else { nil }
        }
        return parts.isEmpty ? nil : parts.joined(separator: ": ")
    }
}
