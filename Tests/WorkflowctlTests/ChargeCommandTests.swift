import Foundation
import TestSupport
import Testing

@testable import Sandbox

/// Charges of stored tokens through the program.
@Suite struct ChargeCommandTests {
    private static func charge(_ amount: Int = 4_900, sandbox: String = "{}") -> String {
        """
        {"paymentorder":{"currency":"SEK","amount":\(amount),"vatAmount":0,
         "description":"Subscription","language":"sv-SE",
         "payeeInfo":{"payeeId":"shop"},"sandbox":\(sandbox)}}
        """
    }

    /// A world in which a paid order produced both tokens, and the file of one.
    private func world(
        _ kind: String = "recurrence",
        _ body: (World, _ stored: String, _ token: String) async throws -> Void
    ) async throws {
        try await Checkout.world { world, _ in
            let order = try await world.create(
                Checkout.order(
                    more: #""generateRecurrenceToken":true,"generateUnscheduledToken":true,"#
                )
            )
            try await world.elsewhere(order)
            let path = world.folder + "/stored"
            let saved = try await world.merchant(
                "tokens",
                "save",
                "/psp/paymentorders/\(order.id)",
                path,
                "--kind",
                kind,
                "--psp",
                world.sandbox.baseURL
            )
            try #require(saved.status == 0, "\(saved.diagnostics)")
            try await SchemaCheck.expect(saved.output, fits: "cli/tokens-save", in: world)
            let text = try String(contentsOfFile: path, encoding: .utf8)
            let token = text.trimmingCharacters(in: .whitespacesAndNewlines)
            #expect(token.count > 10)
            #expect(!(saved.output + saved.diagnostics).contains(token))
            let attributes = try FileManager.default.attributesOfItem(atPath: path)
            #expect(attributes[.posixPermissions] as? Int == 0o600)
            try await body(world, path, token)
        }
    }

    private func create(
        _ world: World,
        _ stored: String,
        _ order: String,
        _ operation: String = "recur"
    ) async throws -> Tool.Result {
        let path = try world.write(order, to: "charge.json")
        return try await world.merchant(
            "order",
            "create",
            path,
            "--operation",
            operation,
            "--stored-token-file",
            stored,
            "--psp",
            world.sandbox.baseURL
        )
    }

    @Test(.feature("M-08"), arguments: [("recurrence", "recur"), ("unscheduled", "unscheduled")])
    func `a saved token is charged without a payer and is never printed`(
        kind: String,
        operation: String
    ) async throws {
        try await world(kind) { world, stored, token in
            let paid = try await create(world, stored, Self.charge(), operation)
            #expect(paid.status == 0, "\(paid.diagnostics)")
            try await SchemaCheck.expect(paid.output, fits: "session-view", in: world)
            let view = try paid.json
            #expect(view["outcome"].text == "completed")
            #expect(view["confirmed"].flag == true)
            #expect(view["actions"].list.isEmpty)
            let session = try #require(view["session"].text)
            let told = try await world.run("explain", session)
            #expect(told.output.contains("The engine sent 1 charge request"))
            #expect(!told.output.contains("payer pays"))
            let log = try await world.run("log", session)
            for output in [paid.output, told.output, log.output] {
                #expect(!output.contains(token))
            }
            #expect(await world.sandbox.ledger.orders.last?.authorizedAmount == 4_900)
            try await world.expectSoundLogs(session)
        }
    }

