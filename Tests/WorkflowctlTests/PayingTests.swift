import TestSupport
import Testing

@testable import Sandbox

@Suite struct PayingTests {
    @Test(.feature("N-09", "N-42"))
    func `Swish on this device is launched, comes back and is paid`() async throws {
        try await World.with { world in
            var order = SandboxOrder()
            order.scenario.swishApproval = .byPayer
            let (session, created) = try await world.open(order)
            let started = try await world.run("attempt", session, "swish", "--json")
            #expect(started.status == 0)
            let action = try started.json["actions"][0]
            let id = try #require(action["id"].text)
            let returnURL = try await world.approveInSwish(action)
            let launched = try await world.run(
                "report",
                session,
                id,
                "launched",
                "--wait",
                "0s",
                "--json"
            )
            #expect(launched.status == 0)
            let returned = try await world.run(
                "return",
                session,
                returnURL,
                "--until",
                "ended",
                "--json"
            )
            #expect(returned.status == 0)
            #expect(try returned.json["outcome"].text == "completed")
            try await SchemaCheck.expect(returned.output, fits: "session-view", in: world)
            let ledger = try #require(await world.sandbox.orderLedger(created.id))
            #expect(ledger.attempts.map(\.state) == [.paid])
        }
    }

    @Test func `two processes drive one session together`() async throws {
        try await World.with { world in
            var order = SandboxOrder()
            order.scenario.swishApproval = .byPayer
            let (session, created) = try await world.open(order)
            let waiting = try world.tool.start(
                Tool.path,
                [
                    "--allow-insecure-loopback", "attempt", session, "swish", "--until", "ended",
                    "--json",
                ],
                input: nil
            )
            var action = JSON("")
            for _ in 1...200 where action["id"].text == nil {
                let seen = try await world.run("show", session, "--json", "--reveal")
                action = try seen.json["actions"][0]
            }
            let returnURL = try await world.approveInSwish(action)
            let returned = try await world.run("return", session, returnURL, "--json")
            #expect(returned.status == 0)
            #expect(try returned.json["outcome"].text == "completed")
            let waited = try await world.tool.finish(waiting)
            #expect(waited.status == 0)
            #expect(try waited.json["outcome"].text == "completed")
            #expect(try await world.run("replay", session, "--check").status == 0)
            let ledger = try #require(await world.sandbox.orderLedger(created.id))
            #expect(ledger.attempts.map(\.state) == [.paid])
        }
    }

    @Test(.feature("N-10"))
    func `Swish on another device is polled until it is paid`() async throws {
        try await World.with { world in
            let (session, _) = try await world.open(SandboxOrder())
            let paid = try await world.run(
                "attempt",
                session,
                "swish",
                "--msisdn",
                "+46739000001",
                "--json"
            )
            #expect(paid.status == 0)
            #expect(try paid.json["outcome"].text == "completed")
            #expect(!paid.output.contains("46739000001"))
        }
    }

    @Test(.feature("N-15"))
    func `a saved card passes the 3-D Secure method and the challenge`() async throws {
        try await World.with { world in
            let (session, created) = try await world.open()
            let started = try await world.run(
                "attempt",
                session,
                "card",
                "--prefill",
                "1",
                "--json"
            )
            let method = try started.json["actions"][0]
            #expect(method["kind"].text == "load3DSMethod")
            #expect(method["timeout"].number == 10)
            #expect(method["fields"]["threeDSMethodData"].text?.isEmpty == false)
            let methodID = try #require(method["id"].text)
            let challenged = try await world.run("report", session, methodID, "done", "--json")
            let challenge = try challenged.json["actions"][0]
            try await SchemaCheck.expect(challenged.output, fits: "session-view", in: world)
            #expect(challenge["kind"].text == "show3DS")
            #expect(challenge["notificationURL"].text?.contains("/notification/") == true)
            let id = try #require(challenge["id"].text)
            let shown = try await world.run("report", session, id, "shown", "--json")
            #expect(try shown.json["actions"][0]["id"].text == id)

            let without = try await world.run("report", session, id, "completed")
            #expect(without.status == 64)
            #expect(without.diagnostics.contains("--cres-file"))

            let cRes = try await world.bankAnswer(challenge)
            let paid = try await world.run(
                "report",
                session,
                id,
                "completed",
                "--cres-file",
                "-",
                "--json",
                input: cRes
            )
            #expect(paid.status == 0)
            #expect(try paid.json["outcome"].text == "completed")
            #expect(try paid.json["attempt"]["number"].number == 1)
            let ledger = try #require(await world.sandbox.orderLedger(created.id))
            #expect(ledger.authorizedAmount == 10_000)
            #expect(ledger.doubles.isEmpty)
        }
    }

