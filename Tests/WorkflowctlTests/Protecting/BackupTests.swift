import Foundation
import Glibc
import TestSupport
import Testing

@testable import Sandbox

/// The documentation's commands for backups of SQLite stores, verified with the PSP's ledger.
@Suite(.feature("S-20")) struct BackupTests {
    /// Makes a payment without a payer who would come back.
    private func pay(_ world: World, _ session: String) async throws -> Tool.Result {
        try await world.run(
            "--json",
            "--until",
            "ended",
            "attempt",
            session,
            "swish",
            "--msisdn",
            "+46739000001"
        )
    }

    @Test
    func
        `a store that is lost is restored from a copy made while paying, and each order is paid once`()
        async throws
    {
        try await World.with { world in
            var (sessions, orders) = ([String](), [CreatedOrder]())
            for _ in 0..<4 {
                let (session, order) = try await world.open()
                sessions.append(session)
                orders.append(order)
            }
            let key = try await world.tool.shell(
                "mkdir kept && install -m 0600 payments.db.key kept/"
            )
            try #require(key.status == 0, "\(key.diagnostics)")
            #expect(try await pay(world, sessions[0]).status == 0)
            // The copy is made during a payment.
            let paidMeanwhile = sessions[1]
            async let paying = pay(world, paidMeanwhile)
            let copied = try await world.tool.shell(
                "sqlite3 payments.db '.timeout 30000' '.backup kept/payments.db' && chmod 600 kept/payments.db"
            )
            #expect(copied.status == 0, "\(copied.diagnostics)")
            #expect(try await paying.status == 0)
            let sound = try await world.run("verify", store: "kept/payments.db")
            #expect(sound.status == 0, "\(sound.output)\(sound.diagnostics)")
            // It lacks what follows: a payment, one that is under way, and one of a session opened
            // since.
            #expect(try await pay(world, sessions[2]).status == 0)
            let late = try await world.open()
            orders.append(late.order)
            #expect(try await pay(world, late.session).status == 0)
            let underWay = try world.tool.start(
                Tool.path,
                [
                    "--allow-insecure-loopback", "attempt", sessions[3], "swish", "--msisdn",
                    "+46739000001",
                ],
                input: nil
            )
            for _ in 0..<400 {
                if await world.sandbox.orderLedger(orders[3].id)?.attempts.isEmpty == false {
                    break
                }
                try await Task.sleep(for: .milliseconds(25))
            }
            kill(underWay.id, SIGKILL)
            _ = try await world.tool.finish(underWay)
            // The disk is lost, except for what the machine remembers of it, and the store is
            // restored as the page says.
            let restored = try await world.tool.shell(
                """
                rm -f payments.db payments.db-wal payments.db-shm payments.db.key
                install -m 0600 kept/payments.db payments.db
                install -m 0600 kept/payments.db.key payments.db.key
                """
            )
            #expect(restored.status == 0, "\(restored.diagnostics)")
            #expect(try await world.run("verify").status == 0)
            let early = try await pay(world, sessions[2])
            #expect(early.status == 1 && early.diagnostics.contains("[store.not-adopted]"))
            #expect(try await world.run("store", "adopt", "--reason", "restored").status == 0)
            let resumed = try await world.run("--wait", "60s", "resume")
            #expect(resumed.status == 0, "\(resumed.diagnostics)")
            for order in orders {
                let opened = try await world.run("--json", "open", order.sessionURL)
                let session = try #require(try opened.json["session"].text)
                let now = try await world.run("--json", "--until", "ended", "resume", session)
                guard try now.json["outcome"].text != "completed" else { continue }
                let paid = try await pay(world, session)
                #expect(
                    try paid.json["outcome"].text == "completed",
                    "\(paid.output)\(paid.diagnostics)"
                )
            }
            for order in orders {
                let ledger = try #require(await world.sandbox.orderLedger(order.id))
                #expect(ledger.doubles == [], "\(ledger.doubles)")
                #expect(
                    ledger.attempts.filter { $0.state == .paid }.count == 1,
                    "\(ledger.attempts)"
                )
            }
            #expect(try await world.run("verify").status == 0)
            #expect(
                try await world.run("doctor", "--check", "keys", "--check", "store").status == 0
            )
        }
    }

    @Test func `a store restored from before its newest checkpoint verifies once it is adopted`()
        async throws
    {
        try await World.with { world in
            let (first, _) = try await world.open()
            #expect(try await pay(world, first).status == 0)
            #expect(try await world.run("checkpoint", "create").status == 0)
            _ = try await world.tool.shell(
                "umask 077; sqlite3 payments.db '.timeout 30000' '.backup kept.db'"
            )
            let (second, _) = try await world.open()
            #expect(try await pay(world, second).status == 0)
            #expect(try await world.run("checkpoint", "create").status == 0)
            let restored = try await world.tool.shell(
                "rm -f payments.db payments.db-wal payments.db-shm; install -m 0600 kept.db payments.db"
            )
            #expect(restored.status == 0)
            #expect(try await world.run("verify").status == 65)
            #expect(try await world.run("checkpoint", "create").status == 65)
            // Nothing is sent by it, so that it needs no adoption.
            let erased = try await world.run("erase", first, "--reason", "asked to")
            #expect(erased.status == 0, "\(erased.diagnostics)")
            let adopted = try await world.run("store", "adopt", "--reason", "restored")
            #expect(adopted.status == 0, "\(adopted.diagnostics)")
            #expect(adopted.diagnostics.contains("payments.db.checkpoint.before-epoch-2"))
            for command in [
                ["verify"], ["checkpoint", "create"], ["verify"], ["checkpoint", "verify"],
            ] {
                let result = try await world.tool.run(
                    ["--store", "sqlite:payments.db"] + command
                )
                #expect(result.status == 0, "\(command): \(result.diagnostics)")
                guard command == ["verify"] else { continue }
                #expect(result.diagnostics.contains("payments.db.checkpoint.before-epoch-2"))
                #expect(result.diagnostics.contains("covers records that it no longer has"))
            }
            let again = try await world.run("store", "adopt", "--reason", "once more")
            #expect(again.status == 0 && again.output.contains("nothing was changed"))
        }
    }

    /// The commands of the page, as they are printed there.
    @Test func `the backups that the page makes can be read by nobody else`() async throws {
        let page = try String(
            contentsOf: URL(fileURLWithPath: SchemaCheck.folder)
                .deletingLastPathComponent().appendingPathComponent("Documentation/backup.md"),
            encoding: .utf8
        )
        let lines = page.split(separator: "\n").filter { $0.hasPrefix("    ") }
            .map { $0.trimmingCharacters(in: .whitespaces) }
        let backups = lines.indices.filter { lines[$0].contains(".backup ") }
        #expect(backups.count >= 2)
        try await World.with { world in
            _ = try await world.open()
            for index in backups {
                let before =
                    index > 0 && lines[index - 1].hasPrefix("umask") ? lines[index - 1] : ""
                let command = lines[index].replacing("/backup/", with: "backup/")
                let made = try await world.tool.shell(
                    "mkdir -p backup; umask 022; \(before)\n\(command)\nstat -c %a backup/* night.db 2>/dev/null"
                )
                let modes = Set(made.output.split(separator: "\n").map(String.init))
                #expect(modes == ["600"], "\(lines[index]): \(made.output)\(made.diagnostics)")
                _ = try await world.tool.shell("rm -rf backup night.db")
            }
        }
    }

    @Test(.tags(.thorough))
    func `a backup that receives only changed pages is restored, and each order is paid once`()
        async throws
    {
        try await World.with { world in
            let backup =
                "sqlite3 payments.db '.timeout 30000' '.backup night.db' && "
                + "rsync --inplace --no-whole-file --stats night.db kept/payments.db"
            let (first, one) = try await world.open()
            #expect(try await pay(world, first).status == 0)
            let kept = try await world.tool.shell(
                "mkdir -m 0700 kept && install -m 0600 payments.db.key kept/ && " + backup
            )
            try #require(kept.status == 0, "\(kept.diagnostics)")
            let (second, two) = try await world.open()
            #expect(try await pay(world, second).status == 0)
            let again = try await world.tool.shell(backup)
            try #require(again.status == 0, "\(again.diagnostics)")
            let matched = try #require(
                again.output.firstMatch(of: /Matched data: ([0-9,]+)/)?.1.filter { $0 != "," }
            )
            #expect(Int(matched) ?? 0 > 0, "\(again.output)")
            // A third payment is in no backup.
            let (third, three) = try await world.open()
            #expect(try await pay(world, third).status == 0)
            let restored = try await world.tool.shell(
                """
                rm -f payments.db payments.db-wal payments.db-shm payments.db.key
                install -m 0600 kept/payments.db payments.db
                install -m 0600 kept/payments.db.key payments.db.key
                """
            )
            try #require(restored.status == 0, "\(restored.diagnostics)")
            #expect(try await world.run("verify").status == 0)
            #expect(try await world.run("store", "adopt", "--reason", "restored").status == 0)
            for session in [first, second] {
                #expect(
                    try await world.run("show", session, "--json").json["outcome"].text
                        == "completed"
                )
            }
            #expect(try await world.run("show", third).status != 0)
            for order in [one, two, three] {
                let opened = try await world.run("--json", "open", order.sessionURL)
                let session = try #require(try opened.json["session"].text)
                let now = try await world.run("--json", "--until", "ended", "resume", session)
                #expect(try now.json["outcome"].text == "completed", "\(now.output)")
                let ledger = try #require(await world.sandbox.orderLedger(order.id))
                #expect(ledger.doubles == [] && ledger.attempts.count == 1)
            }
        }
    }

    @Test func `store copy adds only new records to an existing copy, while payments continue`()
        async throws
    {
        try await World.with { world in
            let (first, _) = try await world.open()
            #expect(try await pay(world, first).status == 0)
            let target = "sqlite:" + world.folder + "/copy.db"
            let whole = try await world.run("--json", "store", "copy", target)
            #expect(whole.status == 0, "\(whole.diagnostics)")
            let written = try #require(try whole.json["written"].number)
            #expect(written > 10)
            let (second, _) = try await world.open()
            async let paying = pay(world, second)
            let during = try await world.run("--json", "store", "copy", target)
            #expect(during.status == 0, "\(during.diagnostics)")
            #expect(try during.json["skipped"].number == written)
            #expect(try await paying.status == 0)
            let rest = try await world.run("--json", "store", "copy", target)
            #expect(rest.status == 0, "\(rest.diagnostics)")
            let same = try await world.run("--json", "store", "copy", target)
            #expect(try same.json["written"].number == 0)
            for session in [first, second] {
                let here = try await world.run("log", session, "--json")
                let there = try await world.run("log", session, "--json", store: "copy.db")
                #expect(here.output == there.output)
            }
            // It can be verified and explained, but is not driven.
            #expect(try await world.run("verify", store: "copy.db").status == 0)
            #expect(try await world.run("retry", second, store: "copy.db").status == 1)
        }
    }
}
