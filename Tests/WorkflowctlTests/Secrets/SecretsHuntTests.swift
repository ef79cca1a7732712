import Foundation
import TestSupport
import Testing

@testable import Sandbox

/// Payments of every kind, with many failures; then everything that was written is searched for
/// secrets.
@Suite(.guarantee(.noSecretOutside)) struct SecretsHuntTests {
    @Test(.threat("T-01"), .duty("C-22"), .tags(.repeatedThoroughly))
    func `no secret of a payment, paid or failed, is found in anything that was written`()
        async throws
    {
        try await World.with { world in
            try await Hunt.through(world) { hunt in
                try await hunt.swish()
                try await hunt.cards()
                guard Tier.isThorough else { return try await hunt.expectNothing(atLeast: 20) }
                try await hunt.wallets()
                try await hunt.pages()
                try await hunt.badAnswers()
                try await hunt.badArguments()
                try await hunt.read(resumingEndsWith: 69)
                try await hunt.expectNothing()
            }
        }
    }

    @Test(.duty("C-26"), .tags(.thorough))
    func `no secret of an order or its payer is found in anything that was written`() async throws {
        try await Checkout.world { world, mailbox in
            try await Hunt.through(world) { hunt in
                try await hunt.checkout(mailbox)
                try await hunt.orders()
                try await hunt.read(resumingEndsWith: 0)
                try await hunt.expectNothing(atLeast: 20)
            }
        }
    }

    @Test(.tags(.thorough))
    func `no secret of a merchant backend order is found in anything that was written`()
        async throws
    {
        try await Checkout.backend { world, backend, psp in
            try await Hunt.through(world) { hunt in
                try await hunt.backend(backend, psp)
                try await hunt.read(resumingEndsWith: 69)
                try await hunt.expectNothing(atLeast: 10)
            }
        }
    }

    @Test(.tags(.thorough))
    func
        `erased, kept for a period, redacted, under other keys: no secret is found in anything that was written`()
        async throws
    {
        try await World.with { world in
            try await Hunt.through(world) { hunt in
                try await hunt.protect()
                try await hunt.expectNothing(atLeast: 20)
            }
        }
    }

    @Test(
        .threat("T-29"),
        .duty("C-28"),
        .tags(.repeatedThoroughly),
        arguments: Tier.isThorough ? [SIGSEGV, SIGILL, SIGTRAP] : [SIGSEGV]
    )
    func `a crash while a session is driven leaves no core file and shows no secret`(
        signal: Int32
    ) async throws {
        try await World.with { world in
            try await Hunt.through(world) { hunt in
                var order = SandboxOrder(payerReference: "payer-1")
                order.scenario.swishApproval = .byPayer
                let (session, _) = try await hunt.open(order)
                let running = try hunt.world.tool.start(
                    Tool.path,
                    [
                        "--allow-insecure-loopback", "-v", "attempt", session, "card", "--prefill",
                        "1",
                        "--until", "ended", "--json",
                    ],
                    input: nil
                )
                for _ in 1...400 {
                    let seen = try await hunt.world.tool.run(["show", session, "--json"])
                    if try !seen.json["actions"].list.isEmpty { break }
                }
                let limits = try String(
                    contentsOfFile: "/proc/\(running.id)/limits",
                    encoding: .utf8
                )
                let cores = limits.split(separator: "\n").first {
                    $0.hasPrefix("Max core file size")
                }
                #expect(cores?.split(whereSeparator: { $0 == " " }).dropFirst(4).first == "0")
                // Only the superuser may inspect it: its files in /proc belong to root then,
                // whoever started it.
                let maps = try FileManager.default.attributesOfItem(
                    atPath: "/proc/\(running.id)/maps"
                )
                #expect((maps[.ownerAccountID] as? Int) == 0)
                kill(running.id, signal)
                let crashed = try await hunt.world.tool.finish(running)
                #expect(crashed.status == 128 + signal)
                #expect(!crashed.diagnostics.contains("rax"), "\(crashed.diagnostics)")
                try hunt.keep(crashed, of: ["attempt", "--json"])
                let left = try FileManager.default.contentsOfDirectory(atPath: world.folder)
                #expect(!left.contains { $0.hasPrefix("core") }, "\(left)")
                try await hunt.expectNothing(atLeast: 10)
            }
        }
    }
}
