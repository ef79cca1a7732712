import Foundation
import Testing

@testable import Sandbox

/// Checkouts at the PSP through the program: the PSP's page, its calls, and what the payer does.
@Suite struct CheckoutFlowTests {
    @Test(arguments: ["v3", "v2"])
    func `the page of an order is asked for in the words of its generation`(
        generation: String
    ) async throws {
        try await Checkout.world { world, _ in
            let order = try await world.checkout(
                Checkout.order(productName: generation == "v3" ? "Checkout3" : nil),
                "--generation",
                generation,
                "--override-terms",
                "--redirects",
                "browser",
                "--record-navigation"
            )
            let action = order.action
            #expect(action["kind"].text == "showMenu" && action["mode"].text == "menu")
            #expect(action["function"].text == (generation == "v3" ? "checkout" : "paymentMenu"))
            #expect(action["url"].text?.hasPrefix(world.sandbox.baseURL) == true)
            #expect(action["baseURL"].text == "https://shop.example/")
            #expect(action["completeURL"].text == "https://shop.example/complete")
            #expect(action["overridesTermsOfService"].flag == true)
            #expect(action["redirects"].text == "browser")
            #expect(action["recordsNavigation"].flag == true)
            #expect(order.view["checkout"]["state"].text == "inProgress")
            let page = try await world.run("page", order.session, try #require(action["id"].text))
            #expect(page.status == 0 && page.output.hasPrefix("<!doctype html>"))
            #expect(page.output.contains(generation == "v3" ? #""checkout""# : #""paymentMenu""#))
            let later = try await world.run("show", order.session, "--json")
            #expect(!later.output.contains("/psp/scripts/"), "\(later.output)")
            try await world.expectSoundLogs(order.session)
        }
    }

    @Test func `what the PSP calls about is read, and only the order confirms it`() async throws {
        try await Checkout.world { world, mailbox in
            let order = try await world.checkout()
            let early = try await world.merchant(
                "checkout", "callback", order.session, "-", input: #"{"forged":true}"#
            )
            #expect(early.status == 0, "\(early.diagnostics)")
            #expect(try early.json["outcome"].isNull)
            try await world.elsewhere(order)
            let body = try await mailbox.first()
            let path = try world.write(body, to: "body.json")
            let told = try await world.merchant("checkout", "callback", order.session, path)
            #expect(told.status == 0, "\(told.diagnostics)")
            #expect(try told.json["outcome"].text == "completed")
            #expect(try told.json["confirmed"].flag == true)
            try await SchemaCheck.expect(told.output, fits: "session-view", in: world)
            let before = try told.json["lastSeq"].number
            let again = try await world.merchant("checkout", "callback", order.session, path)
            #expect(again.status == 0)
            #expect(try again.json["lastSeq"].number == before)
            let large = try world.write(String(repeating: "x", count: 70_000), to: "large.json")
            #expect(
                try await world.merchant("checkout", "callback", order.session, large).status != 0
            )
            try await world.expectSoundLogs(order.session)
        }
    }

    @Test func `a payer who finished is believed when the order says so`() async throws {
        try await Checkout.world { world, _ in
            let order = try await world.checkout()
            let action = try #require(order.action["id"].text)
            try await world.elsewhere(order)
            let done = try await world.merchant(
                "report", order.session, action, "completed", "--until", "ended"
            )
            #expect(done.status == 0, "\(done.diagnostics)")
            #expect(try done.json["outcome"].text == "completed")
            #expect(try done.json["confirmed"].flag == true)
            #expect(try done.json["checkout"]["state"].text == "complete")
            try await world.expectSoundLogs(order.session)
        }
    }

    @Test func `a payer who only says so has not paid`() async throws {
        try await Checkout.world { world, _ in
            let order = try await world.checkout()
            let action = try #require(order.action["id"].text)
            let said = try await world.merchant(
                "--wait", "500ms", "report", order.session, action, "completed"
            )
            #expect(said.status == 0, "\(said.diagnostics)")
            #expect(try said.json["outcome"].isNull)
            #expect(try said.json["confirmed"].flag != true)
            let capture = try await world.merchant("order", "capture", order.session)
            #expect(capture.status == 1)
            #expect(await world.sandbox.orderLedger(order.id)?.captures == 0)
            try await world.expectSoundLogs(order.session)
        }
    }

