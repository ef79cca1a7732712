import Glibc
import TestSupport
import Testing

@testable import Sandbox

@Suite struct OutageTests {
    private static let quick = #"{"limits":{"retries":"500ms","cardRetries":"500ms"}}"#

    private func order(_ faults: Fault...) -> SandboxOrder {
        SandboxOrder(payerReference: "payer-1", scenario: Scenario(faults: faults))
    }

    @Test
    func `a refused PSP request is reported as a problem, and a later retry makes it succeed`()
        async throws
    {
        try await World.with { world in
            let config = try world.write(Self.quick, to: "config.json")
            let created = try await world.sandbox.createOrder(order())
            await world.sandbox.injectFaults(
                with: [Fault(rel: "prepare-payment", requests: .every, kind: .status(403))]
            )
            let opened = try await world.run(
                "--config",
                config,
                "open",
                created.sessionURL,
                "--json"
            )
            #expect(opened.status == 69)
            try await SchemaCheck.expect(opened.output, fits: "session-view", in: world)
            let view = try opened.json
            #expect(view["problem"]["kind"].text == "requestFailed")
            #expect(view["problem"]["status"].number == 403)
            #expect(view["settled"].flag == true)
            #expect(opened.diagnostics.contains("[session.request-failed]"))
            let session = try #require(view["session"].text)
            #expect(try await world.run("show", session).status == 0)
            // While the PSP refuses, a retry ends the same way; afterwards it goes on from there.
            let early = try await world.run("--config", config, "retry", session, "--json")
            #expect(early.status == 69)
            await world.sandbox.injectFaults(with: [])
            let retried = try await world.run("--config", config, "retry", session, "--json")
            #expect(retried.status == 0, "\(retried.diagnostics)")
            #expect(try retried.json["phase"].text == "ready")
            #expect(try retried.json["problem"].isNull)
            #expect(try await world.run("attempt", session, "swish").status == 0)
        }
    }

    @Test func `retry is not suggested for a problem that is not retryable`() async throws {
        try await World.with { world in
            let refused = "https://api.payex.com/psp/errordetail/inputerror"
            let (session, _) = try await world.open(
                order(
                    Fault(
                        rel: "start-payment-attempt",
                        requests: .first(1),
                        kind: .status(400, problemType: refused)
                    )
                )
            )
            let started = try await world.run("attempt", session, "swish", "--json")
            #expect(started.status == 69)
            #expect(try started.json["problem"]["retryable"].flag == false)
            #expect(!started.diagnostics.contains("retry"), "\(started.diagnostics)")
            #expect(started.diagnostics.contains(" attempt \(session.suffix(8)) swish"))
            #expect(try await world.run("retry", session).status == 1)
            #expect(try await world.run("attempt", session, "swish").status == 0)
        }
    }

    @Test func `a PSP out of reach ends with 69, and a later retry succeeds`() async throws {
        try await World.with { world in
            let config = try world.write(Self.quick, to: "config.json")
            let created = try await world.sandbox.createOrder(
                order(Fault(rel: "session", requests: .first(4), kind: .reset))
            )
            let opened = try await world.run(
                "--config",
                config,
                "open",
                created.sessionURL,
                "--json"
            )
            #expect(opened.status == 69)
            let session = try #require(try opened.json["session"].text)
            var last = opened
            for _ in 1...4 where last.status == 69 {
                last = try await world.run("--config", config, "retry", session, "--json")
            }
            #expect(last.status == 0)
            #expect(try last.json["phase"].text == "ready")
        }
    }

    @Test(
        .tags(.repeatedThoroughly),
        arguments: Tier.isThorough
            ? [Fault.Kind.garbage, .html, .array, .empty, .huge(bytes: 3_000_000)]
            : [.html, .empty]
    )
    func `an unusable PSP response is a failed request, and the store stays valid`(
        kind: Fault.Kind
    ) async throws {
        try await World.with { world in
            let config = try world.write(Self.quick, to: "config.json")
            let created = try await world.sandbox.createOrder(
                order(Fault(rel: "session", requests: .every, kind: kind))
            )
            let opened = try await world.run(
                "--config",
                config,
                "--wait",
                "25s",
                "open",
                created.sessionURL,
                "--json"
            )
            #expect(opened.status == 69, "\(opened.output)")
            #expect(try opened.json["problem"]["kind"].text == "requestFailed")
            #expect(try await world.run("verify").status == 0)
        }
    }

    @Test(.feature("N-35")) func `an order without a cancel URL cannot be paid`() async throws {
        try await World.with { world in
            var order = SandboxOrder()
            order.urls.cancelURL = nil
            let created = try await world.sandbox.createOrder(order)
            let opened = try await world.run("open", created.sessionURL, "--json")
            #expect(opened.status == 78)
            #expect(try opened.json["outcome"].text == "failed")
            #expect(try opened.json["problem"]["kind"].text == "configurationFailed")
            try await SchemaCheck.expect(opened.output, fits: "session-view", in: world)
        }
    }

    @Test func `a command does not wait longer than --wait`() async throws {
        try await World.with { world in
            let created = try await world.sandbox.createOrder(
                order(
                    Fault(
                        rel: "session",
                        requests: .every,
                        kind: .status(503, retryAfterSeconds: 120)
                    )
                )
            )
            let clock = ContinuousClock()
            let begin = clock.now
            let opened = try await world.run(
                "open",
                created.sessionURL,
                "--wait",
                "500ms",
                "--json"
            )
            // Less than the PSP asked it to wait.
            #expect(clock.now - begin < .seconds(110))
            #expect(opened.status == 0)
            #expect(try opened.json["settled"].flag == false)
            #expect(try opened.json["phase"].text == "opening")
        }
    }

