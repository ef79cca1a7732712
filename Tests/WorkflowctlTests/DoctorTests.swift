import ArgumentParser
import EventLog
import Foundation
import LogFixtures
import SwedbankPay
import TestSupport
import Testing

@testable import Adapters
@testable import Sandbox
@testable import workflowctl

/// `workflowctl doctor`.
@Suite(.feature("S-13")) struct DoctorTests {
    /// Returns the grade of each check in a JSON report; the worst if there are several with a
    /// name.
    private func grades(_ result: Tool.Result) throws -> [String: String] {
        let order = ["good", "skipped", "warning", "bad"]
        return try result.json["checks"].list.reduce(into: [:]) { grades, check in
            let (name, grade) = (check["check"].text ?? "", check["grade"].text ?? "")
            let known = grades[name].flatMap(order.firstIndex) ?? 0
            grades[name] = order[max(known, order.firstIndex(of: grade) ?? 3)]
        }
    }

    /// Returns the hint of the first check that did not pass.
    private func advice(_ result: Tool.Result, on check: String) throws -> String {
        try result.json["checks"].list.first {
            $0["check"].text == check && $0["grade"].text != "good"
        }?["advice"].text ?? ""
    }

    @Test func `doctor reports a healthy installation and changes nothing`() async throws {
        try await World.with { world in
            _ = try await world.open()
            let before = try await world.tool.shell("sha256sum payments.db payments.db.key")
            let asked = await world.sandbox.requests.values.reduce(0, +)
            let result = try await world.run("doctor", "--psp", world.sandbox.baseURL, "--json")
            #expect(result.status == 0, "\(result.output)")
            try await SchemaCheck.expect(result.output, fits: "cli/doctor", in: world)
            #expect(try result.json["healthy"].flag == true)
            let grades = try grades(result)
            let names = [
                "build", "configuration", "connections", "store", "schema", "permissions", "disk",
                "keys", "sessions", "payers", "time", "projections", "psp", "clock",
            ]
            #expect(Set(grades.keys) == Set(names))
            #expect(grades.filter { $0.value != "good" && $0.key != "disk" } == [:])
            #expect(await world.sandbox.requests.values.reduce(0, +) <= asked + 1)
            let after = try await world.tool.shell("sha256sum payments.db payments.db.key")
            #expect(before.output == after.output)
            let alone = try await world.run("doctor", "--json")
            #expect(try self.grades(alone)["psp"] == "skipped")
            let rows = try await world.run("doctor").output.split(separator: "\n")
            #expect(rows.first == "check\tgrade\tfinding\tadvice")
            let terminal = try await world.tool.terminal("workflowctl doctor")
            #expect(terminal.output.contains("✔") && !terminal.output.contains("\t"))
        }
    }

    @Test func `doctor finds files and folders with too broad permissions`() async throws {
        try await World.with { world in
            _ = try await world.open()
            #expect(try await world.tool.shell("chmod 644 payments.db").status == 0)
            let readable = try await world.run("doctor", "--json")
            #expect(readable.status == 0)
            #expect(try grades(readable)["permissions"] == "warning")
            #expect(try advice(readable, on: "permissions").hasPrefix("chmod 600 "))
            #expect(try await world.tool.shell("chmod 662 payments.db").status == 0)
            let writable = try await world.run("doctor", "--json")
            #expect(writable.status == 1)
            #expect(try grades(writable)["permissions"] == "bad")
            _ = try await world.tool.shell("chmod 600 payments.db; chmod 640 payments.db.key")
            let key = try await world.run("doctor", "--json")
            #expect(key.status == 1)
            #expect(try grades(key)["permissions"] == "bad")
            #expect(try grades(key)["keys"] == "bad")
            _ = try await world.tool.shell("chmod 600 payments.db.key; chmod 777 .")
            let folder = try await world.run("doctor", "--json")
            #expect(try grades(folder)["permissions"] == "bad")
            #expect(try advice(folder, on: "permissions").hasPrefix("chmod o-w "))
        }
    }

    @Test func `a lost key, a missing store and a wrong configuration are told apart`() async throws
    {
        try await World.with { world in
            let missing = try await world.run("doctor", "--json")
            #expect(missing.status == 1)
            #expect(try grades(missing)["store"] == "bad")
            #expect(try grades(missing)["keys"] == "skipped")
            try await SchemaCheck.expect(missing.output, fits: "cli/doctor", in: world)
            _ = try await world.open()
            _ = try await world.tool.shell("mv payments.db.key elsewhere")
            let lost = try await world.run("doctor", "--json")
            #expect(lost.status == 1)
            #expect(try grades(lost).filter { $0.value == "bad" }.map(\.key) == ["keys"])
            #expect(try advice(lost, on: "keys").contains("workflowctl keys list"))
            _ = try await world.tool.shell("mv elsewhere payments.db.key")
            let path = try world.write(#"{"nonsense": 1}"#, to: "config.json")
            let wrong = try await world.run("doctor", "--json", "--config", path)
            #expect(wrong.status == 1)
            #expect(try grades(wrong).filter { $0.value == "bad" }.map(\.key) == ["configuration"])
            _ = try world.write("no database at all, and long enough to be read", to: "foreign.db")
            let foreign = try await world.run("doctor", "--json", store: "foreign.db")
            #expect(try grades(foreign)["store"] == "bad")
        }
    }

    @Test
    func `doctor asks a PSP only for its root and reports one that is unreachable or not allowed`()
        async throws
    {
        try await World.with { world in
            _ = try await world.open()
            let closed = try await world.run("doctor", "--psp", "http://127.0.0.1:9", "--json")
            #expect(closed.status == 1)
            #expect(try grades(closed)["psp"] == "bad")
            #expect(try grades(closed)["clock"] == "skipped")
            let other = try await world.run("doctor", "--psp", "https://evil.example/x", "--json")
            #expect(try grades(other)["psp"] == "bad")
            #expect(try advice(other, on: "psp").contains("allowedHosts"))
            // A PSP that hangs up is asked once, for its root: the path may be a secret.
            let gone = try await SandboxServer.start(SandboxConfiguration())
            await gone.shutdown()
            let ear = try await Ear.listen(at: gone.baseURL, in: world)
            let mute = try await world.run("doctor", "--psp", gone.baseURL + "/secret", "--json")
            #expect(mute.status == 1)
            #expect(try grades(mute)["psp"] == "bad")
            let plain = try await world.tool.run(["doctor", "--psp", gone.baseURL])
            #expect(plain.status == 64)
            #expect(plain.diagnostics.contains("[usage.psp]"))
            #expect(plain.diagnostics.contains("--allow-insecure-loopback"))
            #expect(try await ear.calls() == ["/", "/last"])
        }
    }

    @Test func `doctor grades stuck sessions as bad and names the resume command`() async throws {
        try await World.with { world in
            let (session, _) = try await world.open()
            _ = try await world.run(
                "attempt",
                session,
                "swish",
                "--msisdn",
                "+46739000001",
                "--wait",
                "0s"
            )
            let later = Invocation.wallClock() + .seconds(600)
            let (status, told) = try await Self.examine(world, at: later)
            #expect(status == .refused)
            #expect(told.contains("workflowctl resume"))
        }
    }

    @Test(.feature("S-14"))
    func `doctor --check counts only the named checks, and a waiting payer is not a failure`()
        async throws
    {
        try await World.with { world in
            // The payer has to approve in an app, and may take some time.
            let (session, _) = try await world.open()
            let started = try await world.run("attempt", session, "swish", "--json")
            try #require(try started.json["actions"][0]["kind"].text == "launchApp")
            let later = Invocation.wallClock() + .seconds(600)
            let (status, told) = try await Self.examine(world, at: later)
            #expect(status == .done, "\(told)")
            #expect(told.contains("is waiting for its payer, and no engine has polled the PSP for"))
            // With `--strict` it is a failure.
            let strict = try await Self.examine(world, at: later, "--check", "payers", "--strict")
            #expect(strict.status == .refused)
            #expect(try JSON(parsing: strict.told)["checks"].list.count == 1)
            #expect(try JSON(parsing: strict.told)["healthy"].flag == false)
            for check in ["store", "schema", "keys", "sessions", "time"] {
                let named = try await Self.examine(world, at: later, "--check", check)
                #expect(named.status == .done, "\(named.told)")
                let checks = try JSON(parsing: named.told)["checks"].list
                #expect(checks.map { $0["check"].text } == [check])
            }
            // Checks that were not requested do not count, however bad their results.
            _ = try await world.tool.shell("mv payments.db.key elsewhere")
            #expect(try await world.run("doctor", "--check", "store").status == 0)
            #expect(
                try await world.run("doctor", "--check", "store", "--check", "keys").status == 1
            )
            // What cannot be checked does not count as passed.
            _ = try await world.tool.shell("mv payments.db other.db")
            let blind = try await world.run("doctor", "--check", "sessions", "--json")
            #expect(blind.status == 1)
            #expect(blind.output.contains("store.no-database"))
            let missing = try await world.run("doctor", "--check", "psp")
            #expect(missing.status == 64)
            #expect(missing.diagnostics.contains("--psp URL"))
            let unknown = try await world.run("doctor", "--check", "nonsense")
            #expect(unknown.status == 64)
            let list = try await world.run("doctor", "--list")
            let names = list.output.split(separator: "\n").dropFirst().map {
                String($0.prefix { $0 != "\t" })
            }
            #expect(names == InstallationCheck.allCases.map(\.rawValue))
        }
    }

    @Test func `imported sessions do not fail a health check`() async throws {
        try await World.with { elsewhere in
            let (session, _) = try await elsewhere.open()
            _ = try await elsewhere.run("attempt", session, "swish", "--wait", "0s")
            try await World.with { world in
                let copied = try await world.run(
                    "store",
                    "copy",
                    "sqlite:" + world.storePath,
                    store: elsewhere.storePath
                )
                try #require(copied.status == 0, "\(copied.diagnostics)")
                // Its key is elsewhere, and it has overdue work.
                let later = Invocation.wallClock() + .seconds(600)
                let (status, told) = try await Self.examine(world, at: later, "--imported")
                #expect(status == .done, "\(told)")
                #expect(told.contains("1 imported session"))
            }
        }
    }

    @Test
    func `doctor warns about a payment that stopped in progress, but not within a minute`()
        async throws
    {
        try await World.with { world in
            // The log of the case between the abort and the end of the session.
            let log = try String(
                contentsOfFile: GoldenLogs.folder + "/../Cases/expired.ndjson",
                encoding: .utf8
            )
            let lines = log.split(separator: "\n").prefix(79).joined(separator: "\n") + "\n"
            let path = try world.write(lines, to: "given-up.ndjson")
            #expect(try await world.run("import", path).status == 0)
            // As if an engine of this store had opened it.
            let own =
                "import sqlite3; c = sqlite3.connect('payments.db'); "
                + "c.executescript('UPDATE sessions SET imported = 0; UPDATE listed_sessions SET imported = 0')"
            try #require(try await world.tool.shell("python3 -c \"\(own)\"").status == 0)
            // The row of an imported session says that nothing is due.
            #expect(try await world.run("store", "reproject", "--rebuild").status == 0)
            let later = try #require(Instant("2026-12-02T01:10:00.000000Z"))
            let (status, told) = try await Self.examine(world, at: later)
            #expect(status == .done)
            #expect(
                told.contains(
                    "1 session is stuck"
                ),
                "\(told)"
            )
            #expect(told.contains("workflowctl list --stuck"))
            // Its money is under way, which is not called unknown.
            #expect(!told.contains("unknown outcome"), "\(told)")
            // It may still be in progress.
            let soon = try #require(Instant("2026-12-02T00:58:30.000000Z"))
            let (early, quiet) = try await Self.examine(world, at: soon)
            #expect(early == .done)
            #expect(quiet.contains("no session is stuck"), "\(quiet)")
            #expect(!quiet.contains("stopped with a problem"))
        }
    }

    @Test func `doctor counts the payments that at-risk lists, and says what can be done`()
        async throws
    {
        try await World.with { world in
            let config = try world.write(
                #"{"limits":{"retries":"1ms","cardRetries":"1ms","tries":1}}"#,
                to: "config.json"
            )
            var sessions: [String] = []
            for _ in 1...2 { sessions.append(try await world.open().session) }
            // The responses to the start of each payment and to all later reads are lost.
            await world.sandbox.injectFaults(
                with: ["start-payment-attempt", "session"].map {
                    Fault(rel: $0, requests: .every, kind: .reset)
                }
            )
            for session in sessions {
                let swish = ["attempt", session, "swish", "--msisdn", "+46739000001"]
                let lost = try await world.tool.run(
                    ["--allow-insecure-loopback", "--config", config] + swish
                )
                try #require(lost.status == 69, "\(lost.diagnostics)")
            }
            // Open attempts whose money is unknown are neither running nor open.
            let shown = try await world.run("show", sessions[0], "--json")
            #expect(try shown.json["attempts"][0]["result"].text == "unknown", "\(shown.output)")
            let counted = try await world.run("stats", "--json").json["instruments"][0]
            #expect(counted["unknown"].number == 2 && counted["open"].number == 0)
            func expectCounted(_ words: String, advice: String) async throws {
                let risk = try await world.run("at-risk", "--json")
                #expect(try risk.json["unknown"].list.count == 2, "\(risk.output)")
                let later = Invocation.wallClock() + .seconds(120)
                let (status, told) = try await Self.examine(world, at: later, "--check", "sessions")
                // Nobody knows whether they are paid, and the PSP cannot be read.
                #expect(status == .refused, "\(told)")
                #expect(told.contains("with money under way or unknown"), "\(told)")
                let unknown = "2 payments have an unknown outcome; " + words
                let checks = try JSON(parsing: told)["checks"].list
                let found = checks.first { $0["finding"].text == unknown }
                #expect(found?["advice"].text?.contains(advice) == true, "\(told)")
            }
            try await expectCounted("2 of them can be continued with 'retry'", advice: "'retry'")
            let closed = try await world.run(
                "--config",
                config,
                "close",
                sessions[0],
                "--reason",
                "test"
            )
            #expect(closed.status == 0, "\(closed.diagnostics)")
            try await expectCounted(
                "1 of them can be continued with 'retry', 1 has ended",
                advice: "record it with 'resolve'"
            )
        }
    }

    @Test func `list, stats and doctor agree on what is stuck: nothing moves it by itself`()
        async throws
    {
        try await World.with { world in
            let config = try world.write(
                #"{"limits":{"retries":"1ms","cardRetries":"1ms","tries":1}}"#,
                to: "config.json"
            )
            let given: [String: String] = [
                "waits": try await world.open().session, "overdue": try await world.open().session,
                "stopped": try await world.open().session, "ended": try await world.open().session,
            ]
            func run(_ session: String, _ words: String...) async throws -> Int32 {
                try await world.tool.run(
                    ["--allow-insecure-loopback", "--config", config, words[0], given[session]!]
                        + words.dropFirst()
                ).status
            }
            #expect(try await run("waits", "attempt", "swish") == 0)
            #expect(try await run("ended", "abort") == 0)
            let swish = ["swish", "--msisdn", "+46739000001"]
            #expect(
                try await run("overdue", "attempt", swish[0], swish[1], swish[2], "--wait", "0s")
                    == 0
            )
            await world.sandbox.injectFaults(
                with: ["start-payment-attempt", "session"].map {
                    Fault(rel: $0, requests: .every, kind: .reset)
                }
            )
            // The engine gave up: nothing is due, and only a person moves it.
            #expect(try await run("stopped", "attempt", swish[0], swish[1], swish[2]) == 69)
            let later = Invocation.wallClock() + .seconds(120)
            let list = try await Self.run(["list", "--stuck", "--json"], in: world, at: later)
            let stuck = try JSON(parsing: list.told).list.compactMap { $0["session"].text }
            #expect(Set(stuck) == Set(["overdue", "stopped"].map { given[$0]! }), "\(list.told)")
            for options in [[], ["--counts"]] {
                let stats = try await Self.run(
                    ["stats", "--json"] + options,
                    in: world,
                    at: later
                )
                #expect(try JSON(parsing: stats.told)["stuck"].number == 2, "\(stats.told)")
            }
            let (status, told) = try await Self.examine(world, at: later, "--check", "sessions")
            #expect(status == .refused)
            #expect(told.contains("2 sessions are stuck: 1 with work overdue, the longest for "))
            #expect(told.contains(", 1 stopped with a problem"), "\(told)")
            let soon = try await Self.run(
                ["list", "--stuck", "--json"],
                in: world,
                at: Invocation.wallClock()
            )
            #expect(try JSON(parsing: soon.told).list.isEmpty, "\(soon.told)")
        }
    }

    /// Examines a world's store at a given time.
    private static func examine(
        _ world: World,
        at now: Instant,
        _ more: String...
    ) async throws -> (status: workflowctl.ExitStatus, told: String) {
        try await run(["doctor", "--json"] + more, in: world, at: now)
    }

    /// Runs a reading command on a world's store at a given time.
    private static func run(
        _ arguments: [String],
        in world: World,
        at now: Instant
    ) async throws -> (status: workflowctl.ExitStatus, told: String) {
        let loop = try UVLoop(name: "test")
        let terminal = FalseTerminal()
        var invocation = terminal.invocation(on: loop, columns: nil)
        invocation.now = { now }
        let command = try #require(
            try Workflowctl.parseAsRoot(
                arguments + ["--store", "sqlite:" + world.storePath]
            ) as? any Command
        )
        let status = try await command.perform(in: invocation)
        await withCheckedContinuation { continuation in
            Thread.detachNewThread {
                loop.shutdown()
                continuation.resume()
            }
        }
        return (status, terminal.text)
    }
}
