import Foundation
import Testing

@testable import Sandbox

extension World {
    /// Runs SQL on the store with the SQLite of another program.
    func alter(_ sql: String, store: String = "payments.db") async throws {
        let script = """
            import sqlite3, sys
            store = sqlite3.connect(sys.argv[1])
            store.executescript(sys.argv[2])
            """
        let path = try write(script, to: "alter.py")
        let done = try await tool.finish(
            try tool.start("/usr/bin/env", ["python3", path, store, sql], input: nil)
        )
        try #require(done.status == 0, "\(done.diagnostics)")
    }

    /// Alters a session's first record and recomputes the hash chain, so that the log itself shows
    /// nothing.
    func rewriteHistory(_ session: String, store: String = "payments.db") async throws {
        let script = """
            import hashlib, sqlite3, sys
            store = sqlite3.connect(sys.argv[1])
            rows = store.execute("SELECT position, record FROM events WHERE session = "
                "(SELECT key FROM sessions WHERE id = ?) ORDER BY seq", (sys.argv[2],)).fetchall()
            prev, altered = bytes(32), 0
            for position, record in rows:
                other = bytes(record).replace(b"order-1", b"order-2")
                altered += other != bytes(record)
                hash = hashlib.sha256(prev + other).digest()
                store.execute("UPDATE events SET record = ?, prev = ?, hash = ? WHERE position = ?",
                    (other, prev, hash, position))
                prev = hash
            for rows in ("sessions", "listed_sessions"):
                store.execute(f"UPDATE {rows} SET reference = 'order-2' WHERE id = ?", (sys.argv[2],))
            store.commit()
            sys.exit(altered == 0)
            """
        let path = try write(script, to: "rewrite.py")
        let done = try await tool.shell("python3 \(path) \(store) \(session)")
        try #require(done.status == 0, "\(done.diagnostics)")
    }

    /// Creates a session with the reference `order-1`, and another one, in a store with a kept
    /// checkpoint.
    ///
    /// - Returns: The sessions, the public key, and in files: `kept.json`, `leaves.json`,
    ///   `proof.json` of the first session, and `log.ndjson`.
    func checkpointed() async throws -> (session: String, other: String, key: String) {
        let (session, _) = try await open(
            .init(payerReference: "payer-1"),
            "--reference",
            "order-1"
        )
        let (other, _) = try await open()
        let made = try await run("checkpoint", "create", "--json")
        try #require(made.status == 0, "\(made.diagnostics)")
        for arguments in [
            ["export", "-o", "kept.json"], ["export", "--leaves", "-o", "leaves.json"],
            ["prove", session, "-o", "proof.json"],
        ] {
            let done = try await tool.run(["checkpoint"] + arguments)
            try #require(done.status == 0, "\(done.diagnostics)")
        }
        try #require(try await run("export", "-o", "log.ndjson").status == 0)
        let key = try #require(try made.json["checkpoint"]["publicKey"].text)
        return (session, other, key)
    }

    /// Verifies files with the independent verifier in Python.
    func python(_ arguments: String) async throws -> Tool.Result {
        let tools = URL(fileURLWithPath: SchemaCheck.folder).deletingLastPathComponent().path
        return try await tool.shell(
            "python3 \(tools)/Tests/Tools/verify_checkpoints.py \(arguments)"
        )
    }

    /// Copies the store as it is after a power failure in which half of the write-ahead log was
    /// lost.
    ///
    /// A permanent reader keeps the commands' writes in that log.
    ///
    /// - Returns: A world with the remaining copy in a directory of its own.
    func failedMachine(while commands: [String]) async throws -> String {
        let script = """
            import os, shutil, sqlite3, subprocess, sys
            reader = sqlite3.connect("payments.db")
            reader.execute("BEGIN"); reader.execute("SELECT count(*) FROM events").fetchall()
            def frames(log): return (os.path.getsize(log) - 32) // 4120
            known = frames("payments.db-wal")
            for command in sys.argv[1:]:
                subprocess.run(command, shell=True, check=True, stdout=subprocess.DEVNULL)
            os.mkdir("copy")
            for name in ["", "-wal", ".checkpoint", ".signing-key"]:
                shutil.copy("payments.db" + name, "copy/payments.db" + name)
            log = "copy/payments.db-wal"
            added = frames(log) - known
            assert known > 0 and added > 4
            os.truncate(log, 32 + (known + added // 2) * 4120)
            """
        let path = try write(script, to: "fail.py")
        let arguments = commands.map { "'\($0)'" }.joined(separator: " ")
        let failed = try await tool.shell("python3 \(path) \(arguments)")
        try #require(failed.status == 0, "\(failed.diagnostics)")
        return folder + "/copy/payments.db"
    }
}