    @Test func `leaving, navigating and reading the terms keep the page open`() async throws {
        try await Checkout.world { world, _ in
            let order = try await world.checkout()
            let action = try #require(order.action["id"].text)
            for report in [
                ["shown"], ["left", "--to", "bankid", "--in", "app"],
                ["navigated", "--to", "bank.example", "--in", "webView"], ["terms"],
            ] {
                let told = try await world.tool.run(
                    ["--allow-insecure-loopback", "--json", "--token-file", "token"]
                        + ["report", order.session, action] + report
                )
                #expect(told.status == 0, "\(report): \(told.diagnostics)")
                #expect(try told.json["actions"][0]["id"].text == action, "\(report)")
                try await SchemaCheck.expect(told.output, fits: "session-view", in: world)
            }
            for bad in [
                ["shown", "--to", "x"], ["left", "--to", "https://a.example/secret"],
                ["checked-in"], ["terms", "--in", "app"],
            ] {
                let refused = try await world.tool.run(
                    ["--allow-insecure-loopback", "report", order.session, action] + bad
                )
                #expect(refused.status != 0, "\(bad)")
            }
            let log = try await world.run("log", order.session)
            #expect(!log.output.contains("/secret"))
            let canceled = try await world.merchant("report", order.session, action, "canceled")
            #expect(canceled.status == 0)
            #expect(try canceled.json["outcome"].text == "canceled")
            #expect(try canceled.json["checkout"]["state"].text == "canceled")
            try await world.expectSoundLogs(order.session)
        }
    }

    @Test(arguments: ["v3", "v2"])
    func `an order in instrument mode changes its method and asks for its page anew`(
        generation: String
    ) async throws {
        try await Checkout.world { world, _ in
            let order = try await world.checkout(
                Checkout.order(
                    instrument: "Swish",
                    productName: generation == "v3" ? "Checkout3" : nil
                ),
                "--generation",
                generation
            )
            #expect(order.action["mode"].text == "instrument")
            let offered = order.view["checkout"]["order"]["availableInstruments"].list
            #expect(offered.compactMap(\.text).contains("CreditCard"), "\(offered)")
            let changed = try await world.merchant(
                "checkout", "instrument", order.session, "CreditCard"
            )
            #expect(changed.status == 0, "\(changed.output)\(changed.diagnostics)")
            #expect(try changed.json["checkout"]["order"]["instrument"].text == "CreditCard")
            let action = try changed.json["actions"][0]
            #expect(action["id"].text != order.action["id"].text)
            #expect(action["kind"].text == "showMenu")
            let refused = try await world.merchant(
                "checkout", "instrument", order.session, "Barter"
            )
            #expect(refused.status == 1)
            #expect(refused.diagnostics.contains("[session.menu-method-not-offered]"))
            let usage = try await world.merchant("checkout", "instrument", order.session, "å")
            #expect(usage.status == 64)
            try await world.expectSoundLogs(order.session)
        }
    }

    @Test func `an order with a menu is locked to nothing`() async throws {
        try await Checkout.world { world, _ in
            let order = try await world.checkout()
            let refused = try await world.merchant(
                "checkout", "instrument", order.session, "Swish"
            )
            #expect(refused.status == 1)
            #expect(refused.diagnostics.contains("[order.not-in-instrument-mode]"))
            let (native, _) = try await world.open()
            for command in [["checkout", "menu"], ["checkout", "native"], ["order", "capture"]] {
                let other = try await world.tool.run(
                    ["--allow-insecure-loopback"] + command + [native]
                )
                #expect(other.status == 1, "\(command): \(other.diagnostics)")
            }
            let instrument = try await world.merchant("checkout", "instrument", native, "Swish")
            #expect(instrument.status == 1)
            #expect(instrument.diagnostics.contains("[session.not-a-checkout]"))
            let attempt = try await world.merchant("attempt", order.session, "swish")
            #expect(attempt.status == 1)
            #expect(attempt.diagnostics.contains("[session.not-a-native-session]"))
        }
    }

