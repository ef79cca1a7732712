import Foundation
import Testing

@testable import Sandbox

extension Hunt {
    /// Opens a session for an order, whose URL is a secret.
    func open(_ order: SandboxOrder, _ more: String...) async throws -> (String, CreatedOrder) {
        let created = try await world.sandbox.createOrder(order)
        secret(String(created.sessionURL.split(separator: "/").last?.prefix { $0 != "?" } ?? ""))
        let opened = try await run(["open", created.sessionURL, "--json", "-v"] + more)
        try #require(opened.status == 0, "\(opened.diagnostics)")
        return (try #require(try opened.json["session"].text), created)
    }

    /// Starts an attempt.
    ///
    /// - Returns: The client action.
    private func attempt(_ session: String, _ instrument: String...) async throws -> JSON {
        let started = try await run(["attempt", session, "--json", "-v"] + instrument)
        #expect(started.status == 0, "\(started.diagnostics)")
        // As text, which is not meant for the client.
        try await done("resume", session)
        return try started.json["actions"][0]
    }

    func swish() async throws {
        var order = SandboxOrder()
        order.scenario.swishApproval = .byPayer
        let (session, _) = try await open(order, "--reference", "order-1", "--metadata", "shop=7")
        let action = try await attempt(session, "swish")
        let id = try #require(action["id"].text)
        let back = try await world.approveInSwish(action)
        try await done("report", session, id, "launched", "--wait", "0s")
        let token = secret("markedReturn7f0c1b2d3e4f5a6b")
        for wrong in [
            "https://shop.example/other?token=\(token)", "javascript:alert('\(token)')",
            "https://evil.example/\(token)", "myshop://\(token)", "%\(token)%zz",
        ] {
            try await refused("return", session, wrong, "-v")
        }
        try await done("return", session, back, "--until", "ended", "--json")

        let number = secret("+46701234987")
        secret(String(number.dropFirst()))
        let (other, _) = try await open(SandboxOrder())
        try await done("attempt", other, "swish", "--msisdn", number, "--until", "ended", "-v")
        let (chosen, _) = try await open(
            SandboxOrder(),
            "--attempt",
            "swish",
            "--msisdn",
            number
        )
        try await done("resume", chosen, "--json", "--until", "ended")
    }

    func cards() async throws {
        var order = SandboxOrder(payerReference: "payer-1")
        order.msisdn = secret("+46707654321")
        let (session, _) = try await open(order)
        let method = try await attempt(session, "card", "--prefill", "1")
        let next = try await done(
            "report",
            session,
            try #require(method["id"].text),
            "done",
            "--json"
        )
        let challenge = try next.json["actions"][0]
        let id = try #require(challenge["id"].text)
        try await done("page", session, id)
        let said = secret("marked-said-by-the-bank-4711")
        try await done(
            "report",
            session,
            id,
            "failed",
            "--error",
            "could not load https://bank.example/\(said) for +46707654321",
            "--json"
        )
        let again = try await done("retry", session, "--json")
        let second = try again.json["actions"][0]
        let cRes = secret(try await world.bankAnswer(second))
        let answered = try #require(second["id"].text)
        try await refused("report", session, answered, "completed", "--cres", "")
        try await done(
            "report",
            session,
            answered,
            "completed",
            "--cres-file",
            "-",
            "--until",
            "ended",
            "-v",
            input: cRes
        )
        let forged = secret("markedForgedAnswer0123456789abcdef")
        try await refused("report", session, answered, "completed", "--cres", forged, "-v")

        var declined = SandboxOrder(amount: 900_361, payerReference: "payer-1")
        declined.scenario.savedCards = ["4925000000000004"]
        secret("4925000000000004")
        let (poor, _) = try await open(declined)
        try await done("attempt", poor, "card", "--prefill", "1")
        try await done("abort", poor, "-v", "--json")
    }

    func wallets() async throws {
        for (name, options) in [
            ("apple-pay", ["--merchant-id", "merchant.example.shop"]), ("google-pay", []),
        ] {
            let (session, _) = try await open(.everyMethod)
            let started = try await run(["attempt", session, name, "--json"] + options)
            let id = try #require(try started.json["actions"][0]["id"].text)
            try await done("show", session)
            let data = secret("markedWallet\(name.count)ZmFrZQpheSBCYXNlNjQgdG9rZW4+/abc==")
            let payload = #"{"data":"\#(data)","header":{"ephemeralPublicKey":"\#(data)x"}}"#
            try await done(
                "report",
                session,
                id,
                "authorized",
                "--payload",
                "-",
                "--until",
                "ended",
                "-v",
                input: payload
            )
            // The same report again, and another one too late.
            try await run(
                ["report", session, id, "authorized", "--payload", "-"],
                input: payload
            )
            try await refused(
                "report",
                session,
                id,
                "authorized",
                "--payload",
                "-",
                input: #"{"data":"late-\#(data)"}"#
            )
        }
        let (session, _) = try await open(.everyMethod)
        let started = try await done("attempt", session, "google-pay", "--json")
        try await done(
            "report",
            session,
            try #require(try started.json["actions"][0]["id"].text),
            "failed",
            "--error",
            "card \(secret("4761739001010416")) of \(secret("sven.marked@example.com")) is refused"
        )
    }

    func pages() async throws {
        let (session, _) = try await open(.everyMethod)
        let shown = try await done("menu", session, "--json")
        let id = try #require(try shown.json["actions"][0]["id"].text)
        try await done("page", session, id)
        try await done("menu", session, "--only", "Swish,Trustly")
        try await run([
            "report", session, id, "failed", "--error",
            secret("marked: https://psp.example/x?token=1"),
        ])
        let (card, order) = try await open(.everyMethod)
        let action = try await attempt(card, "new-card")
        let token = order.sessionURL.split(separator: "?").first?.split(separator: "/").last ?? ""
        let paid = try await world.tool.shell(
            "curl -sS --fail -X POST '\(world.sandbox.baseURL)/sandbox/menu/\(token)/pay?method=CreditCard'"
        )
        #expect(paid.status == 0)
        try await done(
            "report",
            card,
            try #require(action["id"].text),
            "completed",
            "--until",
            "ended",
            "--json"
        )
    }
}
