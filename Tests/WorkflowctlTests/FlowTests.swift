import Foundation
import Testing

@testable import Sandbox

/// Each kind of payment through the program, as a script would drive it.
@Suite struct FlowTests {
    static let methods = [
        "Swish", "CreditCard", "ApplePay", "GooglePay", "ClickToPay", "Trustly",
        "Invoice-PayExFinancingSe",
    ]

    var order: SandboxOrder {
        SandboxOrder(
            payerReference: "payer-1",
            scenario: Scenario(methods: Self.methods, savedCards: ["4925000000000004"])
        )
    }

    /// The payer does something on the PSP's page.
    func onPage(
        _ action: String,
        _ method: String,
        _ order: CreatedOrder,
        _ world: World
    )
        async throws
    {
        let token = order.sessionURL.split(separator: "?").first?.split(separator: "/").last ?? ""
        let done = try await world.tool.shell(
            "curl -sS --fail -X POST '\(world.sandbox.baseURL)/sandbox/menu/\(token)/\(action)?method=\(method)'"
        )
        #expect(done.status == 0, "\(done.diagnostics)")
    }

    @Test(arguments: [["new-card"], ["new-card", "--no-consent-checkbox"], ["click-to-pay"]])
    func `what is paid on the PSP's page is shown there, reported and completed`(
        instrument: [String]
    ) async throws {
        try await World.with { world in
            let (session, created) = try await world.open(order)
            let started = try await world.tool.run(
                ["--allow-insecure-loopback", "--json", "attempt", session] + instrument
            )
            #expect(started.status == 0, "\(started.diagnostics)")
            let action = try started.json["actions"][0]
            #expect(action["kind"].text == "showMenu")
            #expect(action["mode"].text == "instrument")
            #expect(action["url"].text?.hasPrefix(world.sandbox.baseURL) == true)
            try await SchemaCheck.expect(started.output, fits: "session-view", in: world)
            try await onPage("pay", "CreditCard", created, world)
            let id = try #require(action["id"].text)
            let page = try await world.run("page", session, id)
            #expect(page.output.hasPrefix("<!doctype html>") && page.status == 0)
            #expect(try await world.run("page", session, "a-999").status == 66)
            let paid = try await world.run(
                "report",
                session,
                id,
                "completed",
                "--until",
                "ended",
                "--json"
            )
            #expect(paid.status == 0)
            #expect(try paid.json["outcome"].text == "completed")
            #expect(try await world.run("replay", session, "--check").status == 0)
        }
    }

    @Test(arguments: [
        ([], "menu"), (["--only", "Swish,Trustly"], "menu"),
        (["--instrument", "Invoice-PayExFinancingSe"], "instrument"),
    ])
    func `the menu is shown, left for a saved card, and all of it is in the log`(
        options: [String],
        mode: String
    ) async throws {
        try await World.with { world in
            let (session, _) = try await world.open(order)
            let shown = try await world.tool.run(
                ["--allow-insecure-loopback", "--json", "menu", session] + options
            )
            #expect(shown.status == 0, "\(shown.diagnostics)")
            #expect(try shown.json["actions"][0]["mode"].text == mode)
            #expect(try shown.json["attempt"].isNull)
            #expect(try shown.json["settled"].flag == true)
            let paid = try await world.run(
                "attempt",
                session,
                "card",
                "--prefill",
                "1",
                "--until",
                "ended",
                "--json"
            )
            #expect(paid.status == 0, "\(paid.diagnostics)")
            #expect(try paid.json["outcome"].text == "completed")
            let late = try await world.run(
                "report",
                session,
                try #require(try shown.json["actions"][0]["id"].text),
                "completed"
            )
            #expect(late.status == 1)
            #expect(try await world.run("log", session, "--type", "menuChosen").status == 0)
            #expect(try await world.run("verify", session).status == 0)
        }
    }

    @Test func `three ways to leave the menu are three different things`() async throws {
        try await World.with { world in
            for (answer, outcome, kind) in [
                (["completed"], "completed", nil), (["canceled"], "canceled", nil),
                (["failed", "--error", "no script"], nil, "menuFailed"),
            ] as [([String], String?, String?)] {
                let (session, created) = try await world.open(order)
                let shown = try await world.run("menu", session, "--json")
                let id = try #require(try shown.json["actions"][0]["id"].text)
                if outcome == "completed" { try await onPage("pay", "Trustly", created, world) }
                if outcome == "canceled" { try await onPage("cancel", "Trustly", created, world) }
                let left = try await world.tool.run(
                    ["--allow-insecure-loopback", "--json", "report", session, id] + answer
                )
                #expect(left.status == 0)
                #expect(try left.json["outcome"].text == outcome)
                #expect(try left.json["problem"]["kind"].text == kind)
            }
        }
    }

