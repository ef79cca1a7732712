import Foundation
import Testing

@testable import Sandbox

/// Orders and checkouts through the merchant backend that the program runs in front of its sandbox.
@Suite struct SandboxBackendTests {
    @Test func `an order is created through the backend, but its money cannot be captured there`()
        async throws
    {
        try await Checkout.backend { world, backend, psp in
            let path = try world.write(Checkout.order(), to: "order.json")
            let created = try await world.shopper("order", "create", path, "--backend", backend)
            #expect(created.status == 0, "\(created.output)\(created.diagnostics)")
            try await SchemaCheck.expect(created.output, fits: "session-view", in: world)
            let order = try Order(created.json, at: psp)
            #expect(order.view["checkout"]["gateway"].text == "merchantBackend")
            #expect(order.view["checkout"]["state"].text == "idle")
            try await world.elsewhere(order)
            let shown = try await world.shopper("order", "show", order.session)
            #expect(shown.status == 0, "\(shown.diagnostics)")
            #expect(try shown.json["outcome"].text == "completed", "\(shown.output)")
            #expect(try shown.json["confirmed"].flag == true)
            for command in ["capture", "cancel", "reverse"] {
                let refused = try await world.tool.run(
                    [
                        "--allow-insecure-loopback", "--headers-file", "headers", "order", command,
                        order.session,
                    ] + (command == "cancel" ? [] : ["--amount", "100"])
                )
                #expect(refused.status == 1)
                #expect(
                    refused.diagnostics.contains("[order.transactions-not-possible]"),
                    "\(refused.diagnostics)"
                )
            }
            let log = try await world.run("log", order.session, "--json")
            let all = created.output + created.diagnostics + shown.output + log.output
            #expect(!all.contains("hidden-header") && !all.contains("Bearer"))
            let kept = try await world.tool.shell("cat payments.db* | grep -ac hidden-header")
            #expect(kept.output == "0\n")
            try await world.expectSoundLogs(order.session)
        }
    }

    @Test func `a backend that does not authenticate the caller creates no order`() async throws {
        try await Checkout.backend { world, backend, psp in
            let path = try world.write(Checkout.order(), to: "order.json")
            let refused = try await world.run(
                "--json",
                "order",
                "create",
                path,
                "--backend",
                backend
            )
            #expect(refused.status == 69, "\(refused.output)\(refused.diagnostics)")
            #expect(try refused.json["problem"]["status"].number == 401)
            _ = try world.write("no colon here", to: "headers")
            let config = try await world.shopper("order", "create", path, "--backend", backend)
            #expect(config.status == 78)
            #expect(config.diagnostics.contains("[configuration.headers]"))
            let ledger = try await world.tool.shell("curl -sS \(psp)/sandbox/ledger")
            #expect(try ledger.json["orders"].list.isEmpty)
        }
    }

    @Test func `a checkout of generation v2 is shown, changed and confirmed`()
        async throws
    {
        try await Checkout.backend { world, backend, psp in
            let text = Checkout.order(instrument: "Swish", productName: nil)
            let path = try world.write(text, to: "order.json")
            let started = try await world.shopper(
                "checkout",
                "start",
                path,
                "--backend",
                backend,
                "--generation",
                "v2"
            )
            #expect(started.status == 0, "\(started.output)\(started.diagnostics)")
            try await SchemaCheck.expect(started.output, fits: "session-view", in: world)
            let order = try Order(started.json, at: psp)
            #expect(order.action["function"].text == "paymentMenu", "\(started.output)")
            #expect(order.action["mode"].text == "instrument")
            let changed = try await world.shopper(
                "checkout",
                "instrument",
                order.session,
                "CreditCard"
            )
            #expect(changed.status == 0, "\(changed.output)\(changed.diagnostics)")
            #expect(try changed.json["checkout"]["order"]["instrument"].text == "CreditCard")
            let action = try #require(try changed.json["actions"][0]["id"].text)
            try await world.elsewhere(order)
            let done = try await world.shopper(
                "report",
                order.session,
                action,
                "completed",
                "--until",
                "ended"
            )
            #expect(done.status == 0, "\(done.output)\(done.diagnostics)")
            #expect(try done.json["confirmed"].flag == true)
            try await world.expectSoundLogs(order.session)
        }
    }

    @Test func `a checkout can be aborted through the backend`() async throws {
        try await Checkout.backend { world, backend, psp in
            let path = try world.write(Checkout.order(), to: "order.json")
            let started = try await world.shopper(
                "checkout",
                "start",
                path,
                "--backend",
                backend
            )
            let order = try Order(started.json, at: psp)
            #expect(order.action["function"].text == "checkout")
            let aborted = try await world.shopper("order", "abort", order.session)
            #expect(aborted.status == 0, "\(aborted.output)\(aborted.diagnostics)")
            #expect(try aborted.json["outcome"].text == "canceled")
            let ledger = try await world.tool.shell("curl -sS \(psp)/sandbox/ledger/\(order.id)")
            #expect(try ledger.json["order"]["status"].text == "Aborted")
            try await world.expectSoundLogs(order.session)
        }
    }

    @Test func `an unreachable backend ends with 69`() async throws {
        try await World.with { world in
            let path = try world.write(Checkout.order(), to: "order.json")
            let config = try world.write(#"{"limits":{"retries":"500ms"}}"#, to: "config.json")
            let gone = try await world.run(
                "--json",
                "--config",
                config,
                "order",
                "create",
                path,
                "--backend",
                "http://127.0.0.1:1/api/"
            )
            #expect(gone.status == 69, "\(gone.output)")
            let nonsense = try await world.run(
                "--json",
                "--config",
                config,
                "order",
                "create",
                path,
                "--backend",
                world.sandbox.baseURL + "/sandbox/ledger"
            )
            #expect(nonsense.status == 69 || nonsense.status == 78, "\(nonsense.output)")
            #expect(try !nonsense.json["problem"].isNull)
        }
    }
}
