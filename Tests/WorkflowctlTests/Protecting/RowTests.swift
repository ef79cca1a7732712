import Foundation
import TestSupport
import Testing

@testable import Sandbox

/// Rows of the index that were changed without keys: they propose sessions and decide nothing.
@Suite(.guarantee(.authenticLog)) struct RowTests {
    /// Changes rows, as anybody can who writes the store's file.
    private func change(_ world: World, _ statements: String...) async throws {
        let script = """
            import sqlite3, sys
            store = sqlite3.connect(sys.argv[1], timeout=10)
            for statement in sys.argv[2:]:
                store.execute(statement.replace("turn = 'engine'", "facts = json_set(facts, '$[1]', 'engine')"))
                # The copy for lists, too.
                if statement.startswith("UPDATE sessions"):
                    store.execute(statement.replace("sessions", "listed_sessions", 1))
            store.commit()
            """
        let path = try world.write(script, to: "change.py")
        let words = statements.map { "\"\($0)\"" }.joined(separator: " ")
        let done = try await world.tool.shell("python3 \(path) \(world.storePath) \(words)")
        try #require(done.status == 0, "\(done.diagnostics)")
    }

    /// Swaps a column between the rows of two sessions.
    private func swap(
        _ world: World,
        _ column: String,
        _ first: String,
        _ second: String
    ) async throws {
        let other = "(SELECT \(column) FROM old WHERE old.id <> row.id)"
        try await change(
            world,
            """
            CREATE TEMP TABLE old AS SELECT id, \(column) FROM sessions
            WHERE id IN ('\(first)', '\(second)')
            """,
            "UPDATE sessions SET \(column) = NULL WHERE id IN (SELECT id FROM old)",
            "UPDATE sessions AS row SET \(column) = \(other) WHERE id IN (SELECT id FROM old)"
        )
    }

    private func expectNotAuthentic(
        _ result: Tool.Result,
        sourceLocation: SourceLocation = #_sourceLocation
    ) {
        #expect(
            result.status == 65,
            "\(result.output)\(result.diagnostics)",
            sourceLocation: sourceLocation
        )
        #expect(
            result.diagnostics.contains("[log.not-authentic]"),
            "\(result.diagnostics)",
            sourceLocation: sourceLocation
        )
    }

    private func hasKey(_ session: String, _ world: World) async throws -> Bool {
        try await world.run("show", session, "--reveal").status == 0
    }

    @Test(.threat("T-07"))
    func `an address that the index gives to another session opens neither of the two`()
        async throws
    {
        try await World.with { world in
            let (paid, paidOrder) = try await world.open()
            let (open, openOrder) = try await world.open()
            #expect(try await world.run("abort", paid).status == 0)
            try await swap(world, "address_fp", paid, open)
            func requests() async -> [[String: Int]?] {
                [
                    await world.sandbox.orderLedger(paidOrder.id)?.requests,
                    await world.sandbox.orderLedger(openOrder.id)?.requests,
                ]
            }
            let before = await requests()
            for url in [openOrder.sessionURL, paidOrder.sessionURL] {
                let opened = try await world.run("open", url)
                expectNotAuthentic(opened)
                #expect(!opened.output.contains("ended") && !opened.output.contains(paid))
                #expect(!opened.diagnostics.contains(url))
            }
            #expect(await requests() == before)
            expectNotAuthentic(
                try await world.run("open", openOrder.sessionURL, "--attempt", "swish")
            )
            #expect(await world.sandbox.orderLedger(openOrder.id)?.attempts.isEmpty == true)
        }
    }

    @Test func `a reference that the index gives to another session starts no payment`()
        async throws
    {
        try await World.with { world in
            func open(_ reference: String) async throws -> (session: String, order: CreatedOrder) {
                let order = SandboxOrder(payerReference: "payer-1")
                return try await world.open(order, "--reference", reference)
            }
            let (one, oneOrder) = try await open("order-1")
            let (two, twoOrder) = try await open("order-2")
            #expect(try await world.run("show", "order-1").status == 0)
            try await swap(world, "reference", one, two)
            for command in [
                ["attempt", "order-1", "swish"], ["abort", "order-2"], ["show", "order-1"],
                ["erase", "order-1", "--force", "--reason", "test"], ["resume", "order-2"],
                ["note", "order-1", "seen"], ["attempt", "order..-1", "swish"],
            ] {
                let done = try await world.tool.run(["--allow-insecure-loopback"] + command)
                expectNotAuthentic(done)
            }
            for order in [oneOrder, twoOrder] {
                #expect(await world.sandbox.orderLedger(order.id)?.attempts.isEmpty == true)
            }
            for session in [one, two] { #expect(try await hasKey(session, world)) }
            // By its identity, each is still what it is.
            let shown = try await world.run("show", one, "--json")
            #expect(try shown.json["reference"].text == "order-1", "\(shown.diagnostics)")
            #expect(try await world.run("attempt", two, "swish", "--wait", "1s").status == 0)
            #expect(await world.sandbox.orderLedger(twoOrder.id)?.attempts.count == 1)
            #expect(await world.sandbox.orderLedger(oneOrder.id)?.attempts.isEmpty == true)
        }
    }

    @Test func `a reference that the index gives to another order refunds neither order`()
        async throws
    {
        try await Checkout.world { world, _ in
            let order = try await world.create()
            try await world.elsewhere(order)
            _ = try await world.merchant("order", "show", order.session)
            let captured = try await world.merchant("order", "capture", order.session)
            try #require(captured.status == 0, "\(captured.diagnostics)")
            try await change(
                world,
                "UPDATE sessions SET reference = 'order-1' WHERE id = '\(order.session)'"
            )
            expectNotAuthentic(try await world.merchant("order", "reverse", "order-1"))
            let ledger = try #require(await world.sandbox.orderLedger(order.id))
            #expect(ledger.reversedAmount == 0)
        }
    }

    @Test(.threat("T-10"), arguments: ["row", "time", "outcome"])
    func `retention destroys no key because a row, or a time beside a record, says so`(
        what: String
    ) async throws {
        try await World.with { world in
            let (session, order) = try await world.open()
            let whose = "WHERE session = (SELECT key FROM sessions WHERE id = '\(session)')"
            let opened = "UPDATE sessions SET opened_at = 1000000 WHERE id = '\(session)'"
            switch what {
            case "row":
                try await change(
                    world,
                    opened,
                    """
                    UPDATE sessions SET phase = 'ended', outcome = 'completed', last_at = 2000000,
                        due_at = NULL, settled = 1 WHERE id = '\(session)'
                    """
                )
            case "time":
                #expect(try await world.run("abort", session).status == 0)
                try await change(
                    world,
                    opened,
                    "UPDATE events SET at = 2000000 \(whose) AND type = 'canceled'"
                )
            default:
                // The row has the outcome with the shorter period.
                #expect(try await world.run("abort", session).status == 0)
                try await change(
                    world,
                    "UPDATE sessions SET outcome = 'failed' WHERE id = '\(session)'"
                )
            }
            let path = try world.write(
                #"{"retention":{"period":"90d","failed":"1ms"}}"#,
                to: "periods.json"
            )
            let listed = try await world.run("retention", "--config", path, "--json")
            try #require(listed.status == 0, "\(listed.diagnostics)")
            try await SchemaCheck.expect(listed.output, fits: "cli/retention", in: world)
            #expect(try listed.json["sessions"].list.isEmpty)
            #expect(try listed.json["left"][0]["session"].text == session)
            expectNotAuthentic(try await world.run("retention", "--config", path, "--apply"))
            #expect(try await hasKey(session, world))
            guard what == "row" else { return }
            let paid = try await world.run(
                "attempt",
                session,
                "swish",
                "--msisdn",
                "+46739000001",
                "--until",
                "ended"
            )
            #expect(paid.status == 0, "\(paid.diagnostics)")
            #expect(await world.sandbox.orderLedger(order.id)?.attempts.count == 1)
        }
    }

    @Test func `retention needs the keys, and destroys none of a log with a forged end`()
        async throws
    {
        try await World.with { world in
            let (session, _) = try await world.open()
            let root = FileManager.default.currentDirectoryPath
            let forged = try await world.tool.shell(
                """
                python3 \(root)/Tests/Tools/forger.py append \(world.storePath) \(session) canceled \
                '{"by":"payer"}'
                """
            )
            try #require(forged.status == 0, "\(forged.diagnostics)")
            try await change(
                world,
                "UPDATE sessions SET phase = 'ended', outcome = 'canceled' WHERE id = '\(session)'"
            )
            expectNotAuthentic(try await world.run("retention", "--older-than", "0s", "--apply"))
            let log = try await world.run("log", session, "--json")
            #expect(log.status == 0 && !log.output.contains("operatorActed"))
            let keys = try await world.run("keys", "list", "--json")
            #expect(keys.output.contains("1"), "\(keys.output)")
            let erased = try await world.run("erase", session, "--reason", "test")
            expectNotAuthentic(erased)
            let (ended, _) = try await world.open()
            #expect(try await world.run("abort", ended).status == 0)
            try FileManager.default.moveItem(
                atPath: world.storePath + ".key",
                toPath: world.folder + "/elsewhere.key"
            )
            let lacking = try await world.run("retention", "--older-than", "0s", "--apply")
            #expect(lacking.status == 78, "\(lacking.diagnostics)")
        }
    }

    @Test func `a row that only claims that the session is over does not let it be erased`()
        async throws
    {
        try await World.with { world in
            let (session, _) = try await world.open()
            try await change(
                world,
                "UPDATE sessions SET phase = 'ended', outcome = 'completed' WHERE id = '\(session)'"
            )
            let refused = try await world.run("erase", session, "--reason", "test")
            #expect(refused.status == 1, "\(refused.diagnostics)")
            #expect(refused.diagnostics.contains("[session.not-over]"))
            #expect(try await hasKey(session, world))
        }
    }

    @Test(
        .threat("T-08"),
        arguments: ["due_at = NULL", "due_at = 33000000000000000", "imported = 1, due_at = NULL"]
    )
    func `a row that makes engines forget a payment is counted, named and corrected`(
        forgery: String
    ) async throws {
        try await World.with { world in
            let (session, _) = try await world.open()
            // The PSP is polled while it decides.
            let started = try await world.run(
                "attempt",
                session,
                "swish",
                "--msisdn",
                "+46739000001",
                "--wait",
                "0s"
            )
            try #require(started.status == 0, "\(started.diagnostics)")
            try await change(
                world,
                "UPDATE sessions SET \(forgery), turn = 'engine' WHERE id = '\(session)'"
            )
            let verified = try await world.run("verify", "--json")
            #expect(verified.status == 65, "\(verified.output)")
            let member = forgery.hasPrefix("imported") ? "imported" : "due_at"
            #expect(verified.output.contains(member), "\(verified.output)")
            let doctor = try await world.run("doctor", "--check", "sessions", "--json")
            #expect(doctor.status == 1 && doctor.output.contains("never be continued"))
            let metrics = try await world.run("metrics")
            #expect(
                metrics.output.contains("payment_workflow_sessions_without_due_time 1\n"),
                "\(metrics.output)"
            )
            #expect(try await world.run("store", "reproject", "--rebuild").status == 0)
            #expect(try await world.run("verify").status == 0)
            let after = try await world.run("metrics")
            #expect(after.output.contains("payment_workflow_sessions_without_due_time 0\n"))
        }
    }

    @Test(arguments: ["due_at = NULL", "imported = 1, due_at = NULL"])
    func `resume continues a payment although its row says that nothing is due`(
        forgery: String
    ) async throws {
        try await World.with { world in
            let (session, _) = try await world.open()
            let started = try await world.run(
                "attempt",
                session,
                "swish",
                "--msisdn",
                "+46739000001",
                "--wait",
                "0s"
            )
            try #require(started.status == 0, "\(started.diagnostics)")
            try await change(
                world,
                "UPDATE sessions SET \(forgery), turn = 'engine' WHERE id = '\(session)'"
            )
            let resumed = try await world.run("resume", "--wait", "20s")
            #expect(resumed.output.contains(session), "\(resumed.output)\(resumed.diagnostics)")
            let shown = try await world.run("show", session, "--json")
            #expect(try shown.json["outcome"].text == "completed", "\(shown.output)")
            // Only an engine that runs for longer, or this command, corrects the mark.
            #expect(try await world.run("store", "reproject", "--rebuild").status == 0)
            #expect(try await world.run("verify").status == 0)
        }
    }

    @Test func `a session that was opened here is driven although its row is marked as imported`()
        async throws
    {
        try await World.with { world in
            let (session, order) = try await world.open()
            try await change(world, "UPDATE sessions SET imported = 1")
            let paid = try await world.run(
                "attempt",
                session,
                "swish",
                "--msisdn",
                "+46739000001",
                "--until",
                "ended"
            )
            #expect(paid.status == 0, "\(paid.diagnostics)")
            #expect(await world.sandbox.orderLedger(order.id)?.attempts.count == 1)
        }
    }

    @Test func `a log that lacks its end is not driven, whatever end its row states`()
        async throws
    {
        for row in ["last_seq = 0, head_mac = NULL", "last_seq = 1"] {
            try await World.with { world in
                let (session, order) = try await world.open()
                let whose = "session = (SELECT key FROM sessions WHERE id = '\(session)')"
                try await change(
                    world,
                    """
                    DELETE FROM events WHERE \(whose)
                        AND seq = (SELECT max(seq) FROM events WHERE \(whose))
                    """,
                    "UPDATE sessions SET \(row) WHERE id = '\(session)'"
                )
                let driven = try await world.run("attempt", session, "swish")
                #expect(driven.status == 65, "\(row): \(driven.output)\(driven.diagnostics)")
                #expect(await world.sandbox.orderLedger(order.id)?.attempts.isEmpty == true)
            }
        }
    }

    @Test func `a record that was changed beside its hash is not driven`() async throws {
        try await World.with { world in
            let (session, order) = try await world.open()
            try await change(
                world,
                """
                UPDATE events SET record = CAST(replace(CAST(record AS TEXT), 'Swish', 'Swosh') AS BLOB)
                WHERE type = 'methodsOffered'
                """
            )
            let driven = try await world.run("attempt", session, "swish")
            #expect(driven.status == 65, "\(driven.output)\(driven.diagnostics)")
            #expect(await world.sandbox.orderLedger(order.id)?.attempts.isEmpty == true)
        }
    }
}
