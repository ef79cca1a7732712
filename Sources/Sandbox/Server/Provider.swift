import FoundationEssentials
import Logging

/// The PSP: all orders, what their addresses refer to, and the ledger.
///
/// Orders change here one at a time; the waiting that faults require happens outside.
actor Provider {
    nonisolated let configuration: SandboxConfiguration
    private(set) var baseURL = ""
    private var orders: [String: PaymentOrder] = [:]
    private var orderIDs: [String] = []
    private var addresses: [String: Address] = [:]
    private var payeeReferences: Set<String> = []
    /// The number of orders with a reference that was used before.
    private var refusedOrders = 0
    /// The stored payment details of payers.
    var tokens = TokenBook()
    private var book: LedgerBook
    private var callbackBook: CallbackBook
    /// The check-ins.
    var consumers: ConsumerBook
    /// The orders with callbacks to which something will happen without a request.
    private var watched: Set<String> = []
    /// The task that performs callbacks and watches ``watched`` while there is anything to do.
    private var watching: Task<Void, Never>?
    private var isStopped = false
    /// The faults for the requests of every order, which precede the order's own.
    private var commonFaults = FaultPlan([])
    /// The faults of orders that are about to be created, by payee and reference.
    private var creationFaults: [String: FaultPlan] = [:]
    /// The requests that have not taken effect yet.
    var lateRequests: [LateRequest] = []

    init(_ configuration: SandboxConfiguration) {
        self.configuration = configuration
        tokens.variesCards = configuration.variesCards
        self.book = LedgerBook(limit: configuration.maximumLedgerEntries)
        self.consumers = ConsumerBook(limit: configuration.maximumOrders)
        self.callbackBook = CallbackBook(
            limit: configuration.maximumLedgerEntries,
            timeScale: configuration.callbackTimeScale
        )
    }

    /// Sets the address at which the sandbox can be reached.
    func listen(at baseURL: String) {
        self.baseURL = baseURL
    }

    var moment: Moment { Moment(now: configuration.now(), date: Date()) }

    /// The target of a token.
    func address(of token: String) -> Address? { addresses[token] }

    /// The current order, after everything that is due has happened.
    func order(_ id: String) throws(ProblemDetail) -> PaymentOrder {
        carryOutLateRequests()
        guard var order = orders[id] else { throw .notFound }
        order.settle(at: moment)
        keep(order)
        return order
    }

    /// Stores the order's new state and makes its new addresses reachable.
    func keep(_ order: PaymentOrder) {
        var order = order
        for (token, address) in order.takeIssued() { addresses[token] = address }
        for token in order.generatedTokens {
            tokens.store(token, of: order.request.payerReference)
        }
        let notices = order.takeNotices()
        orders[order.id] = order
        guard let url = order.request.urls.callbackURL else { return }
        for notice in notices { callbackBook.add(notice, of: order, to: url, at: moment.now) }
        if order.endsByItself { watched.insert(order.id) } else { watched.remove(order.id) }
        watch()
    }

    /// Starts the task for what happens without a request, unless it is running.
    func watch() {
        guard watching == nil, !isStopped, hasSomethingToWaitFor else { return }
        watching = Task { await Provider.watch(self) }
    }

    private var hasSomethingToWaitFor: Bool {
        !watched.isEmpty || !callbackBook.isIdle || waitsForLateRequests
    }

    /// The callbacks that are due now; `nil` when nothing is pending any more.
    func removeDue() -> [CallbackBook.Post]? {
        carryOutLateRequests()
        for id in watched { _ = try? order(id) }
        guard hasSomethingToWaitFor else {
            watching = nil
            return nil
        }
        return callbackBook.removeDue(at: moment.now)
    }

    /// Records the result of a callback.
    func record(_ callback: Int, status: Int?, at date: String) {
        callbackBook.record(callback, status: status, at: date)
        watch()
    }

    /// The callbacks of one order, or of all.
    func callbacks(of order: String? = nil) -> [CallbackDelivery] {
        callbackBook.deliveries(of: order)
    }

    /// Stops everything that happens without a request.
    func stop() async {
        isStopped = true
        watching?.cancel()
        await watching?.value
        watching = nil
    }

    /// The fault for the creation of an order, if any.
    ///
    /// The requests are counted by the merchant's order number, or else by reference, since an
    /// order that was never created has no other name.
    func strikeCreation(_ request: SandboxOrder) -> Fault? {
        let rel = MerchantRel.create.rawValue
        let faults = request.scenario.faults.filter { $0.rel == rel }
        guard !faults.isEmpty else { return nil }
        let order = request.details.orderReference ?? request.payeeReference
        let name = "\(request.details.payeeID)/\(order)"
        var plan = creationFaults[name] ?? FaultPlan(faults)
        let fault = plan.strike(rel)
        creationFaults[name] = plan
        return fault
    }

    /// Whether the merchant has used a reference before.
    ///
    /// - Note: Source: payment order API, `payeeReference`: unique for every operation of a payee.
    func isUsed(_ reference: String, by order: SandboxOrder) -> Bool {
        payeeReferences.contains("\(order.details.payeeID)/\(reference)")
    }

    /// Records that the merchant has used a reference.
    func use(_ reference: String, by order: SandboxOrder) {
        payeeReferences.insert("\(order.details.payeeID)/\(reference)")
    }

    /// Creates an order.
    func create(_ request: SandboxOrder) throws(ProblemDetail) -> PaymentOrder {
        var request = request
        request.scenario = scenario(for: request)
        try request.validate()
        let methods = request.methods(or: configuration.defaultMethods)
        try request.validate(against: methods)
        guard orders.count < configuration.maximumOrders else { throw .tooManyOrders }
        guard !isUsed(request.payeeReference, by: request) else {
            refusedOrders += 1
            throw .inputError([
                FieldProblem(
                    name: "paymentorder.payeeInfo.payeeReference",
                    description: "was used before"
                )
            ])
        }
        var order = PaymentOrder(
            id: OpaqueToken.identifier(),
            number: 40_000_000_000 + orders.count + 1,
            baseURL: baseURL,
            request: request,
            timing: Timing(
                swishOtherDevice: configuration.swishApprovalDelay,
                swishThisDevice: configuration.swishAppApprovalDelay,
                challenge: configuration.challengeTimeout
            ),
            methods: methods,
            cards: try cards(for: request),
            created: Date()
        )
        let agreement = try agreement(for: request)
        try checkIn(&order)
        use(request.payeeReference, by: request)
        if let agreement { charge(&order, by: agreement) }
        orderIDs.append(order.id)
        keep(order)
        configuration.logger.debug("order created", metadata: ["order": "\(order.id)"])
        return order
    }

    /// The sandbox's behavior for an order: that of the order itself, or that of the first
    /// applicable file.
    func scenario(for request: SandboxOrder) -> Scenario {
        guard request.scenario == Scenario() else { return request.scenario }
        return configuration.scenarios.first { $0.applies(to: request) }?.scenario ?? Scenario()
    }

    /// The stored order, without what has become due since.
    func unsettled(_ id: String) throws(ProblemDetail) -> PaymentOrder {
        guard let order = orders[id] else { throw .notFound }
        return order
    }

    /// Counts a request of an operation and returns the fault and the step of the script for it, if
    /// any.
    func strike(_ id: String, rel: String) throws(ProblemDetail) -> (fault: Fault?, step: Step?) {
        guard var order = orders[id] else { throw .notFound }
        order.requests[rel, default: 0] += 1
        let own = order.faults.strike(rel)
        let met = (fault: commonFaults.strike(rel) ?? own, step: order.script.nextStep(for: rel))
        orders[id] = order
        book.count(rel)
        return met
    }

    /// The order identified by its id or its session's token.
    func orderID(_ name: String) -> String {
        if case .session(let order)? = addresses[name] { return order }
        return name
    }

    /// Installs a fault in an order.
    func install(_ fault: Fault, in id: String) throws(SandboxError) {
        guard var order = orders[id] else { throw .unknownOrder }
        guard order.faults.install(fault) else { throw .tooManyFaults }
        orders[id] = order
    }

    /// Injects faults into the requests of all orders, replacing the previous ones.
    func injectFaults(with faults: [Fault]) { commonFaults = FaultPlan(faults) }

    /// The number of requests of each operation for all orders.
    var requests: [String: Int] { book.requests }

    /// Records in the ledger how a request ended.
    func record(order: String, rel: String, status: Int, outcome: String) {
        book.record(order: order, rel: rel, status: status, outcome: outcome, at: Date())
        configuration.logger.debug(
            "session request",
            metadata: [
                "order": "\(order)", "rel": "\(rel)", "status": "\(status)",
                "outcome": "\(outcome)",
            ]
        )
    }

    /// The requests of one order, oldest first.
    func entries(of order: String) -> [LedgerEntry] { book.newest(of: order) }

    /// The settlement report of everything that was captured, sold and reversed so far.
    func settlement(number: String, date: String) -> SandboxSettlement {
        for id in orderIDs { _ = try? order(id) }
        return SandboxSettlement(
            number: number,
            date: date,
            rows: orderIDs.flatMap { orders[$0]?.settlementRows() ?? [] }
        )
    }

    /// The history of the whole sandbox.
    func ledger() -> SandboxLedger {
        carryOutLateRequests()
        for id in orderIDs { _ = try? order(id) }
        let pages = orderIDs.compactMap { orders[$0]?.ledgerPage() }
        return SandboxLedger(
            orders: pages,
            entries: book.newest(),
            requests: book.requests,
            paidOrders: pages.count { $0.status == "Paid" },
            authorizedAmount: pages.reduce(0) { $0 + $1.authorizedAmount },
            capturedAmount: pages.reduce(0) { $0 + $1.capturedAmount },
            reversedAmount: pages.reduce(0) { $0 + $1.reversedAmount },
            captures: pages.reduce(0) { $0 + $1.captures },
            cancellations: pages.reduce(0) { $0 + $1.cancellations },
            reversals: pages.reduce(0) { $0 + $1.reversals },
            refusedDuplicates: pages.reduce(refusedOrders) { $0 + $1.refusedDuplicates },
            doubledOrders: pages.filter { !$0.doubles.isEmpty }.map(\.order)
        )
    }
}
