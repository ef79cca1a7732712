import Foundation
import TestSupport
import Testing

@testable import Sandbox

/// `list` with many payments, for people and programs.
@Suite struct ListTests {
    private func list(_ world: World, _ arguments: String) async throws -> String {
        let run = try await world.tool.shell(
            "script -qec \"stty cols 80 rows 40; workflowctl list --no-pager \(arguments)\" /dev/null"
        )
        #expect(run.status == 0, "\(run.output)\(run.diagnostics)")
        return run.output.replacing("\r\n", with: "\n")
    }

    @Test func `on a terminal, each session is one line that fits the width`() async throws {
        try await World.with { world in
            let long = "order-4711-" + String(repeating: "x", count: 200) + "-the-end"
            let (first, _) = try await world.open(SandboxOrder(), "--reference", long)
            let (second, _) = try await world.open(SandboxOrder(), "--reference", "order-4712")
            let lines = try await list(world, "--color never").split(separator: "\n")
            try #require(lines.count == 3, "\(lines)")
            #expect(lines.allSatisfy { $0.count <= 80 }, "\(lines)")
            #expect(lines[1].hasPrefix(second.suffix(8)) && lines[1].contains("order-4712"))
            #expect(lines[2].hasPrefix(first.suffix(8)))
            #expect(lines[2].contains("order-4711") && lines[2].contains("…"))
            #expect(lines[2].contains("the-end"))
            let wide = try await list(world, "--color never --wide")
            #expect(wide.replacing("\n  ", with: "").contains(long) && wide.contains(first))
            let cut = try await list(world, "--color never --limit 1")
            #expect(cut.contains("only the first 1 sessions are shown; --limit 10 shows more"))
            #expect(!cut.contains(first.suffix(8)))
        }
    }

