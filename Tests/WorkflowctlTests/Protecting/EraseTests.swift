import Foundation
import TestSupport
import Testing

@testable import Sandbox

@Suite struct EraseTests {
    /// Completes a payment with a saved card, without a challenge.
    private func paid(_ world: World) async throws -> String {
        let (session, _) = try await world.open()
        let aborted = try await world.run("abort", session)
        try #require(aborted.status == 0, "\(aborted.diagnostics)")
        return session
    }

    /// Returns the wrapped key of a session, and the files of the store that contain it.
    private func wrappedKey(of session: String, _ world: World) async throws -> Data {
        let text = try await world.tool.shell(
            """
            python3 -c 'import sqlite3, sys
            row = sqlite3.connect("payments.db").execute("SELECT hex(wrapped) FROM session_keys JOIN sessions ON key = session WHERE id = ?", (sys.argv[1],)).fetchone()
            print(row[0] if row else "")' \(session)
            """
        ).output.trimmingCharacters(in: .newlines)
        let digits = Array(text)
        let bytes = stride(from: 0, to: digits.count - 1, by: 2).compactMap {
            UInt8(String(digits[$0...($0 + 1)]), radix: 16)
        }
        return Data(bytes)
    }

    private func files(with key: Data, _ world: World) throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: world.folder).filter {
            try $0.hasPrefix("payments")
                && Data(contentsOf: URL(fileURLWithPath: world.folder + "/" + $0))
                    .range(of: key.suffix(24)) != nil
        }
    }

    @Test func `an erased session can be read, but neither revealed nor driven`() async throws {
        try await World.with { world in
            let session = try await paid(world)
            let key = try await wrappedKey(of: session, world)
            #expect(key.count == 69)
            let before = try await world.run("show", session, "--json").json
            let erased = try await world.run(
                "erase",
                session,
                "--reason",
                "the payer asked for it",
                "--by",
                "desk",
                "--json"
            )
            #expect(erased.status == 0, "\(erased.diagnostics)")
            try await SchemaCheck.expect(erased.output, fits: "cli/erase", in: world)
            #expect(try erased.json["destroyed"].flag == true)
            #expect(try erased.json["tracesRemoved"].flag == true)
            #expect(try files(with: key, world) == [])

            let after = try await world.run("show", session, "--json").json
            #expect(after["outcome"].text == before["outcome"].text)
            #expect(after["phase"].text == "ended")
            let log = try await world.run("log", session)
            #expect(log.output.contains("operatorActed"))
            #expect(log.output.contains("desk"))
            let lines = try await world.run("log", session, "--type", "operatorActed", "--json")
            #expect(lines.output.contains("the payer asked for it"))
            for command in [
                ["verify"], ["verify", session], ["replay", session, "--check"],
                ["export", session], ["list"], ["replay", session],
            ] {
                let read = try await world.tool.run(command)
                #expect(read.status == 0, "\(command) \(read.diagnostics)")
            }
            for command in [["show", session], ["log", session], ["export", session]] {
                let refused = try await world.tool.run(command + ["--reveal"])
                #expect(refused.status == 1, "\(command)")
                #expect(refused.diagnostics.contains("[engine.erased]"))
            }
            for command in [["abort", session], ["resume", session], ["retry", session]] {
                let refused = try await world.tool.run(command)
                #expect(refused.status == 1, "\(command)")
                #expect(refused.diagnostics.contains("[engine.erased]"))
            }
            let again = try await world.run("erase", session, "--reason", "once more", "--json")
            #expect(again.status == 0)
            #expect(try again.json["destroyed"].flag == false)
            #expect(try again.json["seq"].number == erased.json["seq"].number)
        }
    }

    @Test func `several sessions are erased in one command, or none`() async throws {
        try await World.with { world in
            let first = try await paid(world)
            let second = try await paid(world)
            let open = try await world.open().session
            let keys = [
                try await wrappedKey(of: first, world), try await wrappedKey(of: second, world),
            ]
            let refused = try await world.run(
                "erase",
                first,
                open,
                second,
                "--reason",
                "request 17"
            )
            #expect(refused.status == 1 && refused.output.isEmpty, "\(refused.output)")
            #expect(refused.diagnostics.contains("[session.not-over]"))
            #expect(try await world.run("show", first, "--reveal", "--reason", "x").status == 0)
            let erased = try await world.run(
                "erase",
                first,
                second,
                first,
                "--reason",
                "request 17",
                "--json"
            )
            #expect(erased.status == 0, "\(erased.diagnostics)")
            try await SchemaCheck.expect(erased.output, fits: "cli/erase", in: world)
            let rows = try erased.json.list
            #expect(rows.compactMap { $0["session"].text } == [first, second])
            #expect(rows.allSatisfy { $0["destroyed"].flag == true })
            #expect(rows.allSatisfy { $0["tracesRemoved"].flag == true })
            for key in keys { #expect(try files(with: key, world) == []) }
        }
    }

    @Test func `opening the URL of an erased session creates a new session`() async throws {
        try await World.with { world in
            let (session, order) = try await world.open()
            #expect(try await world.run("abort", session).status == 0)
            let known = try await world.run("open", order.sessionURL, "--json")
            #expect(try known.json["session"].text == session)
            #expect(try await world.run("erase", session, "--reason", "test").status == 0)
            let other = try await world.run("open", order.sessionURL, "--json")
            #expect(try other.json["session"].text != session)
        }
    }

    @Test func `a session that has not ended is erased only with --force`() async throws {
        try await World.with { world in
            let (session, _) = try await world.open()
            let refused = try await world.run("erase", session, "--reason", "test")
            #expect(refused.status == 1)
            #expect(refused.diagnostics.contains("[session.not-over]"))
            #expect(try await world.run("show", session, "--reveal").status == 0)
            let forced = try await world.run("erase", session, "--reason", "test", "--force")
            #expect(forced.status == 0, "\(forced.diagnostics)")
            #expect(try await world.run("attempt", session, "swish").status == 1)
            #expect(try await world.run("verify").status == 0)
            #expect(try await world.run("list", "--stuck").output.contains(session) == false)
        }
    }

    @Test func `erase requires a short reason that contains no possible secret`() async throws {
        try await World.with { world in
            let session = try await paid(world)
            for more in [
                [], ["--reason", ""], ["--reason", "  "], ["--reason", "call +46 73 900 00 01"],
                ["--reason", "see https://shop.example/?t=1"], ["--reason", "two\nlines"],
                ["--reason", "pan 4761739001010119"], ["--reason", "x", "--by", ""],
                ["--reason", "token 5adc265f87f24f6a9ac0"],
                ["--reason", String(repeating: "long ", count: 120)],
            ] {
                let refused = try await world.tool.run(["erase", session] + more)
                #expect(refused.status == 64, "\(more)")
                #expect(!refused.diagnostics.contains("4761739001010119"))
            }
            #expect(try await world.run("show", session, "--reveal").status == 0)
            #expect(try await world.run("erase", "nonsense", "--reason", "x").status == 66)
            let unknown = "0192f0c1-7c1e-7d3a-9b1e-0a1b2c3d4e5f"
            #expect(try await world.run("erase", unknown, "--reason", "x").status == 66)
            let ticket = try await world.run(
                "erase",
                session,
                "--reason",
                "request 2026-0117 (a/b)"
            )
            #expect(ticket.status == 0, "\(ticket.diagnostics)")
        }
    }

    @Test func `a session whose lease is held is not erased`() async throws {
        try await World.with { world in
            let (session, _) = try await world.open()
            let lock = """
                import fcntl, struct, sys, uuid
                value = uuid.UUID(sys.argv[1]).int
                high, low, mask = value >> 64, value & (2**64 - 1), 2**64 - 1
                mixed = (high * 0x9E3779B97F4A7C15 & mask) ^ low
                mixed = ((mixed ^ mixed >> 30) * 0xBF58476D1CE4E5B9) & mask
                mixed = ((mixed ^ mixed >> 27) * 0x94D049BB133111EB) & mask
                mixed ^= mixed >> 31
                file = open("payments.db-leases", "r+b")
                fcntl.fcntl(file, 37, struct.pack("hhqqi4x", fcntl.F_WRLCK, 0, mixed >> 2, 1, 0))
                print("held", flush=True)
                sys.stdin.read()
                """
            let path = try world.write(lock, to: "lease.py")
            let refused = try await world.tool.shell(
                """
                mkfifo end; python3 \(path) \(session) < end > held & exec 3> end
                until grep -q held held; do :; done
                workflowctl erase \(session) --reason test --force; status=$?
                exec 3>&-; wait; exit $status
                """
            )
            #expect(refused.status == 75, "\(refused.diagnostics)")
            #expect(refused.diagnostics.contains("[session.in-use]"))
            #expect(try await world.run("show", session, "--reveal").status == 0)
            let log = try await world.run("log", session)
            #expect(!log.output.contains("operatorActed"))
        }
    }

    @Test func `an open reader keeps traces of the key, and a repeated erase removes them`()
        async throws
    {
        try await World.with { world in
            let session = try await paid(world)
            let key = try await wrappedKey(of: session, world)
            let read = """
                import sqlite3, sys
                db = sqlite3.connect("payments.db", isolation_level=None)
                db.execute("BEGIN")
                db.execute("SELECT count(*) FROM events").fetchall()
                print("reading", flush=True)
                sys.stdin.read()
                """
            let path = try world.write(read, to: "read.py")
            let busy = try await world.tool.shell(
                """
                mkfifo end; python3 \(path) < end > reading & exec 3> end
                until grep -q reading reading; do :; done
                workflowctl erase \(session) --reason test --json; status=$?
                cat payments.db payments.db-wal > payments-copy
                exec 3>&-; wait; exit $status
                """
            )
            #expect(busy.status == 75)
            #expect(busy.diagnostics.contains("[store.traces-left]"))
            #expect(try busy.json["tracesRemoved"].flag == false)
            #expect(try files(with: key, world).contains("payments-copy"))
            _ = try await world.tool.shell("rm payments-copy")
            #expect(try await world.run("show", session, "--reveal").status == 1)
            let finished = try await world.run("erase", session, "--reason", "test", "--json")
            #expect(finished.status == 0, "\(finished.diagnostics)")
            #expect(try finished.json["tracesRemoved"].flag == true)
            #expect(try files(with: key, world) == [])
            let log = try await world.run("log", session, "--type", "operatorActed", "--json")
            #expect(log.output.split(separator: "\n").count == 1)
        }
    }

    @Test(.tags(.repeatedThoroughly))
    func `an erase that was killed at any moment is finished by repeating it`() async throws {
        try await World.with { world in
            let all = ["0.01", "0.03", "0.05", "0.08", "0.12", "0.16", "0.2", "0.3"]
            for delay in Tier.isThorough ? all : ["0.03", "0.08"] {
                let session = try await paid(world)
                let key = try await wrappedKey(of: session, world)
                _ = try await world.tool.shell(
                    "timeout -s KILL \(delay) workflowctl erase \(session) --reason test"
                )
                #expect(try await world.run("verify").status == 0)
                let finished = try await world.run("erase", session, "--reason", "test")
                #expect(finished.status == 0, "\(finished.diagnostics)")
                #expect(try files(with: key, world) == [], "\(delay)")
                let log = try await world.run("log", session, "--type", "operatorActed", "--json")
                #expect(log.output.split(separator: "\n").count == 1, "\(delay)")
            }
            #expect(try await world.run("verify").status == 0)
        }
    }
}
