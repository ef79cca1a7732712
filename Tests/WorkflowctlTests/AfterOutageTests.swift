import EventLog
import Foundation
import Inspection
import SwedbankPay
import TestSupport
import Testing

@testable import Adapters
@testable import EventStores
@testable import Sandbox
@testable import workflowctl

/// Sessions that failed during an outage of the PSP are retried; the PSP's own ledger is the judge.
@Suite struct AfterOutageTests {
    /// Requests fail at once, so that no test waits; the pause between tries has tests of its own.
    private static func config(_ world: World, recovery: String = "") throws -> String {
        try world.write(
            #"{"limits":{"retries":"1ms","cardRetries":"1ms","tries":1}"# + recovery + "}",
            to: "config.json"
        )
    }

    /// Sessions with a failed request before anything was paid.
    private func resting(
        _ count: Int,
        in world: World,
        _ config: String
    ) async throws -> [(session: String, order: CreatedOrder)] {
        var sessions: [(String, CreatedOrder)] = []
        for _ in 0..<count { sessions.append(try await world.open()) }
        await world.sandbox.injectFaults(
            with: [Fault(rel: "*", requests: .every, kind: .status(503))]
        )
        for (session, _) in sessions {
            let failed = try await world.run(
                "--config",
                config,
                "--json",
                "attempt",
                session,
                "swish",
                "--msisdn",
                "+46739000001"
            )
            try #require(failed.status == 69, "\(failed.output)\(failed.diagnostics)")
            try #require(try failed.json["problem"]["kind"].text == "requestFailed")
        }
        return sessions
    }

    /// Expects that an order was paid exactly once, and returns how many starts were requested.
    private func starts(_ order: CreatedOrder, in world: World) async throws -> Int {
        let ledger = try #require(await world.sandbox.orderLedger(order.id))
        #expect(ledger.doubles == [])
        #expect(ledger.attempts.map(\.state) == [.paid])
        #expect(ledger.authorizedAmount == 10_000)
        return ledger.requests["start-payment-attempt"] ?? 0
    }

    @Test(.feature("S-18"))
    func `retry by conditions works for many sessions, after a dry run, and none pays twice`()
        async throws
    {
        try await World.with { world in
            let config = try Self.config(world, recovery: #","recovery":{"tries":0}"#)
            let sessions = try await resting(4, in: world, config)
            let asked = await world.sandbox.requests.values.reduce(0, +)
            let dry = try await world.run(
                "--config",
                config,
                "retry",
                "--problem",
                "requestFailed",
                "--since",
                "2h",
                "--dry-run",
                "--json"
            )
            #expect(dry.status == 0, "\(dry.diagnostics)")
            try await SchemaCheck.expect(dry.output, fits: "cli/retry-where", in: world)
            #expect(try dry.json.list.map { $0["session"].text } == sessions.map(\.session))
            #expect(try dry.json.list.allSatisfy { $0["result"].text == "retryable" })
            #expect(await world.sandbox.requests.values.reduce(0, +) == asked)
            // While the PSP still fails, one session detects that, and the others send no requests.
            let condition = "problem=requestFailed and since=2h, host='127.0.0.1'"
            let early = try await world.run(
                "--config",
                config,
                "--json",
                "retry",
                "--where",
                condition
            )
            #expect(early.status == 69)
            #expect(
                early.diagnostics.contains(
                    "the PSP still fails; the remaining sessions were not retried"
                )
            )
            let results = try early.json.list.map { $0["result"].text }
            #expect(results == ["failed", "retryable", "retryable", "retryable"])
            await world.sandbox.injectFaults(with: [])
            let done = try await world.run(
                "--config",
                config,
                "--json",
                "--until",
                "settled",
                "retry",
                "--where",
                condition,
                "--rate",
                "100"
            )
            #expect(done.status == 0, "\(done.diagnostics)")
            try await SchemaCheck.expect(done.output, fits: "cli/retry-where", in: world)
            #expect(try done.json.list.count == 4)
            #expect(try done.json.list.allSatisfy { $0["refused"].text == nil })
            for (session, order) in sessions {
                let ended = try await world.run("--until", "ended", "--json", "resume", session)
                #expect(try ended.json["outcome"].text == "completed", "\(ended.output)")
                #expect(try await starts(order, in: world) >= 1)
            }
            let again = try await world.run(
                "--config",
                config,
                "--json",
                "retry",
                "--where",
                condition
            )
            #expect(again.status == 0 && again.output == "[]\n")
            #expect(try await world.run("verify").status == 0)
        }
    }

