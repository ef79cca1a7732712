import Foundation
import Inspection
import TestSupport
import Testing

@testable import Sandbox

/// Ends that the payer did not choose, and requests that the PSP refuses, through the program.
@Suite struct EndingFlowTests {
    @Test(.feature("N-50"))
    func `F-22: an abort that the PSP does not offer is refused with the reason`() async throws {
        try await World.with { world in
            var order = SandboxOrder(payerReference: "payer-1")
            order.scenario.abort = .absent
            let (session, _) = try await world.open(order)
            let refused = try await world.run("abort", session, "--json")
            #expect(refused.status == 1)
            #expect(try refused.json["problem"]["kind"].text == "abortNotAllowed")
            #expect(try refused.json["outcome"].isNull)
        }
    }

    @Test(.feature("N-34"))
    func `a session paid elsewhere ends as completed without starting an attempt`() async throws {
        try await World.with { world in
            let (session, created) = try await world.open()
            let token = created.sessionURL.split(separator: "?")[0].split(separator: "/").last ?? ""
            let paid = try await world.tool.shell(
                "curl -sS --fail -X POST "
                    + "'\(world.sandbox.baseURL)/sandbox/menu/\(token)/pay?method=CreditCard'"
            )
            #expect(paid.status == 0)
            let ended = try await world.run(
                "attempt",
                session,
                "swish",
                "--until",
                "ended",
                "--json"
            )
            #expect(ended.status == 0)
            #expect(try ended.json["outcome"].text == "completed")
            let ledger = try #require(await world.sandbox.orderLedger(created.id))
            #expect(ledger.requests["start-payment-attempt"] == nil)
        }
    }

    @Test(.feature("N-33"))
    func `a redirect to an unknown URL fails the session and leaves it to the merchant`()
        async throws
    {
        try await World.with { world in
            let elsewhere = """
                {"paymentSession": {"methods": [], "urls": {"completeUrl": "{{completeUrl}}",
                "cancelUrl": "{{cancelUrl}}"}}, "operations": [{"rel": "redirect-payer",
                "method": "GET", "href": "https://elsewhere.example/secret", "next": true}]}
                """
            var order = SandboxOrder()
            order.scenario.script = Script(
                ["expand-method": [Step(.literal(LiteralResponse(body: elsewhere)))]]
            )
            let (session, _) = try await world.open(order)
            let ended = try await world.run("attempt", session, "swish", "--json")
            #expect(ended.status == 0)
            #expect(try ended.json["outcome"].text == "failed")
            #expect(try ended.json["problem"]["kind"].text == "endReached")
            #expect(try ended.json["problem"]["actor"].text == "merchant")
            #expect(!ended.output.contains("elsewhere.example/secret"))
        }
    }

    @Test(.feature("N-26")) func `a wallet payment may still require 3-D Secure`() async throws {
        try await World.with { world in
            var order = SandboxOrder.everyMethod
            order.scenario.authenticatesWallets = true
            let (session, _) = try await world.open(order)
            var view = try await world.run("attempt", session, "google-pay", "--json")
            let token = try world.write("{}", to: "token.json")
            let wallet = try #require(try view.json["actions"][0]["id"].text)
            view = try await world.run(
                "report",
                session,
                wallet,
                "authorized",
                "--payload",
                token,
                "--json"
            )
            #expect(try view.json["attempt"]["walletVerdict"].text == "accepted")
            for _ in 1...2 where try view.json["outcome"].isNull {
                let action = try view.json["actions"][0]
                let id = try #require(action["id"].text)
                if action["kind"].text == "load3DSMethod" {
                    view = try await world.run("report", session, id, "done", "--json")
                } else {
                    let cres = try await world.bankAnswer(action)
                    view = try await world.run(
                        "report",
                        session,
                        id,
                        "completed",
                        "--cres",
                        cres,
                        "--until",
                        "ended",
                        "--json"
                    )
                }
            }
            #expect(try view.json["outcome"].text == "completed")
        }
    }

    @Test(.feature("N-17"))
    func `a challenge that failed to load is shown again by retry and completes`() async throws {
        try await World.with { world in
            var order = SandboxOrder.everyMethod
            order.scenario.savedCards = ["4111112000006545"]
            let (session, _) = try await world.open(order)
            var view = try await world.run("attempt", session, "card", "--prefill", "1", "--json")
            for _ in 1...2 where try view.json["actions"][0]["kind"].text == "load3DSMethod" {
                let id = try #require(try view.json["actions"][0]["id"].text)
                view = try await world.run("report", session, id, "done", "--json")
            }
            let first = try #require(try view.json["actions"][0]["id"].text)
            let failed = try await world.run(
                "report",
                session,
                first,
                "failed",
                "--error",
                "timeout",
                "--json"
            )
            #expect(failed.status == 0)
            #expect(try failed.json["problem"]["kind"].text == "threeDSLoadFailed")
            // The attempt is in progress: the engine may continue it, and nobody pays again.
            #expect(try failed.json["problem"]["retryable"].flag == false)
            #expect(try failed.json["problem"]["acceptsRetry"].flag == true)
            let again = try await world.run("retry", session, "--json")
            let action = try again.json["actions"][0]
            #expect(action["kind"].text == "show3DS")
            let second = try #require(action["id"].text)
            #expect(second != first)
            let paid = try await world.run(
                "report",
                session,
                second,
                "completed",
                "--cres",
                try await world.bankAnswer(action),
                "--until",
                "ended",
                "--json"
            )
            #expect(try paid.json["outcome"].text == "completed")
        }
    }
}
