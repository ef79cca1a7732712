import Foundation
import Testing

@testable import Sandbox

/// Payment orders at the PSP through the program, from their creation to the reversal.
@Suite struct OrderTests {
    @Test func `an order is created without a client action, and order show reads it again`()
        async throws
    {
        try await Checkout.world { world, _ in
            let order = try await world.create()
            #expect(order.view["phase"].text != nil && order.view["outcome"].isNull)
            #expect(order.view["actions"].list.isEmpty)
            let checkout = order.view["checkout"]
            #expect(checkout["state"].text == "idle")
            #expect(checkout["gateway"].text == "psp")
            #expect(checkout["order"]["status"].text == "Initialized")
            #expect(checkout["order"]["amount"].number == 10_000)
            let shown = try await world.merchant("order", "show", order.session)
            #expect(shown.status == 0)
            try await SchemaCheck.expect(shown.output, fits: "session-view", in: world)
            try await world.elsewhere(order)
            let paid = try await world.merchant("order", "show", order.session)
            #expect(paid.status == 0)
            #expect(try paid.json["outcome"].text == "completed")
            #expect(try paid.json["confirmed"].flag == true)
            #expect(try paid.json["checkout"]["order"]["transactionType"].text == "Authorization")
            #expect(await world.sandbox.orderLedger(order.id)?.requests["order"] ?? 0 >= 2)
            try await world.expectSoundLogs(order.session)
        }
    }

