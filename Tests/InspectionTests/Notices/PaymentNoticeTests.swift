import EventLog
import SwedbankPay
import TestSupport
import Testing
import WorkflowTesting

@testable import Inspection

/// What other systems are told of a payment.
@Suite(.feature("S-34")) struct PaymentNoticeTests {
    /// Returns the notices of each event of a log.
    private func notices(_ spec: DeciderSpec) -> [PaymentNotice] {
        var state = SessionState(session: spec.state.session)
        return spec.log.flatMap { event, at in
            let before = state
            state.apply(event, at: at)
            return PaymentNotice.all(from: before, to: state, by: spec.decider)
        }
    }

    private func kinds(_ spec: DeciderSpec) -> [String] { notices(spec).map(\.kind.rawValue) }

    @Test func `a paid payment is told from its opening to its end, each thing once`() throws {
        let waiting = payment().expanded(.swish(msisdn: nil)).when(response: .swishToLaunch)
        let paid = waiting.when(.refetch(by: "shop")).settling(limit: 60) { _ in
            .snapshot(.paid, status: 200)
        }
        #expect(
            kinds(paid) == [
                "payment.opened", "payment.attempt-started", "payment.action-required",
                "payment.completed",
            ]
        )
        let told = notices(paid)
        let session = "\(paid.state.session)"
        #expect(told.first?.id == "\(session)/1/payment-opened")
        #expect(Set(told.map(\.id)).count == told.count)
        #expect(told.allSatisfy { !$0.id.contains(".") })
        let end = try #require(told.last)
        let data = try #require(end.json["data"])
        #expect(data["session"] == .string(session))
        #expect(data["seq"] == .integer(end.row.lastSequence.rawValue))
        #expect(data["outcome"] == .string("completed"))
        #expect(data["money"] == .string("confirmed"))
        #expect(data["instrument"] == .string("swish"))
        #expect(end.json["type"] == .string("payment.completed"))
        #expect(end.json["timestamp"] == data["time"])
        // Every message has the same members.
        let members = told.map { notice -> [String] in
            guard case .object(let members)? = notice.json["data"] else { return [] }
            return members.map(\.name)
        }
        #expect(Set(members).count == 1)
    }

    @Test func `a lost response makes the money unknown, and what the PSP reports resolves it`() {
        let lost = payment().expanded(.swish(msisdn: nil)).when(outcome: .lost)
            .settling(limit: 60) { _ in .notSent }
        #expect(kinds(lost).contains("money.unknown"), "\(kinds(lost))")
        #expect(kinds(lost).contains("payment.problem"))
        #expect(lost.state.money.standing == .unknown)
        let found = lost.when(.retry(by: "ann")).settling(limit: 60) { _ in
            .snapshot(.paid, status: 200)
        }
        #expect(kinds(found).suffix(2) == ["money.resolved", "payment.completed"])
    }

    @Test func `a session that ends unpaid is told by its outcome`() {
        let aborted = payment().ready(.withSwish).when(.abort(by: "shop"))
            .settling(limit: 60) { _ in .snapshot(.redirecting(to: .cancel), status: 200) }
        #expect(kinds(aborted).last == "payment.canceled")
    }

    @Test func `a requested capture is told once the order shows it`() {
        let capture = TransactionRequest(
            kind: .capture,
            payeeReference: "CAP1",
            amount: 100,
            vatAmount: 20,
            description: "Shipment"
        )
        var opened = CheckoutOpened.sample()
        opened.host = "api.psp.example"
        var spec = payment().when(.checkout(.open(opened)))
        spec = spec.settling(limit: 60) { _ in .order(.paid(), status: 200) }
        spec = spec.when(.checkout(.transact(capture)))
        spec = spec.settling(limit: 60) { _ in
            .order(.paid().with("Capture", "CAP1"), status: 200)
        }
        let told = kinds(spec)
        #expect(told.count { $0 == "transaction.captured" } == 1, "\(told)")
        #expect(told.contains("payment.confirmed"))
    }

    @Test(.guarantee(.moneyToldTrue))
    func `what somebody else captures and refunds at the PSP is sent, each change once`() throws {
        var opened = CheckoutOpened.sample()
        opened.host = "api.psp.example"
        var spec = payment().when(.checkout(.open(opened)))
        spec = spec.settling(limit: 60) { _ in .order(.paid(), status: 200) }
        #expect(!kinds(spec).contains("money.changed"), "\(kinds(spec))")
        let captured = OrderSnapshot.paid().with("Capture", "PORTAL-1")
        for order in [captured, captured, captured.with("Reversal", "PORTAL-2")] {
            spec = spec.when(.refetch(by: "host")).when(order: order)
        }
        let changed = notices(spec).filter { $0.kind == .moneyChanged }.compactMap {
            $0.json["data"]
        }
        #expect(changed.map { $0["captured"] } == [.integer(10_000), .integer(10_000)])
        #expect(changed.map { $0["refunded"] } == [.integer(0), .integer(10_000)])
        #expect(!kinds(spec).contains { $0.hasPrefix("transaction.") })
    }
}
