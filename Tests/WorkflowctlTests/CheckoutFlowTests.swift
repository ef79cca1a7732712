import Foundation
import TestSupport
import Testing

@testable import Sandbox

/// Checkouts at the PSP through the program: the PSP's page, its callbacks, and what the payer
/// does.
@Suite struct CheckoutFlowTests {
    @Test func `a started checkout has a client action with the URL and settings of its page`()
        async throws
    {
        try await Checkout.world { world, _ in
            let order = try await world.checkout(
                Checkout.order(),
                "--override-terms",
                "--redirects",
                "browser",
                "--record-navigation"
            )
            let action = order.action
            #expect(action["kind"].text == "showMenu" && action["mode"].text == "menu")
            #expect(action["function"].text == "checkout")
            #expect(action["url"].text?.hasPrefix(world.sandbox.baseURL) == true)
            #expect(action["baseURL"].text == "https://shop.example/")
            #expect(action["completeURL"].text == "https://shop.example/complete")
            #expect(action["overridesTermsOfService"].flag == true)
            #expect(action["redirects"].text == "browser")
            #expect(action["recordsNavigation"].flag == true)
            #expect(order.view["checkout"]["state"].text == "inProgress")
            let page = try await world.run("page", order.session, try #require(action["id"].text))
            #expect(page.status == 0 && page.output.hasPrefix("<!doctype html>"))
            #expect(page.output.contains("overridesTerms"))
            let later = try await world.run("show", order.session, "--json")
            #expect(!later.output.contains("/psp/scripts/"), "\(later.output)")
            try await world.expectSoundLogs(order.session)
        }
    }

    @Test func `after a callback the order is read, and only the order confirms the payment`()
        async throws
    {
        try await Checkout.world { world, mailbox in
            let order = try await world.checkout()
            let early = try await world.merchant(
                "checkout",
                "callback",
                order.session,
                "-",
                input: #"{"forged":true}"#
            )
            // A forged callback has no effect, because it has to name the order.
            #expect(early.status == 1, "\(early.diagnostics)")
            #expect(early.diagnostics.contains("order.foreign-callback"))
            try await world.elsewhere(order)
            let body = try await mailbox.first()
            let path = try world.write(body, to: "body.json")
            let told = try await world.merchant("checkout", "callback", order.session, path)
            #expect(told.status == 0, "\(told.diagnostics)")
            #expect(try told.json["outcome"].text == "completed")
            #expect(try told.json["confirmed"].flag == true)
            try await SchemaCheck.expect(told.output, fits: "session-view", in: world)
            let again = try await world.merchant("checkout", "callback", order.session, path)
            #expect(again.status == 0)
            #expect(try again.json["confirmed"].flag == true)
            let log = try await world.run(
                "log",
                order.session,
                "--type",
                "orderConfirmed",
                "--json"
            )
            #expect(log.output.split(separator: "\n").count == 1, "\(log.output)")
            let large = try world.write(String(repeating: "x", count: 70_000), to: "large.json")
            #expect(
                try await world.merchant("checkout", "callback", order.session, large).status != 0
            )
            try await world.expectSoundLogs(order.session)
        }
    }

    @Test func `a report of completion is confirmed when the order is paid`() async throws {
        try await Checkout.world { world, _ in
            let order = try await world.checkout()
            let action = try #require(order.action["id"].text)
            try await world.elsewhere(order)
            let done = try await world.merchant(
                "report",
                order.session,
                action,
                "completed",
                "--until",
                "ended"
            )
            #expect(done.status == 0, "\(done.diagnostics)")
            #expect(try done.json["outcome"].text == "completed")
            #expect(try done.json["confirmed"].flag == true)
            #expect(try done.json["checkout"]["state"].text == "complete")
            try await world.expectSoundLogs(order.session)
        }
    }

    @Test(.duty("C-20"))
    func `a report of completion alone does not complete an unpaid order`() async throws {
        try await Checkout.world { world, _ in
            let order = try await world.checkout()
            let action = try #require(order.action["id"].text)
            let said = try await world.merchant(
                "--wait",
                "500ms",
                "report",
                order.session,
                action,
                "completed"
            )
            #expect(said.status == 0, "\(said.diagnostics)")
            #expect(try said.json["outcome"].isNull)
            #expect(try said.json["confirmed"].flag != true)
            let capture = try await world.merchant(
                "--wait",
                "500ms",
                "order",
                "capture",
                order.session
            )
            #expect(capture.status == 1)
            #expect(await world.sandbox.orderLedger(order.id)?.captures == 0)
            try await world.expectSoundLogs(order.session)
        }
    }

    @Test func `reports of leaving, navigating and reading the terms keep the page open`()
        async throws
    {
        try await Checkout.world { world, _ in
            let order = try await world.checkout(Checkout.order(), "--record-navigation")
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
                ["shown", "--to", "x"], ["checked-in"], ["terms", "--in", "app"],
            ] {
                let refused = try await world.tool.run(
                    ["--allow-insecure-loopback", "report", order.session, action] + bad
                )
                #expect(refused.status != 0, "\(bad)")
            }
            let whole = "https://a.example/secret?token=secret"
            _ = try await world.merchant("report", order.session, action, "left", "--to", whole)
            let log = try await world.run("log", order.session, "--json")
            for name in ["bank.example", "bankid:"] {
                #expect(log.output.contains(name), "\(name)")
            }
            #expect(!log.output.contains("secret"))
            let canceled = try await world.merchant("report", order.session, action, "canceled")
            #expect(canceled.status == 0)
            #expect(try canceled.json["outcome"].text == "canceled")
            #expect(try canceled.json["checkout"]["state"].text == "canceled")
            try await world.expectSoundLogs(order.session)
        }
    }

    @Test func `changing the method in instrument mode gives a new client action for the page`()
        async throws
    {
        try await Checkout.world { world, _ in
            let order = try await world.checkout(Checkout.order(instrument: "Swish"))
            #expect(order.action["mode"].text == "instrument")
            let offered = order.view["checkout"]["order"]["availableInstruments"].list
            #expect(offered.compactMap(\.text).contains("CreditCard"), "\(offered)")
            let changed = try await world.merchant(
                "checkout",
                "instrument",
                order.session,
                "CreditCard"
            )
            #expect(changed.status == 0, "\(changed.output)\(changed.diagnostics)")
            #expect(try changed.json["checkout"]["order"]["instrument"].text == "CreditCard")
            let action = try changed.json["actions"][0]
            #expect(action["id"].text != order.action["id"].text)
            #expect(action["kind"].text == "showMenu")
            let refused = try await world.merchant(
                "checkout",
                "instrument",
                order.session,
                "Barter"
            )
            #expect(refused.status == 1)
            #expect(refused.diagnostics.contains("[session.menu-method-not-offered]"))
            let usage = try await world.merchant("checkout", "instrument", order.session, "å")
            #expect(usage.status == 64)
            try await world.expectSoundLogs(order.session)
        }
    }
}
