import Testing

@testable import Sandbox

/// Events are reported to the PSP over HTTP by the program as it is installed.
@Suite struct EventLoggingTests {
    private static let on = #"{"eventLogging": {"enabled": true}}"#

    /// Returns the progress of each session's messages: position, dropped, last position, and
    /// whether a worker has claimed it.
    private func deliveries(_ world: World) async throws -> String {
        let script = """
            import sqlite3
            rows = sqlite3.connect('payments.db').execute('''SELECT position, dropped, last_seq,
                worker IS NOT NULL FROM sessions LEFT JOIN deliveries
                ON deliveries.session = sessions.key AND consumer = 'event-logging' ORDER BY id''')
            print(*[' '.join(str(value) for value in row) for row in rows], sep=';')
            """
        let result = try await world.tool.shell("python3 - <<'END'\n\(script)\nEND")
        return String(result.output.dropLast())
    }

    @Test func `an aborted payment is delivered to event logging up to its last event`()
        async throws
    {
        try await World.with { world in
            let config = try world.write(Self.on, to: "config.json")
            let (session, _) = try await world.open(SandboxOrder(), "--config", config)
            let aborted = try await world.run("abort", session, "--config", config)
            #expect(aborted.status == 0, "\(aborted.diagnostics)")
            let last = try await world.run("show", session, "--json").json["lastSeq"].number ?? 0
            #expect(try await deliveries(world) == "\(last) 0 \(last) 0")
        }
    }

    @Test func `event logging delivers nothing unless enabled, and resume delivers the backlog`()
        async throws
    {
        try await World.with { world in
            let (session, _) = try await world.open(SandboxOrder())
            #expect(try await world.run("abort", session).status == 0)
            let last = try await world.run("show", session, "--json").json["lastSeq"].number ?? 0
            #expect(try await deliveries(world) == "None None \(last) 0")
            let config = try world.write(Self.on, to: "config.json")
            #expect(try await world.run("resume", "--config", config).status == 0)
            #expect(try await deliveries(world) == "\(last) 0 \(last) 0")
        }
    }

    @Test
    func `a command does not wait out a hanging event-logging host, and the next one delivers`()
        async throws
    {
        try await World.with { world in
            let config = try world.write(Self.on, to: "config.json")
            let hanging = Fault(rel: "event-logging", requests: .nth(1), kind: .hang)
            let start = ContinuousClock.now
            let (session, _) = try await world.open(
                SandboxOrder(scenario: Scenario(faults: [hanging])),
                "--config",
                config
            )
            // The host hangs for two minutes.
            #expect(start.duration(to: .now) < .seconds(110))
            #expect(try await deliveries(world).hasPrefix("0 0 "))
            #expect(try await world.run("abort", session, "--config", config).status == 0)
            let last = try await world.run("show", session, "--json").json["lastSeq"].number ?? 0
            #expect(try await deliveries(world) == "\(last) 0 \(last) 0")
        }
    }

    @Test(arguments: [
        #"{"eventLogging": true}"#, #"{"eventLogging": {"enabled": "yes"}}"#,
        #"{"eventLogging": {"on": true}}"#, #"{"eventLogging": {"grace": "soon"}}"#,
    ])
    func `a malformed event-logging setting is refused`(text: String) async throws {
        try await World.with { world in
            let path = try world.write(text, to: "config.json")
            let refused = try await world.tool.run(["--config", path, "list"])
            #expect(refused.status == 78, "\(refused.diagnostics)")
        }
    }
}
