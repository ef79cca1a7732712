import Foundation
import Inspection
import LogFixtures
import Testing

@testable import Sandbox

/// Forked checkouts continue at another sandbox, and never at the original's PSP.
@Suite struct ForkedCheckoutTests {
    @Test(arguments: [1, 5])
    func `a forked checkout is paid at the sandbox without a request to the original PSP`(
        place: Int
    )
        async throws
    {
        try await Forking.worlds { world, first in
            let text = Checkout.order().replacing("Lamp", with: "Lantern7731")
            let original = try await world.start(at: first, text)
            let before = try await world.run("log", original.session, "--json").output
            await first.shutdown()
            let ear = try await Ear.listen(at: first.baseURL, in: world)
            let fork = try await world.fork(original.session, at: place, world.sandbox.baseURL)
            // The order is created now, or was created by the fork.
            let resumed = try await world.scratch("resume", fork)
            #expect(resumed.status == 0, "\(resumed.diagnostics)")
            let order = try Order(resumed.json, at: world.sandbox.baseURL)
            #expect(order.id != original.id)
            #expect(order.view["checkout"]["order"]["amount"].number == 10_000)
            #expect(order.view["checkout"]["order"]["currency"].text == "SEK")
            #expect(order.action["url"].text?.hasPrefix(world.sandbox.baseURL) == true)
            let action = try #require(order.action["id"].text)
            if place == 5 { #expect(action == original.action["id"].text) }
            let page = try await world.scratch("page", fork, action)
            #expect(page.status == 0 && page.output.contains(world.sandbox.baseURL))
            try await world.elsewhere(order)
            let paid = try await world.scratch("report", fork, action, "completed")
            #expect(try paid.json["outcome"].text == "completed", "\(paid.output)")
            #expect(try paid.json["confirmed"].flag == true)
            let capture = try await world.scratch("order", "capture", fork, "--amount", "4000")
            #expect(capture.status == 0, "\(capture.diagnostics)")
            let ledger = try #require(await world.sandbox.orderLedger(order.id))
            #expect(ledger.status == "Paid" && ledger.captures == 1 && ledger.doubles.isEmpty)
            try await world.expectSoundForks()
            try await expectNothingSecret(of: original, in: world, fork)
            #expect(try await world.run("log", original.session, "--json").output == before)
            #expect(try await ear.calls() == ["/last"])
        }
    }

    /// Expects that no sealed value of the original is in the scratch store: not in the clear, not
    /// sealed, not under other keys.
    private func expectNothingSecret(
        of original: Order,
        in world: World,
        _ fork: String
    ) async throws {
        let opened = try await world.run("log", original.session, "--reveal").output
        let secrets = opened.split(separator: "\n").compactMap {
            $0.wholeMatch(of: /\d+\t\d+\t(.+)/).map { String($0.1) }
        }
        #expect(secrets.count >= 8, "\(opened)")
        let revealed = try await world.scratch("log", fork, "--reveal").output
        for secret in secrets + ["Lantern7731", Checkout.accessToken, original.id] {
            #expect(!revealed.contains(secret), "\(secret)")
        }
        // The sandbox sends no callbacks.
        #expect(revealed.contains("https://shop.example/complete") && !revealed.contains("/call"))
        let plain = try world.write(
            (secrets + ["Lantern7731", Checkout.accessToken, original.id]).joined(separator: "\n"),
            to: "secrets.txt"
        )
        let log = try await world.run("log", original.session, "--json").output
        let seals = try world.write(log, to: "original.ndjson")
        let found = try await world.tool.shell(
            """
            python3 - '\(plain)' '\(seals)' <<'END'
            import base64, glob, json, sys
            kept = b"".join(open(name, "rb").read() for name in glob.glob("scratch.db*"))
            wanted = [line.encode() for line in open(sys.argv[1]).read().splitlines()]
            for line in open(sys.argv[2]):
                record = json.loads(line)
                wanted += [base64.b64decode(seal) for seal in record["seals"]]
                wanted += [base64.b64decode(seal)[12:28] for seal in record["seals"]]
            print(len(wanted), sum(one in kept for one in wanted), b"checkoutOpened" in kept)
            END
            """
        )
        #expect(found.output.hasSuffix(" 0 True\n"), "\(found.output)\(found.diagnostics)")
    }

    @Test func `a checkout forked at any event continues correctly, or is refused with a reason`()
        async throws
    {
        try await Forking.worlds { world, first in
            let order = try await world.start(at: first, Checkout.order(instrument: "Swish"))
            let session = order.session
            _ = try await world.merchant("checkout", "instrument", session, "CreditCard")
            let native = try await world.merchant("checkout", "native", session)
            let back = try await world.merchant("checkout", "menu", session)
            let action = try #require(try back.json["actions"][0]["id"].text)
            _ = try await world.merchant("report", session, action, "completed", "--wait", "0s")
            let log = try await world.run("log", session, "--json").output
            let types = log.split(separator: "\n").compactMap {
                $0.firstMatch(of: /"type":"([A-Za-z]+)","v"/).map { String($0.1) }
            }
            let handed = try #require(types.firstIndex(of: "handedOver")) + 1
            let returned = try #require(types.firstIndex(of: "handedBack")) + 1
            var forked: Set<Int> = []
            for place in 1...types.count {
                let result = try await world.tryFork(session, at: place, world.sandbox.baseURL)
                guard result.status == 0 else {
                    #expect(result.status == 1 && result.diagnostics.contains("[fork.not-here]"))
                    #expect(result.diagnostics.contains("hint: "), "\(result.diagnostics)")
                    continue
                }
                forked.insert(place)
                let copy = try #require(try result.json["session"].text)
                let resumed = try await world.scratch("resume", copy, "--wait", "0s")
                #expect(resumed.status == 0, "\(place): \(resumed.diagnostics)")
            }
            #expect(forked.isSuperset(of: [1, 2, 5, types.count]), "\(types) \(forked)")
            #expect(forked.isDisjoint(with: [3, 4]), "\(types)")
            #expect(forked.isDisjoint(with: handed..<returned), "\(types) \(forked)")
            try await world.expectSoundForks()
            // Earlier changes apply at the sandbox, and can be changed there.
            let last = try await world.fork(session, at: returned + 1, world.sandbox.baseURL)
            let changed = try await world.scratch("checkout", "instrument", last, "Swish")
            #expect(changed.status == 0, "\(changed.diagnostics)")
            #expect(try changed.json["checkout"]["order"]["instrument"].text == "Swish")
            // The native session is forked by itself, and no checkout waits for it.
            let own = try #require(try native.json["session"].text)
            let third = try await SandboxServer.start(SandboxConfiguration())
            let alone = try await world.fork(own, at: 2, third.baseURL)
            #expect(try await world.scratch("resume", alone).status == 0)
            await third.shutdown()
            let copy = try await world.scratch("log", alone, "--json").output
            #expect(!copy.contains(session))
        }
    }

    @Test func `a checkout of a merchant backend can be forked during check-in and later`()
        async throws
    {
        try await Checkout.backend { world, backend, psp in
            try await Checkout.backend { _, other, sandbox in
                let text = Checkout.order(productName: nil)
                let path = try world.write(text, to: "order.json")
                let started = try await world.tool.run(
                    ["--allow-insecure-loopback", "--json", "--headers-file", "headers"]
                        + ["checkout", "start", path, "--backend", backend]
                        + ["--generation", "v2", "--check-in", "SE"]
                )
                let session = try #require(try started.json["session"].text)
                let place = try #require(try started.json["lastSeq"].number)
                let profile = try await world.identify(started.json["actions"][0], at: psp)
                let action = try #require(try started.json["actions"][0]["id"].text)
                let ordered = try await world.shopper(
                    "report",
                    session,
                    action,
                    "checked-in",
                    "--profile-file",
                    profile
                )
                #expect(ordered.status == 0, "\(ordered.diagnostics)")
                let later = try #require(try ordered.json["lastSeq"].number)
                let ledger = try await world.tool.shell("curl -sS \(psp)/sandbox/ledger").output
                // The check-in is the sandbox's, and the payer identified there is the payer of its
                // order.
                let early = try await world.fork(session, at: place, other)
                let shown = try await world.scratch("resume", early)
                let own = try shown.json["actions"][0]
                #expect(own["kind"].text == "checkIn" && own["id"].text == action)
                #expect(own["url"].text?.hasPrefix(sandbox) == true, "\(shown.output)")
                let known = try await world.identify(own, at: sandbox)
                let made = try await world.scratch(
                    "report",
                    early,
                    action,
                    "checked-in",
                    "--profile-file",
                    known
                )
                #expect(made.status == 0, "\(made.diagnostics)")
                // The sandbox does not know who checked in at the PSP; once there is an order that
                // does not matter.
                let between = try await world.tryFork(session, at: place + 1, other)
                #expect(between.status == 1 && between.diagnostics.contains("[fork.not-here]"))
                let late = try await world.fork(session, at: later, other)
                let resumed = try await world.scratch("resume", late)
                for view in [made, resumed] {
                    let order = try Order(view.json, at: sandbox)
                    #expect(order.action["function"].text == "paymentMenu")
                    try await world.elsewhere(order)
                    let paid = try await world.scratch(
                        "report",
                        order.session,
                        try #require(order.action["id"].text),
                        "completed"
                    )
                    #expect(try paid.json["outcome"].text == "completed", "\(paid.output)")
                    #expect(try paid.json["confirmed"].flag == true)
                }
                try await world.expectSoundForks()
                #expect(
                    try await world.tool.shell("curl -sS \(psp)/sandbox/ledger").output == ledger
                )
                // A sandbox without a backend cannot continue it.
                let wrong = try await world.tryFork(session, at: later, sandbox)
                #expect(wrong.status == 1 && wrong.diagnostics.contains("--merchant-backend"))
            }
        }
    }

