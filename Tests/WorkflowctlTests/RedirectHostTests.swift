import Foundation
import Testing

@testable import Sandbox

/// The hosts to which a checkout's page redirects, and what is recorded of them.
@Suite struct RedirectHostTests {
    @Test
    func `redirect hosts of the configuration and the command are in the client action`()
        async throws
    {
        try await Checkout.world { world, _ in
            let configuration = try world.write(
                #"{"redirectHosts":["**.bank.example"]}"#,
                to: "configuration.json"
            )
            let order = try await world.checkout(
                Checkout.order(),
                "--config",
                configuration,
                "--redirect-host",
                "*.issuer.example"
            )
            #expect(
                order.action["redirectHosts"].list.map(\.text)
                    == ["**.bank.example", "*.issuer.example"]
            )
            #expect(order.action["redirects"].text == "policy")
            // Later commands know the host from the log.
            let later = try await world.run("show", order.session, "--json").json
            #expect(later["actions"][0]["redirectHosts"].list.count == 2)
            try await world.expectSoundLogs(order.session)
            for arguments in [
                ["--redirect-host", "*"], ["--redirect-host", "https://bank.example/"],
                ["--redirect-host", "bank.example", "--redirects", "browser"],
            ] {
                let refused = try await world.tool.run(
                    ["checkout", "start", "order.json", "--psp", world.sandbox.baseURL]
                        + ["--allow-insecure-loopback"] + arguments
                )
                #expect(refused.status == 64, "\(arguments): \(refused.diagnostics)")
            }
            let wrong = try world.write(#"{"redirectHosts":["*"]}"#, to: "wrong.json")
            #expect(try await world.run("list", "--config", wrong).status == 78)
        }
    }

    @Test(arguments: [true, false])
    func `the URL of a page is recorded only with --record-addresses, and sealed`(
        isWanted: Bool
    ) async throws {
        let secret = "https://acs.bank.example/challenge?token=4711-hidden"
        try await Checkout.world { world, _ in
            let options = ["--record-navigation"] + (isWanted ? ["--record-addresses"] : [])
            let path = try world.write(Checkout.order(), to: "order.json")
            let started = try await world.tool.run(
                [
                    "--allow-insecure-loopback", "--json", "--token-file", "token", "checkout",
                    "start", path, "--psp", world.sandbox.baseURL,
                ] + options
            )
            let order = try Order(started.json, at: world.sandbox.baseURL)
            let action = try #require(order.action["id"].text)
            #expect(order.action["recordsAddresses"].flag == isWanted)
            _ = try world.write(secret + "\n", to: "address")
            for outcome in ["navigated", "left"] {
                let told = try await world.merchant(
                    "report",
                    order.session,
                    action,
                    outcome,
                    "--to",
                    "acs.bank.example",
                    "--in",
                    "webView",
                    "--url-file",
                    "address"
                )
                #expect(told.status == 0, "\(told.diagnostics)")
                #expect(!told.output.contains("hidden"))
            }
            let log = try await world.run("log", order.session, "--json").output
            let steps = try log.split(separator: "\n").map { try JSON(parsing: String($0)) }
                .filter {
                    ["navigated", "externalContentOpened"]
                        .contains($0["record"]["type"].text ?? "")
                }
            #expect(steps.count == 2)
            for step in steps {
                let data = step["record"]["data"]
                #expect(data["destination"].text == "acs.bank.example")
                #expect((data["url"]["$sealed"].number != nil) == isWanted)
            }
            #expect(!log.contains("hidden"))
            try await world.expectSoundLogs(order.session)
        }
    }
}
