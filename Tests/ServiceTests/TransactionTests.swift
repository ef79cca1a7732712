import Adapters
import EventLog
import Foundation
import HTTPTypes
import Sandbox
import ServiceFixtures
import TestSupport
import Testing

@testable import Service

/// Captures, reversals and cancellations over HTTP.
@Suite(.feature("S-36")) struct TransactionTests {
    @Test(.guarantee(.noDoublePay))
    func `of captures that rely on the same version, one is made`() async throws {
        try await ServiceWorld.with { world in
            let (session, order) = try await world.paidCheckout()
            let path = "/v1/sessions/\(session)"
            let seen = try #require(
                try await world.send(.get, path, as: "operator").fields[.eTag]
            )
            let body = #"{"kind": "capture", "amount": 100, "description": "Shipment"}"#
            // Each passes the comparison of versions before the first has read the order.
            let replies = try await withThrowingTaskGroup(of: ServiceWorld.Reply.self) { group in
                for _ in 0..<8 {
                    group.addTask {
                        try await world.send(
                            .post,
                            path + "/transactions",
                            as: "operator",
                            body,
                            [.ifMatch: seen]
                        )
                    }
                }
                return try await group.reduce(into: []) { $0.append($1) }
            }
            let ledger = try #require(await world.sandbox.orderLedger(order))
            #expect(ledger.requests["capture"] == 1, "\(replies.map(\.status))")
            #expect(replies.count { $0.status == 200 } == 1)
        }
    }

    @Test(.guarantee(.noDoublePay))
    func `a capture that is repeated with its key is made once, at any node`() async throws {
        try await ServiceWorld.with { world in
            let (session, order) = try await world.paidCheckout()
            let path = "/v1/sessions/\(session)/transactions"
            let body = #"{"kind": "capture", "amount": 2500, "description": "Shipment 1"}"#
            let key: HTTPFields = [.idempotencyKey: "t-1"]
            let nodes = [world.node, try await ServiceWorld.start(in: world.folder)]
            let replies = try await withThrowingTaskGroup(of: ServiceWorld.Reply.self) { group in
                for node in nodes {
                    group.addTask {
                        try await world.send(.post, path, as: "operator", body, key, to: node)
                    }
                }
                return try await group.reduce(into: []) { $0.append($1) }
            }
            for reply in replies { #expect(reply.status == 200, "\(reply.text)") }
            let again = try await world.send(
                .post,
                path,
                as: "operator",
                body,
                key,
                to: nodes[1]
            )
            #expect(again.fields[.idempotencyReplayed] == "true")
            await nodes[1].shutdown()
            let made = try again.transactions
            #expect(made.count == 1)
            #expect(made[0]["amount"] as? Int == 2_500)
            #expect(made[0]["vatAmount"] as? Int == 500)
            #expect(made[0]["result"] as? String == "done")
            // Another one, of all that remains, is another capture.
            let rest = try await world.send(
                .post,
                path,
                as: "operator",
                #"{"kind": "capture", "description": "The rest", "currency": "SEK"}"#
            )
            #expect(try rest.transactions.map { $0["amount"] as? Int } == [2_500, 7_500])
            let ledger = try #require(await world.sandbox.orderLedger(order))
            #expect(ledger.captures == 2 && ledger.requests["capture"] == 2)
            let none = try await world.send(
                .post,
                path,
                as: "operator",
                #"{"kind": "capture", "description": "More"}"#
            )
            #expect(none.code == "order.nothing-left", "\(none.text)")
            let back = try await world.send(
                .post,
                path,
                as: "operator",
                #"{"kind": "reverse", "amount": 1000, "vatAmount": 0, "description": "Returned"}"#
            )
            #expect(try back.transactions.last?["kind"] as? String == "reversal", "\(back.text)")
            #expect(try back.transactions.last?["vatAmount"] as? Int == 0)
        }
    }

    @Test func `an order that was not captured is canceled`() async throws {
        try await ServiceWorld.with { world in
            let (session, order) = try await world.paidCheckout()
            let path = "/v1/sessions/\(session)/transactions"
            let partial = try await world.send(
                .post,
                path,
                as: "operator",
                #"{"kind": "cancel", "amount": 100, "description": "Sold out"}"#
            )
            #expect(partial.status == 422)
            let done = try await world.send(
                .post,
                path,
                as: "operator",
                #"{"kind": "cancel", "description": "Sold out", "payeeReference": "void1"}"#
            )
            #expect(try done.transactions.first?["result"] as? String == "done", "\(done.text)")
            let ledger = try #require(await world.sandbox.orderLedger(order))
            #expect(ledger.requests["cancel"] == 1)
        }
    }

    @Test func `what the rules or the PSP would refuse is refused before anything is sent`()
        async throws
    {
        try await ServiceWorld.with { world in
            let (session, order) = try await world.paidCheckout()
            let path = "/v1/sessions/\(session)/transactions"
            let items = #"""
                [{"reference": "b", "name": "Books", "type": "PRODUCT", "class": "Books",
                 "quantity": 1, "quantityUnit": "pcs", "unitPrice": 1500, "vatPercent": 600,
                 "amount": 1500, "vatAmount": 85}]
                """#
            for (members, status, code) in [
                (#""kind": "refund""#, 422, "request.content"),
                (#""kind": "capture", "amount": 0"#, 422, "usage.amount"),
                (#""kind": "capture", "amount": 1.5"#, 422, "request.content"),
                (#""kind": "capture", "amount": -5"#, 422, "usage.amount"),
                (#""kind": "capture", "amount": 5, "vatAmount": 6"#, 422, "usage.vat"),
                (
                    #""kind": "capture", "amount": 5, "currency": "EUR""#, 422,
                    "order.currency-differs"
                ),
                (#""kind": "capture", "amount": 10001"#, 409, "order.amount-too-large"),
                (#""kind": "reverse""#, 409, "order.nothing-left"),
                (
                    #""kind": "capture", "payeeReference": "a-b""#, 422,
                    "order.malformed-transaction"
                ),
                (#""kind": "capture", "amount": 1400, "items": \#(items)"#, 422, "usage.amount"),
                (#""kind": "capture", "vatAmount": 1, "items": \#(items)"#, 422, "usage.vat"),
                (#""kind": "capture", "items": {}"#, 422, "order.unreadable"),
                (#""kind": "capture", "items": [{}]"#, 422, "order.invalid"),
                (#""kind": "capture", "agian": true"#, 422, "request.content"),
            ] {
                let body = #"{"description": "x", \#(members)}"#
                let refused = try await world.send(.post, path, as: "operator", body)
                #expect(refused.status == status, "\(members): \(refused.text)")
                #expect(refused.code == code, "\(members): \(refused.text)")
            }
            let long = String(repeating: "x", count: 41)
            let refused = try await world.send(
                .post,
                path,
                as: "operator",
                #"{"kind": "capture", "description": "\#(long)"}"#
            )
            #expect(refused.code == "order.malformed-transaction")
            #expect(!refused.text.contains(long))
            let ledger = try #require(await world.sandbox.orderLedger(order))
            #expect(ledger.requests["capture"] ?? 0 == 0)
            // What the items add up to is captured.
            let captured = try await world.send(
                .post,
                path,
                as: "operator",
                #"{"kind": "capture", "description": "Books", "items": \#(items)}"#
            )
            #expect(try captured.transactions.last?["amount"] as? Int == 1_500, "\(captured.text)")
            #expect(try captured.transactions.last?["vatAmount"] as? Int == 85)
            // A native session has no order of its own.
            let (native, _, _) = try await world.open()
            let other = try await world.send(
                .post,
                "/v1/sessions/\(native)/transactions",
                as: "operator",
                #"{"kind": "capture", "description": "x"}"#
            )
            #expect(other.code == "session.not-a-checkout")
        }
    }

    @Test func `after four refused captures, another one has to be asked for again`() async throws {
        let faults = (1...4).map {
            #"{"rel": "capture", "nth": \#($0), "kind": "status", "status": 403, "problemType": "https://api.payex.com/psp/errordetail/forbidden"}"#
        }
        try await ServiceWorld.with { world in
            let (session, order) = try await world.paidCheckout(
                sandbox: #"{"faults": [\#(faults.joined(separator: ","))]}"#
            )
            let path = "/v1/sessions/\(session)/transactions"
            let body = #"{"kind": "capture", "description": "Lamp"}"#
            for number in 1...4 {
                let reply = try await world.send(.post, path, as: "operator", body)
                // The PSP's refusal is part of the payment, and stands in the view.
                #expect(reply.status == 200, "\(reply.text)")
                #expect(try reply.transactions.count == number)
            }
            let locked = try await world.send(.post, path, as: "operator", body)
            #expect(locked.status == 409)
            #expect(locked.code == "order.refused-in-a-row")
            #expect(locked.text.contains("'again'"))
            let again = try await world.send(
                .post,
                path,
                as: "operator",
                #"{"kind": "capture", "description": "Lamp", "again": true}"#
            )
            #expect(try again.transactions.last?["result"] as? String == "done", "\(again.text)")
            let ledger = try #require(await world.sandbox.orderLedger(order))
            #expect(ledger.requests["capture"] == 5 && ledger.captures == 1)
        }
    }
}
