import Foundation
import TestSupport
import Testing

@testable import Sandbox

/// Logs that were forged without keys, in the store's file and in imported files.
///
/// The decisive question is what was requested of the PSP, which its own ledger shows.
@Suite(.guarantee(.authenticLog)) struct AuthenticityTests {
    /// The merchant reverses the payment, which is what a forger would want.
    static let refund =
        #"{"amount":10000,"description":"Refund","kind":"reversal","payeeReference":"FORGED1","vatAmount":2000}"#

    /// Writes to the store without keys, with a program in another language.
    @discardableResult
    private func forge(_ world: World, _ arguments: String...) async throws -> String {
        let root = FileManager.default.currentDirectoryPath
        let words = arguments.map { "'\($0)'" }.joined(separator: " ")
        let forged = try await world.tool.shell("python3 \(root)/Tests/Tools/forger.py \(words)")
        try #require(forged.status == 0, "\(forged.diagnostics)")
        return forged.output
    }

    /// An order that is paid and captured, so that it could be reversed.
    private func paid(_ world: World) async throws -> Order {
        let order = try await world.create()
        try await world.elsewhere(order)
        _ = try await world.merchant("order", "show", order.session)
        let captured = try await world.merchant("order", "capture", order.session)
        try #require(captured.status == 0, "\(captured.diagnostics)")
        return order
    }

    /// Expects that a session is not driven, and that the PSP neither refunded anything nor
    /// received a request.
    private func expectRefused(_ world: World, _ order: Order) async throws {
        let before = try #require(await world.sandbox.orderLedger(order.id))
        for command in [["resume", order.session], ["order", "show", order.session]] {
            let driven = try await world.tool.run(
                ["--allow-insecure-loopback", "--token-file", "token"] + command
            )
            #expect(driven.status == 65, "\(command): \(driven.output)\(driven.diagnostics)")
            #expect(driven.diagnostics.contains("log.not-authentic"), "\(driven.diagnostics)")
        }
        // No note is added that would be chained to it either.
        #expect(try await world.run("note", order.session, "seen").status == 65)
        _ = try await world.merchant("resume")
        let after = try #require(await world.sandbox.orderLedger(order.id))
        #expect(after.reversedAmount == 0)
        #expect(after.requests == before.requests)
        let verified = try await world.run("verify", "--json")
        #expect(verified.status == 65, "\(verified.output)")
        #expect(verified.output.contains("not-authentic"), "\(verified.output)")
    }

    @Test(.threat("T-03")) func `a reversal written into the store without the keys is not sent`()
        async throws
    {
        try await Checkout.world { world, _ in
            let order = try await paid(world)
            let honest = try await world.run("verify", order.session, "--json")
            #expect(try honest.json["seals"]["authentic"].number ?? 0 > 10)
            try await forge(
                world,
                "append",
                world.storePath,
                order.session,
                "transactionRequested",
                Self.refund
            )
            // The hash chain alone does not show who wrote it.
            let chain = try await world.run("verify", "--no-keys")
            #expect(chain.status == 0 && chain.output.contains("records not authenticated"))
            try await expectRefused(world, order)
        }
    }

    @Test(.threat("T-05"), arguments: ["cut", "strip"])
    func `a log that was shortened or stripped without the keys is not driven`(
        how: String
    )
        async throws
    {
        try await Checkout.world { world, _ in
            let order = try await paid(world)
            try await forge(world, how, world.storePath, order.session)
            try await expectRefused(world, order)
        }
    }

    @Test(.threat("T-04"))
    func `a log with a changed record and a recomputed hash chain is not driven`() async throws {
        try await Checkout.world { world, _ in
            let order = try await paid(world)
            let (old, new) = (#""amount":10000"#, #""amount":90000"#)
            try await forge(world, "change", world.storePath, order.session, "1", old, new)
            try await expectRefused(world, order)
        }
    }

    @Test(.threat("T-21"))
    func `an export with forged records is not imported where its session was opened`()
        async throws
    {
        try await Checkout.world { world, _ in
            let order = try await paid(world)
            _ = try await world.run("export", "-o", "public.ndjson")
            let longer = try await forge(
                world,
                "extend",
                world.folder + "/public.ndjson",
                order.session,
                "transactionRequested",
                Self.refund
            )
            _ = try world.write(longer, to: "forged.ndjson")
            let before = try await world.run("log", order.session).output
            let imported = try await world.run("import", "forged.ndjson")
            #expect(imported.status == 65, "\(imported.output)\(imported.diagnostics)")
            #expect(imported.diagnostics.contains("import.own-session"), "\(imported.diagnostics)")
            #expect(try await world.run("log", order.session).output == before)
            _ = try await world.merchant("resume")
            let ledger = try #require(await world.sandbox.orderLedger(order.id))
            #expect(ledger.reversedAmount == 0)
            // Elsewhere it can be read, but not driven either.
            let other = try await world.run("import", "forged.ndjson", store: "other.db")
            #expect(other.status == 0, "\(other.diagnostics)")
            let commands = [
                ["resume", order.session], ["abort", order.session],
                ["close", order.session, "--reason", "looked into"],
            ]
            for command in commands {
                let driven = try await world.tool.run(
                    ["--allow-insecure-loopback", "--store", "sqlite:other.db"] + command
                )
                #expect(driven.status == 1, "\(command): \(driven.diagnostics)")
                #expect(driven.diagnostics.contains("session.imported"), "\(driven.diagnostics)")
            }
            let listed = try await world.run("list", "--json", store: "other.db")
            #expect(try listed.json.list.isEmpty)
            let all = try await world.run("list", "--imported", "--json", store: "other.db")
            #expect(try all.json.list.map { $0["imported"].flag } == [true])
            try await SchemaCheck.expect(all.output, fits: "cli/list", in: world)
            for totals in ["at-risk", "stats"] {
                let own = try await world.run(totals, "--json", store: "other.db")
                #expect(!own.output.contains(order.session), "\(totals)")
            }
        }
    }

    @Test(.threat("T-20"))
    func `a copy is read but never driven, and a store that was moved is driven only elsewhere`()
        async throws
    {
        try await World.with { given in
            var world = given
            world.tool.environment["WORKFLOWCTL_KEY_FILE"] = world.storePath + ".key"
            let (session, order) = try await world.open()
            #expect(try await world.run("store", "copy", "sqlite:copy.db").status == 0)
            let copied = try await world.run("attempt", session, "swish", store: "copy.db")
            #expect(copied.status == 1 && copied.diagnostics.contains("session.imported"))
            let moved = try await world.run("store", "copy", "sqlite:moved.db", "--move")
            #expect(moved.status == 0, "\(moved.diagnostics)")
            let old = try await world.run("attempt", session, "swish")
            #expect(old.status == 1, "\(old.diagnostics)")
            #expect(old.diagnostics.contains("store.moved"), "\(old.diagnostics)")
            #expect(try await world.run("show", session).status == 0)
            #expect(await world.sandbox.orderLedger(order.id)?.attempts.isEmpty == true)
            let driven = try await world.tool.run([
                "--allow-insecure-loopback", "--store", "sqlite:moved.db", "attempt", session,
                "swish", "--msisdn", "+46739000001", "--until", "ended",
            ])
            #expect(driven.status == 0, "\(driven.diagnostics)")
            #expect(await world.sandbox.orderLedger(order.id)?.attempts.count == 1)
            #expect(try await world.run("verify", store: "moved.db").status == 0)
            // Moving it a second time would result in two stores that drive it.
            let again = try await world.run("store", "copy", "sqlite:second.db", "--move")
            #expect(again.status != 0, "\(again.output)")
        }
    }
}
