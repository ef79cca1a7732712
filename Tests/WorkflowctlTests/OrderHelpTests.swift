import Foundation
import TestSupport
import Testing

@testable import Sandbox

/// The examples in the help of all commands for orders.
@Suite struct OrderHelpTests {
    private static let commands = [
        ["order"], ["order", "create"], ["order", "show"], ["order", "capture"],
        ["order", "cancel"], ["order", "reverse"], ["order", "abort"], ["checkout"],
        ["checkout", "start"], ["checkout", "instrument"], ["checkout", "native"],
        ["checkout", "menu"], ["checkout", "callback"], ["tokens"], ["tokens", "list"],
        ["tokens", "delete"], ["tokens", "save"],
    ]

    /// In the fast tier one command of each kind; their examples differ in the arguments alone.
    private static let tried =
        Tier.isThorough
        ? commands
        : [
            ["order", "capture"], ["checkout", "start"], ["checkout", "menu"], ["tokens", "list"],
        ]

    @Test(.tags(.repeatedThoroughly), arguments: tried)
    func `every example about orders works as it stands`(command: [String]) async throws {
        try await Checkout.world { world, _ in
            for example in try await HelpExamples.read(command, by: world.tool) {
                let line = try await prepared(example, world)
                let result = try await world.tool.shell(line)
                #expect(result.status == 0, "\(line)\n\(result.diagnostics)")
            }
        }
    }

    /// Returns the example with real values for its placeholders; the PSP also stands in for
    /// backends.
    private func prepared(_ example: String, _ world: World) async throws -> String {
        let isLocked = example.contains("instrument")
        let session = try await world.checkout(
            Checkout.order(amount: 12_500, instrument: isLocked ? "CreditCard" : nil)
        )
        let isPaid = example.contains(/order (capture|cancel|reverse)/)
        if isPaid {
            try await world.elsewhere(session)
            _ = try await world.merchant("order", "show", session.session)
        }
        if example.contains("order reverse") {
            _ = try await world.merchant("order", "capture", session.session)
        }
        var paid = ""
        if example.contains("token") {
            let wishes = ["Payment", "Recurrence", "Unscheduled"].map {
                #""generate\#($0)Token":true,"#
            }
            let stored = try await world.create(
                Checkout.order(payer: "payer-42", more: wishes.joined())
            )
            try await world.elsewhere(stored)
            paid = "/psp/paymentorders/\(stored.id)"
        }
        if example.contains("--stored-token-file") {
            let psp = world.sandbox.baseURL
            let saved = try await world.merchant(
                "tokens",
                "save",
                paid,
                "stored",
                "--kind",
                "recurrence",
                "--psp",
                psp
            )
            #expect(saved.status == 0, "\(saved.diagnostics)")
            let charge =
                #"{"currency":"SEK","amount":4900,"vatAmount":0,"description":"Subscription","#
            let payee = #""language":"sv-SE","payeeInfo":{"payeeId":"shop"}}"#
            _ = try world.write(charge + payee, to: "charge.json")
        }
        _ = try world.write(Checkout.order(), to: "order.json")
        _ = try world.write(
            #"{"paymentOrder":{"id":"/psp/paymentorders/\#(session.id)"}}"#,
            to: "body.json"
        )
        var line = example.replacing("--backend https://shop.example/api/", with: "--psp PSP")
            .replacing("--generation v2", with: "--generation v3")
            .replacing("https://api.payex.com/", with: "PSP")
            .replacing("--psp URL", with: "--psp PSP")
            .replacing("/psp/paymentorders/ID", with: paid)
            .replacing("PSP", with: world.sandbox.baseURL)
            .replacing("SESSION", with: session.session)
        if !line.contains("--token-file") { line += " --token-file token" }
        return line + " --allow-insecure-loopback"
    }
}
