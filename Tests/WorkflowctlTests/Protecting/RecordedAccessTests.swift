import Foundation
import TestSupport
import Testing

@testable import Sandbox

@Suite(.duty("C-16")) struct RecordedAccessTests {
    private let records = #"{"audit":{"recordReveal":true,"recordInterventions":true}}"#

    private func acts(_ session: String, _ world: World) async throws -> [JSON] {
        let log = try await world.run("log", session, "--type", "operatorActed", "--json")
        return try log.output.split(separator: "\n").map {
            try JSON(parsing: String($0))["record"]["data"]
        }
    }

    @Test func `each reveal of sealed values is recorded with its operator and reason`()
        async throws
    {
        try await World.with { world in
            let path = try world.write(records, to: "audit.json")
            let (session, order) = try await world.open()
            #expect(try await world.run("show", session, "--reveal").status == 0)
            #expect(try await acts(session, world).isEmpty)
            var tool = world.tool
            tool.environment["WORKFLOWCTL_CONFIG"] = path
            tool.environment["WORKFLOWCTL_OPERATOR"] = "support-7"
            let commands = [
                ["show", session], ["log", session, "--json"], ["log", session],
                ["export", session], ["replay", session],
            ]
            for command in commands {
                let shown = try await tool.run(command + ["--reveal", "--reason", "case 12"])
                #expect(shown.status == 0, "\(command) \(shown.diagnostics)")
            }
            let line = try await tool.run(["log", session, "--json", "--reveal", "--by", "anna"])
            #expect(line.output.contains(order.sessionURL))
            let acts = try await acts(session, world)
            #expect(acts.map { $0["action"].text } == Array(repeating: "reveal", count: 6))
            #expect(
                acts.map { $0["by"].text }.prefix(5) == Array(repeating: "support-7", count: 5)[...]
            )
            #expect(acts.first?["reason"].text == "case 12")
            #expect(acts.last?["by"].text == "anna")
            #expect(acts.last?["reason"].text == nil)
            for command in [["verify"], ["replay", session, "--check"]] {
                let check = try await world.tool.run(command)
                #expect(check.status == 0, "\(command) \(check.diagnostics)")
            }
            // Reading values that are not sealed is not recorded.
            #expect(try await tool.run(["show", session]).status == 0)
            #expect(try await self.acts(session, world).count == 6)
        }
    }

    @Test func `operator actions are recorded, and refused commands are not`() async throws {
        try await World.with { world in
            let path = try world.write(records, to: "audit.json")
            let (session, _) = try await world.open()
            let more = ["--config", path, "--by", "anna", "--reason", "case 12"]
            let refused = try await world.tool.run(
                ["--allow-insecure-loopback", "retry", session] + more
            )
            #expect(refused.status == 1)
            #expect(try await acts(session, world).isEmpty)
            let aborted = try await world.tool.run(
                ["--allow-insecure-loopback", "abort", session, "--reveal"] + more
            )
            #expect(aborted.status == 0, "\(aborted.diagnostics)")
            #expect(
                try await acts(session, world).map { $0["action"].text } == ["abort", "reveal"]
            )
            let asked = try await world.run("log", session, "--type", "abortRequested", "--json")
            #expect(try JSON(parsing: asked.output)["record"]["data"]["by"].text == "anna")
            #expect(try await world.run("verify").status == 0)
            #expect(try await world.run("replay", session, "--check").status == 0)
        }
    }

    @Test func `the operator and reason of an abort are recorded even without audit settings`()
        async throws
    {
        try await World.with { world in
            let (session, _) = try await world.open()
            #expect(try await world.run("resume", session).status == 0)
            #expect(try await acts(session, world).isEmpty)
            let because = ["--by", "anna", "--reason", "the payer asked"]
            let aborted = try await world.tool.run(
                ["--allow-insecure-loopback", "abort", session] + because
            )
            #expect(aborted.status == 0, "\(aborted.diagnostics)")
            let acts = try await acts(session, world)
            #expect(acts.map { $0["action"].text } == ["abort"])
            #expect(acts.first?["by"].text == "anna")
            #expect(acts.first?["reason"].text == "the payer asked")
            let told = try await world.run("explain", session)
            #expect(told.output.contains("the payer asked"), "\(told.output)")
        }
    }

    @Test func `an abort names the person who ran it, also of an order, and without --by`()
        async throws
    {
        try await Checkout.world { world, _ in
            func requested(_ session: String, by command: String...) async throws -> String {
                let aborted = try await world.tool.run(
                    ["--allow-insecure-loopback", "--token-file", "token"] + command + [session]
                )
                #expect(aborted.status == 0, "\(aborted.diagnostics)")
                let log = try await world.run("log", session, "--type", "abortRequested", "--json")
                return try JSON(parsing: log.output)["record"]["data"]["by"].text ?? ""
            }
            // The user and the machine.
            let (first, second) = (try await world.create(), try await world.create())
            #expect(try await requested(first.session, by: "order", "abort").contains("@"))
            let named = try await requested(second.session, by: "order", "abort", "--by", "anna")
            #expect(named == "anna")
            let (native, _) = try await world.open()
            #expect(try await requested(native, by: "abort").contains("@"))
        }
    }

    @Test func `nothing is revealed without a reason, or if the access cannot be recorded`()
        async throws
    {
        try await World.with { world in
            let path = try world.write(
                #"{"audit":{"recordReveal":true,"requireReason":true}}"#,
                to: "audit.json"
            )
            let (session, order) = try await world.open()
            let without = try await world.run("show", session, "--reveal", "--config", path)
            #expect(without.status == 64)
            #expect(without.diagnostics.contains("[usage.reason]"))
            #expect(without.output.isEmpty)
            let tokens = try await world.run(
                "tokens",
                "list",
                "payer-1",
                "--reveal",
                "--config",
                path,
                "--psp",
                "http://127.0.0.1:1"
            )
            #expect(tokens.status == 1)
            #expect(tokens.diagnostics.contains("[tokens.not-recordable]"))
            // While another process writes to the store, it can be read, but no access can be
            // recorded: what would be shown is shown only after that.
            _ = try await world.tool.shell(
                "python3 -c 'import sqlite3; sqlite3.connect(\"payments.db\").execute(\"PRAGMA journal_mode=DELETE\")'"
            )
            let locked = try await world.tool.shell(
                """
                python3 -c 'import sqlite3, subprocess, sys
                db = sqlite3.connect("payments.db", isolation_level=None)
                db.execute("PRAGMA journal_mode=WAL")
                db.execute("BEGIN IMMEDIATE")
                done = subprocess.run(sys.argv[1:])
                sys.exit(done.returncode)' workflowctl log \(session) --json --reveal --reason "case 12" --config \(path)
                """
            )
            #expect(locked.status == 75, "\(locked.diagnostics)")
            #expect(locked.diagnostics.contains("[store.access-not-recorded]"))
            #expect(locked.output.isEmpty)
            #expect(try await acts(session, world).isEmpty)
            let shown = try await world.run(
                "log",
                session,
                "--json",
                "--reveal",
                "--reason",
                "case 12",
                "--config",
                path
            )
            #expect(shown.status == 0, "\(shown.diagnostics)")
            #expect(shown.output.contains(order.sessionURL))
            #expect(try await acts(session, world).count == 1)
        }
    }
}
