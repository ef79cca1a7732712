import EventLog
import Foundation
import TestSupport
import Testing

/// Orders and proofs of a service that runs as a process.
@Suite struct ServeOrdersTests {
    /// Runs a test with a service in a world; it is given the service's address, and the options
    /// with which `curl` calls it.
    private func serve(
        _ options: [String] = [],
        in world: World,
        _ body: (_ url: String, _ curl: String) async throws -> Void
    ) async throws {
        let running = try world.tool.start(
            Tool.path,
            ["--allow-insecure-loopback", "--json", "serve", "--dev", "--listen", "127.0.0.1:0"]
                + options,
            input: nil
        )
        defer { kill(running.id, SIGKILL) }
        for _ in 0..<600 where !running.outputSoFar.contains("\n") {
            try await Task.sleep(for: .milliseconds(50))
        }
        let told = try JSON(parsing: running.outputSoFar)
        let token = try #require(told["token"].text)
        let curl =
            "curl -sS -H 'Authorization: Bearer \(token)' -H 'Content-Type: application/json'"
        try await body(try #require(told["url"].text) + "/v1", curl)
        kill(running.id, SIGTERM)
        let ended = try await world.tool.finish(running)
        #expect(ended.status == 130)
        for secret in [token, Checkout.accessToken, "hidden-header"] {
            #expect(!ended.diagnostics.contains(secret))
        }
    }

    @Test(.feature("S-37"))
    func `the service's proof and log are verified by the program and by the other verifier`()
        async throws
    {
        try await World.with { world in
            let (session, _, key) = try await world.checkpointed()
            try await serve(in: world) { url, curl in
                let got = try await world.tool.shell(
                    "\(curl) \(url)/sessions/\(session)/proof > served.json && "
                        + "\(curl) \(url)/sessions/\(session)/events > served.ndjson"
                )
                #expect(got.status == 0, "\(got.diagnostics)")
            }
            let printed = try String(contentsOfFile: world.folder + "/proof.json", encoding: .utf8)
            let served = try String(contentsOfFile: world.folder + "/served.json", encoding: .utf8)
            #expect(served + "\n" == printed)
            let verified = try await world.run(
                "checkpoint",
                "verify",
                "served.json",
                "--log",
                "served.ndjson",
                "--public-key",
                key
            )
            #expect(verified.status == 0, "\(verified.output)\(verified.diagnostics)")
            let other = try await world.python("--key \(key) --log served.ndjson served.json")
            #expect(other.status == 0, "\(other.diagnostics)")
            // A log that was changed afterwards is not the one that the proof covers.
            let log = world.folder + "/served.ndjson"
            let text = try String(contentsOfFile: log, encoding: .utf8)
            try text.replacing("order-1", with: "order-2")
                .write(toFile: log, atomically: true, encoding: .utf8)
            let forged = try await world.python("--key \(key) --log served.ndjson served.json")
            #expect(forged.status == 1)
        }
    }

    @Test(.feature("S-36"))
    func `an order is created by the merchant's backend, and at the PSP, and captured`()
        async throws
    {
        try await Checkout.backend { world, backend, _ in
            _ = try world.write(
                #"{"backend": "\#(backend)", "order": \#(Checkout.order())}"#,
                to: "body.json"
            )
            try await serve(["--headers-file", "headers"], in: world) { url, curl in
                let opened = try await world.tool.shell("\(curl) -d @body.json \(url)/checkouts")
                #expect(try opened.json["actions"][0]["kind"].text == "showMenu", "\(opened)")
                // The service has no access token of the PSP.
                let direct = try await world.tool.shell(
                    "sed s/backend/psp/ body.json | \(curl) -d @- \(url)/checkouts"
                )
                #expect(try direct.json["code"].text == "configuration.token", "\(direct)")
            }
        }
        try await Checkout.world { world, _ in
            let order = try await world.create()
            try await world.elsewhere(order)
            _ = try world.write(
                #"{"kind": "capture", "amount": 2500, "description": "Shipment 1"}"#,
                to: "capture.json"
            )
            let place = "sessions/\(order.session)/transactions"
            try await serve(["--token-file", "token"], in: world) { url, curl in
                let captured = try await world.tool.shell(
                    "\(curl) -H 'Reason: shipped today' -d @capture.json \(url)/\(place)"
                )
                let made = try captured.json["checkout"]["transactions"][0]
                #expect(made["result"].text == "done", "\(captured)")
                #expect(made["amount"].number == 2_500)
            }
            let log = try await world.run("log", order.session, "--json")
            #expect(log.output.contains("shipped today"), "\(log.output)")
            try await world.expectSoundLogs(order.session)
        }
    }
}