    @Test func `an order can be aborted, and an abort that the PSP refuses is reported`()
        async throws
    {
        try await Checkout.world { world, _ in
            let order = try await world.create()
            let aborted = try await world.merchant("order", "abort", order.session)
            #expect(aborted.status == 0, "\(aborted.diagnostics)")
            #expect(try aborted.json["outcome"].text == "canceled")
            #expect(try aborted.json["checkout"]["state"].text == "canceled")
            #expect(try aborted.json["checkout"]["order"]["status"].text == "Aborted")
            #expect(try await world.merchant("order", "abort", order.session).status == 1)
            let fault =
                #"{"rel":"abort","every":true,"kind":"status","status":403,"problemType":"https://api.payex.com/psp/errordetail/forbidden"}"#
            let kept = try await world.create(Checkout.order(sandbox: #"{"faults":[\#(fault)]}"#))
            let refused = try await world.merchant("order", "abort", kept.session)
            #expect(refused.status == 1, "\(refused.diagnostics)")
            #expect(try refused.json["problem"]["kind"].text == "abortNotAllowed")
            #expect(try refused.json["outcome"].isNull)
            #expect(refused.diagnostics.contains("[session.abort-not-allowed]"))
            try await world.expectSoundLogs(order.session, kept.session)
        }
    }

    @Test func `every field that is wrong is named, and nothing is sent or kept`() async throws {
        try await Checkout.world { world, _ in
            let bad = """
                {"paymentorder":{"operation":"Purchase","currency":"kronor","amount":-5,"vatAmount":7,
                 "description":"","language":"swedish","payeeInfo":{"payeeId":"shop","payeeReference":"not plain!"},
                 "urls":{"hostUrls":[],"completeUrl":"ftp://shop.example/x"}}}
                """
            let path = try world.write(bad, to: "bad.json")
            let refused = try await world.merchant(
                "order",
                "create",
                path,
                "--psp",
                world.sandbox.baseURL
            )
            #expect(refused.status == 64)
            for field in [
                "currency", "amount", "description", "language", "urls.hostUrls",
                "urls.completeUrl", "payeeInfo.payeeReference",
            ] {
                #expect(refused.diagnostics.contains(field), "\(field): \(refused.diagnostics)")
            }
            #expect(refused.diagnostics.contains("hint: "))
            for text in [
                "", "[]", "{", #"{"paymentorder":7}"#, #"{"paymentorder":{"amount":"x"}}"#,
            ] {
                let other = try await world.merchant(
                    "order",
                    "create",
                    "-",
                    "--psp",
                    world.sandbox.baseURL,
                    input: text
                )
                #expect(other.status == 64, "\(text): \(other.diagnostics)")
            }
            let missing = try await world.merchant(
                "order",
                "create",
                "no-such-file",
                "--psp",
                world.sandbox.baseURL
            )
            #expect(missing.status == 66)
            #expect(await world.sandbox.ledger.requests.isEmpty)
            #expect(!FileManager.default.fileExists(atPath: world.storePath))
        }
    }

    @Test func `without a gateway or a valid access token, order create fails and says why`()
        async throws
    {
        try await Checkout.world { world, _ in
            let path = try world.write(Checkout.order(), to: "order.json")
            let psp = world.sandbox.baseURL
            for arguments in [["--psp", psp, "--backend", psp], []] {
                let usage = try await world.tool.run(
                    ["--allow-insecure-loopback", "order", "create", path] + arguments
                )
                #expect(usage.status == 64)
                #expect(usage.diagnostics.contains("[usage.gateway]"), "\(usage.diagnostics)")
            }
            let plain = try await world.tool.run(["order", "create", path, "--psp", psp])
            #expect(plain.status == 64 && plain.diagnostics.contains("--allow-insecure-loopback"))
            let nobody = try await world.run("order", "create", path, "--psp", psp, "--json")
            #expect(nobody.status == 78, "\(nobody.output)")
            #expect(nobody.diagnostics.contains("[configuration.token]"))
            #expect(!FileManager.default.fileExists(atPath: world.storePath))
            _ = try world.write("another-secret-token\n", to: "token")
            let wrong = try await world.merchant("order", "create", path, "--psp", psp)
            #expect(wrong.status == 69, "\(wrong.output)\(wrong.diagnostics)")
            #expect(try wrong.json["problem"]["status"].number == 401)
            #expect(!(wrong.output + wrong.diagnostics).contains("another-secret-token"))
            _ = try world.write(" \n", to: "token")
            let empty = try await world.merchant("order", "create", path, "--psp", psp)
            #expect(empty.status == 78)
            #expect(empty.diagnostics.contains("[configuration.token]"))
            let unknown = "0192f0c1-7c1e-7d3a-9b1e-0a1b2c3d4e5f"
            _ = try world.write(Checkout.accessToken, to: "token")
            _ = try await world.create()
            for command in ["show", "capture", "cancel", "reverse", "abort"] {
                #expect(try await world.merchant("order", command, unknown).status == 66)
                #expect(try await world.merchant("order", command, "x").status == 64)
            }
        }
    }

    @Test
    func `order create ends with 69 while the PSP is unreachable; then retry creates one order`()
        async throws
    {
        try await Checkout.world { world, _ in
            // Each command tries once.
            let config = try world.write(#"{"limits":{"tries":1}}"#, to: "config.json")
            let faults = #"{"faults":[{"rel":"paymentorders","first":2,"kind":"resetBefore"}]}"#
            let path = try world.write(Checkout.order(sandbox: faults), to: "order.json")
            let created = try await world.merchant(
                "--config",
                config,
                "order",
                "create",
                path,
                "--psp",
                world.sandbox.baseURL
            )
            #expect(created.status == 69, "\(created.output)")
            #expect(try created.json["problem"]["kind"].text == "requestFailed")
            let session = try #require(try created.json["session"].text)
            let early = try await world.merchant("--config", config, "retry", session)
            #expect(early.status == 69, "\(early.output)")
            #expect(await world.sandbox.ledger.orders.isEmpty)
            let last = try await world.merchant("--config", config, "retry", session)
            #expect(last.status == 0, "\(last.output)\(last.diagnostics)")
            #expect(try last.json["checkout"]["order"]["status"].text == "Initialized")
            #expect(await world.sandbox.ledger.orders.count == 1)
            try await world.expectSoundLogs()
            let alike = try await world.run("--config", config, "replay", session, "--check")
            #expect(alike.status == 0, "\(alike.output)")
        }
    }

    @Test func `no access token or session URL of an order is printed, exported or stored`()
        async throws
    {
        try await Checkout.world { world, _ in
            let order = try await world.create()
            try await world.elsewhere(order)
            let shown = try await world.merchant("-v", "order", "show", order.session)
            let captured = try await world.merchant("-v", "order", "capture", order.session)
            let log = try await world.run("log", order.session, "--json")
            let export = try await world.run("export", order.session)
            #expect(log.status == 0 && export.status == 0)
            for text in [
                shown.output, shown.diagnostics, captured.output, captured.diagnostics,
                log.output, export.output,
            ] {
                #expect(!text.contains(Checkout.accessToken))
                #expect(!text.contains("/psp/paymentsessions/"))
                #expect(!text.contains("/captures"))
            }
            let kept = try await world.tool.shell(
                "cat payments.db* | grep -ac -e '\(Checkout.accessToken)' -e '/paymentsessions/'"
            )
            #expect(kept.output == "0\n")
        }
    }
}