    @Test(
        .feature("M-08"),
        arguments: [
            (952_400, "must never charge this token again. The card itself is blocked for 30 d"),
            (952_507, "without the payer, who has to pay with 3-D Secure"),
            (900_361, "at most 10 times in 1 d and 35 times in 30 d (Mastercard)"),
        ]
    )
    func `explain says what the merchant may do after a refused charge`(
        amount: Int,
        words: String
    ) async throws {
        try await world { world, stored, _ in
            let failed = try await create(world, stored, Self.charge(amount))
            #expect(failed.status == 0, "\(failed.diagnostics)")
            try await SchemaCheck.expect(failed.output, fits: "session-view", in: world)
            let view = try failed.json
            #expect(view["outcome"].text == "failed")
            #expect(view["checkout"]["order"]["failure"]["status"].number == 403)
            let session = try #require(view["session"].text)
            let told = try await world.run("explain", session)
            #expect(told.output.contains(words), "\(told.output)")
            #expect(told.output.contains("The charge was refused (creditcard/"))
            for wrong in ["start again", "payer can still", "Tell them"] {
                #expect(!told.output.contains(wrong), "\(told.output)")
            }
            #expect(await world.sandbox.ledger.orders.last?.authorizedAmount == 0)
            try await world.expectSoundLogs(session)
        }
    }

