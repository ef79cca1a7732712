import Adapters
import EventLog
import Foundation
import Inspection
import SwedbankPay
import Testing

@testable import Sandbox
@testable import workflowctl

/// A verification of a whole store that is interrupted and resumed.
@Suite struct ResumedVerifyTests {
    /// Moves the records of each session far behind those of the one before, as in a store with
    /// many records.
    private func spread(in world: World) async throws {
        let script = """
            import sqlite3
            store = sqlite3.connect("payments.db")
            far = \(StoreAudit.pieceSize)
            store.execute(f"UPDATE events SET position = position + (session - 1) * {far} * 3 WHERE session > 1")
            store.commit()
            """
        let path = try world.write(script, to: "spread.py")
        let result = try await world.tool.shell("python3 \(path)")
        try #require(result.status == 0, "\(result.diagnostics)")
    }

    /// Verifies a store in this process, with a cancellation before the start.
    private func interrupted(
        _ world: World,
        _ file: String
    ) async throws -> (isOver: Bool, told: String) {
        let loop = try UVLoop(name: "test")
        let terminal = FalseTerminal()
        let invocation = terminal.invocation(on: loop, columns: nil)
        let location = try StoreLocation("sqlite:" + world.storePath)
        let task = loop.spawn {
            do {
                let store = try await location.open(.readOnly, on: loop)
                let reader = Reader(
                    store: store,
                    location: location,
                    invocation: invocation,
                    configuration: Configuration(),
                    person: Operator(name: "test", reason: nil, isNamed: false)
                )
                let vault = try location.existingVault(environment: [:])
                let found = try await VerificationRun(reader, vault: vault)
                    .verifyAll(resuming: Resumption(path: file, vault: vault))
                await store.close()
                return found != nil
            } catch {
                Issue.record(error)
                return false
            }
        }
        task.cancel()
        let isOver = await task.value
        loop.shutdown()
        return (isOver, terminal.text)
    }

    @Test func `an interrupted verify continues where it stopped and gives the same result`()
        async throws
    {
        try await World.with { world in
            for _ in 0..<3 { _ = try await world.open() }
            try await spread(in: world)
            let whole = try await world.run("verify", "--json")
            #expect(whole.status == 0, "\(whole.diagnostics)")
            let file = world.folder + "/verify.json"
            let (isOver, told) = try await interrupted(world, file)
            #expect(!isOver)
            #expect(told.contains("interrupted after"), "\(told)")
            #expect(try world.mode(of: file) == 0o600)
            #expect(try String(contentsOfFile: file, encoding: .utf8).contains(#""sessions":1,"#))

            let rest = try await world.run("verify", "--json", "--resume-file", file)
            #expect(rest.status == 0, "\(rest.diagnostics)")
            #expect(rest.diagnostics.contains("continuing after"))
            #expect(rest.output == whole.output)
            #expect(!FileManager.default.fileExists(atPath: file))
            let anew = try await world.run("verify", "--json", "--resume-file", file)
            #expect(!anew.diagnostics.contains("continuing"))
            #expect(anew.output == whole.output)
        }
    }

    @Test func `a session that was partly checked at the interruption is verified as a whole`()
        async throws
    {
        try await World.with { world in
            for _ in 0..<2 { _ = try await world.open() }
            try await spread(in: world)
            let script = """
                import sqlite3
                store = sqlite3.connect("payments.db")
                store.execute("UPDATE events SET position = position + 100000 WHERE seq > 2")
                store.commit()
                """
            _ = try await world.tool.shell("python3 \(try world.write(script, to: "later.py"))")
            let whole = try await world.run("verify", "--json")
            #expect(whole.status == 0, "\(whole.diagnostics)")
            let file = world.folder + "/verify.json"
            _ = try await interrupted(world, file)
            let kept = try Data(contentsOf: URL(fileURLWithPath: file))
            let rest = try await world.run("verify", "--json", "--resume-file", file)
            #expect(rest.output == whole.output)

            // A change behind the position is detected, although the session began before it.
            try kept.write(to: URL(fileURLWithPath: file))
            let damage = """
                import sqlite3
                store = sqlite3.connect("payments.db")
                store.execute("UPDATE events SET hash = zeroblob(32) WHERE seq = 4 AND session = 1")
                store.commit()
                """
            _ = try await world.tool.shell("python3 \(try world.write(damage, to: "damage.py"))")
            let found = try await world.run("verify", "--json", "--resume-file", file)
            #expect(found.status == 65)
            #expect(try found.json["fault"]["seq"].number == 4)
            #expect(try found.json["damaged"].number == 1)
        }
    }

    @Test(arguments: [
        ("UPDATE session_keys SET wrapped = wrapped || x'00' WHERE session = 1", "wrong-key"),
        (
            "UPDATE sessions SET address_fp = randomblob(32) WHERE key = 1", "projection"
        ),
    ])
    func `damage found with the keys before an interruption is reported after it`(
        sql: String,
        kind: String
    ) async throws {
        try await World.with { world in
            for _ in 0..<2 { _ = try await world.open() }
            try await spread(in: world)
            let script = """
                import sqlite3
                store = sqlite3.connect("payments.db")
                store.execute("\(sql)")
                store.commit()
                """
            let path = try world.write(script, to: "damage.py")
            let result = try await world.tool.shell("python3 \(path)")
            try #require(result.status == 0, "\(result.diagnostics)")
            let whole = try await world.run("verify", "--json")
            #expect(whole.status == 65)
            #expect(try whole.json["fault"]["kind"].text == kind, "\(whole.output)")
            let file = world.folder + "/verify.json"
            _ = try await interrupted(world, file)
            let rest = try await world.run("verify", "--json", "--resume-file", file)
            #expect(rest.status == 65)
            #expect(rest.diagnostics.contains("continuing after"))
            #expect(rest.output == whole.output)
        }
    }

