import Foundation
import Testing

@testable import Sandbox

/// An order that only verifies the payer's card: the PSP's ledger has no money of it, and no output
/// mentions any.
@Suite struct VerificationTests {
    private static var order: String {
        Checkout.order(amount: 0, payer: "payer-1", more: #""generatePaymentToken":true,"#)
            .replacingOccurrences(of: #""operation":"Purchase""#, with: #""operation":"Verify""#)
    }

    /// Words in the output for people that mention money, or invite to pay.
    private static var moneyWords: Regex<Substring> {
        /is paid|it paid|[Pp]aid,|Paid\.|[Pp]aid 0|0\.00|money was taken|pay again|given back/
    }

    /// Returns what the commands for people print about the sessions.
    private func outputs(
        of sessions: [String],
        in world: World
    ) async throws -> [(name: String, text: String)] {
        var outputs: [(name: String, text: String)] = []
        for session in sessions {
            for command in ["show", "explain", "log", "timeline"] {
                let run = try await world.run(command, session)
                #expect(run.status == 0, "\(command): \(run.diagnostics)")
                outputs.append((command, run.output))
            }
            let page = world.folder + "/\(session).html"
            let report = try await world.run("report-html", session, "-o", page)
            #expect(report.status == 0, "\(report.diagnostics)")
            let html = try String(contentsOfFile: page, encoding: .utf8)
            let story = try #require(html.firstMatch(of: /<p id="story">(.*?)<\/p>/)?.1)
            outputs.append(("report-html", String(story)))
        }
        outputs.append(("list", try await world.run("list").output))
        outputs.append(("at-risk", try await world.run("at-risk").output))
        return outputs
    }

    private func expectNoMoney(
        _ sessions: [String],
        _ order: Order,
        in world: World
    ) async throws {
        let ledger = try #require(await world.sandbox.orderLedger(order.id))
        #expect(ledger.authorizedAmount == 0 && ledger.capturedAmount == 0)
        #expect(ledger.movements.map(\.kind) == ["Verification"])
        for output in try await outputs(of: sessions, in: world) {
            let found = output.text.firstMatch(of: Self.moneyWords)
            #expect(found == nil, "\(output.name): \(output.text)")
            if ["show", "explain", "report-html"].contains(output.name) {
                #expect(
                    output.text.localizedCaseInsensitiveContains("nothing charged")
                        || output.text.contains("charges nothing"),
                    "\(output.name): \(output.text)"
                )
            }
        }
        for session in sessions {
            let view = try await world.run("show", session, "--json").json
            #expect(view["money"]["standing"].text == "confirmed")
            #expect(view["money"]["verification"].flag == true)
            for member in ["paid", "captured", "net", "capturable", "reversible"] {
                #expect(view["money"][member].number == 0, "\(member)")
            }
        }
        let risk = try await world.run("at-risk", "--json")
        try await SchemaCheck.expect(risk.output, fits: "cli/at-risk", in: world)
        #expect(try risk.json["totals"].list.isEmpty && risk.json["unknown"].list.isEmpty)
        #expect(try risk.json["verifications"].number == 1)
        let stats = try await world.run("stats", "--json")
        try await SchemaCheck.expect(stats.output, fits: "cli/stats", in: world)
        #expect(try stats.json["verified"].number == sessions.count)
        #expect(try stats.json["paidElsewhere"].number == 0)
        #expect(try stats.json["instruments"].list.isEmpty)
        #expect(try stats.json["toPaidMilliseconds"].isNull, "\(stats.output)")
    }

    @Test func `a verification on the PSP's page is shown as charging nothing`()
        async throws
    {
        try await Checkout.world { world, _ in
            let order = try await world.checkout(Self.order)
            try await world.elsewhere(order)
            let read = try await world.merchant("order", "show", order.session)
            #expect(read.status == 0, "\(read.diagnostics)")
            #expect(try read.json["outcome"].text == "completed", "\(read.output)")
            try await SchemaCheck.expect(read.output, fits: "session-view", in: world)
            try await expectNoMoney([order.session], order, in: world)
            try await world.expectSoundLogs(order.session)
        }
    }

    @Test func `a native session of a verification is shown as charging nothing`()
        async throws
    {
        try await Checkout.world { world, _ in
            let order = try await world.checkout(Self.order)
            let native = try await world.merchant("checkout", "native", order.session)
            let session = try #require(try native.json["session"].text)
            let open = try await world.run("explain", session)
            #expect(open.output.contains("not verified yet"), "\(open.output)")
            let paid = try await world.merchant(
                "attempt",
                session,
                "card",
                "--card",
                "492500******0004",
                "--until",
                "ended"
            )
            #expect(try paid.json["outcome"].text == "completed", "\(paid.output)")
            let alone = try await world.run("show", session, "--json").json
            #expect(alone["money"]["verification"].flag == true)
            #expect(alone["payer"]["newAttempt"].text == "none")
            _ = try await world.merchant("resume", order.session)
            try await expectNoMoney([session, order.session], order, in: world)
            try await world.expectSoundLogs(order.session, session)
        }
    }

    @Test func `a payment that only the client reports is not counted as paid`() async throws {
        try await Checkout.world { world, _ in
            let order = try await world.checkout()
            let action = try #require(order.action["id"].text)
            // Nothing was paid; the order cannot be read, and the payer's app reports completion.
            _ = try world.write("another-token\n", to: "token")
            let told = try await world.merchant("report", order.session, action, "completed")
            #expect(try told.json["money"]["standing"].text == "unknown", "\(told.output)")
            let ledger = try #require(await world.sandbox.orderLedger(order.id))
            #expect(ledger.authorizedAmount == 0)
            let risk = try await world.run("at-risk", "--json").json
            #expect(risk["totals"][0]["standing"].text == "unknown")
            #expect(risk["totals"].list.count == 1)
            let stats = try await world.run("stats", "--json").json
            #expect(stats["toPaidMilliseconds"]["count"].number == nil)
            #expect(stats["paidElsewhere"].number == 0)
        }
    }
}
