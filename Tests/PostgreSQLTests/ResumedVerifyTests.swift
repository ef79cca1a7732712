import Adapters
import EventLog
import Foundation
import Inspection
import SwedbankPay
import Synchronization
import Testing

@testable import Sandbox
@testable import workflowctl

extension PostgreSQLTests {
    /// The check of a store on a server, interrupted and resumed.
    @Suite(.serialized, .fewAtATime) struct ResumedVerifyTests {
        /// Checks the store in this process, and stops after the first session.
        private func interrupt(
            _ program: Program,
            keepingIn file: String
        ) async throws -> (isOver: Bool, told: String) {
            let told = Mutex("")
            let calls = Mutex(0)
            let sink = Sink(isTerminal: false, columns: nil, style: .plain) { bytes in
                told.withLock { $0 += String(decoding: bytes, as: UTF8.self) }
            }
            let invocation = Invocation(
                environment: [:],
                output: sink,
                diagnostics: sink,
                readInput: { _ in [] },
                now: {
                    // Called once at the beginning, and before and after each session.
                    let call = calls.withLock { calls in
                        calls += 1
                        return calls
                    }
                    if call == 3 { withUnsafeCurrentTask { $0?.cancel() } }
                    return Instant(microseconds: 1_000_000)
                },
                loop: program.place.loop,
                program: "workflowctl"
            )
            let location = try StoreLocation(program.place.database.url())
            let vault = try location.existingVault(
                environment: ["WORKFLOWCTL_KEY_FILE": program.folder + "/master.key"]
            )
            let work = program.place.loop.spawn {
                await Result {
                    let store = try await location.open(.readOnly, on: program.place.loop)
                    let reader = Reader(
                        store: store,
                        location: location,
                        invocation: invocation,
                        configuration: Configuration(),
                        person: Operator(name: "test", reason: nil, isNamed: false)
                    )
                    let found = try await VerificationRun(reader, vault: vault)
                        .verifyAll(resuming: Resumption(path: file, vault: vault))
                    await store.close()
                    return found != nil
                }
            }
            return (try await work.value.get(), told.withLock { $0 })
        }

        @Test(arguments: [
            "SELECT 1",
            "UPDATE events SET hash = sha256(hash) WHERE session = '$1' AND seq = 2",
            "UPDATE session_keys SET wrapped = wrapped || '\\x00' WHERE session = '$1'",
        ])
        func `an interrupted check of a store on a server resumes and gives the same result`(
            sql: String
        ) async throws {
            try await Program.with(lanes: 8) { program in
                var sessions: [String] = []
                for _ in 0..<3 { sessions.append(try await program.open()) }
                try program.place.database.sql(sql.replacing("$1", with: sessions.sorted()[0]))
                let whole = try await program.run("--json", "verify", "--all")
                #expect(whole.status == (sql == "SELECT 1" ? 0 : 65), "\(whole.diagnostics)")
                let file = program.folder + "/verify.json"
                let (isOver, told) = try await interrupt(program, keepingIn: file)
                #expect(!isOver)
                #expect(told.contains("run the command again to continue"), "\(told)")
                let kept = try Data(contentsOf: URL(fileURLWithPath: file))
                #expect(kept.count < 1000)
                let rest = try await program.run("--json", "verify", "--all", "--resume-file", file)
                #expect(rest.diagnostics.contains("continuing after 1 session that was checked"))
                #expect(rest.status == whole.status, "\(rest.diagnostics)")
                #expect(rest.output == whole.output)
                #expect(!FileManager.default.fileExists(atPath: file))

                // The file of another store, or of another state of this one, is refused.
                try kept.write(to: URL(fileURLWithPath: file))
                try program.place.database.sql(
                    "UPDATE events SET hash = sha256(hash) WHERE seq = 1"
                )
                let refused = try await program.run("verify", "--resume-file", file)
                #expect(refused.status == 64)
                #expect(refused.diagnostics.contains("[usage.resume-file]"))
                #expect(refused.diagnostics.contains("belongs to another store"))
            }
        }
    }
}
