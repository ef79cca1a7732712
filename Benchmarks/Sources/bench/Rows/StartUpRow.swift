internal import Adapters
internal import CMeasure
internal import EventLog
internal import Foundation
internal import Glibc
internal import Measuring
internal import SwedbankPay

/// How long the command-line tool takes to start.
enum StartUpRow {
    static let name = "start-up"

    static func measure(_ options: Options, in directory: String) async throws -> Row {
        let program = try Workflowctl.build()
        let sandbox = try SandboxProcess()
        defer { sandbox.stop() }
        let session = try await session(in: directory, at: sandbox.baseURL)
        let store = "sqlite:\(directory)/payments.db"
        let rounds = options.count(40, quick: 15)
        let show = try await Alternation(rounds: rounds) {
            try time(program, ["--store", store, "show", session.description])
        } baseline: {
            try time("/bin/true", [])
        }
        let help = try await Alternation(rounds: rounds) {
            try time(program, ["--help"])
        } baseline: {
            try time("/bin/true", [])
        }
        var row = Row(
            name: name,
            what: "start-up of workflowctl show and --help, warm, release build",
            baseline: "/bin/true"
        )
        row.add("baseline", show.baselineMedian, "ms")
        row.expect("show", show.oursMedian, atMost: 25, "ms")
        row.expect("--help", help.oursMedian, atMost: 25, "ms")
        row.notes.append("from spawning it until the process was waited for; output to /dev/null")
        return row
    }

    /// Creates a session that is paid, in a store.
    private static func session(in directory: String, at base: String) async throws -> SessionID {
        let host = try await EngineHost(in: directory)
        let urls = try await SandboxProcess.orders(1, at: base, over: host.http, on: host.loop)
        let payer = SwishPayer(engine: host.engine)
        let session = try await onLoop(host.loop) { try await payer.pay(urls[0]) }
        await host.shutdown()
        host.loop.shutdown()
        return session
    }

    /// Runs a program, and returns how long it took, in milliseconds.
    private static func time(_ program: String, _ arguments: [String]) throws -> Double {
        var words = ([program] + arguments).map { strdup($0) } + [nil]
        defer { for word in words { free(word) } }
        let start = Machine.seconds()
        let status = run_quietly(program, &words)
        let milliseconds = (Machine.seconds() - start) * 1e3
        guard status == 0 else {
            throw ChildProcess.Failure(description: "\(program) ended with status \(status)")
        }
        return milliseconds
    }
}