    @Test(arguments: [false, true])
    func `the order of a lost charge can be given to its session, which goes on with it`(
        byResolving: Bool
    ) async throws {
        try await world { world, stored, _ in
            let faults = #"{"faults":[{"rel":"paymentorders","nth":1,"kind":"resetAfter"}]}"#
            let lost = try await create(world, stored, Self.charge(sandbox: faults))
            let session = try #require(try lost.json["session"].text)
            let orders = await world.sandbox.ledger.orders
            let path = "/psp/paymentorders/"
            let (own, other) = (try #require(orders.last?.order), try #require(orders.first?.order))
            for (address, status, code) in [
                ("not-an-order", 64, "usage.order"),
                ("https://elsewhere.example\(path)\(own)", 1, "order.foreign"),
            ] as [(String, Int32, String)] {
                let refused = try await world.merchant("order", "adopt", session, address)
                #expect(refused.status == status, "\(refused.output)")
                #expect(refused.diagnostics.contains("[\(code)]"), "\(refused.diagnostics)")
            }
            // Another order does not have the session's reference.
            let foreign = try await world.merchant("order", "adopt", session, path + other)
            #expect(foreign.status == 69, "\(foreign.output)")
            #expect(try foreign.json["money"]["standing"].text == "unknown")
            let address = world.sandbox.baseURL + path + own
            let adopted =
                byResolving
                ? try await world.merchant(
                    "resolve",
                    session,
                    "--paid",
                    "--evidence",
                    "admin: paid",
                    "--order",
                    address
                ) : try await world.merchant("order", "adopt", session, address)
            #expect(adopted.status == 0, "\(adopted.output)\(adopted.diagnostics)")
            #expect(try adopted.json["outcome"].text == "completed")
            #expect(try adopted.json["money"]["evidence"].text == "order")
            let captured = try await world.merchant("order", "capture", session)
            #expect(captured.status == 0, "\(captured.diagnostics)")
            let again = try await world.merchant("order", "adopt", session, path + own)
            #expect(again.status == 1 && again.diagnostics.contains("[order.not-lost]"))
            try await world.expectSoundLogs(session)
        }
    }

    @Test(.feature("M-08"))
    func `a charge with a lost response has unknown money until an operator resolves it`()
        async throws
    {
        try await world { world, stored, _ in
            let faults = #"{"faults":[{"rel":"paymentorders","nth":1,"kind":"resetAfter"}]}"#
            let lost = try await create(world, stored, Self.charge(sandbox: faults))
            #expect(lost.status == 69, "\(lost.output)\(lost.diagnostics)")
            let session = try #require(try lost.json["session"].text)
            #expect(try lost.json["money"]["standing"].text == "unknown")
            let told = try await world.run("explain", session)
            #expect(told.output.contains("must not charge again"), "\(told.output)")
            #expect(told.output.contains("resolve"))
            for amount in ["49.00 EUR", "49.000 SEK", "1 234"] {
                let refused = try await world.run(
                    "resolve",
                    session,
                    "--paid",
                    "--evidence",
                    "admin",
                    "--amount",
                    amount
                )
                #expect(refused.status == 64, "\(amount): \(refused.diagnostics)")
            }
            let found = try await world.run(
                "resolve",
                session,
                "--paid",
                "--amount",
                "49,00",
                "--evidence",
                "admin: the order is paid"
            )
            #expect(found.status == 0, "\(found.diagnostics)")
            #expect(found.output.contains("Paid, as an operator found"), "\(found.output)")
            #expect(
                found.output.contains("found at the PSP: paid, 49.00 SEK (admin"),
                "\(found.output)"
            )
            let after = try await world.run("show", session).output
            #expect(!after.contains("'retry' is possible"), "\(after)")
            let log = try await world.run("log", session, "--json")
            #expect(log.output.contains(#""resolution":{"amount":4900,"verdict":"paid"}"#))
            try await correct(session, world)
            try await expectTold(session, world)
            #expect(
                await world.sandbox.ledger.orders.dropFirst().map(\.authorizedAmount) == [4_900]
            )
            try await world.expectSoundLogs(session)
        }
    }

    /// Expects every sum to tell what a person found from the PSP's response.
    private func expectTold(_ session: String, _ world: World) async throws {
        for source in [[], ["--from-logs"]] {
            let sums = try await world.tool.run(["at-risk", "--json"] + source)
            let confirmed = try sums.json["totals"].list.filter {
                $0["standing"].text == "confirmed"
            }
            let resolved = confirmed.map { $0["resolvedByPerson"].number }
            #expect(resolved == [1], "\(sums.output)")
        }
        let metrics = try await world.run("metrics")
        let lines = metrics.output.split(separator: "\n").filter {
            $0.contains("payments_resolved") && $0.hasSuffix(#"state="confirmed"} 1"#)
        }
        #expect(lines.count == 1, "\(metrics.output)")
        let stats = try await world.run("stats", "--json")
        #expect(try stats.json["resolvedByPerson"].number == 1)
        // A row without the mark is found, and repaired.
        let path = world.storePath
        let facts = "json_set(facts, '$[13]', json_extract(facts, '$[13]') & ~16)"
        let unmarked = """
            UPDATE sessions SET facts = \(facts) WHERE id = '\(session)';
            UPDATE listed_sessions SET marks = marks & ~16 WHERE id = '\(session)';
            """
        _ = try await world.tool.shell(
            "sqlite3 '\(path)' \"\(unmarked.replacing("$", with: "\\$"))\""
        )
        let sums = try await world.tool.run(["at-risk", "--json"])
        let unnamed = try sums.json["totals"].list.compactMap { $0["resolvedByPerson"].number }
        #expect(unnamed.allSatisfy { $0 == 0 }, "\(sums.output)")
        let verified = try await world.run("verify")
        #expect(verified.status == 65, "\(verified.output)\(verified.diagnostics)")
        let checked = try await world.run("doctor", "--check", "projections")
        #expect(checked.status == 1, "\(checked.output)")
        #expect(try await world.run("store", "reproject", "--rebuild").status == 0)
        let again = try await world.tool.run(["at-risk", "--json"])
        #expect(again.output.contains(#""resolvedByPerson":1"#), "\(again.output)")
        #expect(try await world.run("verify").status == 0)
    }

    /// Corrects a resolution, which stays in the log, with the word of a second person.
    private func correct(_ session: String, _ world: World) async throws {
        let resolve = ["--allow-insecure-loopback", "resolve", session]
        let typo = ["--paid", "--amount", "4900000", "--evidence", "admin"]
        let refused = try await world.tool.run(resolve + typo)
        #expect(refused.status == 64 && refused.diagnostics.contains("greater than the payment"))
        for name in ["", "sam"] {
            let same = ["--by", "sam", "--paid", "--evidence", "admin", "--second-person", name]
            let refused = try await world.tool.run(resolve + same)
            #expect(refused.status == 64 && refused.diagnostics.contains("second-person"))
        }
        for secret in [
            "4111 1111 1111 1111", "https://admin:hunter2@psp.example/1", "kim@shop.example",
            "+46 70 123 45 67",
        ] {
            let refused = try await world.tool.run(
                resolve + ["--paid", "--evidence", "admin: \(secret)"]
            )
            #expect(refused.status == 64 && refused.diagnostics.contains("usage.evidence"))
            #expect(!refused.diagnostics.contains(secret), "\(refused.diagnostics)")
        }
        let evidence = ["--evidence", "admin: canceled", "--second-person", "kim"]
        let corrected = try await world.tool.run(resolve + ["--not-paid"] + evidence)
        #expect(corrected.status == 0, "\(corrected.diagnostics)")
        // The log and the story do not claim more than that the first person said so.
        #expect(corrected.output.contains("confirmed by kim, as "), "\(corrected.output)")
        let told = try await world.run("log", session)
        #expect(told.output.contains("naming kim as the second person"), "\(told.output)")
        let shown = try await world.run("show", session, "--json")
        #expect(try shown.json["money"]["standing"].text != "confirmed")
        // The PSP's own numbers and pages are evidence.
        let seen = "transaction 70100366758, https://admin.psp.example/orders"
        let again = try await world.tool.run(resolve + ["--paid", "--evidence", seen])
        #expect(again.status == 0, "\(again.diagnostics)")
        let log = try await world.run("log", session)
        let findings = log.output.components(separatedBy: "resolve, ").count - 1
        #expect(findings == 3, "\(log.output)")
        #expect(log.output.contains("resolve, not paid"))
    }

    @Test func `a charge with a missing or misplaced token is refused before anything is sent`()
        async throws
    {
        try await world { world, stored, token in
            let psp = world.sandbox.baseURL
            let path = try world.write(Self.charge(), to: "charge.json")
            let orders = await world.sandbox.ledger.orders.count
            let missing = try await world.merchant(
                "order",
                "create",
                path,
                "--operation",
                "recur",
                "--psp",
                psp
            )
            #expect(missing.status == 64 && missing.diagnostics.contains("recurrenceToken"))
            #expect(missing.diagnostics.contains("--stored-token-file"))
            let argument = try await world.merchant(
                "order",
                "create",
                path,
                "--operation",
                "refund",
                "--psp",
                psp
            )
            #expect(argument.status == 64)
            let absent = try await create(world, world.folder + "/no-such-file", Self.charge())
            #expect(absent.status == 66, "\(absent.diagnostics)")
            let payers = try world.write(Checkout.order(), to: "order.json")
            let misplaced = try await world.merchant(
                "order",
                "create",
                payers,
                "--stored-token-file",
                stored,
                "--psp",
                psp
            )
            #expect(misplaced.status == 64 && misplaced.diagnostics.contains("recurrenceToken"))
            let shown = try world.write(
                Self.charge().replacing(
                    #""currency""#,
                    with: #""operation":"Recur","recurrenceToken":"\#(token)","currency""#
                ),
                to: "shown.json"
            )
            let page = try await world.merchant("checkout", "start", shown, "--psp", psp)
            #expect(page.status == 64, "\(page.diagnostics)")
            for result in [missing, argument, absent, misplaced, page] {
                #expect(!(result.output + result.diagnostics).contains(token))
            }
            #expect(await world.sandbox.ledger.orders.count == orders)
        }
    }

    @Test func `tokens save writes no file when the order has no such token`() async throws {
        try await Checkout.world { world, _ in
            let order = try await world.create()
            func save(_ id: String, _ more: String...) async throws -> Tool.Result {
                try await world.tool.run(
                    [
                        "--allow-insecure-loopback", "--token-file", "token", "tokens", "save", id,
                        world.folder + "/stored", "--kind", "recurrence",
                    ] + more
                )
            }
            let id = "/psp/paymentorders/\(order.id)"
            let psp = world.sandbox.baseURL
            let none = try await save(id, "--psp", psp)
            #expect(none.status == 66 && none.diagnostics.contains("[tokens.unknown]"))
            #expect(try await save(order.id, "--psp", psp).status == 64)
            #expect(try await save(id, "--backend", psp).status == 64)
            #expect(!FileManager.default.fileExists(atPath: world.folder + "/stored"))
        }
    }
}
