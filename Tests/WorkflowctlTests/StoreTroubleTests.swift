import Foundation
import TestSupport
import Testing

@testable import Sandbox

@Suite struct StoreTroubleTests {
    @Test func `a store locked by another process is reported as busy`() async throws {
        try await World.with { world in
            let (session, _) = try await world.open()
            let script = """
                import sqlite3, time
                c = sqlite3.connect('payments.db', isolation_level=None)
                c.execute('BEGIN EXCLUSIVE'); print('held', flush=True); time.sleep(60)
                """
            let path = try world.write(script, to: "hold.py")
            let holder = try world.tool.start("/usr/bin/env", ["python3", path], input: nil)
            for _ in 1...400 where !holder.outputSoFar.contains("held") {
                try await Task.sleep(for: .milliseconds(25))
            }
            let refused = try await world.run("abort", session)
            #expect(refused.status == 75, "\(refused.diagnostics)")
            #expect(refused.diagnostics.contains("[store.busy]"))
            kill(holder.id, SIGKILL)
            _ = try await world.tool.finish(holder)
            #expect(try await world.run("abort", session).status == 0)
        }
    }

    @Test func `a store of another build's schema is refused with a hint`()
        async throws
    {
        try await World.with { world in
            _ = try await world.open()
            let script = """
                import sqlite3
                c = sqlite3.connect('payments.db', isolation_level=None)
                c.execute('PRAGMA user_version = 6')
                """
            let path = try world.write(script, to: "older.py")
            #expect(try await world.tool.shell("python3 \(path)").status == 0)
            for command in ["list", "at-risk", "verify"] {
                let refused = try await world.run(command)
                #expect(refused.status == 69, "\(refused.diagnostics)")
                #expect(refused.diagnostics.contains("[store.newer-schema]"))
                #expect(refused.diagnostics.contains("hint: "))
            }
        }
    }

    @Test func `output lost on a full disk ends with an error`() async throws {
        try await World.with { world in
            let (session, _) = try await world.open()
            for command in ["export", "log \(session) --json", "explain \(session)"] {
                let lost = try await world.tool.shell("workflowctl \(command) > /dev/full")
                #expect(lost.status == 69, "\(command)")
                #expect(lost.diagnostics.contains("[file.unwritable]"), "\(command)")
            }
            // A reader that closes the pipe has lost nothing.
            let left = try await world.tool.shell("set -o pipefail; workflowctl export | true")
            #expect(left.status == 0 && left.diagnostics.isEmpty, "\(left.diagnostics)")
        }
    }

    @Test func `a full disk loses nothing that was acknowledged`() async throws {
        try await World.with { world in
            let (session, _) = try await world.open()
            let before = try await world.run("log", session, "--json").output
            // The file size limit of the process simulates a full disk: not even the second page of
            // the write-ahead log fits.
            let full = try await world.tool.shell(
                "ulimit -f 8; workflowctl --allow-insecure-loopback abort \(session)"
            )
            #expect(full.status == 69, "\(full.diagnostics)")
            #expect(full.diagnostics.contains("[store.full]"), "\(full.diagnostics)")
            let after = try await world.run("log", session, "--json").output
            #expect(after.hasPrefix(before))
            #expect(try await world.run("verify").status == 0)
            let done = try await world.run("resume", session)
            #expect(done.status == 0)
            #expect(try await world.run("replay", session, "--check").status == 0)
        }
    }

    /// How a shell gets file systems of its own; `nil` where that is not allowed.
    private static let ownMounts = ["unshare -m", "unshare -rm"].first {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/bin/sh")
        process.arguments = ["-c", $0 + " mount -t tmpfs none /mnt 2>/dev/null"]
        guard (try? process.run()) != nil else { return false }
        process.waitUntilExit()
        return process.terminationStatus == 0
    }

    @Test(.enabled(if: ownMounts != nil, "needs file systems of its own"))
    func `a store on a read-only medium can be read, and is not changed`() async throws {
        try await World.with { world in
            let (session, _) = try await world.open(SandboxOrder(), "--reference", "order-4711")
            _ = try await world.tool.shell(
                "sqlite3 payments.db 'PRAGMA wal_checkpoint(TRUNCATE)'; mkdir 'a%20 b?#'; mv payments.db payments.db.key 'a%20 b?#'"
            )
            let commands = [
                "list", "show \(session)", "show order-4711", "log \(session) --json", "verify",
                "find order-4711", "stats", "at-risk", "export", "explain \(session)",
                "store status",
            ]
            let script = commands.map { "workflowctl \($0) >/dev/null || exit 1" }
            _ = try world.write(
                (["mount --bind 'a%20 b?#' 'a%20 b?#' || exit 9"]
                    + ["mount -o remount,bind,ro 'a%20 b?#' || exit 9"]
                    + script
                    + ["workflowctl note \(session) x; test $? = 69 || test $? = 77"])
                    .joined(separator: "\n"),
                to: "read.sh"
            )
            let read = try await world.tool.shell(
                "export WORKFLOWCTL_STORE='sqlite:a%20 b?#/payments.db'; ls -A a* >before; "
                    + "\(Self.ownMounts ?? "") bash -x read.sh && ls -A a* | diff before -"
            )
            #expect(read.status == 0, "\(read)")
        }
    }

    @Test func `a store in a folder that does not exist is refused with the reason`() async throws {
        try await World.with { world in
            let order = try await world.sandbox.createOrder()
            let refused = try await world.run(
                "open",
                order.sessionURL,
                store: "nowhere/payments.db"
            )
            #expect(refused.status == 69)
            #expect(refused.diagnostics.contains("does not exist"))
        }
    }
}