    @Test func `a checkout at a PSP is neither begun nor driven in a scratch store`() async throws {
        try await Forking.worlds { world, first in
            let order = try await world.start(at: first)
            _ = try await world.fork(order.session, at: 1, world.sandbox.baseURL)
            let config = try world.write(
                #"{"allowedHosts":["psp.example"],"proxy":"\#(world.sandbox.baseURL)"}"#,
                to: "wide.json"
            )
            let begun = try await world.scratch(
                "--config",
                config,
                "checkout",
                "start",
                "order.json",
                "--psp",
                "https://psp.example/"
            )
            #expect(begun.status == 1 && begun.diagnostics.contains("[fork.not-loopback]"))
            let real = try await world.merchant(
                "checkout",
                "start",
                "order.json",
                "--psp",
                "https://psp.example/",
                "--wait",
                "0s"
            )
            let session = try #require(try real.json["session"].text, "\(real.diagnostics)")
            let copied = try await world.run("store", "copy", "sqlite:scratch.db")
            #expect(copied.status == 0, "\(copied.diagnostics)")
            var tool = world.tool
            tool.environment["WORKFLOWCTL_KEY_FILE"] = world.storePath + ".key"
            let driven = try await tool.run(
                ["--store", "sqlite:scratch.db", "--config", config, "--token-file", "token"]
                    + ["resume", session]
            )
            #expect(driven.status == 1)
            #expect(driven.diagnostics.contains("session.imported"), "\(driven.diagnostics)")
        }
    }

    @Test func `a checkout with a custom gateway is not forked`() async throws {
        try await Forking.worlds { world, first in
            let order = try await world.start(at: first)
            let log = try await world.run("log", order.session, "--json").output
            let path = try world.write(
                try Forge.rechained(
                    log,
                    replacing: #""gateway":"psp""#,
                    with: #""gateway":"custom""#
                ),
                to: "custom.ndjson"
            )
            let refused = try await world.tryFork(path, at: 1, world.sandbox.baseURL)
            #expect(refused.status == 1)
            #expect(refused.diagnostics.contains("[fork.custom-gateway]"))
            #expect(try await world.tool.shell("ls scratch.db").status != 0)
        }
    }
}
