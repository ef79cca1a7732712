import Foundation
import Testing

@testable import Sandbox

/// A rank refers to the card that was shown last; the PSP's ledger has the card that was charged.
@Suite struct ShownCardsTests {
    private static let first = "476173******0416"
    private static let third = "492500******0004"
    private static let thirdNumber = "4925000000000004"

    /// Returns the saved cards as `show` lists them.
    private func shown(_ world: World, _ session: String) async throws -> [String] {
        let view = try await world.run("show", session, "--json").json
        for index in 0..<6 where view["methods"][index]["instrument"].text == "card" {
            return (0..<8).compactMap {
                view["methods"][index]["prefills"][$0]["maskedPan"].text
            }
        }
        return []
    }

    /// Changes the list at the PSP, as another device would.
    private func prefer(
        _ number: String,
        _ order: CreatedOrder,
        _ world: World
    ) async throws {
        let done = try await world.run(
            "sandbox",
            "act",
            "payerPrefersCard",
            "--card",
            number,
            "--at",
            world.sandbox.baseURL,
            "--order",
            order.id
        )
        #expect(done.status == 0, "\(done.diagnostics)")
    }

    private func charged(_ order: CreatedOrder, _ world: World) async throws -> [String?] {
        try #require(await world.sandbox.orderLedger(order.id)).attempts.map(\.card)
    }

    @Test
    func `after the list changed and was shown again, a rank selects the card of the new list`()
        async throws
    {
        try await World.with { world in
            let (session, order) = try await world.open()
            #expect(try await shown(world, session).first == Self.first)
            try await prefer(Self.thirdNumber, order, world)
            #expect(try await world.run("resume", session).status == 0)
            _ = try await world.run("return", session, "https://shop.example/pay")
            #expect(try await shown(world, session).first == Self.third)
            let paid = try await world.run(
                "attempt",
                session,
                "card",
                "--prefill",
                "1",
                "--until",
                "ended"
            )
            #expect(paid.status == 0, "\(paid.output)\(paid.diagnostics)")
            #expect(try await charged(order, world) == [Self.third])
            #expect(try await world.run("replay", session, "--check").status == 0)
        }
    }

    @Test func `a rank is refused until the changed list has been shown, and no card is charged`()
        async throws
    {
        try await World.with { world in
            let (session, order) = try await world.open()
            let memory = world.storePath + ".shown"
            #expect(try await shown(world, session).first == Self.first)
            let before = try Data(contentsOf: URL(fileURLWithPath: memory))
            #expect(try world.mode(of: memory) == 0o600)
            try await prefer(Self.thirdNumber, order, world)
            // Another program reads the new list; this one showed the previous one.
            _ = try await world.run("return", session, "https://shop.example/pay")
            try before.write(to: URL(fileURLWithPath: memory))
            let attempt = [
                "--allow-insecure-loopback", "attempt", session, "card", "--prefill", "1",
            ]
            // The list that comes with the refusal changes nothing: the same request is refused
            // again.
            for arguments in [attempt, attempt + ["--json"], attempt] {
                let refused = try await world.tool.run(arguments)
                #expect(refused.status == 1, "\(refused.output)")
                #expect(refused.diagnostics.contains("[session.prefill-changed]"))
            }
            #expect(try await charged(order, world).isEmpty)
            // Without the file, a rank is refused if its card ever changed.
            try FileManager.default.removeItem(atPath: memory)
            #expect(try await world.tool.run(attempt).status == 1)
            #expect(try await charged(order, world).isEmpty)
        }
    }

    @Test func `the card that was shown is charged when the PSP's list changes before the attempt`()
        async throws
    {
        try await World.with { world in
            let (session, order) = try await world.open()
            let list = try await shown(world, session)
            let rank = try #require(list.firstIndex(of: Self.third)) + 1
            // The engine has not read the new list, and still the card that was seen is meant.
            try await prefer(Self.thirdNumber, order, world)
            let paid = try await world.run(
                "attempt",
                session,
                "card",
                "--prefill",
                "\(rank)",
                "--until",
                "ended"
            )
            #expect(paid.status == 0, "\(paid.output)\(paid.diagnostics)")
            #expect(try await charged(order, world) == [Self.third])
        }
    }
}
