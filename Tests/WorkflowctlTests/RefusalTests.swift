import TestSupport
import Testing

@testable import Sandbox

@Suite struct RefusalTests {
    @Test func `a second attempt is refused while one is running`() async throws {
        try await World.with { world in
            let (session, _) = try await world.open()
            let started = try await world.run("attempt", session, "swish", "--json")
            let id = try #require(try started.json["actions"][0]["id"].text)
            let refused = try await world.run("attempt", session, "card", "--prefill", "1")
            #expect(refused.status == 1)
            #expect(refused.output.isEmpty)
            #expect(refused.diagnostics.contains("[session.attempt-running]"))
            // The hint works as it is printed.
            let hint = try #require(
                refused.diagnostics.firstMatch(of: /'([^']* report [^']* launched)'/)?.1
            )
            #expect(hint.contains(id))
            let command = "workflowctl" + hint.drop { $0 != " " } + " --wait 0s --json"
            let reported = try await world.tool.shell(command)
            #expect(reported.status == 0, "\(reported.diagnostics)")
            #expect(try reported.json["actions"].list.isEmpty)
        }
    }

    @Test func `a refused command changes nothing and still shows the session as JSON`()
        async throws
    {
        try await World.with { world in
            let (session, _) = try await world.open()
            let before = try await world.run("show", session, "--json")
            for command in [
                ["attempt", session, "card", "--prefill", "9"],
                ["attempt", session, "click-to-pay"],
                ["retry", session], ["return", session, "https://elsewhere.example/pay"],
            ] {
                let refused = try await world.tool.run(
                    ["--allow-insecure-loopback", "--json"] + command
                )
                #expect(refused.status == 1, "\(command)")
                try await SchemaCheck.expect(refused.output, fits: "session-view", in: world)
                #expect(!refused.diagnostics.contains("elsewhere"))
            }
            let after = try await world.run("show", session, "--json")
            #expect(before.output == after.output)
        }
    }

    @Test func `a saved card is selected by its masked number, and no other card replaces it`()
        async throws
    {
        try await World.with { world in
            let (session, _) = try await world.open()
            let shown = try await world.run("show", session, "--json")
            let cards = try shown.json["methods"].list.flatMap { $0["prefills"].list }
            let number = try #require(cards.lazy.compactMap { $0["maskedPan"].text }.first)
            let other = try await world.run(
                "attempt",
                session,
                "card",
                "--card",
                "400000******9999"
            )
            #expect(other.status == 1)
            #expect(other.diagnostics.contains("[session.card-not-offered]"))
            #expect(other.diagnostics.contains("--card \"\(number)\""))
            let both = ["attempt", session, "card", "--card", number, "--prefill", "1"]
            #expect(try await world.tool.run(both).status == 64)
            let paying = try await world.run("attempt", session, "card", "--card", number, "--json")
            #expect(paying.status == 0)
            #expect(try paying.json["attempt"]["instrument"].text == "card")
        }
    }

    @Test func `repeating a report changes nothing, and a different one is refused`() async throws {
        try await World.with { world in
            var order = SandboxOrder()
            order.scenario.swishApproval = .byPayer
            let (session, _) = try await world.open(order)
            let started = try await world.run("attempt", session, "swish", "--json")
            let id = try #require(try started.json["actions"][0]["id"].text)
            for _ in 1...2 {
                let launched = try await world.run(
                    "report",
                    session,
                    id,
                    "launched",
                    "--wait",
                    "0s"
                )
                #expect(launched.status == 0)
            }
            let log = try await world.run("log", session, "--type", "externalAppLaunched", "--json")
            #expect(log.output.split(separator: "\n").count == 1)
            #expect(
                try await world.run("report", session, id, "launch-failed", "--wait", "0s").status
                    == 1
            )
            #expect(try await world.run("report", session, "a-999", "launched").status == 66)
            #expect(try await world.run("report", session, "nonsense", "launched").status == 66)
            #expect(try await world.run("report", session, id, "exploded").status == 64)
            #expect(try await world.run("report", session, id, "authorized").status == 64)
        }
    }

    @Test(.guarantee(.terminalIsFinal))
    func `an ended session refuses abort and retry`() async throws {
        try await World.with { world in
            let (session, _) = try await world.open()
            _ = try await world.run("abort", session)
            for command in ["abort", "retry"] {
                let refused = try await world.run(command, session)
                #expect(refused.status == 1)
                #expect(refused.diagnostics.contains("[session.ended]"))
            }
            #expect(try await world.run("resume", session).status == 0)
        }
    }

    @Test(.feature("N-50"))
    func `the PSP may refuse an abort while an attempt is running`() async throws {
        try await World.with { world in
            var order = SandboxOrder()
            order.scenario.swishApproval = .byPayer
            order.scenario.refusesAbortDuringAttempt = true
            let (session, _) = try await world.open(order)
            _ = try await world.run("attempt", session, "swish")
            let refused = try await world.run("abort", session, "--json")
            #expect(refused.status == 1)
            #expect(try refused.json["problem"]["kind"].text == "abortNotAllowed")
            #expect(try refused.json["outcome"].isNull)
            try await SchemaCheck.expect(refused.output, fits: "session-view", in: world)
        }
    }

    @Test(
        arguments: [
            (["show", "not-an-id"], 66), (["show", "id"], 64),
            (["show", "0192f0c1-7c1e-7d3a-9b1e-0a1b2c3d4e5f"], 66),
            (["log", "0192f0c1-7c1e-7d3a-9b1e-0a1b2c3d4e5f"], 66),
            (["retry", "0192f0c1-7c1e-7d3a-9b1e-0a1b2c3d4e5f"], 66),
            (["verify", "0192f0c1-7c1e-7d3a-9b1e-0a1b2c3d4e5f"], 66),
            (["export", "0192f0c1-7c1e-7d3a-9b1e-0a1b2c3d4e5f"], 66),
            (["replay", "0192f0c1-7c1e-7d3a-9b1e-0a1b2c3d4e5f"], 66),
            (["attempt", "0192f0c1-7c1e-4d3a-9b1e-0a1b2c3d4e5f", "swish"], 64),
            (["replay", "/nowhere.ndjson"], 66), (["schema", "nothing"], 66), (["frobnicate"], 64),
            (["list", "--frobnicate"], 64), (["list", "--since", "tomorrow"], 64),
            (["list", "--phase", "sleeping"], 64), (["list", "--store", "mysql:x"], 64),
            (["list", "--store", "postgres://127.0.0.1:1/payments"], 69),
            (["list", "--config", "/nowhere"], 78),
            (["open"], 64), ([], 0),
        ] as [([String], Int32)]
    )
    func `each kind of bad input has its exit code`(
        arguments: [String],
        status: Int32
    ) async throws {
        try await World.with { world in
            _ = try await world.open()
            let result = try await world.tool.run(arguments)
            #expect(result.status == status, "\(result.diagnostics)")
            if status != 0 {
                #expect(result.output.isEmpty)
                #expect(result.diagnostics.hasPrefix("error: "))
            }
        }
    }

    @Test(arguments: [
        ["open", "https://api.payex.com/TOPSECRET", "https://api.payex.com/TOPSECRET"],
        ["attempt", "0192f0c1-7c1e-7d3a-9b1e-0a1b2c3d4e5f", "swish", "+46739000001"],
        ["report", "x", "a-1", "completed", "--cres=eyJhY3NUcmFuc0lEIjoiTOPSECRET", "--bogus"],
        ["report", "x", "a-1", "completed", "--cress=eyJhY3NUcmFuc0lEIjoiTOPSECRET"],
        ["list", "--wait=+46739000001"],
    ])
    func `a stray argument that may be a secret is not printed`(
        arguments: [String]
    ) async throws {
        try await World.with { world in
            let refused = try await world.tool.run(arguments)
            #expect(refused.status == 64)
            #expect(!refused.diagnostics.contains("SECRET"), "\(refused.diagnostics)")
            #expect(!refused.diagnostics.contains("739000001"), "\(refused.diagnostics)")
        }
    }

    @Test func `an invalid time is shown with the accepted forms`() async throws {
        try await World.with { world in
            let given = "2026-11-23T09:00"
            for arguments in [
                ["list", "--since", given], ["list", "--since=" + given],
                ["retry", "--where", "since='\(given)'"],
            ] {
                let refused = try await world.tool.run(arguments)
                #expect(refused.status == 64)
                #expect(refused.diagnostics.contains("'\(given)'"), "\(refused.diagnostics)")
                #expect(refused.diagnostics.contains("hint: write a time as today, yesterday"))
            }
            let wait = try await world.tool.run(["list", "--wait", "1,5h"])
            #expect(wait.diagnostics.contains("'1,5h'") && wait.diagnostics.contains("2h30m"))
            // No other value is shown that may be a secret.
            let number = try await world.tool.run(["list", "--limit", "739000001x"])
            #expect(!number.diagnostics.contains("739000001"), "\(number.diagnostics)")
        }
    }

    @Test func `a store that does not exist is not made by reading`() async throws {
        try await World.with { world in
            for command in ["list", "verify", "export", "resume"] {
                let refused = try await world.run(command)
                #expect(refused.status == 66, "\(refused.diagnostics)")
                #expect(refused.diagnostics.contains("[store.no-database]"))
            }
            let left = try await world.tool.shell("ls -A")
            #expect(left.output.isEmpty)
        }
    }

    @Test func `a port that is not allowed is refused before an order is recorded`() async throws {
        try await World.with { world in
            _ = try world.write("token", to: "token")
            _ = try world.write(Checkout.order(), to: "order.json")
            for command in ["order create", "checkout start"] {
                let refused = try await world.tool.shell(
                    "chmod 600 token; workflowctl \(command) order.json --psp https://api.payex.com:8443/ --token-file token"
                )
                #expect(refused.status == 64, "\(refused.diagnostics)")
                #expect(refused.diagnostics.contains("the port of the URL is not allowed"))
                #expect(try await world.tool.shell("test ! -e payments.db").status == 0)
            }
        }
    }

    @Test func `a host that is not allowed is refused before anything is recorded`() async throws {
        try await World.with { world in
            let order = SandboxOrder(scenario: Scenario(swishApproval: .byPayer))
            let (waiting, _) = try await world.open(order)
            _ = try await world.run(
                "attempt",
                waiting,
                "swish",
                "--msisdn",
                "+46739000001",
                "--wait",
                "1s"
            )
            let (session, _) = try await world.open()
            let before = try await world.run("export", waiting, session).output
            for command in [
                ["attempt", session, "swish"], ["menu", session], ["retry", session],
                ["resume", session], ["abort", session], ["resume", waiting],
            ] {
                let refused = try await world.tool.run(command)
                #expect(refused.status == 64, "\(command) \(refused.diagnostics)")
                #expect(refused.diagnostics.contains("add --allow-insecure-loopback"), "\(command)")
            }
            let all = try await world.tool.run(["resume", "--wait", "1s"])
            #expect(all.status == 0, "\(all.diagnostics)")
            #expect(all.diagnostics.contains("skipped because the host is not allowed"))
            #expect(try await world.run("export", waiting, session).output == before)
        }
    }
}
