import Foundation
import TestSupport
import Testing

@testable import Sandbox

/// Payments on the PSP's own page through the program, as a script drives them.
@Suite struct PageFlowTests {
    private var order: SandboxOrder { .everyMethod }

    /// Performs an action on the PSP's page.
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

    @Test(
        .feature("N-19", "N-48"),
        arguments: [["new-card"], ["new-card", "--no-consent-checkbox"], ["click-to-pay"]]
    )
    func `an attempt on the PSP's page is shown, reported and completed`(
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

    @Test(
        .feature("N-41", "N-36", "N-40"),
        arguments: [
            ([], "menu", #"{"mode":"menu"}"#),
            (
                ["--only", "Swish,Trustly"], "menu",
                #"{"mode":"restricted","paymentMethods":["Swish","Trustly"]}"#
            ),
            (
                ["--instrument", "Invoice-PayExFinancingSe"], "instrument",
                #"{"mode":"instrument","paymentMethod":"Invoice-PayExFinancingSe"}"#
            ),
        ]
    )
    func `the menu is shown and left for a saved card, as logged, and a late report is refused`(
        options: [String],
        mode: String,
        recorded: String
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
            let log = try await world.run("log", session, "--json").output
            let records = try log.split(separator: "\n").map {
                try JSON(parsing: String($0))["record"]
            }
            let steps = ["menuChosen", "menuRequested", "attemptStarted", "completed"]
            let told = records.filter { steps.contains($0["type"].text ?? "") }
            try #require(told.compactMap { $0["type"].text } == steps)
            #expect(try told[0]["data"] == JSON(parsing: recorded))
            #expect(try told[1]["data"]["action"].text == shown.json["actions"][0]["id"].text)
            #expect(told[2]["data"]["instrument"].text == "card")
            #expect(try await world.run("verify", session).status == 0)
        }
    }

    @Test(.feature("N-49"))
    func `completed, canceled and failed menu reports give three different results`() async throws {
        try await World.with { world in
            for (response, outcome, kind) in [
                (["completed"], "completed", nil), (["canceled"], "canceled", nil),
                (["failed", "--error", "no script"], nil, "menuFailed"),
            ] as [([String], String?, String?)] {
                let (session, created) = try await world.open(order)
                let shown = try await world.run("menu", session, "--json")
                let id = try #require(try shown.json["actions"][0]["id"].text)
                if outcome == "completed" { try await onPage("pay", "Trustly", created, world) }
                if outcome == "canceled" { try await onPage("cancel", "Trustly", created, world) }
                let left = try await world.tool.run(
                    ["--allow-insecure-loopback", "--json", "report", session, id] + response
                )
                #expect(left.status == 0)
                #expect(try left.json["outcome"].text == outcome)
                #expect(try left.json["problem"]["kind"].text == kind)
            }
        }
    }

    @Test func `a menu method that is not offered is refused and not quoted`() async throws {
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

    @Test(.feature("N-22")) func `a card is verified without being charged`() async throws {
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
}
