public import EventLog
internal import Workflow

/// The state of a checkout in addition to that of any session: an order from its creation to its
/// captures.
public struct CheckoutState: SessionPart {
    /// The state that both kinds of session have.
    @Boxed public internal(set) var progress: Progress
    /// How the checkout was opened.
    @Boxed public private(set) var opening: CheckoutOpened
    /// The merchant backend's addresses for orders.
    @Boxed public internal(set) var endpoints: BackendEndpoints? = nil
    /// The progress of the check-in.
    public internal(set) var checkIn: CheckIn
    /// What is known of the order, its reads and the change of its method.
    ///
    /// The course and the transactions are members beside it. A native session may report its end
    /// before there is an order. Otherwise the rules allow them only for an order that is known,
    /// but the fold refuses no event: after a forged log, they show in the views and in the state
    /// of the money without an order.
    var known = KnownOrder.unseen(UnseenOrder())
    /// Whether the client should show the PSP's page.
    public internal(set) var isWanted: Bool
    /// Where the payer pays.
    var course = Course.waiting
    /// Why the order is to be read although no request failed.
    ///
    /// A callback or a retry may be the reason before there is an order.
    var readReason: ReadReason?
    /// Whether aborting the order was tried because the payer left its page.
    ///
    /// It remains when the page is chosen again, since the order may end aborted only then.
    var isClosingTried = false
    /// Whether the PSP accepted the abort of the order: it can't be paid any more, although no read
    /// may show it.
    ///
    /// - Note: Source: payment order API, abort: accepted only before the order is paid.
    var isAbortAccepted = false
    /// Whether the gateway reads orders; `nil` until the first read shows it, or when it has to be
    /// tried again.
    package internal(set) var readsOrders: Bool?
    /// The creation of the order.
    ///
    /// It remains after the order was created: the reference that was used tells a response to this
    /// order from one to another.
    @Boxed var creation = OrderCreation()
    /// The order's native sessions, oldest first.
    public internal(set) var nativeSessions: [SessionID] = []
    /// Native sessions that have ended.
    var endedSessions: [SessionID] = []
    /// The number of client notes recorded.
    var notes = 0
    /// The number of PSP callbacks recorded.
    var callbacks = 0
    /// Captures, cancellations and reversals, oldest first.
    public internal(set) var transactions: [OrderTransaction] = []
    /// The references of this engine's transactions that the log lacks, and that a person has
    /// looked at.
    var examined: Set<String> = []
    /// Whether it was reported that the order was paid differently from what was ordered, or after
    /// the end.
    var isMismatchTold = false

    /// The progress of the check-in.
    public enum CheckIn: Hashable, Sendable {
        /// There is no check-in.
        case unwanted
        /// The PSP's check-in page must be requested.
        case wanted
        /// The page is known; the client has not been asked to show it, or must be asked again.
        case offered(script: Sealed)
        /// The client was asked.
        case requested(script: Sealed, ActionID)
        /// The payer was identified.
        case done(consumerProfileRef: Sealed)
    }

    /// Where the payer pays the order: in one way at a time.
    enum Course: Hashable, Sendable {
        /// Nowhere: the client has not been asked to show the order in its current form.
        case waiting
        /// On the PSP's page of the order in its current form, which this action requests.
        case onPage(ActionID)
        /// In a native session.
        case native(SessionID)
        /// Nowhere any more: the payer left the page, or a native session reported its end.
        case left(MenuOutcome)
    }

    /// Why the order is to be read.
    enum ReadReason: Hashable, Sendable {
        /// The payer left the PSP's page, or returned.
        case payer
        /// A callback arrived from the PSP, or a read was requested.
        case callback
        /// The native session ended.
        case session
    }

    /// Whether creating the order charges a token without a payer.
    ///
    /// There is then no page to show, and a second order would be a second charge.
    ///
    /// - Note: Source: payment order API, recurring and unscheduled: started by the server, a
    ///   single attempt.
    public var chargesAtCreation: Bool { purpose.chargesToken }

    /// The purpose of the order.
    var purpose: PaymentOrderPurpose { PaymentOrderPurpose(rawValue: opening.terms.purpose) }

    init(_ opening: CheckoutOpened, _ progress: Progress, at now: Instant) {
        self.opening = opening
        self.progress = progress
        checkIn = opening.consumer == nil ? .unwanted : .wanted
        isWanted = opening.presents
        self.progress.openedAt = now
        self.progress.orderURLs = opening.terms.urls
        // An order that does not exist can't be read.
        self.progress.requests.clearNeed()
        if !opening.options.readsOrders { readsOrders = false }
    }
}

extension CheckoutState {
    /// The order, with the newest value of each part.
    public var order: OrderSnapshot? { known.order }

    /// The newest response, as received.
    package var newest: OrderSnapshot? { known.newest }

    /// The digest of the newest response.
    var digest: Digest256? { known.digest }

    /// The number of reads of the order since the payer left, or since a change was reported.
    var reads: Int { known.reads.count }

    /// When the order was last read on its own.
    var lastReadAt: Instant? { known.reads.lastAt }

    /// The action that requests the PSP's page of the order in its current form.
    var page: ActionID? { if case .onPage(let action) = course { action } else { nil } }

