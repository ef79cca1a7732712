import Foundation
import Sandbox
import TestSupport
import Testing

/// Commands that ask a service in place of a store: `--server`.
@Suite(.feature("S-35")) struct ServerOptionTests {
    /// A service, and the file with its token.
    private struct Asked {
        let world: World
        let served: Served
        let tokenFile: String

        init(_ world: World) async throws {
            self.world = world
            served = try await Served.start(in: world)
            tokenFile = try world.write(served.token + "\n", to: "token")
        }

        /// A text without what differs by intention.
        func told(_ text: String) -> String {
            ServerOptionTests.told(text, "--server \(served.url) --token-file \(tokenFile) ")
        }

        /// Runs a command on the store and through the service, while the service adds nothing.
        func both(_ command: [String]) async throws -> (own: Tool.Result, served: Tool.Result) {
            for _ in 0..<9 {
                let own = try await world.tool.run(["--allow-insecure-loopback"] + command)
                let asked = try await run(command)
                let again = try await world.tool.run(["--allow-insecure-loopback"] + command)
                if told(own.output) == told(again.output) { return (own, asked) }
            }
            throw Moving(command: command)
        }

        private struct Moving: Error { var command: [String] }

        /// Runs a command that asks the service.
        func run(_ arguments: [String], input: String? = nil) async throws -> Tool.Result {
            try await world.tool.run(
                ["--allow-insecure-loopback", "--server", served.url, "--token-file", tokenFile]
                    + arguments,
                input: input
            )
        }
    }

    /// A text without what differs by intention: what is proposed names the store or the service,
    /// no seals leave a service, and ages grow.
    private static func told(_ text: String, _ place: String) -> String {
        var text = text.replacingOccurrences(of: place, with: "")
            .replacing(/"seals":\[[^\]]*\]/, with: "")
        if text.hasPrefix(#"{"at":"#) || text.hasPrefix(#"{"asOf":"#) {
            text = text.replacing(/"(at|asOf|oldestSeconds)":[^,}]*/, with: "")
        }
        return text.hasPrefix("host\t") ? text.replacing(/\t[0-9]+\n/, with: "\n") : text
    }

    /// Sessions of all kinds: paid, declined, aborted and ready.
    private func fill(_ world: World) async throws -> [String] {
        var sessions: [String] = []
        for number in 1...5 {
            // Nothing adds to the third by itself: Swish declines, and the payer can try again.
            let kind = number == 3 ? "RF07" : "Sandbox order"
            let (session, order) = try await world.open(
                SandboxOrder(description: kind, payerReference: "payer-1"),
                "--reference",
                "order-\(number)"
            )
            sessions.append(session)
            guard number < 4 else { continue }
            let begun = try await world.run("attempt", session, "swish", "--json")
            let action = try begun.json["actions"][0]
            let id = try #require(action["id"].text)
            _ = try await world.run("report", session, id, "launched", "--wait", "0s")
            _ = try await world.approveInSwish(action)
            let until = number == 3 ? [] : ["--until", "ended"]
            let done = try await world.tool.run(
                ["--allow-insecure-loopback", "resume", session, "--json"] + until
            )
            try #require(done.status == 0, "\(order.id) \(done.diagnostics)")
        }
        _ = try await world.run("abort", sessions[3])
        return sessions
    }

    @Test func `what is read prints the same from a store and through its service`() async throws {
        try await World.with { world in
            let sessions = try await fill(world)
            let asked = try await Asked(world)
            var commands = [
                ["list"], ["list", "--json"], ["list", "--money", "confirmed"],
                ["list", "--reference", "order-*", "--columns", "id,amount,reference"],
                ["list", "--turn", "payer", "--sort", "reference"], ["list", "--stuck"],
                ["list", "--possible-duplicates"], ["list", "--problem", "any", "--json"],
                ["at-risk"], ["at-risk", "--json"], ["stats"], ["stats", "--counts", "--json"],
                ["find", "order-2", "--json"], ["find", "order-"], ["find", "nothing-like-it"],
                ["show", "order-1"], ["show", "order-"], ["show", "no-such-order"],
                ["show", "01920000-0000-7000-8000-000000000000"], ["explain", "rder-2"],
                ["tail", sessions[0], "--last", "3", "--until", "ended"],
                ["export", sessions[1]],
                ["settle", "\(TutorialTests.root.path)/Tests/Fixtures/Settlement/R9001-0012.xml"],
            ]
            for session in [sessions[0], sessions[2]] {
                commands += [
                    ["show", session], ["show", session, "--json"], ["log", session],
                    ["log", session, "--json"], ["explain", session, "--why"],
                    ["explain", session, "--json"], ["timeline", session], ["replay", session],
                    ["diagram", session],
                ]
            }
            for command in commands {
                let (own, served) = try await asked.both(command)
                #expect(served.status == own.status, "\(command): \(served.diagnostics)")
                #expect(asked.told(served.output) == asked.told(own.output), "\(command)")
                #expect(asked.told(served.diagnostics) == own.diagnostics, "\(command)")
            }
        }
    }

    @Test func `a payment is driven alike in a store and through its service`() async throws {
        try await World.with { world in
            let asked = try await Asked(world)
            var shapes: [[String]] = []
            for isServed in [false, true] {
                func run(_ arguments: String..., input: String? = nil) async throws -> Tool.Result {
                    isServed
                        ? try await asked.run(arguments, input: input)
                        : try await world.tool.run(
                            ["--allow-insecure-loopback"] + arguments + [
                                "--store", "sqlite:own.db",
                            ],
                            input: input
                        )
                }
                var shape: [String] = []
                var session = ""
                func note(_ result: Tool.Result) throws {
                    let told = (try? result.json).map { json in
                        [json["phase"].text, json["outcome"].text, json["error"]["code"].text]
                            .map { $0 ?? "-" }.joined(separator: " ")
                    }
                    let codes = result.diagnostics.matches(of: /\[([a-z.-]+)\]/).map { $0.1 }
                    shape.append("\(result.status) \(told ?? "") \(codes)")
                }
                let created = try await world.sandbox.createOrder(
                    SandboxOrder(payerReference: "payer-1")
                )
                let opened = try await run(
                    "open",
                    "-",
                    "--reference",
                    "r-\(isServed)",
                    "--metadata",
                    "a=b",
                    "--json",
                    input: created.sessionURL
                )
                session = try #require(try opened.json["session"].text, "\(opened.diagnostics)")
                try note(opened)
                try note(try await run("retry", session, "--json"))
                try note(try await run("attempt", session, "card", "--prefill", "9", "--json"))
                let begun = try await run("attempt", session, "swish", "--json")
                try note(begun)
                try note(try await run("attempt", session, "swish", "--json"))
                let action = try begun.json["actions"][0]
                let id = try #require(action["id"].text)
                try note(try await run("report", session, "a-999", "launched", "--json"))
                try note(try await run("report", session, id, "launched", "--json", "--wait", "1s"))
                try note(try await run("return", session, "https://else.example/", "--json"))
                let returning = try await world.approveInSwish(action)
                try note(try await run("return", session, returning, "--json"))
                try note(try await run("resume", session, "--until", "ended", "--json"))
                try note(try await run("note", session, "the payer called", "--json"))
                try note(
                    try await run("resolve", session, "--paid", "--evidence", "admin", "--json")
                )
                try note(try await run("close", session, "--reason", "test order", "--json"))
                try note(try await run("abort", session, "--json"))
                let told = try await run("explain", session)
                shape.append(
                    told.output.split(separator: "\n").filter { $0.contains("paid") }.joined()
                        .replacing(/\+[0-9:.]+/, with: "")
                )
                let ledger = try #require(await world.sandbox.orderLedger(created.id))
                #expect(ledger.attempts.count == 1)
                // Another one is aborted and recorded with its reason.
                let other = try await world.sandbox.createOrder(SandboxOrder())
                let ready = try await run("open", "-", "--json", input: other.sessionURL)
                session = try #require(try ready.json["session"].text)
                let reason = ["--reason", "the payer called"]
                try note(try await run("abort", session, reason[0], reason[1], "--json"))
                let log = try await run("log", session)
                let types = log.output.split(separator: "\n").compactMap {
                    $0.split(separator: "\t").dropFirst(2).first
                }
                // Recorded with the reason alone, beside what the engine sends meanwhile.
                #expect(types.contains("operatorActed"))
                shape.append(types.filter { $0 != "operatorActed" }.joined(separator: " "))
                shapes.append(shape)
            }
            #expect(shapes[0] == shapes[1])
        }
    }

    @Test(.threat("T-62")) func `a service gets no other credentials, and only over TLS`()
        async throws
    {
        try await World.with { world in
            let asked = try await Asked(world)
            var tool = world.tool
            tool.environment["WORKFLOWCTL_SERVER"] = asked.served.url
            tool.environment["WORKFLOWCTL_TOKEN_FILE"] = asked.tokenFile
            #expect(try await tool.run(["list", "--json"]).output == "[]\n")
            let viewer = try await world.run("serve", "token", "create", "--role", "viewer")
            let other = try world.write(viewer.output, to: "viewer")
            let psp = try world.write("the-access-token-of-the-psp", to: "psp")
            let session = try await world.open().session
            let cases: [([String], Int32, String)] = [
                (["show", session], 77, "service.no-credentials"),
                (["show", session, "--token-file", psp], 78, "configuration.token"),
                (["abort", session, "--token-file", other], 77, "request.forbidden"),
                (
                    ["show", session, "--token-file", asked.tokenFile, "--reveal"], 64,
                    "usage.reveal"
                ),
                (["note", session, "x", "--token-file", other], 77, "request.forbidden"),
                (["checkpoint", "list", "--token-file", other], 64, "usage.server"),
                (["metrics", "--token-file", other], 64, "usage.server"),
                (["node", "list", "--token-file", other], 64, "usage.server"),
                (["list", "--token-file", other, "--store", "sqlite:x.db"], 64, "usage.server"),
            ]
            for (arguments, status, code) in cases {
                let result = try await world.tool.run(
                    ["--server", asked.served.url] + arguments
                )
                #expect(result.status == status, "\(arguments): \(result.diagnostics)")
                #expect(result.diagnostics.contains("[\(code)]"), "\(arguments)")
            }
            let unknown = try world.write(
                "pwt_00000000_\(String(repeating: "a", count: 43))",
                to: "u"
            )
            for (url, file, status, code) in [
                ("http://shop.example:8092", other, Int32(64), "usage.server"),
                ("https://user@shop.example", other, 64, "usage.server"),
                ("http://127.0.0.1:1", other, 69, "service.unavailable"),
                (asked.served.url, unknown, 77, "request.unauthenticated"),
                (world.sandbox.baseURL, other, 69, "service.un"),
            ] {
                for command in [["list"], ["abort", session]] {
                    let result = try await world.tool.run(
                        ["--server", url, "--token-file", file] + command
                    )
                    #expect(result.status == status, "\(url) \(command): \(result.diagnostics)")
                    #expect(result.diagnostics.contains("[\(code)"), "\(result.diagnostics)")
                    #expect(!result.diagnostics.contains("pwt_"))
                }
            }
        }
    }
}
