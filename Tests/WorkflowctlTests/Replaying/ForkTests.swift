import Foundation
import Testing

@testable import Sandbox

/// A payment that is forked continues at a sandbox, and never at any other host.
@Suite struct ForkTests {
    private let scratch = "sqlite:scratch.db"

    private func fork(
        _ session: String,
        at place: Int,
        _ world: World,
        _ more: String...
    ) async throws -> Tool.Result {
        try await world.tool.run(
            ["fork", session, "--at", "\(place)", "--sandbox", world.sandbox.baseURL] + more
        )
    }

    @Test func `an aborted payment can be forked before the abort and paid`() async throws {
        try await World.with { world in
            let (session, created) = try await world.open(
                SandboxOrder(payerReference: "payer-1"),
                "--reference",
                "order-4711"
            )
            let ready = try await world.run("show", session, "--json")
            let place = try #require(try ready.json["lastSeq"].number)
            _ = try await world.run("abort", session)
            let before = try await world.run("log", session, "--json").output
            let forked = try await fork(session, at: place, world, "--json")
            #expect(forked.status == 0, "\(forked.diagnostics)")
            try await SchemaCheck.expect(forked.output, fits: "cli/fork", in: world)
            let copy = try #require(try forked.json["session"].text)
            #expect(copy != session)
            let resumed = try await world.run("--store", scratch, "resume", copy, "--json")
            #expect(resumed.status == 0, "\(resumed.diagnostics)")
            #expect(try resumed.json["phase"].text == "ready", "\(resumed.output)")
            #expect(try resumed.json["reference"].text == "order-4711")
            let started = try await world.run(
                "--store",
                scratch,
                "attempt",
                copy,
                "swish",
                "--json"
            )
            #expect(started.status == 0, "\(started.diagnostics)")
            let action = try started.json["actions"][0]
            let id = try #require(action["id"].text)
            _ = try await world.run(
                "--store",
                scratch,
                "report",
                copy,
                id,
                "launched",
                "--wait",
                "0s"
            )
            let back = try await world.approveInSwish(action)
            let paid = try await world.run(
                "--store",
                scratch,
                "return",
                copy,
                back,
                "--until",
                "ended",
                "--json"
            )
            #expect(try paid.json["outcome"].text == "completed", "\(paid.output)")
            // A log of its own that is valid and has the same decisions; the original is unchanged.
            #expect(try await world.run("--store", scratch, "verify", "--keys").status == 0)
            let alike = try await world.run("--store", scratch, "replay", "--check")
            #expect(alike.status == 0, "\(alike.output)")
            #expect(try await world.run("log", session, "--json").output == before)
            let log = try await world.run("--store", scratch, "log", copy, "--json").output
            #expect(log.contains(#""forkedAt":"\#(place)""#))
            #expect(log.contains(#""forkedFrom":"\#(session)""#))
            // No sealed value was copied, neither in the clear nor encrypted.
            let token = try #require(created.sessionURL.split(separator: "/").last)
            let bytes = try await world.tool.shell("cat scratch.db scratch.db-wal 2>/dev/null")
            #expect(!bytes.output.contains(token))
            let opened = try await world.run(
                "--store",
                scratch,
                "log",
                copy,
                "--json",
                "--reveal"
            )
            #expect(!opened.output.contains(token))
        }
    }

    @Test func `a fork from a file in mid-attempt lacks the secrets, and a new attempt can start`()
        async throws
    {
        try await World.with { world in
            let root = URL(fileURLWithPath: SchemaCheck.folder).deletingLastPathComponent().path
            let path = "\(root)/Tests/Fixtures/Cases/issuer-declined.ndjson"
            let forked = try await fork(path, at: 10, world)
            #expect(forked.status == 0, "\(forked.diagnostics)")
            let copy = forked.output.trimmingCharacters(in: .whitespacesAndNewlines)
            // The token of the card is one of the values that were not copied.
            let resumed = try await world.run("--store", scratch, "resume", copy, "--json")
            #expect(resumed.status == 69, "\(resumed.diagnostics)")
            let log = try await world.run("--store", scratch, "log", copy, "--json").output
            #expect(log.contains("session.secret-missing"))
            let again = try await world.run(
                "--store",
                scratch,
                "attempt",
                copy,
                "card",
                "--prefill",
                "1",
                "--json"
            )
            #expect(again.status == 0, "\(again.diagnostics)")
            #expect(try again.json["attempt"]["number"].number == 2, "\(again.output)")
        }
    }

