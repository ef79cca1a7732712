import Foundation
import TestSupport
import Testing
import WorkflowTesting

@testable import Adapters
@testable import EventLog
@testable import SwedbankPay
@testable import workflowctl

/// Commands over a whole store with all thirteen cases, so that every number is known.
@Suite struct StoreCommandTests {
    private func session(_ story: SupportCase) -> String { CaseStore.session(story) }

    @Test(.feature("S-10"))
    func `at-risk adds up the money of the cases and names the unknown one`() async throws {
        try await CaseStore.with { store in
            let terminal = try await store.run("at-risk", columns: 110)
            try CaseTests.expect(terminal.text, in: "Looks/at-risk.txt")
            let json = try await store.run("at-risk", "--json")
            try CaseTests.expect(json.text, in: "Looks/at-risk.json")
            let totals = try JSONValue(parsing: Array(json.text.utf8))
            guard case .array(let unknown)? = totals["unknown"] else {
                Issue.record("no list")
                return
            }
            // Of the thirteen only the unanswered request in Swish is uncertain.
            #expect(unknown.count == 1)
            #expect(unknown.first?["session"] == .string(session(.expired)))
            #expect(unknown.first?["amount"] == .integer(CasePayment.amount.minorUnits))
        }
    }

    @Test func `index and logs report the same money, also for rows without facts`()
        async throws
    {
        try await CaseStore.with { store in
            let commands = [
                ["at-risk", "--json"], ["list", "--json"],
                ["list", "--money", "unknown", "--json"],
                ["list", "--turn", "nobody"], ["list", "--host", "api.payex.com", "--limit", "4"],
            ]
            let logs = try await store.run("at-risk", "--from-logs", "--json").text
            var before: [String] = []
            for command in commands { before.append(try await store.run(command).text) }
            #expect(before[0] == logs)
            #expect(before[2].contains(session(.expired)))
            // As written by a build that had no facts.
            let file = try store.file()
            try file.execute(
                """
                UPDATE sessions SET facts = NULL;
                UPDATE listed_sessions SET facts_version = NULL, money = NULL, turn = 'x';
                DELETE FROM listed_sums
                """
            )
            for (command, text) in zip(commands, before) {
                #expect(try await store.run(command).text == text, "\(command)")
            }
            let written = try await store.run("store", "reproject", "--json")
            #expect(written.status == .done && written.text.contains("\"written\":13"))
            #expect(
                try file.integer("SELECT count(*) FROM sessions WHERE facts LIKE '[1,%'") == 13
            )
            for (command, text) in zip(commands, before) {
                #expect(try await store.run(command).text == text, "\(command)")
            }
            #expect(try await store.run("store", "reproject", "--json").text.contains(":0,"))
            // An altered log of a payment that is listed by itself is detected, whatever its row
            // says.
            try file.execute(
                """
                UPDATE events SET record = CAST(replace(record, 'order-', 'ORDER-') AS BLOB) WHERE seq = 1
                    AND session = (SELECT key FROM sessions WHERE id = '\(session(.expired))')
                """
            )
            let altered = try await store.run("at-risk", "--json")
            #expect(altered.status == .damaged && altered.text.contains("\"unreadable\":1"))
        }
    }

    /// Removes the facts from all rows, as if they were of another version.
    private static let withoutFacts = """
        UPDATE sessions SET facts = NULL;
        UPDATE listed_sessions SET facts_version = NULL, \(nothing);
        DELETE FROM listed_sums
        """
    private static let nothing = ReadModel.payments.columns.map { "\($0.name) = NULL" }
        .joined(separator: ", ")

    @Test(.threat("T-09"))
    func `an index that differs from the logs is found, named and repaired`() async throws {
        try await CaseStore.with { store in
            let check = ["doctor", "--check", "projections", "--json"]
            let before = try await store.run(["at-risk", "--json"]).text
            #expect(try await store.run(check).status == .done)
            #expect(try await store.run(check + ["--all"]).text.contains("all 13"))
            let file = try store.file()
            let breaks = [
                (
                    """
                    UPDATE sessions SET facts = json_set(facts, '$[5]', 7) WHERE id = '\(session(.doubleTap))'
                    """,
                    "amount"
                ),
                (
                    "UPDATE sessions SET phase = 'ready' WHERE id = '\(session(.doubleTap))'",
                    "phase"
                ),
            ]
            let sums = [
                "low = low + 1 WHERE name = 'money.1'", "sessions = 7 WHERE name = 'ended.1'",
            ]
            .flatMap { change in
                ["hour", "day"].map {
                    ("UPDATE listed_sums SET \(change) AND span = '\($0)'", "sums")
                }
            }
            for (sql, word) in breaks + sums {
                try file.execute(sql)
                if sql.hasPrefix("UPDATE sessions") {
                    try file.execute(
                        sql.replacing("UPDATE sessions", with: "UPDATE listed_sessions")
                            .replacing("facts = json_set(facts, '$[5]', 7)", with: "amount = 7")
                    )
                }
                for command in [check, check + ["--all"]] {
                    let found = try await store.run(command)
                    #expect(found.status == .refused, "\(sql)")
                    #expect(found.text.contains(word), "\(found.text)")
                    #expect(found.text.contains("store reproject --rebuild"))
                    #expect(found.text.contains(session(.doubleTap)) == (word != "sums"))
                }
                let rebuilt = try await store.run("store", "reproject", "--rebuild", "--json")
                #expect(rebuilt.text.contains("\"written\":13"), "\(rebuilt.text)")
                #expect(try await store.run(check + ["--all"]).status == .done, "\(sql)")
                #expect(try await store.run(["at-risk", "--json"]).text == before)
            }
            // Rows without facts are no fault, but something to do.
            try file.execute(Self.withoutFacts)
            let left = try await store.run(check)
            #expect(left.status == .done && left.text.contains("\"warning\""), "\(left.text)")
            #expect(try await store.run(["at-risk", "--json"]).text == before)
            #expect(try await store.run("store", "reproject").status == .done)
            #expect(try await !store.run(check).text.contains("\"warning\""))
            #expect(try await store.run(["at-risk", "--json"]).text == before)
        }
    }

    @Test func `list --json is indented on a terminal, and has a line for each session in a pipe`()
        async throws
    {
        try await CaseStore.with { store in
            let shown = try await store.run("list", "--json", columns: 110).text
            let piped = try await store.run("list", "--json").text
            #expect(shown.hasPrefix("[\n  {\n    \"") && shown.hasSuffix("\n  }\n]\n"), "\(shown)")
            let known = try JSONValue(parsing: Array(piped.utf8))
            #expect(try JSONValue(parsing: Array(shown.utf8)) == known)
            let lines = piped.split(separator: "\n").dropFirst().dropLast()
            #expect(lines.count > 1 && lines.allSatisfy { $0.hasPrefix("{") })
        }
    }

    @Test func `index and logs give the same counts, also for rows without facts`() async throws {
        try await CaseStore.with { store in
            let file = try store.file()
            for hasFacts in [true, false] {
                if !hasFacts {
                    try file.execute(Self.withoutFacts)
                }
                for narrowing in [
                    [], ["--instrument", "swish"], ["--since", "27h"], ["--imported"],
                ] {
                    let logs = try await store.run(["stats", "--json"] + narrowing).text
                    let index = try await store.run(["stats", "--counts", "--json"] + narrowing)
                        .text
                    let (known, counted) = (
                        try JSONValue(parsing: Array(logs.utf8)),
                        try JSONValue(parsing: Array(index.utf8))
                    )
                    for name in [
                        "sessions", "imported", "open", "stuck", "closed", "endedUnknown",
                        "verified",
                        "outcomes", "unreadable",
                    ] {
                        #expect(counted[name] == known[name], "\(name) \(narrowing) \(hasFacts)")
                    }
                    guard case .array(let instruments)? = counted["instruments"] else {
                        Issue.record("no list")
                        return
                    }
                    #expect(narrowing != ["--instrument", "swish"] || instruments.count == 1)
                }
            }
            let lines = try await store.run("stats", "--counts").text.split(separator: "\n")
            #expect(lines.first == "what\tname\toutcome\tcount")
            #expect(lines.contains("sessions\tall\t\t13"))
        }
    }

    @Test func `statistics count every attempt once`() async throws {
        try await CaseStore.with { store in
            let terminal = try await store.run("stats", columns: 110)
            try CaseTests.expect(terminal.text, in: "Looks/stats.txt")
            try CaseTests.expect(try await store.run("stats").text, in: "Looks/stats.pipe.txt")
            let json = try await store.run("stats", "--json")
            try CaseTests.expect(json.text, in: "Looks/stats.json")
            let known = try JSONValue(parsing: Array(json.text.utf8))
            #expect(known["sessions"] == .integer(13))
            #expect(known["open"] == .integer(2))
            let none = try await store.run("stats", "--since", "1h", "--json")
            #expect(try JSONValue(parsing: Array(none.text.utf8))["sessions"] == .integer(0))
        }
    }

    @Test(arguments: [
        ("order-4715", SupportCase.providerStorm), ("ORDER-4722", .expired),
    ])
    func `a session is found by its reference, in any letter case`(
        _ text: String,
        _ story: SupportCase
    ) async throws {
        try await CaseStore.with { store in
            let found = try await store.run("find", text)
            #expect(found.status == .done)
            let lines = found.text.split(separator: "\n")
            #expect(lines.count == 2 && lines.last?.hasPrefix(session(story)) == true)
        }
    }

    @Test func `sessions are found by masked card, by part of their ID and by trace ID`()
        async throws
    {
        try await CaseStore.with { store in
            // A checkout's page shows the payer's cards, and the order does not contain them.
            let cards = try await store.run("find", "4761 73** **** 1416", "--json")
            #expect(cards.text.split(separator: "\"session\"").count - 1 == 12)
            let other = try await store.run("find", "476174******1416")
            #expect(other.status == .refused)
            let identity = session(.doubleTap).prefix(13)
            let found = try await store.run("find", String(identity))
            #expect(found.text.contains(session(.doubleTap)))
            let trace = try await store.run("find", "7d1e6f8a4c2b49d0", "--since", "27h")
            #expect(trace.text.split(separator: "\n").count == 2)
            #expect(try await store.run("find", "order-9999").status == .refused)
        }
    }

    @Test func `find refuses a full card number, and needs the keys for a phone number`()
        async throws
    {
        try await CaseStore.with { store in
            let card = try await store.run("find", "4761 7390 0101 1416")
            #expect(card.status == .usage && card.text.contains("[usage.find]"))
            #expect(!card.text.contains("7390"))
            let number = try await store.run("find", "+46739000001")
            #expect(number.status == .configuration, "\(number.text)")
            #expect(!number.text.contains("46739000001"))
            #expect(try await store.run("find", "ab").status == .usage)
        }
    }

    @Test
    func `tail prints the last events, and stops after its time or once the session has ended`()
        async throws
    {
        try await CaseStore.with { store in
            let session = session(.issuerDeclined)
            let tail = try await store.run("tail", session, "--last", "3", "--for", "0s")
            #expect(tail.status == .done)
            #expect(tail.text.split(separator: "\n").count == 3)
            let over = self.session(.abortRefused)
            let problems = try await store.run(
                "tail",
                over,
                "--last",
                "99",
                "--problems",
                "--until",
                "ended"
            )
            let kinds = problems.text.split(separator: "\n").map { $0.split(separator: "\t")[3] }
            #expect(kinds == ["operationFailed", "problem"])
            let json = try await store.run(
                "tail",
                over,
                "--json",
                "--last",
                "1",
                "--until",
                "ended"
            )
            #expect(json.text.contains("\"type\":\"completed\""))
            let mistaken = try await store.run("tail", "--until", "ended")
            #expect(mistaken.status == .usage && mistaken.text.contains("[usage.until]"))
        }
    }

    @Test func `a session that has ended or is still in progress cannot be closed`() async throws {
        try await CaseStore.with { store in
            let over = try await store.run("close", session(.expired), "--reason", "test")
            #expect(over.status == .refused && over.text.contains("[session.ended]"))
            let open = try await store.run("close", session(.issuerDeclined), "--reason", "test")
            #expect(open.status == .refused && open.text.contains("[session.still-going]"))
            let silent = try await store.run("close", session(.issuerDeclined))
            #expect(silent.status == .usage && silent.text.contains("[usage.reason]"))
        }
    }

    @Test func `a note without keys is refused`() async throws {
        try await CaseStore.with { store in
            let noted = try await store.run("note", session(.expired), "asked the PSP")
            #expect(noted.status != .done)
            #expect(!noted.text.contains("asked the PSP"))
        }
    }
}