    @Test func `an order goes to a native session, back, and is paid natively after all`()
        async throws
    {
        try await Checkout.world { world, _ in
            let order = try await world.checkout()
            let native = try await world.merchant("checkout", "native", order.session)
            #expect(native.status == 0, "\(native.output)\(native.diagnostics)")
            try await SchemaCheck.expect(native.output, fits: "session-view", in: world)
            #expect(try native.json["phase"].text == "ready")
            let session = try #require(try native.json["session"].text)
            #expect(session != order.session)
            let checkout = try await world.run("show", order.session, "--json")
            #expect(try checkout.json["checkout"]["session"].text == session)
            let back = try await world.merchant("checkout", "menu", order.session)
            #expect(back.status == 0, "\(back.diagnostics)")
            #expect(try back.json["actions"][0]["kind"].text == "showMenu")
            let again = try await world.merchant("checkout", "native", order.session)
            #expect(try again.json["session"].text == session)
            let paid = try await world.merchant(
                "attempt", session, "swish", "--msisdn", "+46739000001", "--until", "ended"
            )
            #expect(paid.status == 0, "\(paid.output)\(paid.diagnostics)")
            #expect(try paid.json["outcome"].text == "completed")
            let resumed = try await world.merchant("resume", order.session)
            #expect(resumed.status == 0, "\(resumed.diagnostics)")
            #expect(try resumed.json["outcome"].text == "completed", "\(resumed.output)")
            #expect(try resumed.json["confirmed"].flag == true)
            let confirmed = try await world.run("show", session, "--json")
            #expect(try confirmed.json["confirmed"].flag == true, "\(confirmed.output)")
            let ledger = try #require(await world.sandbox.orderLedger(order.id))
            #expect(ledger.doubles.isEmpty && ledger.status == "Paid")
            try await world.expectSoundLogs(order.session, session)
        }
    }

    @Test func `a payer checks in before the order is there`() async throws {
        try await Checkout.world { world, _ in
            let path = try world.write(Checkout.order(), to: "order.json")
            let started = try await world.merchant(
                "checkout", "start", path, "--psp", world.sandbox.baseURL, "--check-in", "SE,NO"
            )
            #expect(started.status == 0, "\(started.diagnostics)")
            try await SchemaCheck.expect(started.output, fits: "session-view", in: world)
            let session = try #require(try started.json["session"].text)
            let action = try started.json["actions"][0]
            let id = try #require(action["id"].text)
            #expect(action["kind"].text == "checkIn")
            #expect(try started.json["checkout"]["order"].isNull)
            let page = try await world.run("page", session, id)
            #expect(page.status == 0, "\(page.diagnostics)")
            let script = try #require(action["url"].text)
            let token = try #require(script.split(separator: "/").dropLast().last)
            let played = try await world.tool.shell(
                "curl -sS --fail -X POST '\(world.sandbox.baseURL)/sandbox/consumers/\(token)/identify'"
            )
            let profile = try #require(try played.json["consumerProfileRef"].text)
            _ = try world.write(profile + "\n", to: "profile.txt")
            let identified = try await world.merchant(
                "report", session, id, "checked-in", "--profile-file", "profile.txt"
            )
            #expect(identified.status == 0, "\(identified.diagnostics)")
            #expect(try identified.json["actions"][0]["kind"].text == "showMenu")
            #expect(try identified.json["checkout"]["order"]["status"].text == "Initialized")
            let shown = try await world.run("show", session, "--json")
            let log = try await world.run("log", session, "--json")
            for text in [identified.output, shown.output, log.output] {
                #expect(!text.contains(profile) && !text.contains(String(token)))
            }
            for countries in ["", "se", "SE,", "SWE"] {
                let usage = try await world.merchant(
                    "checkout", "start", path, "--psp", world.sandbox.baseURL,
                    "--check-in", countries
                )
                #expect(usage.status == 64, "\(countries)")
            }
            try await world.expectSoundLogs(session)
        }
    }

    @Test func `a checkout is given up before and after its order is there`() async throws {
        try await Checkout.world { world, _ in
            let path = try world.write(Checkout.order(), to: "order.json")
            let started = try await world.merchant(
                "checkout", "start", path, "--psp", world.sandbox.baseURL, "--check-in", "SE"
            )
            let session = try #require(try started.json["session"].text)
            let early = try await world.merchant("abort", session)
            #expect(early.status == 0)
            #expect(try early.json["outcome"].text == "canceled")
            #expect(await world.sandbox.ledger.orders.isEmpty)
            let order = try await world.checkout()
            let late = try await world.merchant("abort", order.session)
            #expect(late.status == 0)
            #expect(try late.json["outcome"].text == "canceled")
            #expect(await world.sandbox.orderLedger(order.id)?.status == "Aborted")
            let ended = try await world.merchant(
                "resume", order.session, "--until", "ended"
            )
            #expect(ended.status == 1)
            try await world.expectSoundLogs(session, order.session)
        }
    }
}
