import Foundation
import Testing

@testable import Sandbox

/// A payer's stored cards, listed and deleted through the program.
@Suite struct TokensTests {
    /// An order whose card is stored when it is paid.
    private static let storing = Checkout.order(
        payer: "payer-42",
        more: #""generatePaymentToken":true,"#
    )

    @Test func `a stored card is listed masked, and is gone once it is deleted`() async throws {
        try await Checkout.world { world, _ in
            let order = try await world.create(Self.storing)
            try await world.elsewhere(order)
            let psp = world.sandbox.baseURL
            let list = try await world.merchant("tokens", "list", "payer-42", "--psp", psp)
            #expect(list.status == 0, "\(list.diagnostics)")
            try await SchemaCheck.expect(list.output, fits: "cli/tokens-list", in: world)
            let count = try list.json.list.count
            #expect(count > 0, "\(list.output)")
            #expect(try list.json[0]["number"].number == 1)
            #expect(try list.json[0]["instrument"].text == "CreditCard")
            #expect(try list.json[0]["token"].text == "•••")
            let clear = try await world.merchant(
                "--reveal",
                "tokens",
                "list",
                "payer-42",
                "--psp",
                psp
            )
            let token = try #require(try clear.json[0]["token"].text)
            #expect(token.count > 10 && !list.output.contains(token))
            let table = try await world.tool.run([
                "--allow-insecure-loopback", "--token-file", "token", "tokens", "list",
                "payer-42", "--psp", psp,
            ])
            #expect(table.status == 0 && table.output.contains("CreditCard"))
            #expect(!(table.output + table.diagnostics).contains(token))

            let name = try #require(try list.json[0]["name"].text)
            let other = try await world.merchant(
                "tokens",
                "delete",
                "payer-42",
                "1",
                "--name",
                "another",
                "--psp",
                psp
            )
            #expect(other.status == 66 && other.diagnostics.contains("[tokens.unknown]"))
            let deleted = try await world.merchant(
                "tokens",
                "delete",
                "payer-42",
                "1",
                "--name",
                name,
                "--psp",
                psp
            )
            #expect(deleted.status == 0, "\(deleted.diagnostics)")
            try await SchemaCheck.expect(deleted.output, fits: "cli/tokens-delete", in: world)
            #expect(try deleted.json["deleted"].text == name)
            let rest = try await world.merchant("tokens", "list", "payer-42", "--psp", psp)
            #expect(rest.status == 0)
            #expect(try rest.json.list.count == count - 1)
            #expect(try rest.json[0]["name"].text != name)
            let gone = try await world.merchant(
                "tokens",
                "delete",
                "payer-42",
                "1",
                "--name",
                name,
                "--psp",
                psp
            )
            #expect(gone.status == 66)
        }
    }

    @Test func `tokens list shows only the tokens of the payer that is named`() async throws {
        try await Checkout.world { world, _ in
            var tokens: [String: [String]] = [:]
            let payers = ["payer-42", "payer-43"]
            for payer in payers {
                let storing = Checkout.order(payer: payer, more: #""generatePaymentToken":true,"#)
                try await world.elsewhere(try await world.create(storing))
            }
            for payer in payers + ["payer-99"] {
                let psp = world.sandbox.baseURL
                let list = try await world.merchant(
                    "--reveal",
                    "tokens",
                    "list",
                    payer,
                    "--psp",
                    psp
                )
                #expect(list.status == 0, "\(list.diagnostics)")
                tokens[payer] = try list.json.list.compactMap { $0["token"].text }
            }
            let (first, second) = (tokens["payer-42"] ?? [], tokens["payer-43"] ?? [])
            #expect(!first.isEmpty && !second.isEmpty)
            #expect(Set(first).isDisjoint(with: second))
            #expect(tokens["payer-99"]?.isEmpty == true)
        }
    }

    @Test func `tokens list refuses bad arguments and a wrong access token`() async throws {
        try await Checkout.world { world, _ in
            let psp = world.sandbox.baseURL
            for arguments in [
                ["list", "payer-42"], ["list", "payer-42", "--psp", "nonsense"],
                ["delete", "payer-42", "0", "--psp", psp],
                ["delete", "payer-42", "x", "--psp", psp],
            ] {
                let usage = try await world.tool.run(
                    ["--allow-insecure-loopback", "--token-file", "token", "tokens"] + arguments
                )
                #expect(usage.status == 64, "\(arguments): \(usage.diagnostics)")
            }
            let missing = try await world.tool.run([
                "--allow-insecure-loopback", "--token-file", "no-such-file", "tokens", "list",
                "payer-42", "--psp", psp,
            ])
            #expect(missing.status == 66, "\(missing.diagnostics)")
            _ = try world.write("another-secret-token", to: "token")
            let refused = try await world.merchant("tokens", "list", "payer-42", "--psp", psp)
            #expect(refused.status == 1, "\(refused.diagnostics)")
            #expect(!refused.diagnostics.contains("another-secret-token"))
            let away = try await world.merchant(
                "tokens",
                "list",
                "payer-42",
                "--psp",
                "http://127.0.0.1:1"
            )
            #expect(away.status == 69, "\(away.diagnostics)")
        }
    }

    @Test func `a backend lists and deletes cards only for payers of the caller`() async throws {
        try await Checkout.backend { world, backend, psp in
            let path = try world.write(Self.storing, to: "order.json")
            let created = try await world.shopper("order", "create", path, "--backend", backend)
            #expect(created.status == 0, "\(created.diagnostics)")
            try await world.elsewhere(try Order(created.json, at: psp))
            let list = try await world.shopper("tokens", "list", "payer-42", "--backend", backend)
            #expect(list.status == 0, "\(list.diagnostics)")
            try await SchemaCheck.expect(list.output, fits: "cli/tokens-list", in: world)
            let count = try list.json.list.count
            #expect(count > 0, "\(list.output)")
            let other = try await world.shopper("tokens", "list", "payer-99", "--backend", backend)
            #expect(other.status == 1, "\(other.output)\(other.diagnostics)")
            let deleted = try await world.shopper(
                "tokens",
                "delete",
                "payer-42",
                "1",
                "--backend",
                backend,
                "--comment",
                "asked by the payer"
            )
            #expect(deleted.status == 0, "\(deleted.diagnostics)")
            let rest = try await world.shopper("tokens", "list", "payer-42", "--backend", backend)
            #expect(try rest.json.list.count == count - 1)
        }
    }
}
