import Foundation
import TestSupport
import Testing

@testable import Sandbox

/// `find`, `at-risk`, `stats`, `tail`, `note` and `close` in a store with keys, as processes of
/// their own.
@Suite struct FindingTests {
    @Test func `a phone number is found by its fingerprint and never printed`() async throws {
        try await World.with { world in
            let (session, order) = try await world.open()
            _ = try await world.open()
            _ = try await world.run(
                "attempt",
                session,
                "swish",
                "--msisdn",
                "+46739000042",
                "--wait",
                "1s"
            )
            let found = try await world.run("find", "-", "--json", input: "+46739000042\n")
            #expect(found.status == 0, "\(found.diagnostics)")
            #expect(try found.json.list.compactMap { $0["session"].text } == [session])
            #expect(!(found.output + found.diagnostics).contains("46739000042"))
            try await SchemaCheck.expect(found.output, fits: "cli/find", in: world)
            for form in ["+46 73-900 00 42", "0046739000042", "+46 (0)73 900 00 42", "46739000042"]
            {
                let found = try await world.run("find", "-", "--json", input: form)
                #expect(try found.json[0]["session"].text == session, "\(form)")
            }
            let byOrder = try await world.run("find", order.id, "--json")
            #expect(try byOrder.json.list.compactMap { $0["session"].text } == [session])
            for national in ["073-900 00 42", "0739000042"] {
                let found = try await world.run("find", "-", "--json", input: national)
                #expect(try found.json[0]["session"].text == session, "\(national)")
            }
            let elsewhere = try await world.run("find", "073-900 00 43")
            #expect(
                elsewhere.status == 1
                    && elsewhere.diagnostics.contains("without their country code")
            )
            let other = try await world.run("find", "+46739000043")
            #expect(other.status == 1 && !other.output.contains("46739000043"))
            var blind = world.tool
            blind.environment["WORKFLOWCTL_KEY_FILE"] = world.folder + "/missing.key"
            let refused = try await blind.run(["find", "+46739000042"])
            #expect(refused.status == 78)
            let sealed = try await blind.run(["find", "073-900 00 42"])
            #expect(sealed.status == 1, "\(sealed.output)")
            #expect(sealed.diagnostics.contains("keys are missing; set WORKFLOWCTL_KEY_FILE"))
        }
    }

    @Test(.feature("S-08"))
    func `find searches the index first and stops at the limit`() async throws {
        try await World.with { world in
            let (first, _) = try await world.open(SandboxOrder(), "--reference", "order-4711")
            let (second, _) = try await world.open()
            _ = try await world.run("note", second, "see order-4711", "--by", "anna")
            let both = try await world.run("find", "order-4711")
            let lines = both.output.split(separator: "\n")
            try #require(lines.count == 3, "\(both.output)")
            #expect(lines[1].hasPrefix(first) && lines[1].hasSuffix("reference: order-4711"))
            #expect(lines[2].hasPrefix(second) && lines[2].contains(": by anna"))
            #expect(!both.output.contains("see order"))
            let one = try await world.run("find", "order-4711", "--json", "--limit", "1")
            #expect(try one.json.list.compactMap { $0["session"].text } == [first])
            #expect(one.diagnostics.contains("there may be more"))
            try await SchemaCheck.expect(one.output, fits: "cli/find", in: world)
            var blind = world.tool
            blind.environment["WORKFLOWCTL_KEY_FILE"] = world.folder + "/missing.key"
            let unread = try await blind.run(["find", "order-4711", "--json"])
            #expect(try unread.json.list.compactMap { $0["session"].text } == [first])
            let reason = "the key file \(world.folder)/missing.key does not exist [vault.missing]"
            let hint = "hint: set WORKFLOWCTL_KEY_FILE to the key file"
            #expect(
                unread.diagnostics.contains(
                    "note: the search index cannot be used: \(reason)\n\(hint)"
                ),
                "\(unread.diagnostics)"
            )
        }
    }

    @Test func `on a terminal of 80 columns, find prints one line per session`() async throws {
        try await World.with { world in
            let long = "order-4711-" + String(repeating: "x", count: 60) + "-end"
            let (first, _) = try await world.open(SandboxOrder(), "--reference", long)
            let (second, _) = try await world.open(SandboxOrder(), "--reference", "order-4712")
            let lines = try await world.tool.lines("find order-47")
            try #require(lines.count >= 3, "\(lines)")
            #expect(lines.allSatisfy { $0.count <= 80 }, "\(lines)")
            #expect(lines[0].hasPrefix("ID        OPENED            MONEY"), "\(lines)")
            #expect(lines[1].hasPrefix(second.suffix(8)) && lines[1].contains("order-4712"))
            #expect(lines[1].hasSuffix("  reference"), "\(lines)")
            #expect(lines[2].hasPrefix(first.suffix(8)) && lines[2].contains("…"))
            #expect(lines[2].contains("orde") && lines[2].contains("-end"))
            // A match that the line does not show is printed, and cut where it is too long.
            let order = try await world.tool.lines("find \(first.prefix(13))")
            let rows = order.filter { !$0.hasPrefix("hint: ") }
            #expect(rows.count >= 2 && rows.allSatisfy { $0.count <= 80 }, "\(order)")
        }
    }

    @Test func `on a terminal, tail prints local times, short ids and each new date`() async throws
    {
        try await World.with { world in
            let cases = URL(fileURLWithPath: SchemaCheck.folder).deletingLastPathComponent()
                .appendingPathComponent("Tests/Fixtures/Cases/expired.ndjson").path
            try #require(try await world.run("import", cases).status == 0)
            let session = "01a23438-bb98-7001-8000-000000000002"
            let tail = "tail \(session) --last 99 --for 0s"
            /// The lines with the date of the first event, which is left out on that very day.
            func dated(_ lines: [String], from date: String) -> [String] {
                lines.first == date ? lines : [date] + lines
            }
            let here = dated(
                try await world.tool.lines(tail + " --time-zone UTC"),
                from: "2026-12-02"
            )
            try #require(here.count > 3, "\(here)")
            #expect(here[0] == "2026-12-02")
            #expect(here[1].hasPrefix("00:47:43 00000002 "), "\(here)")
            #expect(here.filter { $0 == "2026-12-02" }.count == 1)
            #expect(here.filter { $0 == "2026-12-03" }.count == 1)
            let there = dated(
                try await world.tool.lines(tail + " --time-zone America/New_York"),
                from: "2026-12-01"
            )
            #expect(there[0] == "2026-12-01" && there[1].hasPrefix("19:47:43 00000002 "))
            // A pipe gets whole values.
            let piped = try await world.run("tail", session, "--last", "1", "--for", "0s")
            #expect(piped.output.hasPrefix("2026-12-03T00:47:43."), "\(piped.output)")
            #expect(piped.output.contains("\t\(session)\t"))
        }
    }

    @Test func `find shows whether a card was used to pay, and accepts two Chinese characters`()
        async throws
    {
        try await World.with { world in
            let (paid, _) = try await world.open()
            let (offered, _) = try await world.open(
                SandboxOrder(payerReference: "payer-1"),
                "--reference",
                "注文一"
            )
            let shown = try await world.run("show", paid, "--json")
            let cards = try shown.json["methods"].list.first { $0["instrument"].text == "card" }
            let number = try #require(cards?["prefills"][0]["maskedPan"].text)
            _ = try await world.run("attempt", paid, "card", "--card", number, "--wait", "1s")
            let found = try await world.run("find", number, "--json").json.list
            #expect(found.compactMap { $0["session"].text } == [offered, paid])
            #expect(
                found.map { $0["matches"][0]["field"].text } == [
                    "card, only offered", "card, payment in progress",
                ]
            )
            // For people, those that paid with it come first.
            let text = try await world.run("find", number).output
            let lines = text.split(separator: "\n").dropFirst()
            #expect(lines.first?.hasPrefix(paid) == true, "\(text)")
            #expect(lines.last?.hasPrefix(offered) == true)
            // A card that was declined was not used to pay.
            var order = SandboxOrder(amount: 900_361, payerReference: "payer-2")
            order.scenario.savedCards = ["4925000000000004"]
            let (declined, _) = try await world.open(order)
            order = SandboxOrder(payerReference: "payer-2")
            order.scenario.savedCards = ["4925000000000004"]
            let (second, _) = try await world.open(order)
            for session in [second, declined] {
                _ = try await world.run("attempt", session, "card", "--prefill", "1", "--json")
            }
            let ranked = try await world.run("find", "0004").output.split(separator: "\n")
            let fields = ranked.dropFirst().compactMap {
                $0.split(separator: "\t", omittingEmptySubsequences: false).last
            }
            #expect(
                fields.map { String($0.prefix { $0 != ":" }) } == [
                    "card, probably used to pay", "card, tried, not paid with it",
                    "card, only offered", "card, only offered",
                ],
                "\(ranked)"
            )
            let words = try await world.run("find", "注文", "--json")
            #expect(try words.json.list.compactMap { $0["session"].text } == [offered])
            #expect(try await world.run("find", "ab").status == 64)
        }
    }

    @Test func `at-risk and stats match their schemas, and a running attempt is not an alarm`()
        async throws
    {
        try await World.with { world in
            let (session, _) = try await world.open()
            _ = try await world.run("attempt", session, "swish", "--json")
            let risk = try await world.run("at-risk", "--json")
            try await SchemaCheck.expect(risk.output, fits: "cli/at-risk", in: world)
            // A running payment is no alarm and is counted separately.
            #expect(try risk.json["unknown"].list.isEmpty)
            #expect(try risk.json["totals"][0]["standing"].text == "underWay")
            let stats = try await world.run("stats", "--json")
            try await SchemaCheck.expect(stats.output, fits: "cli/stats", in: world)
            #expect(try stats.json["instruments"][0]["open"].number == 1)
            let counts = try await world.run("stats", "--counts", "--json")
            try await SchemaCheck.expect(counts.output, fits: "cli/stats-counts", in: world)
            #expect(try counts.json["open"].number == 1)
            // Both name the same rows in the same words, and durations as people do.
            for command in [["stats"], ["stats", "--counts"]] {
                let told = try await world.tool.run(command).output
                for row in [
                    "closed by an operator", "ended, outcome unknown", "verified; nothing charged",
                ] {
                    #expect(told.contains("\t\(row)\t"), "\(told)")
                }
                #expect(!told.contains("p50 ms") && !told.contains("ms to paid"), "\(told)")
            }
            // What only the logs have is missing in the counts, and the help says so.
            let help = try await world.run("stats", "--help").output
                .replacing(/\s+/, with: " ")
            #expect(help.contains("resolved by a person require the logs"), "\(help)")
        }
    }

    @Test func `a note is sealed and is printed only with --reveal`() async throws {
        try await World.with { world in
            let (session, _) = try await world.open()
            let noted = try await world.run(
                "note",
                session,
                "-",
                "--by",
                "anna",
                "--json",
                input: "the payer called\n"
            )
            #expect(noted.status == 0, "\(noted.diagnostics)")
            try await SchemaCheck.expect(noted.output, fits: "cli/note", in: world)
            let log = try await world.run("log", session, "--json")
            #expect(log.output.contains("noteAdded") && !log.output.contains("the payer called"))
            let revealed = try await world.run("log", session, "--json", "--reveal")
            #expect(revealed.output.contains("the payer called"))
            #expect(try await world.run("verify", session).status == 0)
            let told = try await world.run("explain", session)
            #expect(told.output.contains("anna added a note"))
            #expect(try await world.run("resume", session).status == 0)
            #expect(try await world.run("note", session, " ").status == 64)
            let unknown = "0192f0c1-7c1e-7d3a-9b1e-0a1b2c3d4e5f"
            let refused = try await world.run("note", unknown, "lost")
            #expect(refused.status == 66, "\(refused.diagnostics)")
        }
    }

    @Test func `publish prints the log position in the file, and refuses a file without one`()
        async throws
    {
        try await World.with { world in
            let file = world.storePath + ".outbox"
            let publish = [
                "publish", "--to", "https://hooks.example/pay", "--position", file, "--once",
                "--json",
            ]
            #expect(try await world.run("store", "init").status == 0)
            let none = try await world.tool.run(publish)
            #expect(none.status == 0, "\(none.diagnostics)")
            try await SchemaCheck.expect(none.output, fits: "cli/publish", in: world)
            #expect(none.output == "{\"published\":0,\"cursor\":null}\n")
            let (session, _) = try await world.open()
            let log = try await world.run("export", session, "-o", "-").output
            let lines = log.split(separator: "\n")
            let hash = try #require(lines.last?.firstMatch(of: /"hash":"([0-9a-f]{64})"/)?.1)
            try "\(lines.count) \(hash)\n".write(toFile: file, atomically: false, encoding: .utf8)
            let refused = try await world.tool.run(publish)
            #expect(refused.status == 69, "\(refused.output)")
            #expect(refused.diagnostics.contains("[outbox.position]"))
        }
    }

    @Test func `tail and log refuse an unknown event type, and log notes a start beyond the end`()
        async throws
    {
        try await World.with { world in
            let (session, _) = try await world.open()
            let refused = [
                try await world.run("tail", "--for", "1s", "--type", "nonsense"),
                try await world.run("log", session, "--type", "nonsense"),
            ]
            for found in refused {
                #expect(found.status == 64 && found.diagnostics.contains("attemptStarted"))
            }
            let beyond = try await world.run("log", session, "--from", "99999", "--json")
            #expect(beyond.status == 0 && beyond.output.isEmpty)
            #expect(beyond.diagnostics.contains("the last record is "))
        }
    }

    @Test func `tail follows events of another process up to --until, SIGINT or a closed pipe`()
        async throws
    {
        try await World.with { world in
            let (session, _) = try await world.open()
            let one = try world.tool.start(
                Tool.path,
                ["tail", session, "--last", "0", "--until", "ended", "--json"],
                input: nil
            )
            let all = try world.tool.start(Tool.path, ["tail", "--json"], input: nil)
            try await Task.sleep(for: .seconds(1))
            let (second, _) = try await world.open()
            _ = try await world.run("abort", session, "--until", "ended")
            let followed = try await world.tool.finish(one)
            #expect(followed.status == 0)
            #expect(followed.output.contains("\"type\":\"abortRequested\""))
            #expect(followed.output.contains("\"type\":\"canceled\""))
            #expect(!followed.output.contains(second))
            for _ in 0..<100 where !all.outputSoFar.contains("\"type\":\"canceled\"") {
                try await Task.sleep(for: .milliseconds(100))
            }
            kill(all.id, SIGINT)
            let ended = try await world.tool.finish(all)
            #expect(ended.status == 130)
            let opened = ended.output.split(separator: "\n").filter { $0.contains(second) }
            #expect(opened.first?.contains("\"seq\":1,") == true)
            #expect(ended.output.split(separator: "\n").allSatisfy { $0.hasSuffix("}") })
            let gone = try await world.tool.shell(
                "timeout 20 workflowctl tail \(session) --json | head -n 1"
            )
            #expect(gone.status == 0 && gone.output.split(separator: "\n").count == 1)
        }
    }

    @Test func `close ends a session that cannot continue, and the log records who closed it`()
        async throws
    {
        try await World.with { world in
            var order = SandboxOrder(payerReference: "payer-1")
            order.scenario.faults = [
                Fault(
                    rel: "prepare-payment",
                    requests: .every,
                    kind: .status(
                        400,
                        problemType: "https://api.payex.com/psp/errordetail/inputerror"
                    )
                )
            ]
            let created = try await world.sandbox.createOrder(order)
            let opened = try await world.run("open", created.sessionURL, "--json")
            #expect(opened.status == 69)
            let session = try #require(try opened.json["session"].text)
            // A forgotten option is refused before anything is recorded.
            let before = try await world.run("log", session, "--json").output
            let forgotten = try await world.tool.run(["close", session, "--reason", "test"])
            #expect(forgotten.status == 64, "\(forgotten.output)")
            #expect(forgotten.diagnostics.contains("--allow-insecure-loopback"))
            let mistyped = try await world.run(
                "close",
                session,
                "--reason",
                "test",
                "--token-file",
                "/nonexistent"
            )
            #expect(mistyped.status != 0 && mistyped.diagnostics.contains("file.unreadable"))
            #expect(try await world.run("log", session, "--json").output == before)
            let closed = try await world.run(
                "close",
                session,
                "--reason",
                "the order is refused by the PSP",
                "--by",
                "anna",
                "--json"
            )
            #expect(closed.status == 0, "\(closed.diagnostics)")
            #expect(try closed.json["outcome"].text == "failed")
            let log = try await world.run("log", session, "--type", "operatorActed", "--json")
            #expect(
                log.output.contains("\"by\":\"anna\"") && log.output.contains("refused by the PSP")
            )
            #expect(try await world.run("verify").status == 0)
            #expect(try await world.run("replay", session, "--check").status == 0)
            let again = try await world.run("close", session, "--reason", "test")
            #expect(again.status == 1 && again.diagnostics.contains("[session.ended]"))
            let (healthy, _) = try await world.open()
            let refused = try await world.run("close", healthy, "--reason", "test")
            #expect(refused.status == 1 && refused.diagnostics.contains("[session.still-going]"))
            // Whoever does not want the PSP to be asked says so.
            var other = SandboxOrder(payerReference: "payer-2")
            other.scenario = order.scenario
            let second = try await world.run(
                "open",
                world.sandbox.createOrder(other).sessionURL,
                "--json"
            )
            let left = try #require(try second.json["session"].text)
            let unread = try await world.tool.run(["close", left, "--reason", "test", "--unread"])
            #expect(unread.status == 0, "\(unread.diagnostics)")
            let closing = try await world.run("log", left, "--json").output
            #expect(closing.contains("\"type\":\"failed\""), "\(closing)")
            #expect(!closing.contains("refetchRequested"), "\(closing)")
        }
    }
}