    @Test func `in a pipe, list prints all sessions in full, and columns can be chosen`()
        async throws
    {
        try await World.with { world in
            let (first, _) = try await world.open(SandboxOrder(), "--reference", "b-1")
            let (second, _) = try await world.open(SandboxOrder(), "--reference", "a-1")
            _ = try await world.open()
            let all = try await world.run("list").output.split(separator: "\n")
            #expect(all.count == 4)
            #expect(
                all[0]
                    == "session\topened\tmoney\tphase\toutcome\tinstrument\tevents\treference\tproblem"
            )
            let chosen = try await world.run(
                "list",
                "--columns",
                "session,reference,host,money",
                "--sort",
                "reference",
                "--limit",
                "2"
            )
            #expect(
                chosen.output == """
                    session\treference\thost\tmoney
                    \(second)\ta-1\t127.0.0.1\tto be paid 100.00 SEK
                    \(first)\tb-1\t127.0.0.1\tto be paid 100.00 SEK

                    """
            )
            let json = try await world.run("list", "--json", "--sort", "oldest", "--limit", "2")
            #expect(try json.json.list.compactMap { $0["session"].text } == [first, second])
            try await SchemaCheck.expect(json.output, fits: "cli/list", in: world)
            let wrong = try await world.run("list", "--columns", "id,nonsense")
            #expect(wrong.status == 64 && wrong.diagnostics.contains("[usage.columns]"))
            for limit in ["0", "9223372036854775807"] {
                let wrong = try await world.run("list", "--limit", limit)
                #expect(wrong.status == 64 && wrong.diagnostics.contains("[usage.limit]"))
            }
        }
    }

    @Test(.feature("S-06"))
    func `list filters match values of the index and of the logs`() async throws {
        try await World.with { world in
            let (first, _) = try await world.open(SandboxOrder(), "--reference", "order-1")
            let (second, _) = try await world.open(SandboxOrder(), "--reference", "other-%")
            _ = try await world.run("attempt", first, "swish", "--wait", "1s")
            func found(_ arguments: String...) async throws -> [String] {
                let run = try await world.tool.run(["list", "--json"] + arguments)
                #expect(run.status == 0, "\(run.diagnostics)")
                return try run.json.list.compactMap { $0["session"].text }
            }
            #expect(try await found("--reference", "order-*") == [first])
            #expect(try await found("--reference", "o*") == [second, first])
            #expect(try await found("--reference", "%*") == [])
            #expect(try await found("--instrument", "swish") == [first])
            #expect(try await found("--money", "underWay") == [first])
            #expect(try await found("--money", "intended", "--limit", "1") == [second])
            #expect(try await found("--host", "127.0.0.1") == [second, first])
            #expect(try await found("--host", "api.payex.com") == [])
            #expect(try await found("--problem", "any") == [])
            #expect(try await found("--since", "today").count == 2)
            #expect(try await found("--until", "yesterday") == [])
        }
    }

    @Test
    func `what people read first is the money, also of a payment that was resolved as paid`()
        async throws
    {
        try await World.with { world in
            let config = try world.write(
                #"{"limits":{"retries":"1ms","cardRetries":"1ms","tries":1}}"#,
                to: "config.json"
            )
            let amount = ["--reference", "order-4711", "--amount", "100 SEK"]
            let created = try await world.sandbox.createOrder(SandboxOrder(amount: 10_000))
            let opened = try await world.tool.run(
                ["--allow-insecure-loopback", "--json", "open", created.sessionURL] + amount
            )
            let session = try #require(try opened.json["session"].text)
            func expect(_ words: String, _ state: String) async throws {
                let list = try await world.run("list", "--columns", "money,state")
                #expect(list.output == "money\tstate\n\(words)\t\(state)\n")
                let found = try await world.run("find", "order-4711").output
                #expect(found.contains("\t\(words)\t"), "\(found)")
                let shown = try await world.run("show", "order-4711").output
                #expect(shown.hasPrefix("money      \(words)"), "\(shown)")
                let short = try await self.list(world, "--color never")
                #expect(short.contains(words) && !short.contains("failed "), "\(short)")
            }
            try await expect("to be paid 100.00 SEK", "ready")
            await world.sandbox.injectFaults(
                with: ["start-payment-attempt", "session"].map {
                    Fault(rel: $0, requests: .every, kind: .reset)
                }
            )
            let swish = ["attempt", session, "swish", "--msisdn", "+46739000001"]
            let lost = try await world.tool.run(
                ["--allow-insecure-loopback", "--config", config] + swish
            )
            try #require(lost.status == 69, "\(lost.diagnostics)")
            let closed = try await world.run("close", session, "--reason", "x", "--unread")
            try #require(closed.status == 0, "\(closed.diagnostics)")
            try await expect("unknown 100.00 SEK", "ended")
            let resolved = try await world.run("resolve", session, "--paid", "--evidence", "PSP")
            try #require(resolved.status == 0, "\(resolved.diagnostics)")
            try await expect("paid 100.00 SEK", "ended")
            // Programs get the outcome as it was recorded.
            let json = try await world.run("list", "--json").json[0]
            #expect(json["outcome"].text == "failed" && json["money"].text == "confirmed")
        }
    }

    @Test func `with --wide, a list on a narrow terminal has several lines per session`()
        async throws
    {
        try await World.with { world in
            let (session, _) = try await world.open(SandboxOrder(), "--reference", "order-4711")
            let lines = try await list(world, "--color never --wide").split(separator: "\n")
            #expect(lines.allSatisfy { $0.count <= 80 }, "\(lines)")
            #expect(lines.first?.hasPrefix("SESSION \(session)") == true)
            #expect(lines.contains { $0.contains("reference order-4711") })
        }
    }

    @Test func `a problem that no session can have is noted`() async throws {
        try await World.with { world in
            _ = try await world.open()
            for known in [
                "any", "requestFailed", "request failed", "inputerror", "errordetail/inputerror",
                "CreditCard/CardDeclined", "https://api.payex.com/psp/errordetail/inputerror",
            ] {
                let list = try await world.run("list", "--problem", known)
                #expect(list.status == 0 && list.diagnostics.isEmpty, "\(list.diagnostics)")
            }
            for unknown in ["nonsense", "request faild"] {
                let list = try await world.run("list", "--problem", unknown)
                #expect(list.status == 0 && list.output.split(separator: "\n").count == 1)
                #expect(list.diagnostics.hasPrefix("note: no such problem is known"))
            }
        }
    }

    @Test func `times are local on a terminal and as recorded elsewhere`() async throws {
        try await World.with { world in
            let (session, _) = try await world.open()
            let shown = try await world.run("show", session, "--json")
            #expect(shown.status == 0)
            func opened(_ zone: String) async throws -> String {
                let text = try await list(
                    world,
                    "--color never --columns opened --time-zone \(zone)"
                )
                return String(text.split(separator: "\n")[1])
            }
            let piped = try await world.run("list", "--columns", "opened", "--time-zone", "UTC")
            let recorded = try #require(piped.output.split(separator: "\n").last)
            #expect(recorded.hasSuffix("Z"))
            #expect(try await opened("UTC") == recorded.prefix(16).replacing("T", with: " "))
            #expect(try await opened("Asia/Tokyo") != opened("UTC"))
            let unknown = try await world.run("list", "--time-zone", "Europe/Nowhere")
            #expect(unknown.status == 64 && unknown.diagnostics.contains("[usage.time-zone]"))
        }
    }

    @Test func `a period until a day includes the day, and adjoining periods cover all once`()
        async throws
    {
        try await World.with { world in
            let cases = URL(fileURLWithPath: SchemaCheck.folder).deletingLastPathComponent()
                .appendingPathComponent("Tests/Fixtures/Cases/expired.ndjson").path
            try #require(try await world.run("import", cases).status == 0)
            // Opened on 2026-12-02 at 00:47 UTC.
            for (period, zone, isIn) in [
                (["--until", "2026-12-01"], "UTC", false),
                (["--until", "2026-12-02"], "UTC", true),
                (["--since", "2026-12-02", "--until", "2026-12-02"], "UTC", true),
                (["--since", "2026-12-03"], "UTC", false),
                (["--until", "2026-12-02 00:30"], "UTC", false),
                (["--since", "2026-12-02 00:30"], "UTC", true),
                (["--until", "2026-12-01"], "America/New_York", true),
                (["--since", "2026-12-02"], "America/New_York", false),
            ] {
                for command in [["list", "--json"], ["find", "01a23438-bb98", "--json"]] {
                    let listed = try await world.tool.run(
                        command + ["--imported", "--time-zone", zone] + period
                    )
                    #expect(try listed.json.list.count == (isIn ? 1 : 0), "\(command) \(period)")
                }
            }
            let made = try await world.run(
                "demo",
                "--sessions",
                "1",
                "--until",
                "2026-10-25 02:30",
                "--json",
                "--time-zone",
                "Europe/Stockholm",
                store: world.folder + "/training.db"
            )
            #expect(try made.json["until"].text == "2026-10-25T00:30:00.000000Z")
        }
    }

    @Test func `wide characters do not misalign the columns after them`() async throws {
        try await World.with { world in
            _ = try await world.open(SandboxOrder(), "--reference", "注文-4711")
            _ = try await world.open(SandboxOrder(), "--reference", "order-4712")
            let lines = try await list(world, "--color never --columns reference,state,id")
                .split(separator: "\n")
            try #require(lines.count == 3, "\(lines)")
            #expect(lines[1].hasPrefix("order-4712  ready  "))
            #expect(lines[2].hasPrefix("注文-4711   ready  "), "\(lines)")
        }
    }

    @Test(.feature("S-07"))
    func `a list can be saved under a name, shown again and forgotten`() async throws {
        try await World.with { given in
            var world = given
            world.tool.environment["HOME"] = world.folder
            let (first, _) = try await world.open(SandboxOrder(), "--reference", "a-1")
            _ = try await world.open(SandboxOrder(), "--reference", "b-1")
            let saved = try await world.run(
                "list",
                "--reference",
                "a-*",
                "--columns",
                "session,reference",
                "--since",
                "1d",
                "--save",
                "mine"
            )
            #expect(saved.status == 0 && saved.diagnostics.contains("list --view mine"))
            #expect(saved.output == "session\treference\n\(first)\ta-1\n")
            #expect(try world.mode(of: world.folder + "/.config/workflowctl/lists.json") == 0o600)
            let shown = try await world.run("list", "--view", "mine")
            #expect(shown.output == saved.output)
            // Options that are given override the saved ones.
            let other = try await world.run("list", "--view", "mine", "--reference", "b-*")
            #expect(other.output.contains("\tb-1\n") && !other.output.contains("\ta-1\n"))
            let names = try await world.run("list", "--saved", "--json")
            try await SchemaCheck.expect(names.output, fits: "cli/list-saved", in: world)
            #expect(try names.json[0]["name"].text == "mine")
            #expect(try names.json[0]["options"].list.compactMap(\.text).contains("a-*"))
            let unknown = try await world.run("list", "--view", "mien")
            #expect(unknown.status == 64)
            #expect(unknown.diagnostics.contains("did you mean 'mine'?"))
            #expect(try await world.run("list", "--forget", "mine").status == 0)
            #expect(try await world.run("list", "--view", "mine").status == 64)
            for bad in [["--save", "-x"], ["--save", "a", "--forget", "b"]] {
                #expect(try await world.tool.run(["list"] + bad).status == 64, "\(bad)")
            }
            // The error names a malformed file.
            for text in ["[]", "{\"a\": 1}", "{\"a\": {\"color of money\": \"x\"}}"] {
                _ = try world.write(text, to: ".config/workflowctl/lists.json")
                let broken = try await world.run("list", "--view", "a")
                #expect(broken.status == 78, "\(text) \(broken.diagnostics)")
                #expect(broken.diagnostics.contains("[configuration.lists]"))
            }
        }
    }
}
