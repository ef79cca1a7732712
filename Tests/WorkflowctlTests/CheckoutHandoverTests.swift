import Foundation
import Testing

@testable import Sandbox

/// Checkouts that continue in a native session, after a check-in, or not at all.
@Suite struct CheckoutHandoverTests {
    @Test func `menu, instrument and native commands are refused for the wrong kind of session`()
        async throws
    {
        try await Checkout.world { world, _ in
            let order = try await world.checkout()
            let refused = try await world.merchant(
                "checkout",
                "instrument",
                order.session,
                "Swish"
            )
            #expect(refused.status == 1)
            #expect(refused.diagnostics.contains("[order.not-in-instrument-mode]"))
            let (native, _) = try await world.open()
            for command in [["checkout", "menu"], ["checkout", "native"]] {
                let other = try await world.tool.run(
                    ["--allow-insecure-loopback"] + command + [native]
                )
                #expect(other.status == 1, "\(command): \(other.diagnostics)")
            }
            for kind in ["capture", "reverse", "cancel"] {
                let other = try await world.merchant("order", kind, native)
                #expect(other.status == 1, "\(kind): \(other.diagnostics)")
                #expect(other.diagnostics.contains("[session.not-a-checkout]"), "\(kind)")
            }
            let instrument = try await world.merchant("checkout", "instrument", native, "Swish")
            #expect(instrument.status == 1)
            #expect(instrument.diagnostics.contains("[session.not-a-checkout]"))
            let attempt = try await world.merchant("attempt", order.session, "swish")
            #expect(attempt.status == 1)
            #expect(attempt.diagnostics.contains("[session.not-a-native-session]"))
        }
    }

    @Test func `an order is handed to a native session, handed back, and then paid natively`()
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
                "attempt",
                session,
                "swish",
                "--msisdn",
                "+46739000001",
                "--until",
                "ended"
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

    @Test func `a payer checks in before the order is created`() async throws {
        try await Checkout.world { world, _ in
            let path = try world.write(Checkout.order(), to: "order.json")
            let started = try await world.merchant(
                "checkout",
                "start",
                path,
                "--psp",
                world.sandbox.baseURL,
                "--check-in",
                "SE,NO"
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
                "report",
                session,
                id,
                "checked-in",
                "--profile-file",
                "profile.txt"
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
                    "checkout",
                    "start",
                    path,
                    "--psp",
                    world.sandbox.baseURL,
                    "--check-in",
                    countries
                )
                #expect(usage.status == 64, "\(countries)")
            }
            try await world.expectSoundLogs(session)
        }
    }

    @Test func `a checkout can be aborted before and after its order is created`() async throws {
        try await Checkout.world { world, _ in
            let path = try world.write(Checkout.order(), to: "order.json")
            let started = try await world.merchant(
                "checkout",
                "start",
                path,
                "--psp",
                world.sandbox.baseURL,
                "--check-in",
                "SE"
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
                "resume",
                order.session,
                "--until",
                "ended"
            )
            #expect(ended.status == 1)
            try await world.expectSoundLogs(session, order.session)
        }
    }
}