    /// Whether the order is about to be read because something may have changed.
    package var isReadPending: Bool { readReason != nil && !progress.isStalled }

    /// How the payer left, as reported by the client or a native session.
    public var left: MenuOutcome? { if case .left(let outcome) = course { outcome } else { nil } }

    /// The native session that currently pays the order.
    public var nativeSession: SessionID? {
        if case .native(let session) = course { session } else { nil }
    }

    /// The method that the payer chose, while the order is not locked to it yet.
    public var wantedInstrument: PaymentMethodName? { known.change.wanted }
}

/// The creation of an order, and the merchant's references that were used for it.
struct OrderCreation: Hashable, Sendable {
    /// Whether a try may have taken effect without our knowledge.
    var isUncertain = false
    /// The number of times that the merchant's reference was replaced because it may have been
    /// used.
    private(set) var renewals = 0
    /// The maximum number of such replacements.
    static let renewalLimit = 2

    /// Whether the reference may be replaced once more.
    var isRenewable: Bool { isUncertain && renewals < Self.renewalLimit }

    /// Replaces the reference: the next try is the first one with its reference.
    mutating func renew() {
        precondition(isRenewable, "a reference replaced in vain, \(renewals) times before")
        isUncertain = false
        renewals += 1
    }

    /// The reference to send: a different one after a try that may have used it.
    func reference(for original: String) -> String {
        guard renewals > 0 else { return original }
        // Merchants who settle by themselves use 12 digits, all others 30 letters and digits.
        let isNumber = original.utf8.allSatisfy(\.isASCIIDigit)
        return isNumber
            ? "\(original.prefix(11))\(renewals)" : "\(original.prefix(28))R\(renewals)"
    }
}

/// A capture, cancellation or reversal and its status.
public struct OrderTransaction: Hashable, Sendable {
    /// The PSP's final response to its requests.
    enum Response: Hashable, Sendable {
        case accepted
        case refused(status: Int)
    }

    /// How far a transaction is.
    enum Progress: Hashable, Sendable {
        /// Its next step is decided once the order was read after the response, or after the
        /// transaction was requested.
        case pending(Response?, isOrderRead: Bool)
        /// It has a result; a response only says why.
        case settled(TransactionResult, Response?)
    }

    /// The request.
    public var request: TransactionRequest
    /// When it was requested.
    public internal(set) var requestedAt: Instant
    /// The number of failed transactions of its kind that the order showed before it was sent.
    var failuresBefore = 0
    var progress = Progress.pending(nil, isOrderRead: false)
    /// Whether something has changed since it was refused, so that its refusal says nothing about
    /// the next transaction.
    private(set) var isOutdated = false

    init(request: TransactionRequest, at now: Instant) {
        self.request = request
        requestedAt = now
    }

    /// How it ended; `nil` while it is in progress.
    public var result: TransactionResult? {
        if case .settled(let result, _) = progress { result } else { nil }
    }

    /// Whether the PSP's final response was a refusal.
    package var wasRefused: Bool { if case .refused = response { true } else { false } }

    /// Whether the PSP counts it as a failed transaction, as far as we know.
    ///
    /// A request that the PSP does not accept as such, because of its form or its access token, is
    /// no transaction, and the next one may be correct.
    ///
    /// - Note: Source: payment order API, capture: after five failures in a row the PSP locks the
    ///   order.
    var isCounted: Bool {
        guard result == .refused, !isOutdated else { return false }
        if failedLater { return true }
        guard case .refused(let status) = response else { return false }
        return ![400, 401, 404, 405, 406, 409, 410, 411, 413, 415, 422, 429].contains(status)
    }

    /// Whether the PSP accepted it to perform it later, and then did not.
    package var failedLater: Bool { response == .accepted && result == .refused }

    /// Whether it has not ended.
    var isUnderWay: Bool { result == nil }

    private var response: Response? {
        switch progress {
        case .pending(let response, _), .settled(_, let response): response
        }
    }
}

extension OrderTransaction {
    /// Folds the PSP's final response to its request, or that there was none; what it led to is
    /// read from the order.
    mutating func fold(response: Response?) {
        guard isUnderWay else { return }
        progress = .pending(response, isOrderRead: false)
    }

    /// Folds that the order was read.
    mutating func foldOrderRead() {
        guard isUnderWay else { return }
        progress = .pending(response, isOrderRead: true)
    }

    /// Folds a change of the order that concerns transactions of its kind.
    mutating func foldChange() { isOutdated = true }

    /// Folds its result; an accepted transaction may have another one later.
    mutating func fold(result: TransactionResult) {
        progress = .settled(result, response)
    }
}

extension OrderSnapshot {
    /// The number of transactions of a kind that failed, as far as they were requested.
    func failures(of kind: TransactionKind) -> Int {
        failedTransactions?.count { $0.type.lowercased() == kind.type } ?? 0
    }

    /// The first operation that has one of these names and an address.
    public func operation(_ rels: [Rel]) -> Operation? {
        for rel in rels {
            if let found = operations.first(where: { $0.rel == rel && $0.href != nil }) {
                return found
            }
        }
        return nil
    }

    /// The script of the PSP's page for the order: that of the later generation, otherwise of the
    /// earlier one.
    public var page: Operation? { operation([.viewCheckout, .viewPaymentOrder]) }
}
