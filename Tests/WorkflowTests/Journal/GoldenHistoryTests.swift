import Foundation
import Testing
import WorkflowTesting

@testable import EventLog
@testable import SwedbankPay

/// Kept logs of situations in which a payment had come to a standstill: the rules still decide the
/// same events.
///
/// `GOLDEN=write` writes the logs.
@Suite struct GoldenHistoryTests {
    /// A kept log.
    enum History: String, CaseIterable {
        /// Four captures were refused; a fifth was requested again on purpose, and succeeded.
        case capturesRefused = "captures-refused"
        /// A charge that the bank performs later, which is paid in the end.
        case chargeUnderWay = "charge-under-way"
    }

    /// Seals values, and keeps them for the records.
    private final class Safe {
        let keys: SessionKeys
        var secrets = SecretTable()
        init(_ keys: SessionKeys) { self.keys = keys }
        func seal(_ text: String) -> Sealed { secrets.seal(text, with: keys) }
    }

    private func order(
        _ safe: Safe,
        _ status: OrderStatus = .initialized,
        _ rels: [Rel] = []
    ) -> OrderSnapshot {
        var order = OrderSnapshot(
            id: "/psp/paymentorders/1f2e",
            status: status,
            purpose: "Purchase",
            currency: "SEK",
            amount: 10_000,
            vatAmount: 2_000,
            operations: rels.map {
                Operation(
                    rel: $0,
                    method: "POST",
                    href: safe.seal("https://api.payex.com/psp/paymentorders/1f2e/\($0.rawValue)")
                )
            }
        )
        guard status == .paid else { return order }
        order.remainingCapture = 10_000
        order.paid = PaidDetails(
            instrument: .creditCard,
            number: 4711,
            payeeReference: "REF1",
            transactionType: "Authorization",
            amount: 10_000
        )
        order.transactions = [
            FinancialTransaction(type: "Authorization", payeeReference: "REF1", amount: 10_000)
        ]
        return order
    }

    private func opened(_ safe: Safe, _ purpose: PaymentOrderPurpose) -> DeciderSpec {
        payment().when(
            .checkout(
                .open(
                    CheckoutOpened(
                        gateway: .psp,
                        root: safe.seal("https://api.payex.com/"),
                        host: "api.payex.com",
                        document: safe.seal("{\"operation\":\"\(purpose.rawValue)\"}"),
                        terms: OrderTerms(
                            purpose: purpose.rawValue,
                            currency: "SEK",
                            amount: 10_000
                        ),
                        payeeReference: "REF1",
                        presents: false,
                        userAgent: "payment-workflow/1"
                    )
                )
            )
        )
    }

    private func spec(of history: History, _ safe: Safe) -> DeciderSpec {
        switch history {
        case .capturesRefused: return refusedCaptures(safe)
        case .chargeUnderWay:
            let open = order(safe)
            var spec = opened(safe, .recur).when(order: open, status: 201)
            for _ in 0..<20 where spec.state.problem == nil { spec = spec.when(order: open) }
            return spec.when(order: open).when(order: order(safe, .paid, [.capture]))
        }
    }

    private func refusedCaptures(_ safe: Safe) -> DeciderSpec {
        let paid = order(safe, .paid, [.capture, .cancelOrder])
        var spec = opened(safe, .purchase).when(order: paid, status: 201)
        func capture(_ number: Int, again: Bool = false) -> SessionCommand {
            .checkout(
                .transact(
                    TransactionRequest(
                        kind: .capture,
                        payeeReference: "CAP\(number)",
                        amount: 10_000,
                        vatAmount: 2_000,
                        description: "Shipment",
                        again: again
                    )
                )
            )
        }
        let type = "https://api.payex.com/psp/errordetail/forbidden"
        for number in 1...4 {
            spec = spec.when(capture(number)).when(order: paid)
                .when(outcome: .refused(403, ProblemDocument(type: type, status: 403)))
                .when(order: paid)
        }
        spec.when(capture(5)).then(rejected: .refusedInARow(.capture, 4))
        var captured = paid
        captured.remainingCapture = 0
        captured.transactions?.append(
            FinancialTransaction(type: "Capture", payeeReference: "CAP5", amount: 10_000)
        )
        return spec.when(capture(5, again: true)).when(order: paid).when(order: captured)
    }

    private func records(of history: History) throws -> [StoredRecord] {
        let safe = Safe(try GoldenLog.keys())
        let spec = spec(of: history, safe)
        let random = CountingBytes()
        var records: [StoredRecord] = []
        var head = StreamHead.empty
        for entry in spec.log {
            let record = try RecordWriter.record(
                RecordedEvent(
                    stream: spec.state.session,
                    sequence: head.sequence + 1,
                    at: entry.at,
                    event: entry.event,
                    metadata: EventMetadata(
                        build: "1.0.0",
                        catalogue: "2026-11-20",
                        cause: "command.checkout",
                        node: "node-1"
                    )
                ),
                after: head,
                keys: safe.keys,
                secrets: safe.secrets,
                random: random
            )
            records.append(record)
            head = StreamHead(sequence: record.sequence, hash: record.hash)
        }
        return records
    }

    @Test(arguments: History.allCases)
    func `the rules decide what a kept log of a standstill records`(history: History) throws {
        let file = PythonTool.root.appending(
            path: "Tests/Fixtures/Logs/\(history.rawValue).ndjson"
        )
        let records = try records(of: history)
        if ProcessInfo.processInfo.environment["GOLDEN"] == "write" {
            try Data(SampleLog.file(records)).write(to: file)
        }
        let kept = try GoldenLog.records(in: file)
        #expect(kept.map(\.canonical) == records.map(\.canonical))
        let session = try #require(kept.first?.stream)
        let state = SessionState.folding(
            try kept.map { try RecordReader.event(in: $0) },
            of: session
        )
        #expect(state.outcome == .completed && state.money.standing == .confirmed)
        #expect(state.checkout?.refusedInARow(.capture) == 0)
    }
}
