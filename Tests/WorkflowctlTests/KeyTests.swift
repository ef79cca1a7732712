import Foundation
import TestSupport
import Testing

@testable import Sandbox

@Suite struct KeyTests {
    @Test(.duty("C-06")) func `a key file that others can read is refused`() async throws {
        try await World.with { world in
            let (session, _) = try await world.open()
            _ = try await world.tool.shell("chmod 644 payments.db.key")
            let refused = try await world.run("abort", session)
            #expect(refused.status == 78)
            #expect(refused.diagnostics.contains("chmod 600"))
            #expect(try await world.run("show", session).status == 0)
            #expect(try await world.run("show", session, "--reveal").status == 78)
            _ = try await world.tool.shell("chmod 600 payments.db.key")
            #expect(try await world.run("abort", session).status == 0)
        }
    }

    @Test
    func `everything that belongs to a store is beside its file, and not beside a link to it`()
        async throws
    {
        try await World.with { world in
            _ = try await world.tool.shell("mkdir links; ln -s ../payments.db links/linked.db")
            let link = world.folder + "/links/linked.db"
            let (session, _) = try await world.open()
            let revealed = try await world.run(
                "show",
                session,
                "--reveal",
                "--reason",
                "support",
                store: link
            )
            #expect(revealed.status == 0, "\(revealed.diagnostics)")
            let made = try await world.run("checkpoint", "create", store: link)
            #expect(made.status == 0, "\(made.diagnostics)")
            let verified = try await world.run("checkpoint", "verify")
            #expect(verified.status == 0, "\(verified.diagnostics)")
            let order = try await world.sandbox.createOrder()
            #expect(try await world.run("open", order.sessionURL, store: link).status == 0)
            #expect(try await world.tool.shell("ls -A links").output == "linked.db\n")
        }
    }

    @Test func `no store is created with a key file that others can read`() async throws {
        try await World.with { world in
            _ = try await world.tool.shell("head -c 32 /dev/zero | base64 > key; chmod 644 key")
            var tool = world.tool
            tool.environment["WORKFLOWCTL_KEY_FILE"] = "key"
            let order = try await world.sandbox.createOrder()
            let refused = try await tool.run(
                ["--allow-insecure-loopback", "open", order.sessionURL])
            #expect(refused.status == 78)
            #expect(try await world.tool.shell("ls -A").output == "key\n")
        }
    }

    @Test(.duty("C-09"))
    func `a lost key is reported and never replaced by another`() async throws {
        try await World.with { world in
            let (session, _) = try await world.open()
            _ = try await world.tool.shell("mv payments.db.key away")
            #expect(try await world.run("abort", session).status == 78)
            let order = try await world.sandbox.createOrder()
            #expect(try await world.run("open", order.sessionURL).status == 78)
            #expect(try await world.tool.shell("ls payments.db.key").status != 0)
            _ = try await world.tool.shell("mv away payments.db.key")
            #expect(try await world.run("abort", session).status == 0)
        }
    }

    @Test func `with another master key, a session can be shown but not driven`() async throws {
        try await World.with { world in
            let (session, _) = try await world.open()
            var tool = world.tool
            tool.environment["WORKFLOWCTL_MASTER_KEY"] = String(repeating: "ab", count: 32)
            let refused = try await tool.run(["--allow-insecure-loopback", "abort", session])
            #expect(refused.status == 77)
            #expect(try await tool.run(["show", session]).status == 0)
        }
    }

    @Test(arguments: [
        "{", "[]", #"{"unknown":1}"#, #"{"client":{"shoeSize":42}}"#, #"{"limits":{"request":10}}"#,
        #"{"allowedHosts":"payex.com"}"#, #"{"callbackScheme":"https"}"#,
    ])
    func `a malformed configuration, or one with unknown members, is refused`(
        text: String
    ) async throws {
        try await World.with { world in
            let path = try world.write(text, to: "config.json")
            let refused = try await world.tool.run(["--config", path, "list"])
            #expect(refused.status == 78)
            var tool = world.tool
            tool.environment["WORKFLOWCTL_CONFIG"] = path
            #expect(try await tool.run(["list"]).status == 78)
        }
    }

    @Test func `the user agent and the callback scheme of a configuration take effect`()
        async throws
    {
        try await World.with { world in
            let path = try world.write(
                #"{"client":{"userAgent":"shop/9"},"callbackScheme":"myshop"}"#,
                to: "config.json"
            )
            let (session, _) = try await world.open(SandboxOrder(), "--config", path)
            let log = try await world.run("log", session, "--type", "opened", "--json")
            #expect(log.output.contains("shop/9"))
            #expect(try await world.run("return", session, "myshop://shop.example/pay").status == 0)
            #expect(try await world.run("return", session, "other://shop.example/pay").status == 1)
        }
    }
}
