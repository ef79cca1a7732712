import Foundation
import Testing

@testable import Sandbox

/// The output for support: what payers may be told, what can be done, and no record of what was
/// never sent.
@Suite struct SupportTests {
    @Test func `explain and show say what the payer can be told during a payment`() async throws {
        try await World.with { world in
            let (session, _) = try await world.open()
            let ready = try await world.run("explain", session)
            #expect(ready.output.contains("Tell them: \"Please choose how to pay.\""))
            _ = try await world.run("attempt", session, "swish", "--wait", "1s")
            let told = try await world.run("explain", session)
            #expect(
                told.output.contains("Please open the Swish app and approve the payment there.")
            )
            let view = try await world.run("show", session, "--json")
            #expect(try view.json["payer"]["message"].text?.contains("Swish app") == true)
            try await SchemaCheck.expect(view.output, fits: "session-view", in: world)
        }
    }

    @Test func `abort, show and list report an end as phase and outcome`() async throws {
        try await World.with { world in
            let (session, _) = try await world.open()
            let aborted = try await world.run("abort", session)
            for output in [aborted.output, try await world.run("show", session).output] {
                #expect(output.contains("phase      ended\n"), "\(output)")
                #expect(output.contains("outcome    canceled\n"), "\(output)")
            }
            let listed = try await world.run("list", "--columns", "phase,outcome")
            #expect(listed.output == "phase\toutcome\nended\tcanceled\n")
        }
    }

    @Test func `an abort that could not be sent is refused before anything is recorded`()
        async throws
    {
        try await World.with { world in
            let (session, _) = try await world.open()
            let before = try await world.run("show", session, "--json")
            let refused = try await world.tool.run(["abort", session, "--json"])
            #expect(refused.status == 64 && refused.diagnostics.contains("[session.bad-url]"))
            #expect(refused.diagnostics.contains("--allow-insecure-loopback"))
            let after = try await world.run("show", session, "--json")
            #expect(before.output == after.output)
            #expect(try await world.run("abort", session).status == 0)
        }
    }

    @Test func `an order command that could not be sent is refused before anything is recorded`()
        async throws
    {
        try await Checkout.world { world, _ in
            let order = try await world.create()
            try await world.elsewhere(order)
            let session = "\(order.session)"
            #expect(try await world.merchant("order", "show", session).status == 0)
            // A read is due: an engine that is only asked for the session would send it.
            await world.sandbox.injectFaults(
                with: [Fault(rel: "*", requests: .every, kind: .status(503))]
            )
            _ = try await world.merchant("--wait", "0s", "order", "show", session)
            try await Task.sleep(for: .seconds(3))
            let before = try await world.run("log", session, "--json")
            for command in ["show", "abort", "capture"] {
                let token = ["--token-file", "token", "order", command, session]
                let flag = try await world.tool.run(token)
                #expect(flag.status == 64, "\(command): \(flag.diagnostics)")
                #expect(flag.diagnostics.contains("--allow-insecure-loopback"))
                let missing = try await world.run("order", command, session)
                #expect(missing.diagnostics.contains("[configuration.token]"))
            }
            let after = try await world.run("log", session, "--json")
            #expect(before.output == after.output)
            let shown = try await world.run("show", session, "--json")
            #expect(try shown.json["money"]["standing"].text == "confirmed")
        }
    }

    @Test func `several files are imported together or not at all`() async throws {
        try await World.with { world in
            let (first, _) = try await world.open(SandboxOrder(), "--reference", "order-1")
            let (second, _) = try await world.open(SandboxOrder(), "--reference", "order-2")
            _ = try await world.run("export", first, "-o", "1.ndjson")
            _ = try await world.run("export", second, "-o", "2.ndjson.gz")
            _ = try world.write("no log\n", to: "3.ndjson")
            let other = world.folder + "/other.db"
            let damaged = try await world.run("import", "1.ndjson", "3.ndjson", store: other)
            #expect(damaged.status == 65 && damaged.output.isEmpty)
            #expect(damaged.diagnostics.hasPrefix("error: 3.ndjson: "), "\(damaged.diagnostics)")
            let absent = try await world.run("import", "1.ndjson", "none.ndjson", store: other)
            #expect(absent.status == 66 && absent.diagnostics.hasPrefix("error: none.ndjson: "))
            // What names no file may be a secret, and is called by its place.
            let secret = try await world.run(
                "import",
                "1.ndjson",
                "https://api.payex.com/TOPSECRET",
                store: other
            )
            #expect(secret.diagnostics.hasPrefix("error: file 2 of 2: "), "\(secret.diagnostics)")
            #expect(!secret.diagnostics.contains("TOPSECRET"))
            let alone = try await world.run("import", "3.ndjson", store: other)
            #expect(!alone.diagnostics.contains("3.ndjson"))
            #expect(!FileManager.default.fileExists(atPath: other))
            let imported = try await world.run(
                "import",
                "1.ndjson",
                "2.ndjson.gz",
                "--json",
                store: other
            )
            #expect(imported.status == 0, "\(imported.diagnostics)")
            #expect(try imported.json.list.compactMap { $0["session"].text } == [first, second])
            try await SchemaCheck.expect(imported.output, fits: "cli/import", in: world)
            let twice = try await world.run("import", "-", "-", input: "")
            #expect(twice.status == 64 && twice.diagnostics.contains("[usage.input]"))
            let told = try await world.run("explain", "order-1", "--json", store: other)
            let steps = try told.json["toDo"].list.compactMap { $0["command"].text }
            #expect(steps.count == 1 && steps[0].contains(" show "), "\(steps)")
        }
    }

    @Test func `with --json, the last line of an error is a JSON document`() async throws {
        try await World.with { world in
            for arguments in [
                ["show", "order-1"], ["list", "--bogus"], ["import", "/nowhere.ndjson"],
                ["retention", "--older-than", "1m"],
            ] {
                let failed = try await world.tool.run(arguments + ["--json"])
                #expect(failed.status != 0 && failed.output.isEmpty)
                let line = try #require(failed.diagnostics.split(separator: "\n").last)
                let error = try JSON(parsing: String(line))["error"]
                #expect(error["status"].number == Int(failed.status))
                #expect(failed.diagnostics.contains("[\(error["code"].text ?? "")]"))
                try await SchemaCheck.expect(String(line), fits: "cli/error", in: world)
            }
            let words = try await world.tool.run(["show", "order-1"])
            #expect(words.diagnostics.split(separator: "\n").count == 2)
        }
    }

    @Test(arguments: [
        "errordetail/inputerror", "inputerror", "InputError",
        "https://api.payex.com/psp/errordetail/inputerror", "creditcard/carddeclined",
    ])
    func `problems show accepts the problem names that other commands print`(
        type: String
    ) async throws {
        try await World.with { world in
            let shown = try await world.run("problems", "show", type, "--json")
            #expect(shown.status == 0, "\(shown.diagnostics)")
        }
    }

    @Test func `a retention period with minutes written as m is refused, since it may mean months`()
        async throws
    {
        try await World.with { world in
            _ = try await world.open()
            for period in ["1m", "1h1m"] {
                let refused = try await world.run("retention", "--older-than", period, "--apply")
                #expect(refused.status == 64 && refused.diagnostics.contains("[usage.period]"))
            }
            let configuration = try world.write(
                #"{"retention": {"period": "1m"}}"#,
                to: "config.json"
            )
            let wrong = try await world.run("retention", "--config", configuration)
            #expect(wrong.status == 78 && wrong.diagnostics.contains("months"))
            #expect(try await world.run("retention", "--older-than", "1min").status == 0)
        }
    }
}
