import Foundation
import SwedbankPay
import Testing

@testable import Sandbox

/// The problem catalogue on the command line: listed, searched, overridden, and checked against a
/// store.
@Suite struct ProblemsTests {
    private let unheardOf = "https://api.payex.com/psp/errordetail/paymentsessions/moonphase"

    /// An order at a sandbox whose first request is refused with an unknown problem type.
    private var refused: SandboxOrder {
        SandboxOrder(
            payerReference: "payer-1",
            scenario: Scenario(faults: [
                Fault(rel: "prepare-payment", kind: .status(403, problemType: unheardOf))
            ])
        )
    }

    @Test func `problems list prints every row, and the lists per class add up to all`()
        async throws
    {
        try await World.with { world in
            let all = try await world.run("problems", "list", "--json")
            #expect(all.status == 0)
            try await SchemaCheck.expect(all.output, fits: "cli/problems-list", in: world)
            #expect(try all.json["rows"].list.count == 112)
            var count = 0
            for name in ["sameRequest", "askFirst", "newAttempt", "otherInstrument", "never"] {
                let some = try await world.run("problems", "list", "--class", name, "--json")
                let rows = try some.json["rows"].list
                #expect(!rows.isEmpty && rows.allSatisfy { $0["class"].text == name })
                count += rows.count
            }
            #expect(count == 112)
            let swish = try await world.run(
                "problems",
                "list",
                "--family",
                "swish",
                "--actor",
                "psp"
            )
            let lines = swish.output.split(separator: "\n")
            #expect(lines.first?.hasPrefix("problem\tstatus\tfamily\tactor\tclass") == true)
            #expect(lines.count == 5)
            let none = try await world.run("problems", "list", "--family", "cheque")
            #expect(none.status == 64 && none.diagnostics.contains("[usage.family]"))
            #expect(none.diagnostics.contains("creditcard"))
        }
    }

    @Test func `on a terminal, problems list shows as many columns as fit, one row per line`()
        async throws
    {
        try await World.with { world in
            let narrow = try await world.tool.lines("problems list")
            #expect(narrow.count == 113)
            #expect(narrow.allSatisfy { $0.count <= 80 }, "\(narrow)")
            #expect(narrow.first?.hasPrefix("PROBLEM ") == true)
            #expect(narrow.first?.hasSuffix("CLASS") == true, "\(narrow)")
            #expect(narrow.contains { $0.hasPrefix("creditcard/authenticationstatusrejected ") })
            #expect(narrow.contains { $0.hasPrefix("inputerror (swish) ") })
            let wide = try await world.tool.lines("problems list", columns: 140)
            #expect(wide.count == 113 && wide.allSatisfy { $0.count <= 140 })
            #expect(wide.first?.hasSuffix("PAYER SEES") == true)
        }
    }

