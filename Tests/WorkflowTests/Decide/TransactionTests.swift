import EventLog
import TestSupport
import Testing
import WorkflowTesting

@testable import SwedbankPay

/// Captures, cancellations and reversals: what is sent, and what is refused before it is sent.
@Suite struct TransactionTests {
    private var paid: DeciderSpec {
        payment().when(.checkout(.open(.sample()))).when(order: .sample)
            .when(client: .completed).when(order: .paid())
    }

    private func request(
        _ reference: String,
        _ kind: TransactionKind = .capture,
        amount: Amount = 1_000,
        again: Bool = false
    ) -> TransactionRequest {
        TransactionRequest(
            kind: kind,
            payeeReference: reference,
            amount: amount,
            vatAmount: 0,
            description: "Shipment",
            again: again
        )
    }

    private func refused(_ status: Int) -> ProviderResponse.Outcome {
        .refused(
            status: status,
            document: ProblemDocument(type: "about:blank", status: status),
            retryAfter: nil
        )
    }

    /// Requests captures that the PSP refuses.
    private func refusing(
        _ statuses: [Int],
        of order: OrderSnapshot = .paid(),
        in spec: DeciderSpec
    ) -> DeciderSpec {
        var spec = spec
        for (index, status) in statuses.enumerated() {
            let reference = "C\(spec.log.count)X\(index)"
            spec = spec.when(.checkout(.transact(request(reference))))
                .when(order: order).when(outcome: refused(status)).when(order: order)
            spec.then(
                .orderFetched(by: .order, changed: false),
                .exactly(
                    .checkout(
                        .transactionSettled(
                            TransactionSettled(payeeReference: reference, result: .refused)
                        )
                    )
                )
            )
        }
        return spec
    }

    private func counted(_ spec: DeciderSpec) -> Int? {
        spec.state.checkout?.refusedInARow(.capture)
    }

    // MARK: The limit on refusals

    @Test(arguments: [400, 401, 404, 405, 415, 422])
    func `refusals that are no failed captures at the PSP never lock captures`(status: Int) {
        let spec = refusing(Array(repeating: status, count: 6), in: paid)
        #expect(counted(spec) == 0)
        spec.when(.checkout(.transact(request("NEXT"))))
            .then(.checkout(.transactionRequested(request("NEXT"))))
    }

    @Test(.feature("M-06"))
    func `after four refused captures a fifth has to be requested again on purpose`() {
        let spec = refusing([403, 401, 403, 403, 403], in: paid)
        spec.when(.checkout(.transact(request("NEXT"))))
            .then(rejected: .refusedInARow(.capture, 4))
        let again = spec.when(.checkout(.transact(request("NEXT", again: true))))
        again.then(.checkout(.transactionRequested(request("NEXT", again: true))))
        // The same request without that is still the same request.
        again.when(.checkout(.transact(request("NEXT")))).thenNothing()
        let last = again.when(order: .paid()).when(outcome: refused(403)).when(order: .paid())
        last.when(.checkout(.transact(request("LAST"))))
            .then(rejected: .refusedInARow(.capture, 5))
        // Reversals have a limit of their own.
        #expect(spec.state.checkout?.refusedInARow(.reversal) == 0)
    }