    @Test func `resume continues every session that is due`() async throws {
        try await World.with { world in
            var sessions: [String] = []
            for _ in 1...3 {
                var order = SandboxOrder()
                order.scenario.swishApproval = .after(.milliseconds(1500))
                let (session, _) = try await world.open(order)
                _ = try await world.run("attempt", session, "swish")
                sessions.append(session)
            }
            let untouched = try await world.open().session
            try await Task.sleep(for: .seconds(2))
            let resumed = try await world.run("resume", "--json")
            #expect(resumed.status == 0)
            try await SchemaCheck.expect(resumed.output, fits: "cli/resume", in: world)
            #expect(Set(try resumed.json.list.compactMap { $0["session"].text }) == Set(sessions))
            #expect(
                try resumed.json.list.allSatisfy { $0["outcome"].text == "completed" },
                "\(resumed.output)\(resumed.diagnostics)"
            )
            let ready = try await world.run("show", untouched, "--json")
            #expect(try ready.json["phase"].text == "ready")
        }
    }

    @Test func `resume of a session whose time is over shows how it ended`() async throws {
        try await World.with { world in
            let limits = try world.write(#"{"limits":{"session":"1s"}}"#, to: "limits.json")
            let (session, _) = try await world.open()
            try await Task.sleep(for: .seconds(1))
            // It is read once more, and only that read says that its time is over.
            let resumed = try await world.run("resume", session, "--config", limits, "--json")
            #expect(try resumed.json["outcome"].text == "expired", "\(resumed.output)")
        }
    }

    @Test func `resume also waits for work that is due within a second`() async throws {
        try await World.with { world in
            var order = SandboxOrder()
            order.scenario.faults = [
                Fault(rel: "start-payment-attempt", kind: .status(503, retryAfterSeconds: 1))
            ]
            let (session, _) = try await world.open(order)
            _ = try await world.run("attempt", session, "swish", "--wait", "0s")
            let resumed = try await world.run("resume", "--json")
            #expect(try resumed.json.list.compactMap { $0["session"].text } == [session])
        }
    }

    @Test func `resume waits for work that is due within its --wait, also beside a client action`()
        async throws
    {
        try await World.with { world in
            var order = SandboxOrder()
            order.scenario.faults = [
                Fault(rel: "start-payment-attempt", kind: .status(503, retryAfterSeconds: 4))
            ]
            order.scenario.swishApproval = .byPayer
            let (session, _) = try await world.open(order)
            _ = try await world.run("attempt", session, "swish", "--wait", "0s")
            // The request is sent, and to be repeated.
            _ = try await world.run("resume", "--json", "--wait", "1s")
            let resumed = try await world.run("resume", "--json", "--wait", "30s")
            #expect(try resumed.json.list.compactMap { $0["session"].text } == [session])
            #expect(try resumed.json[0]["actions"].list.count == 1, "\(resumed.output)")
            // Polled while the payer's app is open: due again within seconds.
            let count = try await world.run("log", session, "--json").output.count
            let again = try await world.run("resume", "--json", "--wait", "30s")
            #expect(try again.json.list.compactMap { $0["session"].text } == [session])
            #expect(try await world.run("log", session, "--json").output.count > count)
        }
    }

    @Test(.guarantee(.noDoublePay), .tags(.thorough))
    func `an engine that is killed during a card attempt never pays twice`() async throws {
        try await World.with { world in
            let created = try await world.sandbox.createOrder(
                SandboxOrder(
                    payerReference: "payer-1",
                    scenario: Scenario(
                        savedCards: ["4925000000000004"],
                        acceptsRepeatedStarts: true,
                        faults: [
                            Fault(
                                rel: "start-payment-attempt",
                                kind: .delay(.seconds(4)),
                                takesEffect: true
                            )
                        ]
                    )
                )
            )
            let opened = try await world.run("open", created.sessionURL, "--json")
            let session = try #require(try opened.json["session"].text)
            let running = try world.tool.start(
                Tool.path,
                ["--allow-insecure-loopback", "attempt", session, "card", "--prefill", "1"],
                input: nil
            )
            for _ in 1...200 {
                let ledger = await world.sandbox.orderLedger(created.id)
                if ledger?.requests["start-payment-attempt"] == 1 { break }
                try await Task.sleep(for: .milliseconds(20))
            }
            kill(running.id, SIGKILL)
            #expect(try await world.tool.finish(running).status == 128 + 9)
            // A card's request may take 30 seconds; nothing is decided until it can no longer take
            // effect.
            let resumed = try await world.run("resume", session, "--wait", "90s", "--json")
            #expect(resumed.status == 0)
            #expect(try resumed.json["outcome"].text == "completed")
            let ledger = try #require(await world.sandbox.orderLedger(created.id))
            #expect(ledger.attempts.count == 1)
            #expect(ledger.authorizedAmount == 10_000)
            #expect(try await world.run("replay", session, "--check").status == 0)
        }
    }

    @Test func `an interrupted command ends with 130, and resume continues`() async throws {
        try await World.with { world in
            var order = SandboxOrder()
            order.scenario.swishApproval = .byPayer
            let (session, _) = try await world.open(order)
            let running = try world.tool.start(
                Tool.path,
                [
                    "--allow-insecure-loopback", "-v", "attempt", session, "swish", "--until",
                    "ended",
                ],
                input: nil
            )
            for _ in 1...200 {
                let log = try await world.run("log", session, "--type", "externalAppRequested")
                if log.output.contains("externalAppRequested") { break }
            }
            kill(running.id, SIGINT)
            let ended = try await world.tool.finish(running)
            #expect(ended.status == 130)
            #expect(ended.diagnostics.contains("open the app"))
            let resumed = try await world.run("resume", session, "--json")
            #expect(try resumed.json["phase"].text == "awaitingClient")
        }
    }
}