    @Test func `problems show accepts the names of the engine's own problems`() async throws {
        try await World.with { world in
            for kind in EngineProblemKind.allCases {
                let words = try await world.run("problems", "show", kind.rawValue)
                #expect(
                    words.status == 0 && words.diagnostics.isEmpty,
                    "\(kind) \(words.diagnostics)"
                )
                #expect(words.output.hasPrefix("\(kind.rawValue)  (the engine's own)\n"))
                // Of a paid order nobody is told to wait, and nobody repeats the charge.
                let isPaid = kind == .orderMismatch || kind == .paymentWithdrawn
                #expect(words.output.contains("do not pay again yet") != isPaid, "\(kind)")
                let isOrder = isPaid || kind == .notConfirmed
                #expect(words.output.contains("has to check the order") == isOrder, "\(kind)")
                let json = try await world.run("problems", "show", kind.rawValue, "--json")
                try await SchemaCheck.expect(json.output, fits: "cli/problems-show", in: world)
                #expect(try json.json["rows"][0]["type"].isNull)
                #expect(try json.json["rows"][0]["operatorMessage"].text?.isEmpty == false)
            }
        }
    }

    @Test func `problems show accepts names in words, and explains no name that does not exist`()
        async throws
    {
        try await World.with { world in
            let shown = try await world.run("problems", "show", "requestFailed")
            for words in ["request failed", "Request failed", "requestfailed"] {
                let same = try await world.run("problems", "show", words)
                #expect(same.status == 0 && same.output == shown.output, "\(words)")
            }
            for (name, meant) in [
                ("request faild", "'requestFailed'"), ("carddeclind", "'creditcard/carddeclined'"),
                ("moonphase of the year", "'workflowctl problems list'"),
            ] {
                let none = try await world.run("problems", "show", name)
                #expect(none.status == 1 && none.output.isEmpty, "\(none.output)")
                #expect(none.diagnostics.contains("no such problem"), "\(none.diagnostics)")
                #expect(none.diagnostics.contains(meant), "\(none.diagnostics)")
                let json = try await world.run("problems", "show", name, "--json")
                #expect(try json.status == 1 && json.json["known"].flag == false)
            }
            // What the engine does with a type that the catalogue lacks can still be asked.
            for arguments in [["x", "--status", "503"], ["paymentsessions/moonphase"]] {
                let rule = try await world.tool.run(["problems", "show"] + arguments)
                #expect(rule.status == 1 && rule.output.contains("(not in the catalogue)"))
            }
        }
    }

    @Test func `problems show prints what happens next`() async throws {
        try await World.with { world in
            let shown = try await world.run("problems", "show", "trustly/systemerror", "--json")
            #expect(shown.status == 0)
            try await SchemaCheck.expect(shown.output, fits: "cli/problems-show", in: world)
            let row = try shown.json["rows"][0]
            #expect(row["actor"].text == "psp" && row["class"].text == "askFirst")
            #expect(row["next"][0].text?.contains("after at least 5 s") == true)
            let words = try await world.run("problems", "show", "CreditCard/daily_limit_exceeded")
            #expect(words.status == 0)
            #expect(words.output.contains("The same one stays refused for 1 d."))

            let both = try await world.run("problems", "show", "inputerror", "--json")
            #expect(try both.json["rows"].list.map { $0["family"].text } == ["common", "swish"])
            let swish = try await world.run(
                "problems",
                "show",
                "inputerror",
                "--instrument",
                "swish",
                "--json"
            )
            #expect(try swish.json["rows"].list.map { $0["family"].text } == ["swish"])

            let unknown = try await world.run(
                "problems",
                "show",
                unheardOf,
                "--status",
                "503",
                "--json"
            )
            #expect(unknown.status == 1)
            try await SchemaCheck.expect(unknown.output, fits: "cli/problems-show", in: world)
            #expect(try unknown.json["known"].flag == false)
            #expect(try unknown.json["rows"][0]["class"].text == "askFirst")
            for wrong in [["x", "--status", "7"], [""]] {
                let result = try await world.tool.run(["problems", "show"] + wrong)
                #expect(result.status == 64)
            }
        }
    }

    @Test func `problems lint finds an unknown problem type in the store until a row covers it`()
        async throws
    {
        try await World.with { world in
            _ = try await world.open()
            let clean = try await world.run("problems", "lint", "--json")
            #expect(clean.status == 0)
            try await SchemaCheck.expect(clean.output, fits: "cli/problems-lint", in: world)
            #expect(try clean.json["sessions"].number == 1)
            #expect(try clean.json["missing"].list.isEmpty)
            #expect(try await world.run("problems", "lint").output.hasPrefix("complete"))

            let order = try await world.sandbox.createOrder(refused)
            let opened = try await world.run("open", order.sessionURL, "--json")
            let session = try #require(try opened.json["session"].text)
            #expect(try opened.json["problem"]["type"].text == unheardOf)
            #expect(try opened.json["problem"]["actor"].text == "merchant")

            let lint = try await world.run("problems", "lint", "--json")
            #expect(lint.status == 1)
            try await SchemaCheck.expect(lint.output, fits: "cli/problems-lint", in: world)
            let missing = try lint.json["missing"]
            #expect(missing.list.count == 1)
            #expect(missing[0]["type"].text == unheardOf && missing[0]["status"].number == 403)
            #expect(missing[0]["session"].text == session)
            #expect(missing[0]["actor"].text == "merchant")
            let words = try await world.run("problems", "lint")
            #expect(words.status == 1 && words.output.contains("paymentsessions/moonphase\t403"))

            let row = """
                [{"type":"\(unheardOf)","family":"paymentsessions","actor":"psp",
                "class":"newAttempt","payerMessage":"Wait for the moon.","operatorMessage":"-"}]
                """
            let file = try world.write(row, to: "problems.json")
            let checked = try await world.run("problems", "lint", file, "--json")
            #expect(checked.status == 0)
            try await SchemaCheck.expect(checked.output, fits: "cli/problems-lint", in: world)
            #expect(try checked.json["changes"][0]["effect"].text == "adds")
            #expect(try await world.run("problems", "lint", "--problems", file).status == 0)
        }
    }

    @Test func `a changed row takes effect, and every event records the changed catalogue`()
        async throws
    {
        try await World.with { world in
            let row = """
                [{"type":"\(unheardOf)","status":403,"family":"paymentsessions","actor":"psp",
                "class":"sameRequest","newAttempt":"any","maximumTries":3,
                "payerMessage":"Wait for the moon.","operatorMessage":"-"}]
                """
            let file = try world.write(row, to: "problems.json")
            let configuration = try world.write(
                #"{"problemsFile":"\#(file)"}"#,
                to: "config.json"
            )
            let order = try await world.sandbox.createOrder(refused)
            let opened = try await world.run(
                "--config",
                configuration,
                "open",
                order.sessionURL,
                "--json"
            )
            // Refused once, and sent again because the row says so.
            #expect(try opened.json["phase"].text == "ready")
            let session = try #require(try opened.json["session"].text)
            let log = try await world.run("log", session, "--json")
            let sum = try await world.tool.shell("sha256sum \(file) | cut -c1-12")
            let suffix = "+" + sum.output.trimmingCharacters(in: .whitespacesAndNewlines)
            for line in log.output.split(separator: "\n") {
                let version = try JSON(parsing: String(line))["record"]["meta"]["catalogue"].text
                #expect(version?.hasSuffix(suffix) == true)
            }
            // With the same rows the decisions are the same; without them they differ.
            let same = try await world.run("--config", configuration, "replay", session, "--check")
            #expect(same.status == 0)
            #expect(try await world.run("replay", session, "--check").status == 1)
            let lint = try await world.run("--config", configuration, "problems", "lint", "--json")
            #expect(lint.status == 0)
            #expect(
                try lint.json["decidedBy"][0]["catalogue"].text?.hasSuffix(suffix) == true
            )
        }
    }

    @Test func `listed rows can be used as changes, and a malformed file is refused with its row`()
        async throws
    {
        try await World.with { world in
            let listed = try await world.tool.shell(
                "workflowctl problems list --json | python3 -c "
                    + "'import json,sys; print(json.dumps(json.load(sys.stdin)[\"rows\"]))'"
            )
            try await SchemaCheck.expect(listed.output, fits: "problem-catalogue", in: world)
            let file = try world.write(listed.output, to: "same.json")
            let same = try await world.run("problems", "lint", file, "--json")
            #expect(same.status == 1)
            let effects = Set(try same.json["changes"].list.compactMap { $0["effect"].text })
            #expect(effects == ["nothing"])

            let wrong = try world.write(
                #"[{"slug":"trustly/systemerror","actor":"psp"},{"slug":"inputerror"}]"#,
                to: "wrong.json"
            )
            let configuration = try world.write(
                #"{"problemsFile":"\#(wrong)"}"#,
                to: "config.json"
            )
            for arguments in [
                ["problems", "lint", wrong], ["problems", "list", "--problems", wrong],
                ["list", "--config", configuration],
            ] {
                let result = try await world.tool.run(arguments)
                #expect(result.status == 78, "\(arguments)")
                #expect(result.diagnostics.contains("row 2 (inputerror)"))
                #expect(result.diagnostics.contains("[problems.malformed-row]"))
            }
            let absent = try await world.run("problems", "lint", "no-such-file.json")
            #expect(absent.status == 78 && absent.diagnostics.contains("[problems.unreadable]"))
            let both = try await world.run("problems", "lint", file, "--problems", file)
            #expect(both.status == 64 && both.diagnostics.contains("[usage.mode]"))
        }
    }
}