    @Test func `the rejection says what the PSP does after five refusals`() {
        #expect(
            Rejection.refusedInARow(.capture, 4).description
                == "the PSP refused the order's last 4 captures, and locks them after 5 failures "
                + "in a row"
        )
        #expect(
            Rejection.refusedInARow(.reversal, 5).description
                == "the PSP refused the order's last 5 refunds; it has probably locked them, and "
                + "only its support can unlock them"
        )
    }

    @Test func `a success ends the refusals in a row`() {
        var spec = refusing([403, 403, 403], in: paid)
        spec = spec.when(.checkout(.transact(request("DONE")))).when(order: .paid())
            .when(order: .paid().with("Capture", "DONE"))
        #expect(spec.state.checkout?.transactions.last?.result == .done)
        #expect(counted(spec) == 0)
    }

    @Test func `a capture in the PSP's portal, or an unlocked order, permits captures again`() {
        let spec = refusing([403, 403, 403, 403], in: paid)
        let elsewhere = OrderSnapshot.paid().with("Capture", "PORTAL")
        var locked = OrderSnapshot.paid()
        locked.operations = [.sample(.cancelOrder)]
        for orders in [[elsewhere], [locked, .paid()]] {
            var read = spec
            for order in orders { read = read.when(.refetch(by: "host")).when(order: order) }
            #expect(counted(read) == 0)
            read.when(.checkout(.transact(request("NEXT"))))
                .then(.checkout(.transactionRequested(request("NEXT"))))
        }
        let unchanged = spec.when(.refetch(by: "host")).when(order: .paid())
        #expect(counted(unchanged) == 4)
        // A lock alone opens nothing.
        #expect(counted(spec.when(.refetch(by: "host")).when(order: locked)) == 4)
    }

    // MARK: What is left

    @Test func `an amount that is no longer left when the order is read is not sent`() {
        let asked = paid.when(.checkout(.transact(request("ALL", amount: 10_000))))
        let read = asked.when(order: .paid(amount: 7_500))
        read.then(types: "orderFetched", "transactionSettled").hasNoPendingRequest()
        #expect(read.state.checkout?.transactions.last?.result == .refused)
        #expect(read.state.checkout?.transactions.last?.wasRefused == false)
        #expect(read.count(.capture) == 0 && counted(read) == 0)
    }

    @Test func `a VAT share is at most what is left, of the amount and of the VAT`() {
        var order = OrderSnapshot.paid(amount: 12_500)
        (order.amount, order.vatAmount) = (12_500, 2_500)
        #expect(order.taxShare(of: 12_500, for: .capture) == 2_500)
        #expect(order.taxShare(of: 5_000, for: .capture) == 1_000)
        // Captured in the portal, without VAT.
        order.transactions = [FinancialTransaction(type: "Capture", amount: 11_000, vatAmount: 0)]
        #expect(order.taxShare(of: 1_500, for: .capture) == 1_500)
        #expect(order.taxShare(of: 1_000, for: .capture) == 200)
    }

    // MARK: Valid values

    @Test(
        .feature("M-07"),
        arguments: [
            ("description", TransactionKind.capture), ("receiptReference", .reversal),
            ("payeeReference", .cancel), ("amount", .capture), ("vatAmount", .reversal),
        ]
    )
    func `what the PSP would refuse is refused before it is sent, with the reason`(
        member: String,
        kind: TransactionKind
    ) {
        var invalid = request("REF2", kind)
        switch member {
        case "description": invalid.description = .plain(String(repeating: "å", count: 41))
        case "receiptReference": invalid.receiptReference = String(repeating: "1", count: 31)
        case "payeeReference": invalid.payeeReference = "with-marks"
        case "amount": invalid.amount = 0
        default: invalid.vatAmount = 1_001
        }
        let spec = paid.when(.checkout(.transact(invalid)))
        guard case .malformedTransaction(let problems)? = spec.rejection else {
            Issue.record("accepted: \(member)")
            return
        }
        #expect(problems.map(\.path).contains(member))
    }

    @Test func `an item's class consists of ASCII letters, digits, _ and -`() {
        func problems(_ category: String) -> [FieldProblem] {
            let item = OrderItem(
                reference: "1",
                name: "Bord",
                category: category,
                unitPrice: 100,
                vatPercent: 0,
                amount: 100,
                vatAmount: 0
            )
            return [item].problems(amount: 100, vatAmount: 0)
        }
        #expect(problems("Mobler_1-2").isEmpty)
        #expect(problems("Möbler").map(\.path) == ["orderItems[0].class"])
    }

    @Test func `a payer who checks in has no payerReference, which the PSP refuses`() {
        let order = OrderSamples.full
        #expect(order.problems().isEmpty)
        #expect(
            order.identified(by: "profile").problems().map(\.path) == ["payer.payerReference"]
        )
    }

    @Test func `an order for a payout is refused`() {
        var order = OrderSamples.full
        order.purpose = .payout
        #expect(order.problems().map(\.path).contains("operation"))
        var opened = CheckoutOpened.sample()
        opened.terms.purpose = "Payout"
        payment().when(.checkout(.open(opened))).then(rejected: .purposeNotSupported("Payout"))
    }
}
