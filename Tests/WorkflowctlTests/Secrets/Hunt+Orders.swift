import Foundation
import Testing

@testable import Sandbox

extension Hunt {
    /// An order with all data that a payer can have; one who checks in has no reference.
    private func order(
        _ more: String = "",
        payer: String? = nil,
        checksIn: Bool = false
    ) -> String {
        let reference = payer ?? secret("marked-payer-42")
        let known = checksIn ? "" : "\"payerReference\":\"\(reference)\","
        let person = """
            "payer":{\(known)"email":"\(secret("åsa.marked@example.com"))",
            "msisdn":"\(secret("+46731112233"))","firstName":"\(secret("Åsa Marked"))",
            "lastName":"\(secret("Öberg-Marked & Söner"))","workPhoneNumber":"\(secret("+46844455566"))",
            "nationalIdentifier":{"socialSecurityNumber":"\(secret("199710202392"))","countryCode":"SE"},
            "shippingAddress":{"firstName":"Åsa Marked","lastName":"Öberg-Marked & Söner","email":"åsa.marked@example.com",
            "msisdn":"+46731112233","streetAddress":"\(secret("Markedgatan 7 B"))","city":"\(secret("Markedstad"))",
            "zipCode":"17674","countryCode":"SE"}},
            "metadata":{"inside":"\(secret("marked-metadata-of-the-order"))"},
            """
        return Checkout.order(more: person + more).replacing("\n", with: " ")
    }

    private func merchant(
        _ arguments: String...,
        input: String? = nil,
        sourceLocation: SourceLocation = #_sourceLocation
    ) async throws -> Tool.Result {
        let result = try await run(
            ["--json", "-v", "--token-file", "\(given)/token"] + arguments,
            input: input
        )
        #expect(
            result.status == 0,
            "\(arguments): \(result.diagnostics)",
            sourceLocation: sourceLocation
        )
        return result
    }

    /// Runs a checkout at the PSP from check-in to capture.
    func checkout(_ mailbox: Checkout.Mailbox) async throws {
        secret(Checkout.accessToken)
        let psp = world.sandbox.baseURL
        let path = try file("order.json", order(checksIn: true))
        let started = try await merchant(
            "checkout",
            "start",
            path,
            "--psp",
            psp,
            "--check-in",
            "SE,NO"
        )
        let session = try #require(try started.json["session"].text)
        let action = try started.json["actions"][0]
        let id = try #require(action["id"].text)
        let token = try #require(action["url"].text?.split(separator: "/").dropLast().last)
        try await done("page", session, id)
        let played = try await world.tool.shell(
            "curl -sS --fail -X POST '\(psp)/sandbox/consumers/\(token)/identify'"
        )
        let profile = secret(try #require(try played.json["consumerProfileRef"].text))
        _ = try file("profile.txt", profile + "\n")
        let shown = try await merchant(
            "report",
            session,
            id,
            "checked-in",
            "--profile-file",
            "\(given)/profile.txt"
        )
        let menu = try #require(try shown.json["actions"][0]["id"].text)
        let link = "https://bank.example/\(secret("markedNavigation112233445566"))?x=1"
        _ = try await merchant("report", session, menu, "left", "--to", link)
        let about = try #require(try shown.json["checkout"]["order"]["id"].text)
        let marked = secret("markedCallbackBody0123456789")
        let body = #"{"orderReference":"\#(marked)","paymentOrder":{"id":"\#(about)"}}"#
        _ = try await merchant("checkout", "callback", session, "-", input: body)
        let native = try await merchant("checkout", "native", session)
        let paying = try #require(try native.json["session"].text)
        _ = try await merchant("checkout", "menu", session)
        _ = try await merchant("checkout", "native", session)
        _ = try await merchant(
            "attempt",
            paying,
            "swish",
            "--msisdn",
            secret("+46735554433"),
            "--until",
            "ended"
        )
        _ = try await merchant("resume", session, "--until", "ended")
        let call = try await mailbox.first()
        _ = try await merchant("checkout", "callback", session, "-", input: call)
    }

    /// Orders, their transactions, and stored cards.
    func orders() async throws {
        let psp = world.sandbox.baseURL
        let path = try file("storing.json", order(#""generatePaymentToken":true,"#))
        let created = try await merchant("order", "create", path, "--psp", psp)
        let paid = try Order(created.json, at: psp)
        try await world.elsewhere(paid)
        _ = try await merchant("order", "show", paid.session)
        let items = try file(
            "items.json",
            """
            [{"reference":"SKU-7","name":"\(secret("marked thing that was bought"))","type":"PRODUCT","class":"Lighting",
            "quantity":1,"quantityUnit":"pcs","unitPrice":4000,"vatPercent":2500,"amount":4000,"vatAmount":800}]
            """
        )
        _ = try await merchant(
            "order",
            "capture",
            paid.session,
            "--amount",
            "4000",
            "--vat",
            "800",
            "--items",
            items
        )
        _ = try await merchant("order", "cancel", paid.session)
        let clear = try await world.tool.run([
            "--allow-insecure-loopback", "--json", "--reveal", "--token-file", "\(given)/token",
            "tokens",
            "list", "marked-payer-42", "--psp", psp,
        ])
        for token in try clear.json.list.compactMap({ $0["token"].text }) { secret(token) }
        let listed = try await merchant("tokens", "list", "marked-payer-42", "--psp", psp)
        let name = try #require(try listed.json[0]["name"].text)
        _ = try await merchant(
            "tokens",
            "delete",
            "marked-payer-42",
            "1",
            "--name",
            name,
            "--psp",
            psp
        )
        let refused = try file("refused", secret("markedWrongToken-0123456789") + "\n")
        try await run([
            "--token-file", refused, "-v", "order", "create", path, "--psp", psp, "--json",
        ])
        let lines = try file("lines", "\(secret("markedTwoLines-0123456789"))\nand another\n")
        try await run(["--token-file", lines, "order", "create", path, "--psp", psp])
    }

    /// Runs a checkout through a merchant backend.
    func backend(_ backend: String, _ psp: String) async throws {
        let headers = try file(
            "own-headers",
            "Authorization: Bearer sandbox\nX-Shop: \(secret("markedHeader0123456789abcdef"))\n"
        )
        let path = try file("order.json", order(payer: "payer-42"))
        let options = ["--headers-file", headers, "--json", "-v"]
        let started = try await run(options + ["checkout", "start", path, "--backend", backend])
        #expect(started.status == 0, "\(started.diagnostics)")
        let order = try Order(started.json, at: psp)
        let id = try #require(order.action["id"].text)
        try await done("page", order.session, id)
        try await world.elsewhere(order)
        let ended = try await run(
            options + ["report", order.session, id, "completed", "--until", "ended"]
        )
        #expect(ended.status == 0, "\(ended.diagnostics)")
        let native = try await run(options + ["order", "create", path, "--backend", backend])
        #expect(native.status == 0, "\(native.diagnostics)")
        try await run(options + ["tokens", "list", "payer-42", "--backend", backend])
        let bad = try file("bad-headers", "\(secret("markedNoHeader0123456789abcd"))\n")
        try await run(["--headers-file", bad, "order", "create", path, "--backend", backend])
        let stranger = try file(
            "strange-headers",
            "Authorization: Bearer \(secret("markedStranger0123456789"))\n"
        )
        try await run([
            "--headers-file", stranger, "order", "create", path, "--backend", backend, "--json",
        ])
        let other = "http://127.0.0.1:1/\(secret("markedBackendRoot0123456789"))/"
        try await run([
            "--headers-file", headers, "order", "create", path, "--backend", other, "--wait", "1s",
        ])
    }
}
