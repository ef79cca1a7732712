import Foundation
import Inspection
import TestSupport
import Testing

@testable import Sandbox

/// Payments that need the payer's wallet or app, or the issuer, through the program.
@Suite struct ClientFlowTests {
    private var order: SandboxOrder { .everyMethod }

    @Test(
        .feature("N-25"),
        arguments: [["apple-pay", "--merchant-id", "merchant.example.shop"], ["google-pay"]]
    )
    func `a wallet gets its request, and its token is accepted`(instrument: [String]) async throws {
        try await World.with { world in
            let (session, _) = try await world.open(order)
            let asked = try await world.tool.run(
                ["--allow-insecure-loopback", "--json", "attempt", session] + instrument
            )
            let action = try asked.json["actions"][0]
            #expect(action["kind"].text == "authorizeWallet")
            #expect(action["wallet"].text == instrument[0])
            #expect(action["request"]["CurrencyCode"].text == "SEK")
            #expect(!action["request"].names.isEmpty)
            #expect(try asked.json["attempt"]["walletVerdict"].isNull)
            try await SchemaCheck.expect(asked.output, fits: "session-view", in: world)
            #expect(!action["paymentRequest"].names.isEmpty)
            let masked = try await world.run("show", session, "--json")
            // The currency of the payment is not secret; the data for the wallet is sealed.
            let request = try masked.json["actions"][0]["request"]
            for name in ["CurrencyCode", "TotalAmountLabel", "TotalAmount", "Locale"] {
                #expect(request[name].text?.hasPrefix("•••") ?? true, "\(name)")
            }
            #expect(request["CurrencyCode"].text?.hasPrefix("•••") == true)
            let token = try world.write(#"{"data":"opaque"}"#, to: "token.json")
            let paid = try await world.run(
                "report",
                session,
                try #require(action["id"].text),
                "authorized",
                "--payload",
                token,
                "--until",
                "ended",
                "--json"
            )
            #expect(paid.status == 0, "\(paid.diagnostics)")
            #expect(try paid.json["outcome"].text == "completed")
            #expect(try paid.json["attempt"]["walletVerdict"].text == "accepted")
        }
    }

    @Test(.feature("N-47"), arguments: [["canceled"], ["failed", "--error", "no card"]])
    func `a wallet report of canceled or failed ends the attempt with a session problem`(
        response: [String]
    ) async throws {
        try await World.with { world in
            let (session, _) = try await world.open(order)
            let asked = try await world.run("attempt", session, "google-pay", "--json")
            let id = try #require(try asked.json["actions"][0]["id"].text)
            let told = try await world.tool.run(
                ["--allow-insecure-loopback", "--json", "report", session, id] + response
            )
            #expect(told.status == 0)
            #expect(try told.json["problem"]["origin"].text == "session")
            #expect(try told.json["attempt"].isNull)
            #expect(try told.json["phase"].text == "ready")
        }
    }

    @Test(.feature("N-12"))
    func `a failed app launch is a problem, and the session is ready again`() async throws {
        try await World.with { world in
            let (session, _) = try await world.open(order)
            let asked = try await world.run("attempt", session, "swish", "--json")
            let id = try #require(try asked.json["actions"][0]["id"].text)
            let told = try await world.run("report", session, id, "launch-failed", "--json")
            #expect(told.status == 0)
            #expect(
                try told.json["problem"]["type"].text?.contains("clientapplaunchfailed") == true
            )
            #expect(try told.json["phase"].text == "ready")
        }
    }

    @Test(.feature("N-46"))
    func `a challenge closed by the payer is reported to the PSP once, even if repeated`()
        async throws
    {
        try await World.with { world in
            var order = order
            order.scenario.savedCards = ["4111112000006545"]
            let (session, created) = try await world.open(order)
            var view = try await world.run("attempt", session, "card", "--prefill", "1", "--json")
            for _ in 1...2 where try view.json["actions"][0]["kind"].text == "load3DSMethod" {
                let id = try #require(try view.json["actions"][0]["id"].text)
                view = try await world.run("report", session, id, "done", "--json")
            }
            #expect(try view.json["actions"][0]["kind"].text == "show3DS")
            let id = try #require(try view.json["actions"][0]["id"].text)
            let closed = try await world.run("report", session, id, "canceled", "--json")
            #expect(closed.status == 0, "\(closed.diagnostics)")
            let problem = try closed.json["problem"]
            #expect(problem["origin"].text == "session")
            #expect(problem["type"].text?.contains("3dsecureusercancelled") == true)
            #expect(try closed.json["phase"].text == "ready")
            #expect(try await world.run("report", session, id, "canceled").status == 0)
            let ledger = try #require(await world.sandbox.orderLedger(created.id))
            #expect(ledger.requests["fail-payment-attempt"] == 1)
            #expect(ledger.requests["complete-authentication"] == nil)
            #expect(ledger.attempts.map(\.state) == [.failed])
            #expect(ledger.attempts.first?.problem == problem["type"].text)
        }
    }
}

extension SandboxOrder {
    /// Returns an order that can be paid in every way, with a reference of its own.
    static var everyMethod: SandboxOrder {
        SandboxOrder(
            payerReference: "payer-1",
            scenario: Scenario(
                methods: [
                    "Swish", "CreditCard", "ApplePay", "GooglePay", "ClickToPay", "Trustly",
                    "Invoice-PayExFinancingSe",
                ],
                savedCards: ["4925000000000004"]
            )
        )
    }
}