    @Test(.feature("N-04")) func `a declined card can be followed by Swish`() async throws {
        try await World.with { world in
            var order = SandboxOrder(amount: 900_361, payerReference: "payer-1")
            order.scenario.savedCards = ["4925000000000004"]
            let (session, created) = try await world.open(order)
            let declined = try await world.run(
                "attempt",
                session,
                "card",
                "--prefill",
                "1",
                "--json"
            )
            #expect(declined.status == 0)
            let problem = try declined.json["problem"]
            #expect(problem["origin"].text == "session")
            #expect(problem["type"].text?.hasSuffix("acquirerinsufficientfunds") == true)
            #expect(problem["actor"].text == "payer")
            #expect(try declined.json["phase"].text == "ready")
            try await SchemaCheck.expect(declined.output, fits: "session-view", in: world)
            let paid = try await world.run(
                "attempt",
                session,
                "swish",
                "--msisdn",
                "+46739000001",
                "--json"
            )
            #expect(try paid.json["outcome"].text == "completed")
            #expect(try paid.json["attempt"]["number"].number == 2)
            let shown = try await world.run("show", session, "--json")
            try await SchemaCheck.expect(shown.output, fits: "session-view", in: world)
            #expect(
                try shown.json["attempts"].list.map { $0["result"].text } == [
                    "failed", "probablyCompleted",
                ]
            )
            let ledger = try #require(await world.sandbox.orderLedger(created.id))
            #expect(ledger.attempts.map(\.state) == [.failed, .paid])
        }
    }

    @Test func `a 3-D Secure method without a report is timed out by the next command`()
        async throws
    {
        try await World.with { world in
            let limits = try world.write(
                #"{"limits":{"threeDSMethod":"300ms"}}"#,
                to: "config.json"
            )
            let (session, _) = try await world.open()
            let started = try await world.run(
                "--config",
                limits,
                "attempt",
                session,
                "card",
                "--prefill",
                "1",
                "--json"
            )
            #expect(try started.json["actions"][0]["kind"].text == "load3DSMethod")
            // The limit is real time, since the program's clock is under test.
            try await Task.sleep(for: .milliseconds(400))
            let resumed = try await world.run("--config", limits, "resume", session, "--json")
            #expect(try resumed.json["actions"][0]["kind"].text == "show3DS")
            let log = try await world.run(
                "log",
                session,
                "--type",
                "threeDSMethodCompleted",
                "--json"
            )
            #expect(log.output.contains(#""indicator":"U""#))
        }
    }

    @Test(.feature("N-06")) func `abort ends the session as canceled`() async throws {
        try await World.with { world in
            let (first, created) = try await world.open()
            let canceled = try await world.run("abort", first, "--json")
            #expect(canceled.status == 0)
            #expect(try canceled.json["outcome"].text == "canceled")
            #expect(await world.sandbox.orderLedger(created.id)?.status == "Aborted")
            let (second, _) = try await world.open()
            #expect(try await world.run("abort", second, "--until", "ended").status == 1)
        }
    }
}