    @Test func `with keys, verify does not continue from a forged resume file`() async throws {
        try await World.with { world in
            for _ in 0..<3 { _ = try await world.open() }
            try await spread(in: world)
            let file = world.folder + "/verify.json"
            _ = try await interrupted(world, file)
            let kept = try String(contentsOfFile: file, encoding: .utf8)
            // It covers one session more than were verified, or has no MAC at all.
            let forged = kept.replacing(#""sessions":1,"#, with: #""sessions":2,"#)
            #expect(forged != kept)
            let bare = (kept.split(separator: "\n").first.map(String.init) ?? "") + "\n"
            for text in [forged, bare] {
                _ = try world.write(text, to: "verify.json")
                let refused = try await world.run("verify", "--resume-file", file)
                #expect(refused.status == 64)
                #expect(refused.diagnostics.contains("[usage.resume-file]"))
            }
            // Without keys this cannot be detected, which is reported.
            let trusting = try await world.run("verify", "--no-keys", "--resume-file", file)
            #expect(trusting.status == 0 && trusting.diagnostics.contains("trusted without proof"))
            _ = try world.write(kept, to: "verify.json")
            let rest = try await world.run("verify", "--resume-file", file)
            #expect(rest.status == 0, "\(rest.diagnostics)")
        }
    }

    @Test func `a resume file of another store, or a malformed one, is refused`() async throws {
        try await World.with { world in
            for _ in 0..<2 { _ = try await world.open() }
            try await spread(in: world)
            let file = world.folder + "/verify.json"
            _ = try await interrupted(world, file)
            _ = try await world.run("export", "-o", "logs.ndjson")
            let (_, _) = try await world.open()
            let other = "other.db"
            let order = try await world.sandbox.createOrder()
            _ = try await world.run("open", order.sessionURL, store: other)
            let refused = try await world.run("verify", "--resume-file", file, store: other)
            #expect(refused.status == 64)
            #expect(refused.diagnostics.contains("[usage.resume-file]"))
            #expect(refused.diagnostics.contains("belongs to another store"))
            #expect(FileManager.default.fileExists(atPath: file))
            for text in ["", "{}", "[", #"{"form":2}"#] {
                let broken = try world.write(text, to: "broken.json")
                let told = try await world.run("verify", "--resume-file", broken)
                #expect(told.status == 64 && told.diagnostics.contains("[usage.resume-file]"))
            }
            #expect(
                try await world.run("verify", "logs.ndjson", "--resume-file", file).status == 64
            )
        }
    }

    @Test func `the progress of a long check is shown on a terminal and nowhere else`() {
        let terminal = FalseTerminal()
        var line = ProgressLine(on: terminal.sink(columns: 80, style: .plain))
        line.reached(0, of: 400, "0 of 400 records", at: Instant(microseconds: 0))
        line.reached(99, of: 400, "99 of 400 records", at: Instant(microseconds: 999_999))
        #expect(terminal.text.isEmpty)
        line.reached(100, of: 400, "100 of 400 records", at: Instant(microseconds: 2_000_000))
        let first = "\r100 of 400 records, 25 %, 50 a second, 6 s left\u{1B}[K"
        #expect(terminal.text == first)
        // Not within half a second.
        line.reached(101, of: 400, "101 of 400 records", at: Instant(microseconds: 2_499_999))
        #expect(terminal.text == first)
        line.clear()
        #expect(terminal.text.hasSuffix("\r\u{1B}[K"))
        // When the total is unknown, and when other things are counted than those to be done.
        let unknown = ProgressLine.Pace(
            done: 9,
            all: 0,
            sinceThen: 9,
            counted: 9,
            time: .seconds(2)
        )
        #expect(unknown.words == ", 4.5 a second")
        let bytes = ProgressLine.Pace(
            done: 500,
            all: 1000,
            sinceThen: 500,
            counted: 20,
            time: .seconds(1)
        )
        #expect(bytes.words == ", 50 %, 20 a second, 1 s left")
        let narrow = FalseTerminal()
        var cut = ProgressLine(on: narrow.sink(columns: 20, style: .plain))
        cut.reached(0, of: 4, "0 of 4 records", at: Instant(microseconds: 0))
        cut.reached(1, of: 4, "1 of 4 records", at: Instant(microseconds: 1_000_000))
        #expect(narrow.text == "\r1 of 4 records, 25…\u{1B}[K")
        let pipe = FalseTerminal()
        var silent = ProgressLine(on: pipe.sink(columns: nil, style: .plain))
        silent.reached(1, of: 4, "1 of 4 records", at: Instant(microseconds: 0))
        silent.reached(4, of: 4, "4 of 4 records", at: Instant(microseconds: 9_000_000))
        silent.clear()
        #expect(pipe.text.isEmpty)
        // Where somebody may wait for a command of a script, a note is written now and then.
        var written = ProgressLine(
            on: pipe.sink(columns: nil, style: .plain),
            isWrittenElsewhere: true
        )
        for (done, second) in [(0, 0), (100, 2), (200, 4), (300, 12)] as [(Int64, Int64)] {
            written.reached(done, of: 400, "reading", at: Instant(microseconds: second * 1_000_000))
        }
        written.clear()
        #expect(
            pipe.text == "note: reading, 25 %, 50 a second, 6 s left\n"
                + "note: reading, 75 %, 25 a second, 4 s left\n"
        )
    }
}