    @Test func `a scratch store sends nothing to a PSP, whatever the configuration allows`()
        async throws
    {
        try await World.with { world in
            let (session, _) = try await world.open()
            try #require(try await fork(session, at: 2, world).status == 0)
            // The test's own server under a name that is not loopback: it would count any request.
            let config = try world.write(
                #"{"allowedHosts":["psp.example","payex.com"],"proxy":"\#(world.sandbox.baseURL)"}"#,
                to: "wide.json"
            )
            for url in [
                "https://api.payex.com/psp/paymentsessions/abc",
                "https://psp.example/psp/paymentsessions/abc",
            ] {
                let refused = try await world.run(
                    "--store",
                    scratch,
                    "--config",
                    config,
                    "open",
                    url,
                    "--wait",
                    "1s"
                )
                #expect(refused.status == 1)
                #expect(refused.diagnostics.contains("[fork.not-loopback]"))
            }
            #expect(
                try await world.run("--store", scratch, "list").output.split(separator: "\n").count
                    == 2
            )
            // A real session that was copied into a scratch store is not driven; no request is
            // sent.
            let real = try await world.tool.run(
                ["--config", config, "open", "https://psp.example/psp/paymentsessions/abc"]
                    + ["--wait", "0s", "--json"]
            )
            let other = try #require(try real.json["session"].text, "\(real.diagnostics)")
            let copied = try await world.tool.run(["store", "copy", scratch])
            #expect(copied.status == 0, "\(copied.diagnostics)")
            var tool = world.tool
            tool.environment["WORKFLOWCTL_KEY_FILE"] = world.storePath + ".key"
            let driven = try await tool.run(
                ["--store", scratch, "--config", config, "resume", other, "--json"],
                input: nil
            )
            #expect(driven.status == 1)
            #expect(driven.diagnostics.contains("session.imported"), "\(driven.diagnostics)")
        }
    }

    @Test func `an ordinary store accepts no fork, and a copied scratch store keeps its mark`()
        async throws
    {
        try await World.with { world in
            let (session, _) = try await world.open()
            let ordinary = try await fork(session, at: 2, world, "--into", "sqlite:payments.db")
            #expect(ordinary.status == 1)
            #expect(ordinary.diagnostics.contains("[fork.not-scratch]"))
            try #require(try await fork(session, at: 2, world).status == 0)
            // A second fork is written to the same store.
            try #require(try await fork(session, at: 3, world).status == 0)
            let mark = try await world.tool.shell(
                "cp scratch.db kopie.db; python3 -c \"import sqlite3; "
                    + "print(sqlite3.connect('kopie.db').execute('PRAGMA application_id')"
                    + ".fetchone()[0])\""
            )
            #expect(mark.output.hasPrefix("\(0x5041_5953)"))
            let sessions = try await world.run("--store", scratch, "list", "--json")
            #expect(try sessions.json.list.count == 2)
        }
    }

    @Test func `a fork at an invalid event or for an invalid sandbox is refused`() async throws {
        try await World.with { world in
            let (session, _) = try await world.open()
            _ = try await world.run("abort", session)
            let log = try await world.run("log", session, "--json").output
            let last = log.split(separator: "\n").count
            for place in [0, 999, last] {
                let refused = try await fork(session, at: place, world)
                #expect(refused.status == 64, "\(place)")
                #expect(refused.diagnostics.contains("[usage.at]"))
            }
            for sandbox in ["https://api.payex.com", "http://10.0.0.1:8093", "nonsense"] {
                let refused = try await world.tool.run(
                    ["fork", session, "--at", "2", "--sandbox", sandbox]
                )
                #expect(refused.status == 64)
                #expect(refused.diagnostics.contains("[usage.sandbox]"))
            }
            #expect(try await world.tool.shell("ls scratch.db").status != 0)
        }
    }
}
