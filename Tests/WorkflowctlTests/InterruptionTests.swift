import Foundation
import Testing

@testable import Sandbox

/// What remains of a command that is interrupted.
@Suite struct InterruptionTests {
    /// Interrupts the writing of a file while its input waits, and returns the names of all files
    /// beside it.
    private func ended(by signal: String, in world: World) async throws -> String {
        let (session, _) = try await world.open()
        let script = """
            workflowctl log \(session) --json > log.ndjson
            mkdir made
            mkfifo input
            workflowctl redact input -o made/out.ndjson & process=$!
            exec 4> input
            cat log.ndjson >&4
            until ls -l /proc/$process/fd | grep -q made; do sleep 0.01; done
            # The first signal asks; who waits for its input does as the second one says.
            while [ -e /proc/$process ]; do kill -\(signal) $process 2> /dev/null; sleep 0.05; done
            wait $process
            echo "ended with $?: $(ls -A made)"
            """
        let result = try await world.tool.shell(script)
        return result.output + result.diagnostics
    }

    @Test func `SIGHUP ends a command and leaves no draft file`() async throws {
        try await World.with { world in
            let told = try await ended(by: "HUP", in: world)
            #expect(told.contains("ended with 130: \n"), "\(told)")
        }
    }

    @Test func `a command that ignores SIGHUP continues`() async throws {
        try await World.with { world in
            let (session, _) = try await world.open()
            let script = """
                trap '' HUP
                workflowctl tail \(session) > said 2> /dev/null & process=$!
                until grep -q opened said; do sleep 0.01; done
                kill -HUP $process
                workflowctl note \(session) later > /dev/null
                until grep -q noteAdded said; do kill -0 $process || exit 1; sleep 0.01; done
                kill -TERM $process
                wait $process
                echo "ended with $?"
                """
            let result = try await world.tool.shell(script)
            #expect(result.output == "ended with 130\n", "\(result)")
        }
    }

    @Test func `a draft file left by a killed command is removed by the next command`()
        async throws
    {
        try await World.with { world in
            let told = try await ended(by: "KILL", in: world)
            #expect(told.contains("ended with 137"), "\(told)")
            let again = try await world.run("redact", "log.ndjson", "-o", "made/out.ndjson")
            #expect(again.status == 0, "\(again.diagnostics)")
            #expect(try await world.tool.shell("ls -A made").output == "out.ndjson\n")
        }
    }
}