    @Test func `the menu shows only what is offered, and says so`() async throws {
        try await World.with { world in
            let (session, _) = try await world.open(order)
            let refused = try await world.run("menu", session, "--only", "Barter")
            #expect(refused.status == 1)
            #expect(refused.diagnostics.contains("[session.menu-method-not-offered]"))
            #expect(!refused.diagnostics.contains("Barter"))
            for bad in [
                ["--only", ""], ["--only", "A", "--instrument", "A"], ["--instrument", "å"],
            ] {
                let usage = try await world.tool.run(["menu", session] + bad)
                #expect(usage.status == 64)
            }
        }
    }

    @Test(arguments: [["apple-pay", "--merchant-id", "merchant.example.shop"], ["google-pay"]])
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
            #expect(!masked.output.contains("SEK"))
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

    @Test(arguments: [["canceled"], ["failed", "--error", "no card"]])
    func `a wallet that gives nothing ends its attempt`(answer: [String]) async throws {
        try await World.with { world in
            let (session, _) = try await world.open(order)
            let asked = try await world.run("attempt", session, "google-pay", "--json")
            let id = try #require(try asked.json["actions"][0]["id"].text)
            let told = try await world.tool.run(
                ["--allow-insecure-loopback", "--json", "report", session, id] + answer
            )
            #expect(told.status == 0)
            #expect(try told.json["problem"]["origin"].text == "session")
            #expect(try told.json["attempt"].isNull)
            #expect(try told.json["phase"].text == "ready")
        }
    }

    @Test func `an app that could not be opened leaves the payer with the methods`() async throws {
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

    @Test func `a challenge that the payer closes is told to the PSP`() async throws {
        try await World.with { world in
            var order = order
            order.scenario.savedCards = ["4111112000006545"]
            let (session, _) = try await world.open(order)
            var view = try await world.run("attempt", session, "card", "--prefill", "1", "--json")
            for _ in 1...2 where try view.json["actions"][0]["kind"].text == "load3DSMethod" {
                let id = try #require(try view.json["actions"][0]["id"].text)
                view = try await world.run("report", session, id, "done", "--json")
            }
            #expect(try view.json["actions"][0]["kind"].text == "show3DS")
            let id = try #require(try view.json["actions"][0]["id"].text)
            let closed = try await world.run("report", session, id, "canceled", "--json")
            #expect(closed.status == 0, "\(closed.diagnostics)")
            #expect(try !closed.json["problem"].isNull)
            #expect(try await world.run("report", session, id, "canceled").status == 0)
        }
    }

    @Test func `a card is verified without being charged`() async throws {
        try await World.with { world in
            var order = SandboxOrder(amount: 0, scenario: Scenario(methods: ["CreditCard"]))
            order.purpose = .verify
            let (session, created) = try await world.open(order, "--attempt", "new-card")
            let shown = try await world.run("show", session, "--json")
            let id = try #require(try shown.json["actions"][0]["id"].text)
            try await onPage("pay", "CreditCard", created, world)
            let done = try await world.run(
                "report",
                session,
                id,
                "completed",
                "--until",
                "ended",
                "--json"
            )
            #expect(try done.json["outcome"].text == "completed")
            #expect(await world.sandbox.orderLedger(created.id)?.authorizedAmount == 0)
        }
    }

    @Test func `from production to the desk: a failed payment is played again from its log`()
        async throws
    {
        try await World.with { world in
            var failing = order
            failing.amount = 900_361
            let (session, _) = try await world.open(failing)
            let failed = try await world.run("attempt", session, "card", "--prefill", "1", "--json")
            let type = try #require(try failed.json["problem"]["type"].text)
            let path = world.folder + "/case.json"
            let recorded = try await world.run(
                "scenario",
                "record",
                session,
                "-o",
                path,
                "--name",
                "order 4711"
            )
            #expect(recorded.status == 0, "\(recorded.diagnostics)")
            let text = try String(contentsOfFile: path, encoding: .utf8)
            #expect(!text.contains(world.sandbox.baseURL))
            try await SchemaCheck.expect(
                text.replacing("\n", with: " "),
                fits: "scenario",
                in: world
            )
            var configuration = SandboxConfiguration()
            configuration.scenarios = [try ScenarioFile.read(Array(text.utf8))]
            let played = try await SandboxServer.start(configuration)
            // The same order costs nothing special there: what fails comes from the scenario alone.
            let again = try await played.createOrder(SandboxOrder(payerReference: "payer-1"))
            let opened = try await world.run("open", again.sessionURL, "--json")
            let second = try #require(try opened.json["session"].text)
            #expect(try opened.json["methods"].list.count == failed.json["methods"].list.count)
            let repeated = try await world.run(
                "attempt",
                second,
                "card",
                "--prefill",
                "1",
                "--json"
            )
            #expect(try repeated.json["problem"]["type"].text == type)
            #expect(try repeated.json["phase"].text == failed.json["phase"].text)
            await played.shutdown()
        }
    }
}
