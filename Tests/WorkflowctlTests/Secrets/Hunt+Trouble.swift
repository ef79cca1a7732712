import Foundation
import Testing

@testable import Sandbox

/// Failures with secrets in them.
extension Hunt {
    /// Responses that quote what they should not.
    func badAnswers() async throws {
        let quoted = secret("markedQuoted0a1b2c3d4e5f6071")
        let person = secret("marked.person@example.com")
        let number = secret("+46709876543")
        let text =
            "session {{session}}, token {{token:leak}} and \(quoted), of \(person), \(number)"
        let problem =
            #"{"type":"https://api.payex.com/psp/errordetail/inputerror","title":"\#(person) \#(quoted)","#
            + #""detail":"\#(text)","status":400,"instance":"{{session}}","problems":[{"name":"\#(person)","#
            + #""description":"\#(text)"}]}"#
        let responses: [(String, LiteralResponse)] = [
            (
                "session",
                LiteralResponse(status: 500, body: "<html>\(text)</html>", contentType: "text/html")
            ),
            ("session", LiteralResponse(status: 403, body: problem)),
            (
                "prepare-payment",
                LiteralResponse(status: 200, body: "{\"paymentSession\": \"\(text)\"")
            ),
            ("prepare-payment", LiteralResponse(status: 400, body: problem)),
            ("expand-method", LiteralResponse(status: 200, body: "[\"\(text)\"]")),
            ("expand-method", LiteralResponse(status: 409, body: problem)),
            ("start-payment-attempt", LiteralResponse(status: 400, body: problem)),
            (
                "start-payment-attempt",
                LiteralResponse(
                    status: 400,
                    body:
                        #"{"type":"https://psp.example/\#(quoted)?t={{token:leak}}","title":["\#(quoted)"]}"#
                )
            ),
            (
                "start-payment-attempt",
                LiteralResponse(
                    status: 200,
                    body:
                        #"{"paymentSession":{"id":"{{session}}","methods":[],"payer":{"email":"\#(person)","#
                        + #""phone":"\#(number)"}},"operations":[{"rel":"\#(quoted)","href":"{{session}}/\#(quoted)","#
                        + #""method":"POST"},{"rel":"launch","href":"swish://\#(quoted)"}],"x":"\#(quoted)"}"#
                )
            ),
            ("abort-payment", LiteralResponse(status: 403, body: problem)),
        ]
        let limits = try file(
            "limits.json",
            #"{"limits":{"retries":"300ms","cardRetries":"300ms"}}"#
        )
        for (rel, response) in responses {
            var order = SandboxOrder(payerReference: "payer-1")
            order.scenario.script = Script([rel: [Step(.literal(response), requests: .rest)]])
            let created = try await world.sandbox.createOrder(order)
            let options = ["--config", limits, "--wait", "1s", "-v"]
            let opened = try await run(["open", created.sessionURL, "--json"] + options)
            let session = try #require(try opened.json["session"].text, "\(opened.diagnostics)")
            if rel.hasPrefix("expand") || rel.hasPrefix("start") {
                try await run(["attempt", session, "swish", "--msisdn", number] + options)
            }
            try await run(["abort", session, "--json"] + options)
            try await run(["show", session])
        }
    }

    /// Malformed arguments and files beside secrets.
    func badArguments() async throws {
        let token = secret("markedArgument99a8b7c6d5e4f3")
        let number = secret("+4670111222333444555")
        let unknown = "0192f0c1-7c1e-7d3a-9b1e-0a1b2c3d4e5f"
        for wrong in [
            ["open", "htp://psp.example/\(token)"], ["open", "https://psp.example/\(token)"],
            ["open", "https://\(token):\(token)@api.payex.com/x"],
            ["open", "http://api.payex.com/\(token)"],
            ["open", "https://api.payex.com/\(token)", "--metadata", token],
            ["open", "https://api.payex.com/\(token)", "--attempt", token],
            ["open", token, token, token],
            ["open", "-"], ["attempt", unknown, "swish", "--msisdn", number],
            ["attempt", unknown, "swish", "--msisdn", "46 70 \(token)"],
            ["attempt", token, "swish"],
            ["report", unknown, "a-1", "completed", "--cres", token, "--cres-file", token],
            ["report", unknown, token, "launched"],
            ["return", unknown, "https://shop.example/\(token)"],
            ["show", token], ["log", token], ["--token=\(token)", "list"],
            ["list", "--token", token],
            ["verify", "\(given)/\(token.prefix(3))-none"], ["tokens", "list", token], [token],
            ["order", "create", "-", "--psp", "https://\(token)@psp.example/"],
        ] {
            try await run(wrong, input: "{\"paymentorder\":{\"currency\":\"\(token)\"}}")
        }
        let bad = try file(
            "bad.json",
            #"{"proxy":7,"client":{"language":"\#(token)"},"\#(token)":1}"#
        )
        let proxy = try file("proxy.json", #"{"proxy":"http://user:\#(token)@no host:99999/"}"#)
        let broken = try file("broken.json", #"{"proxy":"http://user:\#(token)@proxy.example/"#)
        for path in [bad, proxy, broken] {
            try await run(["--config", path, "open", "https://api.payex.com/psp/x", "--wait", "1s"])
        }
        let log = try file(
            "log.ndjson",
            #"{"hash":"\#(token)","record":{"data":"\#(token)"}}"# + "\n"
        )
        for command in [
            ["verify", log], ["replay", log], ["import", log], ["replay", log, "--check"],
        ] {
            try await refused(command[0], command[1])
        }
    }

    /// All commands that read, export and import.
    func read(resumingEndsWith code: Int32) async throws {
        try await done("list")
        try await done("list", "--json", "-v")
        let listed = try await world.tool.run(["list", "--json"])
        for session in try listed.json.list.compactMap({ $0["session"].text }).prefix(6) {
            try await done("show", session, "--json")
            try await done("log", session, "-v")
            try await done("replay", session, "--step", "--json")
            try await done("replay", session, "--check")
            try await done("replay", session, "--at", "2", "--json")
            try await run(["replay", session, "--diff", "1..6", "--json"])
        }
        let exports = folder + "/exports"
        try FileManager.default.createDirectory(atPath: exports, withIntermediateDirectories: true)
        try await done("export", "-o", exports + "/plain.ndjson")
        try await done("export", "--redact", "-o", exports + "/redacted.ndjson")
        try await done("export", "--format", "cloudevents", "-o", exports + "/events")
        try await done("export")
        try await done("checkpoint", "create")
        try await done("checkpoint", "export", "-o", exports + "/checkpoint.json")
        for session in try listed.json.list.compactMap({ $0["session"].text }).prefix(1) {
            try await done("checkpoint", "prove", session, "-o", exports + "/proof.json")
        }
        try await done("checkpoint", "verify")
        try await done("verify", "--json")
        try await done("verify", exports + "/redacted.ndjson")
        try await done("import", exports + "/plain.ndjson", "--store", "sqlite:\(exports)/other.db")
        // Whether sessions fail for good is certain, and the exit code says it once they have
        // settled.
        let resumed = try await run([
            "resume", "--json", "--wait", "1m", "--store", "sqlite:\(folder)/store/payments.db",
        ])
        #expect(resumed.status == code, "\(resumed.diagnostics)")
    }
}
