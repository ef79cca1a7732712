public import EventLog
internal import Workflow

/// What rules know of a checkout, beside what they know of any session: an order from its creation to its captures.
public struct CheckoutState: SessionPart {
    /// What either kind of session keeps.
    public internal(set) var progress: Progress
    /// How it was taken in.
    public let opening: CheckoutOpened
    /// Where the merchant backend takes orders.
    public internal(set) var endpoints: BackendEndpoints?
    /// How far the check-in is.
    public internal(set) var checkIn: CheckIn
    /// The order, in the newest words about each part of it.
    public internal(set) var order: OrderSnapshot?
    /// The newest answer, as it came.
    package internal(set) var newest: OrderSnapshot?
    /// The digest of the newest answer.
    var digest: Digest256?
    /// The method that the payer chose and the order is not locked to yet.
    public internal(set) var wantedInstrument: PaymentMethodName?
    /// The method that the change under way asks for.
    var sentInstrument: PaymentMethodName?
    /// Whether the client shall show the PSP's page.
    public internal(set) var isWanted: Bool
    /// The action that asked the client to show the PSP's page, as the order is now.
    var page: ActionID?
    /// How the payer left the PSP's page, by the client's account.
    public internal(set) var left: MenuOutcome?
    /// How often the order was read since the payer left, or since somebody said that there is news.
    var looks = 0
    /// When the order was read last, by itself.
    var lastLookAt: Instant?
    /// Why the order is to be read without a request having failed.
    var news: News?
    /// Whether it was tried to give up the order because the payer left its page.
    var isClosingTried = false
    /// Whether the gateway reads orders; nil until it was asked, or asked anew.
    var readsOrders: Bool?
    /// Tries to create the order that may have taken effect without our knowing.
    var lostCreation = false
    /// How often the merchant's reference of the order was replaced by another.
    var renewals = 0
    /// The native session that pays the order now.
    public internal(set) var nativeSession: SessionID?
    /// Native sessions of the order, the oldest first.
    public internal(set) var nativeSessions: [SessionID] = []
    /// Native sessions that have ended.
    var endedSessions: [SessionID] = []
    /// How many notes of the client were recorded.
    var notes = 0
    /// How many calls of the PSP were recorded.
    var callbacks = 0
    /// Captures, cancellations and reversals, the oldest first.
    public internal(set) var transactions: [OrderTransaction] = []
    /// How often the merchant's reference of an order is replaced by another, because it may have been used.
    static let renewalLimit = 2
    /// Whether an order that was paid otherwise than ordered, or after the end, was told of.
    var isMismatchTold = false

    /// How far the check-in is.
    public enum CheckIn: Hashable, Sendable {
        /// Nobody checks in.
        case unwanted
        /// The PSP has to be asked for its page.
        case wanted
        /// The page is known; the client has not been asked to show it, or has to be asked again.
        case offered(script: Sealed)
        /// The client was asked.
        case requested(script: Sealed, ActionID)
        /// The payer was identified.
        case done(consumerProfileRef: Sealed)
    }

    /// Why the order is to be read.
    enum News: Hashable, Sendable {
        /// The payer left the PSP's page, or came back.
        case payer
        /// The PSP called, or somebody asked.
        case callback
        /// The native session ended.
        case session
    }

    /// Whether the order is charged by its creation, by token and without a payer: there is nothing to show, and a second
    /// order would be a second charge.
    ///
    /// - Note: Source: payment order API, recurring and unscheduled: started by the server, a single attempt.
    public var chargesAtCreation: Bool { purpose.chargesToken }

    /// What the order is for.
    var purpose: PaymentOrderPurpose { PaymentOrderPurpose(rawValue: opening.terms.purpose) }

    init(_ opening: CheckoutOpened, _ progress: Progress, at now: Instant) {
        self.opening = opening
        self.progress = progress
        self.progress.openedAt = now
        self.progress.orderURLs = opening.terms.urls
        // An order that doesn't exist can't be read.
        self.progress.requests.relyOnWhatIsKnown()
        if !opening.options.readsOrders { readsOrders = false }
        checkIn = opening.consumer == nil ? .unwanted : .wanted
        isWanted = opening.presents
    }
}

/// A capture, cancellation or reversal, and how it stands.
public struct OrderTransaction: Hashable, Sendable {
    /// What was asked for.
    public var request: TransactionRequest
    /// How it ended; nil while it is under way.
    public internal(set) var result: TransactionResult?
    /// Whether the order was read since it was asked for.
    var isOrderFresh = false
    /// Whether the PSP took it.
    var isTaken = false
    /// Whether the PSP answered that it does not take it.
    package internal(set) var isAnsweredNo = false
}

extension OrderSnapshot {
    /// The order with these news; what an answer leaves out stays as it was.
    func updated(by newest: OrderSnapshot) -> OrderSnapshot {
        OrderSnapshot(
            id: newest.id ?? id,
            number: newest.number ?? number,
            status: newest.status ?? status,
            purpose: newest.purpose ?? purpose,
            currency: newest.currency ?? currency,
            amount: newest.amount ?? amount,
            vatAmount: newest.vatAmount ?? vatAmount,
            remainingCapture: newest.remainingCapture ?? remainingCapture,
            remainingCancellation: newest.remainingCancellation ?? remainingCancellation,
            remainingReversal: newest.remainingReversal ?? remainingReversal,
            instrument: newest.instrument ?? instrument,
            availableInstruments: newest.availableInstruments.isEmpty
                ? availableInstruments : newest.availableInstruments,
            isInstrumentMode: newest.isInstrumentMode ?? isInstrumentMode,
            urls: newest.urls.completed(by: urls),
            operations: newest.operations(keeping: operations),
            paid: newest.paid ?? paid,
            failedAttempts: newest.failedAttempts ?? failedAttempts,
            transactions: newest.transactions ?? transactions,
            abortReason: newest.abortReason ?? abortReason,
            failure: newest.failure ?? failure
        )
    }

    /// The newest operations; links that only show the order stay when an answer leaves them out.
    ///
    /// - Note: Source: merchant backend API, instrument change: the answer may lack the view link, and the earlier one
    ///   stays good.
    private func operations(keeping earlier: [Operation]) -> [Operation] {
        guard !operations.isEmpty else { return earlier }
        let views: [Rel] = [
            .viewCheckout, .viewPaymentOrder, .viewPaymentSession, .backendInstrument,
        ]
        let kept = earlier.filter { operation in
            views.contains(operation.rel) && !operations.contains { $0.rel == operation.rel }
        }
        return operations + (status == .paid ? [] : kept)
    }

    /// The first operation with one of these names and an address.
    public func operation(_ rels: [Rel]) -> Operation? {
        for rel in rels {
            if let found = operations.first(where: { $0.rel == rel && $0.href != nil }) {
                return found
            }
        }
        return nil
    }

    /// The script of the PSP's page for the order: the later generation's, else the earlier one's.
    public var page: Operation? { operation([.viewCheckout, .viewPaymentOrder]) }
}
