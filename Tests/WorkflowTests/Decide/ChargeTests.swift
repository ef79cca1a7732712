import TestSupport
import Testing
import WorkflowTesting

@testable import EventLog
@testable import Inspection
@testable import SwedbankPay
@testable import Workflow

/// Charges of stored tokens: there is no payer, and creating the order is the charge.
@Suite(.feature("M-08")) struct ChargeTests {
    private static let refusal = ProblemDocument(
        type: "https://api.payex.com/psp/errordetail/creditcard/acquirererrordonotretry",
        title: .plain("Do not retry"),
        status: 403
    )

    private func charge(
        _ purpose: PaymentOrderPurpose = .recur,
        _ gateway: OrderGateway = .psp
    ) -> DeciderSpec {
        var opened = CheckoutOpened.sample(gateway, presents: false)
        opened.terms.purpose = purpose.rawValue
        opened.terms.urls = OrderURLs()
        return payment().when(.checkout(.open(opened)))
    }

    private static var failed: OrderSnapshot {
        var order = OrderSnapshot.sample.with(.failed)
        order.operations = []
        return order
    }

    private static func failed(_ problem: ProblemDocument) -> OrderSnapshot {
        var order = failed
        order.failure = problem
        return order
    }

    private func story(_ spec: DeciderSpec) -> Story {
        Story(
            of: spec.state.session,
            events: spec.log.enumerated().map {
                RecordedEvent(
                    stream: spec.state.session,
                    sequence: SequenceNumber($0 + 1),
                    at: $1.at,
                    event: $1.event,
                    metadata: EventMetadata(build: "1", catalogue: "1", cause: "test", node: "n")
                )
            },
            by: spec.decider
        )
    }

    @Test(arguments: [PaymentOrderPurpose.recur, .unscheduledPurchase])
    func `a refused charge leads to one read for the reason, then ends as failed`(
        _ purpose: PaymentOrderPurpose
    ) {
        let asked = charge(purpose).when(order: Self.failed, status: 201)
        asked.then(.succeeded(.paymentOrders), .orderFetched(by: .paymentOrders)).hasPending(.order)
        let told = asked.when(order: Self.failed(Self.refusal)).ended(.failed)
        #expect(told.state.checkout?.order?.failure == Self.refusal)
        #expect(told.state.money.standing == .none)
        #expect(told.state.problem == nil)
        told.hasNoPendingRequest()
    }

    @Test func `no read follows a refused charge whose response contains the reason`() {
        let told = charge().when(order: Self.failed(Self.refusal), status: 201).ended(.failed)
        #expect(told.requests.count == 1)
        told.hasNoPendingRequest()
    }

    @Test func `a refused charge ends as failed even if no reason can be read`() {
        let asked = charge().when(order: Self.failed, status: 201).hasPending(.order)
        for response in [
            asked.when(order: Self.failed), asked.when(outcome: .lost),
            asked.when(outcome: .refused(404)),
        ] {
            response.ended(.failed)
            #expect(response.state.money.standing == .none)
        }
    }

    @Test func `after a refused charge it is the merchant's turn, and a payer gets no message`() {
        let told = charge().when(order: Self.failed(Self.refusal), status: 201)
        let standing = story(told).standing
        #expect(standing.turn == .merchant)
        #expect(standing.guidance == PayerGuidance(message: nil, newAttempt: .never))
        #expect(standing.charge?.reference == "REF1")
        #expect(standing.charge?.refusal != nil)
        #expect(standing.starts.count == 1)
        let reasons = story(told).sentences.compactMap { sentence -> ProblemDocument? in
            guard case .order(.refused(let problem, _)) = sentence.fact else { return nil }
            return problem
        }
        #expect(reasons == [Self.refusal])
    }

    @Test func `a charge under way never waits for a payer and requests no client action`() {
        for spec in [charge(), charge().when(order: .sample), charge().when(outcome: .lost)] {
            #expect(spec.decider.turn(in: spec.state) != .payer(nil))
            #expect(spec.decider.guidance(for: spec.state).message == nil)
            #expect(spec.state.actions.isEmpty)
        }
    }

    @Test func `a charge that may have taken effect cannot be aborted`() {
        let lost = charge().when(outcome: .lost)
        let kept = lost.when(.abort(by: "host"))
        #expect(kept.state.outcome == nil)
        #expect(kept.state.problem?.problem.kind == .abortNotAllowed)
        #expect(kept.state.money.standing == .unknown)
        // Before anything was sent, giving up requires no request.
        charge().when(.abort(by: "host")).ended(.canceled)
    }

    @Test func `a command to show the page of a charge is refused`() {
        let open = charge().when(order: .sample)
        #expect(throws: Rejection.menuMethodNotOffered(offered: [])) {
            try open.decider.decide(
                .command(.menu(.menu)),
                in: open.state,
                at: open.clock.now
            )
        }
    }

    @Test func `a charge without a result is a notConfirmed problem, and its money is unknown`() {
        var spec = charge().when(order: .sample)
        for _ in 1...20 where spec.state.problem == nil {
            spec = spec.when(order: .sample)
        }
        #expect(spec.state.problem?.problem.kind == .notConfirmed)
        #expect(spec.state.problem?.problem.rel == .paymentOrders)
        #expect(spec.state.money.standing == .unknown)
    }

    @Test(arguments: ["Recur", "UnscheduledPurchase", "SomethingNew"])
    func `after a lost creation, only an order with a payer is sent under another reference`(
        _ purpose: String
    ) {
        func references(_ purpose: String) -> Set<String?> {
            let spec = charge(PaymentOrderPurpose(rawValue: purpose))
                .when(outcome: .lost).when(outcome: .refused(400))
            let last = spec.decider.pendingEffects(of: spec.state).compactMap { effect -> String? in
                guard case .request(let request) = effect, case .order(let order) = request.body
                else {
                    return nil
                }
                return order.payeeReference
            }
            return Set(last)
        }
        #expect(references("Purchase") == ["REF1R1"])
        #expect(references(purpose).isEmpty)
    }

    @Test func `a charge of another amount than ordered is an orderMismatch problem`() {
        var paid = OrderSnapshot.paid(amount: 20_000)
        paid.amount = 20_000
        let spec = charge().when(order: paid, status: 201).ended(.completed)
        #expect(spec.state.problem?.problem.kind == .orderMismatch)
        #expect(spec.state.money.standing == .confirmed)
    }

    // MARK: Charges that take their time, and those that are refused

    @Test func `a charge that the bank performs later is under way, and nobody is told of a payer`()
    {
        var spec = charge().when(order: .sample, status: 201)
        #expect(spec.state.money.standing == .underWay)
        #expect(spec.decider.turn(in: spec.state) == .engine)
        while spec.state.problem == nil { spec = spec.when(order: .sample) }
        #expect(spec.state.money.doubts.map(\.cause) == [.request(.paymentOrders)])
        let words = StoryEnd(story(spec)).money
        #expect(!words.contains("payer") && !words.contains("client"), "\(words)")
        // A later read shows that the charge arrived: it is under way again, and then paid.
        spec = spec.when(order: .sample)
        #expect(spec.state.money.standing == .underWay)
        #expect(spec.decider.turn(in: spec.state) != .payer(nil))
        spec.when(order: .paid()).ended(.completed)
    }

    @Test func `an abort of a charge under way is sent, or refused where it is not offered`() {
        let open = charge().when(order: .sample, status: 201)
        let aborted = open.when(.abort(by: "host")).hasPending(.abortOrder)
            .when(order: .sample.with(.aborted)).ended(.canceled)
        #expect(aborted.state.money.standing == MoneyState.Standing.none)
        var order = OrderSnapshot.sample
        order.operations = []
        let closed = charge().when(order: order, status: 201).when(.abort(by: "host"))
            .hasPending(.order).when(order: order)
        #expect(closed.state.problem?.problem.kind == .abortNotAllowed)
        #expect(closed.state.problem?.problem.rel == .abortOrder)
        #expect(closed.state.outcome == nil)
        #expect(closed.state.money.standing == .underWay)
        closed.hasPending(.order)
    }

    @Test(arguments: [400, 401, 403, 422])
    func `a charge refused for good ends the session without money, and it is the merchant's turn`(
        status: Int
    ) {
        let refused = charge().when(outcome: .refused(status)).ended(.failed)
        #expect(refused.state.money.standing == MoneyState.Standing.none)
        #expect(refused.decider.turn(in: refused.state) == .merchant)
        let end = StoryEnd(story(refused))
        #expect(!end.turn.contains("payer"), "\(end.turn)")
        refused.when(.abort(by: "host")).then(rejected: .sessionEnded(.failed))
        // After a lost response, a refusal may only mean that the reference was used.
        let unclear = charge().when(outcome: .lost).when(outcome: .refused(status)).ended(nil)
        #expect(unclear.state.money.standing == .unknown)
        #expect(unclear.decider.turn(in: unclear.state) == .merchant)
    }

    @Test func `the story of a charge does not claim reads that never happened`() {
        let paid = charge().when(order: .paid(), status: 201).ended(.completed)
        let told = story(paid).sentences.map { StoryWords.text($0.fact) }
        #expect(!told.contains { $0.contains("engine read") }, "\(told)")
        let garbled = charge().when(outcome: .undecodable(status: 201, raw: nil))
        #expect(garbled.count(.order) == 0)
        let words = story(garbled).sentences.map { StoryWords.text($0.fact) }
        #expect(!words.contains { $0.contains("to read") }, "\(words)")
    }

    // MARK: Lost orders

    private func adopted(_ path: String) throws -> OperatorActed {
        var acted = OperatorActed(by: "ada", action: OperatorActed.adoptingOrder)
        acted.order = try #require(OrderPath(path)).text
        return acted
    }

    private func adopting(_ path: String) throws -> SessionCommand {
        .recordOperator(try adopted(path))
    }

    private var lost: DeciderSpec {
        charge().when(outcome: .lost).when(outcome: .refused(400)).ended(nil)
    }

    @Test func `an adopted order is read, completes the lost charge, and can be captured`() throws {
        let adopted = lost.when(try adopting("https://api.payex.com/psp/paymentorders/1"))
        let acted = try self.adopted("https://api.payex.com/psp/paymentorders/1")
        adopted.then(.operatorActed(acted)).hasPending(
            .order,
            sending: .orderQuery(
                id: "/psp/paymentorders/1",
                expanding: ["paid", "financialTransactions", "failed"]
            )
        )
        #expect(adopted.state.problem == nil)
        #expect(adopted.state.money.standing == .unknown)
        let paid = adopted.when(order: .paid()).ended(.completed)
        #expect(paid.state.money.standing == .confirmed)
        let capture = TransactionRequest(
            kind: .capture,
            payeeReference: "CAP1",
            amount: 10_000,
            vatAmount: 0,
            description: "Shipment"
        )
        paid.when(.checkout(.transact(capture))).then(.checkout(.transactionRequested(capture)))
    }

    @Test func `an order that an operator found paid is adopted with that finding, and read`()
        throws
    {
        var acted = OperatorActed(
            by: "ada",
            action: OperatorActed.resolving,
            reason: "admin: paid",
            resolution: MoneyResolution(verdict: .paid)
        )
        acted.order = "/psp/paymentorders/1"
        let resolved = lost.when(.recordOperator(acted)).hasPending(.order)
        #expect(resolved.state.money.taken?.evidence == .person)
        let paid = resolved.when(order: .paid()).ended(.completed)
        #expect(paid.state.money.taken?.evidence == .order)
    }

    @Test func `another merchant's order is not accepted, and another one can be adopted`() throws {
        var foreign = OrderSnapshot.paid()
        foreign.paid?.payeeReference = "OTHER"
        var spec = lost.when(try adopting("/psp/paymentorders/1"))
        while spec.state.problem == nil { spec = spec.when(order: foreign) }
        #expect(spec.state.outcome == nil && spec.state.money.standing == .unknown)
        var own = OrderSnapshot.paid()
        own.id = "/psp/paymentorders/2"
        spec.when(try adopting("/psp/paymentorders/2")).hasPending(.order).when(order: own)
            .ended(.completed)
    }

    @Test func `an order is adopted only where one was lost`() throws {
        let command = try adopting("/psp/paymentorders/1")
        charge().when(command).then(rejected: .orderNotLost)
        charge().when(order: .sample, status: 201).when(command).then(rejected: .orderNotLost)
        payment().ready().when(command).then(rejected: .notACheckout)
        #expect(OrderPath("https://evil.example/psp/paymentorders/1/captures") == nil)
        #expect(OrderPath("/psp/paymentorders/../x") == nil)
        #expect(OrderPath("https://a@b.example/psp/paymentorders/1") == nil)
        #expect(OrderPath("https://api.payex.com/psp/paymentorders/1")?.host == "api.payex.com")
    }
}
