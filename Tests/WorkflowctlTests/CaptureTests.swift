import Foundation
import TestSupport
import Testing

@testable import Sandbox

/// Captures, cancellations and reversals at the PSP through the program.
@Suite struct CaptureTests {
    @Test func `an authorized amount is captured in two parts, and a third capture is refused`()
        async throws
    {
        try await Checkout.world { world, _ in
            let order = try await world.create()
            let early = try await world.merchant("order", "capture", order.session, "--amount", "1")
            #expect(early.status == 1)
            #expect(early.diagnostics.contains("[order.not-paid]"), "\(early.diagnostics)")
            try await world.elsewhere(order)
            for foreign in ["40.00 EUR", "40.0", "0 SEK"] {
                let refused = try await world.merchant(
                    "order",
                    "capture",
                    order.session,
                    "--amount",
                    foreign
                )
                #expect(refused.status == 64, "\(refused.diagnostics)")
                #expect(refused.diagnostics.contains("[usage.amount]"))
            }
            _ = try await world.merchant("order", "show", order.session)
            let first = try await world.merchant(
                "order",
                "capture",
                order.session,
                "--amount",
                "40.00",
                "--vat",
                "SEK 8",
                "--description",
                "Shipment 1",
                "--payee-reference",
                "capture1"
            )
            #expect(first.status == 0, "\(first.diagnostics)")
            try await SchemaCheck.expect(first.output, fits: "session-view", in: world)
            #expect(try first.json["checkout"]["order"]["remainingCaptureAmount"].number == 6000)
            let again = try await world.merchant(
                "order",
                "capture",
                order.session,
                "--amount",
                "4000",
                "--vat",
                "800",
                "--description",
                "Shipment 1",
                "--payee-reference",
                "capture1"
            )
            #expect(again.status == 0, "\(again.diagnostics)")
            let other = try await world.merchant(
                "order",
                "capture",
                order.session,
                "--amount",
                "1000",
                "--payee-reference",
                "capture1"
            )
            #expect(other.status == 1)
            #expect(other.diagnostics.contains("[order.reference-used]"))
            let rest = try await world.merchant("order", "capture", order.session)
            #expect(rest.status == 0, "\(rest.diagnostics)")
            let transactions = try rest.json["checkout"]["transactions"].list
            #expect(transactions.map { $0["result"].text } == ["done", "done"])
            #expect(transactions.map { $0["amount"].number } == [4000, 6000])
            #expect(transactions.map { $0["vatAmount"].number } == [800, 1200])
            let none = try await world.merchant("order", "capture", order.session)
            #expect(none.status == 1)
            #expect(none.diagnostics.contains("[order.nothing-left]"), "\(none.diagnostics)")
            let much = try await world.merchant("order", "capture", order.session, "--amount", "1")
            #expect(much.status == 1)
            let ledger = try #require(await world.sandbox.orderLedger(order.id))
            #expect(ledger.captures == 2 && ledger.capturedAmount == 10_000)
            try await world.expectSoundLogs(order.session)
        }
    }

    @Test func `captured money is reversed, and the uncaptured rest is canceled`() async throws {
        try await Checkout.world { world, _ in
            let order = try await world.create()
            try await world.elsewhere(order)
            _ = try await world.merchant("order", "show", order.session)
            let captured = try await world.merchant(
                "order",
                "capture",
                order.session,
                "--amount",
                "7500"
            )
            #expect(try captured.json["checkout"]["transactions"][0]["vatAmount"].number == 1500)
            let released = try await world.merchant("order", "cancel", order.session)
            #expect(released.status == 0, "\(released.diagnostics)")
            let part = try await world.merchant(
                "order",
                "reverse",
                order.session,
                "--amount",
                "2500",
                "--vat",
                "500",
                "--description",
                "Returned goods"
            )
            #expect(part.status == 0, "\(part.diagnostics)")
            let rest = try await world.merchant("order", "reverse", order.session)
            #expect(rest.status == 0, "\(rest.diagnostics)")
            #expect(
                try rest.json["checkout"]["transactions"].list.map { $0["kind"].text }
                    == ["capture", "cancel", "reversal", "reversal"]
            )
            try await SchemaCheck.expect(rest.output, fits: "session-view", in: world)
            let ledger = try #require(await world.sandbox.orderLedger(order.id))
            #expect(ledger.reversedAmount == 7500 && ledger.cancelledAmount == 2500)
            #expect(ledger.captures == 1 && ledger.cancellations == 1 && ledger.reversals == 2)
            let none = try await world.merchant("order", "reverse", order.session)
            #expect(none.status == 1)
            try await world.expectSoundLogs(order.session)
        }
    }

    @Test func `a capture that the PSP refuses is reported and not retried`() async throws {
        try await Checkout.world { world, _ in
            let refusal =
                #"{"rel":"capture","nth":1,"kind":"status","status":403,"problemType":"https://api.payex.com/psp/errordetail/forbidden"}"#
            let order = try await world.create(
                Checkout.order(sandbox: #"{"faults":[\#(refusal)]}"#)
            )
            try await world.elsewhere(order)
            _ = try await world.merchant("order", "show", order.session)
            let refused = try await world.merchant("order", "capture", order.session)
            #expect(refused.status == 1, "\(refused.diagnostics)")
            #expect(refused.diagnostics.contains("[order.refused]"))
            #expect(try refused.json["checkout"]["transactions"][0]["result"].text == "refused")
            let ledger = try #require(await world.sandbox.orderLedger(order.id))
            #expect(ledger.requests["capture"] == 1 && ledger.captures == 0)
            let later = try await world.merchant("order", "capture", order.session)
            #expect(later.status == 0, "\(later.diagnostics)")
            #expect(await world.sandbox.orderLedger(order.id)?.captures == 1)
            try await world.expectSoundLogs(order.session)
        }
    }

    @Test(.duty("C-25"), .tags(.thorough))
    func `an engine that is killed while it captures never captures twice`() async throws {
        try await Checkout.world { world, _ in
            let slow =
                #"{"rel":"capture","nth":1,"kind":"delay","milliseconds":4000,"takesEffect":true}"#
            let order = try await world.create(Checkout.order(sandbox: #"{"faults":[\#(slow)]}"#))
            try await world.elsewhere(order)
            _ = try await world.merchant("order", "show", order.session)
            let running = try world.tool.start(
                Tool.path,
                [
                    "--allow-insecure-loopback", "--token-file", "token", "order", "capture",
                    order.session,
                ],
                input: nil
            )
            for _ in 1...400 {
                if await world.sandbox.orderLedger(order.id)?.captures == 1 { break }
                try await Task.sleep(for: .milliseconds(20))
            }
            kill(running.id, SIGKILL)
            #expect(try await world.tool.finish(running).status == 128 + 9)
            let resumed = try await world.merchant("resume", order.session)
            #expect(resumed.status == 0, "\(resumed.diagnostics)")
            #expect(try resumed.json["checkout"]["transactions"][0]["result"].text == "done")
            let ledger = try #require(await world.sandbox.orderLedger(order.id))
            #expect(ledger.captures == 1 && ledger.capturedAmount == 10_000)
            #expect(ledger.requests["capture"] == 1)
            try await world.expectSoundLogs(order.session)
        }
    }
}
