import Foundation
import TestSupport
import Testing

@testable import Sandbox

/// What `sandbox` prints works when it is copied.
@Suite struct SandboxCommandTests {
    /// Runs the program's sandbox and passes on what it printed.
    private func printed(
        _ arguments: String...,
        body: (World, String) async throws -> Void
    ) async throws {
        try await World.with { world in
            let running = try world.tool.start(Tool.path, ["sandbox"] + arguments, input: nil)
            defer { kill(running.id, SIGKILL) }
            let last =
                arguments.isEmpty ? "Press Ctrl-C to stop.\n" : "apple-app-site-association\n"
            for _ in 1...800 where !running.outputSoFar.contains(last) {
                try await Task.sleep(for: .milliseconds(25))
            }
            try #require(running.outputSoFar.contains(last), "\(running.outputSoFar)")
            try await body(world, running.outputSoFar)
            kill(running.id, SIGINT)
            #expect(try await world.tool.finish(running).status == 130)
        }
    }

    /// Returns the printed line with this prefix.
    private func line(_ start: String, in text: String) throws -> String {
        let lines = text.split(separator: "\n").map { $0.trimmingCharacters(in: .whitespaces) }
        return try #require(lines.first { $0.hasPrefix(start) }, "\(start)")
    }

    @Test
    func `the printed commands create an order, pay it on another device and show the ledger`()
        async throws
    {
        try await printed { world, text in
            let created = try await world.tool.shell(line("curl -sS -H", in: text))
            let order = try JSON(parsing: created.output)
            #expect(order["paymentOrder"]["id"].text != nil, "\(created.output)")
            let lines = text.split(separator: "\n")
                .map { $0.trimmingCharacters(in: .whitespaces) }
            let act = try #require(lines.first { $0.contains(" sandbox act devicePays ") })
            let paid = try await world.tool.shell(act)
            #expect(paid.status == 0 && paid.output == "The order is now: Paid\n")
            let ledger = try await world.tool.shell(
                try #require(lines.first { $0.hasSuffix("/sandbox/ledger") })
            )
            let page = try JSON(parsing: ledger.output)["orders"][1]
            #expect(page["capturedAmount"].number == 10_000)
            #expect(page["attempts"][0]["startedBy"].text == "otherDevice")
        }
    }

    @Test func `a sandbox act that the PSP would not allow is refused with its reason`()
        async throws
    {
        try await World.with { world in
            let order = try await world.sandbox.createOrder()
            let refused = try await world.run(
                "sandbox",
                "act",
                "portalCaptures",
                "--at",
                world.sandbox.baseURL,
                "--order",
                order.id
            )
            #expect(refused.status == 1)
            #expect(refused.diagnostics.contains("[sandbox.act-refused]"))
            #expect(refused.diagnostics.contains("is not possible in the order's state"))
            let unknown = try await world.run(
                "sandbox",
                "act",
                "devicePays",
                "--at",
                world.sandbox.baseURL,
                "--order",
                "nobody"
            )
            #expect(unknown.status == 1 && unknown.diagnostics.contains("404"))
            let done = try await world.run(
                "sandbox",
                "act",
                "devicePays",
                "--method",
                "CreditCard",
                "--at",
                world.sandbox.baseURL,
                "--order",
                order.sessionURL,
                "--json"
            )
            #expect(done.status == 0, "\(done.diagnostics)")
            try await SchemaCheck.expect(done.output, fits: "cli/sandbox-act", in: world)
            #expect(await world.sandbox.ledger.authorizedAmount == 10_000)
        }
    }

    @Test func `the amount of a sandbox act must be in the order's currency`() async throws {
        try await World.with { world in
            let order = try await world.sandbox.createOrder()
            func change(to amount: String) async throws -> Tool.Result {
                try await world.run(
                    "sandbox",
                    "act",
                    "portalChangesAmount",
                    "--amount",
                    amount,
                    "--at",
                    world.sandbox.baseURL,
                    "--order",
                    order.id
                )
            }
            let foreign = try await change(to: "80.00 EUR")
            #expect(foreign.status == 1 && foreign.diagnostics.contains("currency of the order"))
            #expect(try await change(to: "80.00").status == 64)
            #expect(await world.sandbox.ledger.orders.map(\.orderedAmount) == [10_000])
            #expect(try await change(to: "80.00 SEK").status == 0)
            #expect(await world.sandbox.ledger.orders.map(\.orderedAmount) == [8_000])
            #expect(try await change(to: "7000").status == 0)
            #expect(await world.sandbox.ledger.orders.map(\.orderedAmount) == [7_000])
        }
    }

    @Test func `the printed commands show the pages that lead back into the apps`() async throws {
        try await printed("--merchant-backend", "0") { world, text in
            let lines = text.split(separator: "\n")
                .map { $0.trimmingCharacters(in: .whitespaces) }
            let android = try await world.tool.shell(
                try #require(lines.first { $0.contains("android-intent") })
            )
            #expect(android.output.contains("intent://"))
            #expect(android.output.contains("package=example.shop"))
            let apple = try await world.tool.shell(
                try #require(lines.first { $0.contains("ios-universal-link") })
            )
            #expect(apple.output.hasPrefix("HTTP/1.1 302"))
            let location = try #require(apple.output.firstMatch(of: /(?i)location: (\S+)/)?.1)
            let button = try await world.tool.shell("curl -sS '\(location)'")
            let target = try #require(button.output.firstMatch(of: /href="([^"]+)"/)?.1)
            let back = try await world.tool.shell(
                "curl -sSi '\(target.replacing("&amp;", with: "&"))'"
            )
            #expect(back.output.contains("exampleshop://"), "\(button.output)\(back.output)")
            let association = try await world.tool.shell(
                try #require(lines.first { $0.hasSuffix("apple-app-site-association") })
            )
            let details = try JSON(parsing: association.output)["applinks"]["details"][0]
            #expect(details["appID"].text == "SANDBOX123.example.shop")
        }
    }
}
