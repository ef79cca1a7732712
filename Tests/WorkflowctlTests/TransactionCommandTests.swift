import Foundation
import Testing

@testable import Sandbox

/// What captures and refunds are decided on: the order as it is now, and the items.
@Suite struct TransactionCommandTests {
    private static let items = """
        [{"reference":"1","name":"Book","type":"PRODUCT","class":"Books","quantity":1,
          "quantityUnit":"pcs","unitPrice":1500,"vatPercent":600,"amount":1500,"vatAmount":85}]
        """

    private func paid(
        _ sandbox: String = "{}",
        _ body: (World, Order) async throws -> Void
    ) async throws {
        try await Checkout.world { world, _ in
            let order = try await world.create(Checkout.order(sandbox: sandbox))
            try await world.elsewhere(order)
            _ = try await world.merchant("order", "show", order.session)
            try await body(world, order)
        }
    }

    @Test func `a portal's capture is seen before a refund, and before the rest is captured`()
        async throws
    {
        try await paid { world, order in
            try await world.sandbox.carryOut(.portalCaptures(amount: 2_500), order: order.id)
            let refund = try await world.merchant(
                "order",
                "reverse",
                order.session,
                "--amount",
                "500"
            )
            #expect(refund.status == 0, "\(refund.diagnostics)")
            let rest = try await world.merchant("order", "capture", order.session)
            #expect(rest.status == 0, "\(rest.diagnostics)")
            #expect(
                try rest.json["checkout"]["transactions"].list.map { $0["amount"].number }
                    == [500, 7_500]
            )
            try await world.expectSoundLogs(order.session)
        }
    }

    @Test func `with --items, amount and VAT are those of the items, and no others are accepted`()
        async throws
    {
        try await paid { world, order in
            let path = try world.write(Self.items, to: "items.json")
            for (option, value) in [("--vat", "1.00"), ("--amount", "14.99")] {
                let refused = try await world.merchant(
                    "order",
                    "capture",
                    order.session,
                    "--items",
                    path,
                    option,
                    value
                )
                #expect(refused.status == 64, "\(refused.output)")
                #expect(refused.diagnostics.contains("the items add up to"))
            }
            let odd = try world.write(
                Self.items.replacingOccurrences(of: "\"Books\"", with: "\"Böcker\""),
                to: "odd.json"
            )
            let refused = try await world.merchant(
                "order",
                "capture",
                order.session,
                "--items",
                odd
            )
            #expect(refused.status == 64 && refused.diagnostics.contains("orderItems[0].class"))
            let captured = try await world.merchant(
                "order",
                "capture",
                order.session,
                "--items",
                path
            )
            #expect(captured.status == 0, "\(captured.diagnostics)")
            let transaction = try captured.json["checkout"]["transactions"][0]
            #expect(transaction["amount"].number == 1_500)
            #expect(transaction["vatAmount"].number == 85)
        }
    }

    @Test func `what the PSP would refuse is refused before anything is sent`() async throws {
        try await paid { world, order in
            let long = String(repeating: "x", count: 41)
            for (option, value, code) in [
                ("--description", long, "usage.description"),
                ("--receipt-reference", String(long.prefix(31)), "usage.receipt-reference"),
                ("--payee-reference", "not-plain", "usage.payee-reference"),
            ] {
                let refused = try await world.merchant(
                    "order",
                    "capture",
                    order.session,
                    option,
                    value
                )
                #expect(refused.status == 64)
                #expect(refused.diagnostics.contains("[\(code)]"), "\(refused.diagnostics)")
            }
            let ledger = try #require(await world.sandbox.orderLedger(order.id))
            #expect(ledger.requests["capture"] ?? 0 == 0)
        }
    }

    @Test func `after four refused captures --again is the key, and every refusal warns`()
        async throws
    {
        let faults = (1...4).map {
            #"{"rel":"capture","nth":\#($0),"kind":"status","status":403,"problemType":"https://api.payex.com/psp/errordetail/forbidden"}"#
        }
        try await paid("{\"faults\":[\(faults.joined(separator: ","))]}") { world, order in
            for _ in 1...4 {
                let refused = try await world.merchant("order", "capture", order.session)
                #expect(refused.status == 1)
                #expect(refused.diagnostics.contains("locks them after 5 failures in a row"))
            }
            let locked = try await world.merchant("order", "capture", order.session)
            #expect(locked.status == 1)
            #expect(locked.diagnostics.contains("[order.refused-in-a-row]"))
            #expect(locked.diagnostics.contains("--again"))
            let told = try await world.run("explain", order.session)
            #expect(told.output.contains("refused the order's last 4 captures"), "\(told.output)")
            let captured = try await world.merchant("order", "capture", order.session, "--again")
            #expect(captured.status == 0, "\(captured.diagnostics)")
            let ledger = try #require(await world.sandbox.orderLedger(order.id))
            #expect(ledger.requests["capture"] == 5 && ledger.captures == 1)
            try await world.expectSoundLogs(order.session)
        }
    }
}
