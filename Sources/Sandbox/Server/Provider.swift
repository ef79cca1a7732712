import FoundationEssentials
import Logging

/// The PSP: all orders, what their addresses lead to, and the ledger.
///
/// Orders change here one at a time; the waiting that faults ask for happens outside.
actor Provider {
    nonisolated let configuration: SandboxConfiguration
    private(set) var baseURL = ""
    private var orders: [String: PaymentOrder] = [:]
    private var orderIDs: [String] = []
    private var addresses: [String: Address] = [:]
    private var payeeReferences: Set<String> = []
    /// How often an order came with a reference that had been used.
    private var refusedOrders = 0
    private var paymentTokens: [String: String] = [:]
    /// The numbers of the cards that payers let the menu remember, newest first, by payer reference.
    private var consentedCards: [String: [String]] = [:]
    private var book: LedgerBook

    init(_ configuration: SandboxConfiguration) {
        self.configuration = configuration
        self.book = LedgerBook(limit: configuration.maximumLedgerEntries)
    }

    /// Tells the address under which the sandbox can be reached.
    func listen(at baseURL: String) {
        self.baseURL = baseURL
    }

    var moment: Moment { Moment(now: configuration.now(), date: Date()) }

    /// What a token leads to.
    func address(of token: String) -> Address? { addresses[token] }

    /// The order as it stands now, everything due having happened.
    func order(_ id: String) throws(ProblemDetail) -> PaymentOrder {
        guard var order = orders[id] else { throw .notFound }
        order.settle(at: moment)
        keep(order)
        return order
    }

    /// Keeps the order's new state and makes its new addresses reachable.
    func keep(_ order: PaymentOrder) {
        var order = order
        for (token, address) in order.takeIssued() { addresses[token] = address }
        orders[order.id] = order
    }

    /// Whether the merchant has used a reference for anything yet.
    ///
    /// - Note: Source: payment order API, `payeeReference`: unique for every operation of a payee.
    func isUsed(_ reference: String, by order: SandboxOrder) -> Bool {
        payeeReferences.contains("\(order.details.payeeID)/\(reference)")
    }

    /// Remembers that the merchant has used a reference.
    func use(_ reference: String, by order: SandboxOrder) {
        payeeReferences.insert("\(order.details.payeeID)/\(reference)")
    }

    /// Creates an order.
    func create(_ request: SandboxOrder) throws(ProblemDetail) -> PaymentOrder {
        var request = request
        if request.scenario == Scenario() {
            let file = configuration.scenarios.first { $0.applies(to: request) }
            if let file { request.scenario = file.scenario }
        }
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
        use(request.payeeReference, by: request)
        let order = PaymentOrder(
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
            cards: savedCards(for: request),
            created: Date()
        )
        orderIDs.append(order.id)
        keep(order)
        configuration.logger.debug("order created", metadata: ["order": "\(order.id)"])
        return order
    }

    /// The payer's cards, each under the token it keeps over all of the payer's orders.
    private func savedCards(for request: SandboxOrder) -> [SavedCard] {
        guard let payer = request.payerReference else { return [] }
        let standard = (consentedCards[payer] ?? []) + TestCard.standard
        return (request.scenario.savedCards ?? standard).compactMap { number in
            guard let card = TestCard.all[number] else { return nil }
            let token = paymentTokens["\(payer)/\(number)"] ?? OpaqueToken.identifier()
            paymentTokens["\(payer)/\(number)"] = token
            return SavedCard(card: card, paymentToken: token)
        }
    }

    /// Stores a card that the payer wants to be remembered, as the best one.
    func remember(_ card: TestCard, of payer: String) {
        consentedCards[payer, default: []].removeAll { $0 == card.number }
        guard card.isStorable, !TestCard.standard.contains(card.number) else { return }
        consentedCards[payer, default: []].insert(card.number, at: 0)
    }

    /// The order as it was left, without what has become due since.
    func unsettled(_ id: String) throws(ProblemDetail) -> PaymentOrder {
        guard let order = orders[id] else { throw .notFound }
        return order
    }

    /// Counts a call of an operation and tells what it meets: a fault, a step of the script.
    func strike(_ id: String, rel: String) throws(ProblemDetail) -> (fault: Fault?, step: Step?) {
        guard var order = orders[id] else { throw .notFound }
        order.calls[rel, default: 0] += 1
        let met = (fault: order.faults.strike(rel), step: order.script.take(rel))
        orders[id] = order
        book.count(rel)
        return met
    }

    /// Installs a fault in an order.
    func install(_ fault: Fault, in id: String) throws(SandboxError) {
        guard var order = orders[id] else { throw .unknownOrder }
        guard order.faults.install(fault) else { throw .tooManyFaults }
        orders[id] = order
    }

    /// Writes into the ledger how a call ended.
    func record(order: String, rel: String, status: Int, outcome: String) {
        book.record(order: order, rel: rel, status: status, outcome: outcome, at: Date())
        configuration.logger.debug(
            "session call",
            metadata: [
                "order": "\(order)", "rel": "\(rel)", "status": "\(status)",
                "outcome": "\(outcome)",
            ]
        )
    }

    /// The requests of one order, oldest first.
    func entries(of order: String) -> [LedgerEntry] { book.newest(of: order) }

    /// What happened in the whole sandbox.
    func ledger() -> SandboxLedger {
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