    @Test func `retry records nothing in sessions whose host is not allowed`() async throws {
        try await World.with { world in
            let config = try Self.config(world, recovery: #","recovery":{"tries":0}"#)
            _ = try await resting(2, in: world, config)
            let before = try await world.run("export")
            let retry = ["--config", config, "--json", "retry", "--problem", "requestFailed"]
            for more in [["--dry-run"], []] {
                let refused = try await world.tool.run(retry + more)
                let rows = try refused.json.list
                #expect(rows.count == 2, "\(refused.diagnostics)")
                #expect(rows.allSatisfy { $0["refused"].text == "session.bad-url" })
            }
            #expect(try await world.run("export").output == before.output)
        }
    }

    @Test func `on a terminal of 80 columns, a dry run is a table with the reasons of refusals`()
        async throws
    {
        try await World.with { world in
            let config = try Self.config(world, recovery: #","recovery":{"tries":0}"#)
            let sessions = try await resting(2, in: world, config)
            let lines = try await world.tool.lines(
                "retry --config \(config) --problem requestFailed --dry-run"
            )
            #expect(lines.allSatisfy { $0.count <= 80 }, "\(lines)")
            #expect(lines.first?.hasPrefix("ID        REFERENCE") == true, "\(lines)")
            for (session, _) in sessions {
                #expect(lines.filter { $0.hasPrefix(session.suffix(8)) }.count == 1, "\(lines)")
            }
            let words = lines.flatMap { $0.split(separator: " ") }.joined(separator: " ")
            #expect(words.contains("refused: plain http"), "\(lines)")
            #expect(words.contains("permission for insecure loopback"), "\(lines)")
        }
    }

    @Test func `retry refuses invalid conditions and combinations of options before any request`()
        async throws
    {
        try await World.with { world in
            let config = try Self.config(world, recovery: #","recovery":{"tries":0}"#)
            let session = try await resting(1, in: world, config)[0].session
            let log = try await world.run("log", session, "--json").output
            let asked = await world.sandbox.requests.values.reduce(0, +)
            for arguments in [
                ["--where", "problm=any"], ["--where", "problem"], ["--where", "problem='any"],
                ["--where", "money=lots"], ["--since", "soon"],
                ["--problem", "any", "--rate", "0"],
                ["--where", "problem=any", "--problem", "any"],
                ["--problem", "any", "--limit", "0"],
                [], ["order-1", "--problem", "any"], ["--dry-run"],
            ] {
                let refused = try await world.tool.run(
                    ["--allow-insecure-loopback", "--config", config, "retry"] + arguments
                )
                #expect(refused.status == 64, "\(arguments): \(refused.diagnostics)")
                #expect(refused.diagnostics.contains("[usage."), "\(arguments)")
            }
            #expect(await world.sandbox.requests.values.reduce(0, +) == asked)
            #expect(try await world.run("log", session, "--json").output == log)
        }
    }

    @Test(.tags(.thorough))
    func `during an outage resume retries within bounds; retries after it pay each session once`()
        async throws
    {
        try await World.with { world in
            let bounds = #","recovery":{"tries":2,"pause":"1ms","perSecond":100}"#
            let config = try Self.config(world, recovery: bounds)
            let sessions = try await resting(3, in: world, config)
            func resume(_ more: String...) async throws -> Tool.Result {
                try await world.tool.run(
                    ["--allow-insecure-loopback", "--config", config, "--json", "resume"] + more
                )
            }
            func tries(_ session: String) async throws -> Int {
                let log = try await world.run("log", session, "--json")
                return log.output.split(separator: "\n")
                    .filter {
                        $0.contains(#""type":"retryRequested""#) && $0.contains(#""by":"recovery""#)
                    }
                    .count
            }
            func allTries() async throws -> Int {
                var all = 0
                for (session, _) in sessions { all += try await tries(session) }
                return all
            }
            // During the outage one session is retried, and never more often than the limit.
            _ = try await resume()
            #expect(try await allTries() == 1)
            for _ in 1...8 { _ = try await resume() }
            let during = try await allTries()
            #expect(during == 6, "\(during)")
            // The caller knows more, so the count starts again.
            await world.sandbox.injectFaults(with: [])
            #expect(try await resume().status == 0)
            #expect(try await allTries() == 6)
            for (session, order) in sessions {
                let asked = try await world.run("--config", config, "--json", "retry", session)
                #expect(asked.status == 0, "\(asked.diagnostics)")
                let ended = try await world.run("--until", "ended", "--json", "resume", session)
                #expect(try ended.json["outcome"].text == "completed")
                #expect(try await starts(order, in: world) >= 1)
            }
        }
    }

    @Test(.tags(.thorough))
    func `when the outage ends before the bound is reached, resume completes every session`()
        async throws
    {
        try await World.with { world in
            let bounds = #","recovery":{"pause":"1ms","perSecond":100}"#
            let config = try Self.config(world, recovery: bounds)
            let sessions = try await resting(5, in: world, config)
            await world.sandbox.injectFaults(with: [])
            let gone = try await world.tool.run(
                [
                    "--allow-insecure-loopback", "--config", config, "--json", "--wait", "60s",
                    "resume",
                ]
            )
            #expect(gone.status == 0, "\(gone.diagnostics)")
            for (session, order) in sessions {
                let ended = try await world.run("--until", "ended", "--json", "resume", session)
                #expect(try ended.json["outcome"].text == "completed", "\(ended.output)")
                let started = try await starts(order, in: world)
                // Once during the outage, without effect, and once after it.
                #expect((1...2).contains(started), "\(started)")
            }
            #expect(try await world.run("verify").status == 0)
        }
    }

    @Test(.threat("T-56"))
    func `a session with unknown money is only read, and nothing is sent a second time`()
        async throws
    {
        try await World.with { world in
            let bounds = #","recovery":{"pause":"1ms","perSecond":100}"#
            let config = try Self.config(world, recovery: bounds)
            let (session, order) = try await world.open()
            // The request takes effect and its response is lost, as are all later reads.
            await world.sandbox.injectFaults(
                with: [
                    Fault(
                        rel: "start-payment-attempt",
                        requests: .every,
                        kind: .reset,
                        takesEffect: true
                    ),
                    Fault(rel: "session", requests: .every, kind: .reset),
                ]
            )
            let lost = try await world.run(
                "--config",
                config,
                "--json",
                "attempt",
                session,
                "swish",
                "--msisdn",
                "+46739000001"
            )
            #expect(lost.status == 69)
            let money = try await world.run("list", "--json")
            #expect(["unknown", "underWay"].contains(try money.json[0]["money"].text))
            // While nobody can read it, it is not as if nothing was wrong.
            try await change(
                #"facts = json_set(facts, '\$[3]', json_extract(facts, '\$[3]') - 180000000)"#,
                listed: "money_since = money_since - 180000000",
                in: world
            )
            let doctor = try await world.run("doctor", "--check", "sessions")
            #expect(doctor.status == 1, "\(doctor.output)")
            #expect(doctor.output.contains("1 payment rests with money under way or unknown"))
            let metrics = try await world.run("metrics")
            #expect(metrics.output.contains("payment_workflow_payments_resting 1\n"))
            await world.sandbox.injectFaults(with: [])
            let resumed = try await world.run("--config", config, "--json", "resume")
            #expect(resumed.status == 0, "\(resumed.diagnostics)")
            #expect(try resumed.json[0]["outcome"].text == "completed", "\(resumed.output)")
            let log = try await world.run("log", session, "--json")
            #expect(!log.output.contains("retryRequested"))
            #expect(try await starts(order, in: world) == 1)
            let after = try await world.run("metrics")
            #expect(after.output.contains("payment_workflow_payments_resting 0\n"))
        }
    }

    /// Changes the rows of all sessions, and those of lists, where the facts have columns.
    private func change(
        _ row: String,
        listed: String? = nil,
        in world: World
    ) async throws {
        let script =
            "import sqlite3; c = sqlite3.connect('\(world.storePath)', timeout=10); "
            + "c.execute('''UPDATE sessions SET \(row)'''); "
            + "c.execute('''UPDATE listed_sessions SET \(listed ?? row)'''); c.commit()"
        try #require(try await world.tool.shell("python3 -c \"\(script)\"").status == 0)
    }

    /// Starts to pay with the app on this device.
    private func start(in world: World) async throws -> (session: String, action: JSON) {
        let (session, _) = try await world.open()
        let started = try await world.run("--json", "attempt", session, "swish")
        let action = try started.json["actions"][0]
        let id = try #require(action["id"].text)
        _ = try await world.run("--wait", "0s", "report", session, id, "launched")
        return (session, action)
    }

    @Test func `resume finds a payment whose row was written by a clock that was ahead`()
        async throws
    {
        try await World.with { world in
            let (session, action) = try await start(in: world)
            _ = try await world.approveInSwish(action)
            try await change(
                "last_at = last_at + 300000000, due_at = due_at + 300000000",
                in: world
            )
            let doctor = try await world.run("doctor", "--check", "sessions")
            #expect(doctor.status == 1, "\(doctor.output)")
            #expect(doctor.output.contains("later than this machine's clock"), "\(doctor.output)")
            let metrics = try await world.run("metrics")
            #expect(metrics.output.contains("payment_workflow_clock_ahead_seconds 29"))
            let resumed = try await world.run("--json", "resume")
            #expect(try resumed.json[0]["session"].text == session, "\(resumed.diagnostics)")
            #expect(try resumed.json[0]["outcome"].text == "completed", "\(resumed.output)")
        }
    }

    @Test(.guarantee(.payersDontWaitForEachOther))
    func `a payer who has approved does not wait for one who has not`() async throws {
        try await World.with { world in
            let waiting = try await start(in: world)
            async let resuming = world.run("--json", "--wait", "20s", "resume")
            try await Task.sleep(for: .seconds(2))
            let approved = try await start(in: world)
            _ = try await world.approveInSwish(approved.action)
            let begin = ContinuousClock.now
            var outcome: String?
            while outcome == nil, begin.duration(to: .now) < .seconds(12) {
                outcome = try await world.run("--json", "show", approved.session).json["outcome"]
                    .text
                try await Task.sleep(for: .milliseconds(200))
            }
            #expect(outcome == "completed")
            let resumed = try await resuming
            #expect(resumed.status == 0, "\(resumed.diagnostics)")
            let sessions = try resumed.json.list.compactMap { $0["session"].text }
            #expect(sessions.contains(waiting.session) && sessions.contains(approved.session))
        }
    }

    @Test func `recovery is allowed after a pause and only until the time limit of the attempt`()
        async throws
    {
        try await World.with { world in
            let sessions = try await resting(1, in: world, try Self.config(world))
            let loop = try UVLoop(name: "test")
            let store = try await SQLiteEventStore(
                path: world.storePath,
                loop: loop,
                options: SQLiteOptions(access: .readOnly)
            )
            let session = try #require(SessionID(sessions[0].session))
            let log = try SessionLog(session, try await store.read(session, from: 1, limit: 1000))
            let decider = SessionDecider(catalogue: .bundled)
            let rested = log.state.lastAt
            func mayGoOn(after pause: Duration) -> Bool {
                RecoveryLimits().allow(log.events, log.state, decider, at: rested + pause)
            }
            #expect(!mayGoOn(after: .seconds(59)))
            #expect(mayGoOn(after: .seconds(61)))
            #expect(mayGoOn(after: decider.limits.swishAttempt - .seconds(30)))
            #expect(!mayGoOn(after: decider.limits.swishAttempt + .seconds(1)))
            await store.close()
            await withCheckedContinuation { continuation in
                Thread.detachNewThread {
                    loop.shutdown()
                    continuation.resume()
                }
            }
        }
    }
}
