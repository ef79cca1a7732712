import Foundation
import TestSupport
import Testing

@testable import Sandbox

/// The origin of logs: sessions of other stores are read and marked, and one store drives each
/// session.
@Suite(.threat("T-22")) struct ProvenanceTests {
    @Test
    func `a store is not moved to one that has copies of its sessions, and still drives them`()
        async throws
    {
        try await World.with { given in
            var world = given
            world.tool.environment["WORKFLOWCTL_KEY_FILE"] = world.storePath + ".key"
            let (session, order) = try await world.open()
            #expect(try await world.run("store", "copy", "sqlite:copy.db").status == 0)
            let moved = try await world.run("store", "copy", "sqlite:copy.db", "--move")
            #expect(moved.status == 1, "\(moved.output)\(moved.diagnostics)")
            #expect(moved.diagnostics.contains("store.copied-before"), "\(moved.diagnostics)")
            #expect(
                try await world.run("doctor").output.contains("accepts no more events") == false
            )
            let driven = try await world.run("attempt", session, "swish")
            #expect(driven.status == 0, "\(driven.diagnostics)")
            #expect(await world.sandbox.orderLedger(order.id)?.attempts.count == 1)
            // A store without copies accepts it, and the one that it came from reports that.
            let out = try await world.run("store", "copy", "sqlite:moved.db", "--move")
            #expect(out.status == 0, "\(out.diagnostics)")
            let looked = try await world.run("doctor")
            #expect(looked.status == 1 && looked.output.contains("were moved to"))
            #expect(looked.output.contains("moved.db") && looked.output.contains("store.moved"))
            let there = try await world.run("doctor", store: "moved.db")
            #expect(there.output.contains("accepts no more events") == false, "\(there.output)")
        }
    }

    @Test(arguments: [false, true])
    func `no other store adds to a session opened here, even with its import mark removed`(
        moves: Bool
    ) async throws {
        try await World.with { world in
            let (session, _) = try await world.open()
            _ = try await world.run("export", "-o", "public.ndjson")
            let root = FileManager.default.currentDirectoryPath
            let longer = try await world.tool.shell(
                "python3 \(root)/Tests/Tools/forger.py extend public.ndjson \(session) "
                    + "transactionRequested '\(AuthenticityTests.refund)'"
            )
            _ = try world.write(longer.output, to: "forged.ndjson")
            #expect(try await world.run("import", "forged.ndjson", store: "other.db").status == 0)
            let lie = "UPDATE sessions SET imported = 0; UPDATE listed_sessions SET imported = 0"
            let told = try await world.tool.shell(
                "python3 -c \"import sqlite3; s = sqlite3.connect('other.db'); s.executescript('\(lie)'); s.commit()\""
            )
            try #require(told.status == 0, "\(told.diagnostics)")
            let before = try await world.run("log", session).output
            let arguments = ["store", "copy", "sqlite:payments.db"] + (moves ? ["--move"] : [])
            let copied = try await world.tool.run(["--store", "sqlite:other.db"] + arguments)
            #expect(copied.status != 0, "\(copied.output)\(copied.diagnostics)")
            #expect(copied.diagnostics.contains("import.own-session"), "\(copied.diagnostics)")
            #expect(try await world.run("log", session).output == before)
            #expect(try await world.run("verify").status == 0)
        }
    }

    @Test func `a copied session is not driven even if its import mark is removed`()
        async throws
    {
        try await World.with { given in
            var world = given
            world.tool.environment["WORKFLOWCTL_KEY_FILE"] = world.storePath + ".key"
            let (session, order) = try await world.open()
            #expect(try await world.run("store", "copy", "sqlite:copy.db").status == 0)
            let sound = try await world.run("verify", "--json", store: "copy.db")
            #expect(sound.status == 0, "\(sound.output)\(sound.diagnostics)")
            #expect(try sound.json["seals"]["authentic"].number == 6)
            let lie = "UPDATE sessions SET imported = 0; UPDATE listed_sessions SET imported = 0"
            let told = try await world.tool.shell(
                "python3 -c \"import sqlite3; s = sqlite3.connect('copy.db'); s.executescript('\(lie)'); s.commit()\""
            )
            try #require(told.status == 0, "\(told.diagnostics)")
            let driven = try await world.run("attempt", session, "swish", store: "copy.db")
            #expect(driven.status == 65, "\(driven.output)\(driven.diagnostics)")
            #expect(driven.diagnostics.contains("log.not-authentic"), "\(driven.diagnostics)")
            #expect(try await world.run("verify", store: "copy.db").status == 65)
            #expect(await world.sandbox.orderLedger(order.id)?.attempts.isEmpty == true)
        }
    }

    @Test func `with --imported, commands mark or count the imported sessions`() async throws {
        try await World.with { world in
            let (session, _) = try await world.open(SandboxOrder(), "--reference", "order-1")
            #expect(try await world.run("store", "copy", "sqlite:copy.db").status == 0)
            for command in ["stats", "at-risk"] {
                let all = try await world.run(command, "--imported", "--json", store: "copy.db")
                #expect(try all.json["imported"].number == 1, "\(command)")
                try await SchemaCheck.expect(all.output, fits: "cli/\(command)", in: world)
                let words = try await world.run(command, "--imported", store: "copy.db")
                #expect(words.diagnostics.contains("includes 1 imported session"))
                let own = try await world.run(command, "--json", store: "copy.db")
                #expect(try own.json["imported"].number == 0, "\(command)")
                let here = try await world.run(command, "--imported")
                #expect(here.diagnostics.contains("imported") == false)
            }
            let found = try await world.run("find", "order-1", "--imported", store: "copy.db")
            #expect(found.output.contains("ready, imported"), "\(found.output)")
            let json = try await world.run(
                "find",
                "order-1",
                "--imported",
                "--json",
                store: "copy.db"
            )
            #expect(try json.json[0]["session"].text == session)
            #expect(try json.json[0]["imported"].flag == true)
            try await SchemaCheck.expect(json.output, fits: "cli/find", in: world)
            let doctor = try await world.run("doctor", "--imported", "--json", store: "copy.db")
            try await SchemaCheck.expect(doctor.output, fits: "cli/doctor", in: world)
            #expect(doctor.output.contains("1 imported session"), "\(doctor.output)")
            let plain = try await world.run("doctor", "--json", store: "copy.db")
            #expect(plain.output.contains("imported session") == false)
        }
    }
}
