import Foundation
import TestSupport
import Testing

@testable import Sandbox

extension PostgreSQLTests {
    /// Sessions move from a file to a server: to be driven there, or only to be read.
    @Suite(.feature("S-27"), .serialized, .fewAtATime) struct MovingTests {
        @Test func `sessions moved from a file to a server continue there; a copy is read-only`()
            async throws
        {
            try await Program.with { program in
                let file = "sqlite:\(program.folder)/payments.db"
                let server = program.place.database.url()
                let session = try await program.open(store: file)
                let out = try await program.run(
                    "--json",
                    "store",
                    "copy",
                    server,
                    "--move",
                    store: file
                )
                #expect(out.status == 0, "\(out.diagnostics)")
                #expect(try out.member("sessions") == "1")
                // It continues at the server, with the keys that came along, and not in the file.
                let started = try await program.run("--json", "attempt", session, "swish")
                #expect(started.status == 0, "\(started.diagnostics)")
                let old = try await program.run("--json", "abort", session, store: file)
                #expect(old.status == 1 && old.diagnostics.contains("store.moved"))
                let copy = "sqlite:\(program.folder)/copy.db"
                let back = try await program.run("--json", "store", "copy", copy)
                #expect(back.status == 0, "\(back.diagnostics)")
                for store in [copy, server] {
                    #expect(try await program.run("verify", store: store).status == 0)
                }
                let here = try await program.run("--json", "log", session)
                let there = try await program.run("--json", "log", session, store: copy)
                #expect(here.output == there.output)
                let read = try await program.run("--json", "abort", session, store: copy)
                #expect(read.status == 1 && read.diagnostics.contains("session.imported"))
                // It is copied further as it grows.
                #expect(try await program.run("--json", "abort", session).status == 0)
                let again = try await program.run("--json", "store", "copy", copy)
                #expect(try again.member("written") != "0")
                let moved = try await program.run("store", "copy", "sqlite:x.db", "--move")
                #expect(moved.status == 64 && moved.diagnostics.contains("store.only-for-files"))
            }
        }

        @Test func `a copy does not overwrite a different history of a session`() async throws {
            try await Program.with { program in
                let file = "sqlite:\(program.folder)/payments.db"
                let session = try await program.open(store: file)
                let early = "sqlite:\(program.folder)/early.db"
                _ = try await program.run("store", "copy", early, store: file)
                _ = try await program.run(
                    "store",
                    "copy",
                    program.place.database.url(),
                    "--move",
                    store: file
                )
                _ = try await program.run("--json", "abort", session)
                // A session that the server opened accepts nothing from a copy of its beginning.
                let copied = try await program.run(
                    "--json",
                    "store",
                    "copy",
                    program.place.database.url(),
                    store: early
                )
                #expect(copied.status == 0)
                #expect(try copied.member("written") == "0")
                try program.place.database.sql(
                    "DELETE FROM events WHERE seq > 2; UPDATE sessions SET last_seq = 2"
                )
                let refused = try await program.run(
                    "--json",
                    "store",
                    "copy",
                    program.place.database.url(),
                    store: early
                )
                #expect(refused.status == 1)
                #expect(try refused.member("refused", 0) == session)
                #expect(refused.diagnostics.contains("import.own-session"))
            }
        }
    }
}
