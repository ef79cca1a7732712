import Foundation
import TestSupport
import Testing

@testable import Sandbox

/// `settle`, with reports that the sandbox writes of its own ledger.
@Suite(.feature("M-10")) struct SettleCommandTests {
    /// Creates an order, pays it with a card and captures it.
    private func captured(
        _ world: World,
        reference: String? = nil,
        amounts: [Int] = [10_000]
    ) async throws -> Order {
        var text = Checkout.order()
        if let reference {
            text = text.replacing(
                "\"payeeReference\"",
                with: "\"orderReference\":\"\(reference)\",\"payeeReference\""
            )
        }
        let order = try await world.create(text)
        try await world.elsewhere(order)
        _ = try await world.merchant("order", "show", order.session)
        for amount in amounts {
            let result = try await world.merchant(
                "order",
                "capture",
                order.session,
                "--amount",
                "\(amount)",
                "--vat",
                "\(amount / 5)"
            )
            try #require(result.status == 0, "\(result.diagnostics)")
        }
        return order
    }

    /// The numbers of the captures of an order at the sandbox.
    private func numbers(_ world: World, _ order: Order) async throws -> [Int] {
        let ledger = try #require(await world.sandbox.orderLedger(order.id))
        return ledger.movements.filter { $0.kind == "Capture" }.map(\.transaction)
    }

    private static func day(after days: Int) -> String {
        String(
            Date(timeIntervalSinceNow: Double(days) * 86_400).ISO8601Format().prefix(10)
        )
    }

    private func write(_ report: SandboxSettlement, in world: World) throws -> [String] {
        [
            try world.write(report.list, to: "\(report.number).xml"),
            try world.write(report.balance, to: "\(report.number).txt"),
        ]
    }

    private func settle(_ world: World, _ arguments: [String]) async throws -> Tool.Result {
        try await world.tool.run(["--json", "settle"] + arguments)
    }

    @Test func `a report of the sandbox's ledger agrees with the logs, to the payout`()
        async throws
    {
        try await Checkout.world { world, _ in
            let order = try await captured(world, amounts: [2_500, 7_500])
            let refund = try await world.merchant(
                "order",
                "reverse",
                order.session,
                "--amount",
                "500"
            )
            #expect(refund.status == 0, "\(refund.diagnostics)")
            let report = await world.sandbox.settlement(
                number: "R9001-0001",
                date: Self.day(after: 0)
            )
            let files = try write(report, in: world)
            let result = try await settle(world, files)
            #expect(result.status == 0, "\(result.output)\(result.diagnostics)")
            try await SchemaCheck.expect(result.output, fits: "cli/settle", in: world)
            let json = try result.json
            #expect(json["agrees"].flag == true)
            #expect(json["lines"].list.map { $0["amount"].number } == [2_500, 7_500, -500])
            #expect(json["lines"].list.allSatisfy { $0["key"].text == "number" })
            let totals = json["reports"][0]["totals"][0]
            #expect(totals["paidOut"].number == report.paidOut)
            #expect(totals["amount"].number == 9_500)
            // The same files twice, and in another order, change nothing.
            let again = try await settle(world, (files + files).reversed())
            #expect(try again.json["lines"] == json["lines"] && again.status == 0)
            try await expectExports(of: report, files, in: world)
        }
    }

    private func expectExports(
        of report: SandboxSettlement,
        _ files: [String],
        in world: World
    ) async throws {
        let csv = try await world.tool.run(["settle", "--format", "csv"] + files)
        #expect(csv.status == 0, "\(csv.diagnostics)")
        let amounts = csv.output.split(separator: "\r\n").dropFirst().map { line in
            line.split(separator: ",", omittingEmptySubsequences: false)[8]
        }
        let sum = amounts.reduce(Decimal(0)) { $0 + (Decimal(string: String($1)) ?? 0) }
        #expect(sum * 100 == Decimal(report.paidOut))
        let path = world.folder + "/ledger.si"
        let sie = try await world.tool.run(
            ["settle", "--format", "sie", "-o", path, "--account", "bank=1940"] + files
        )
        #expect(sie.status == 0, "\(sie.diagnostics)")
        let text = try String(contentsOfFile: path, encoding: .isoLatin1)
        #expect(text.contains("#TRANS 1940 {} \(SandboxSettlement.decimal(report.paidOut))\r\n"))
        #expect(text.contains("#TRANS 1580 {} -\(SandboxSettlement.decimal(report.sales))\r\n"))
        let table = try await world.tool.run(["settle"] + files)
        #expect(table.status == 0)
        #expect(
            table.output.contains("paidOut\t\t\(SandboxSettlement.decimal(report.paidOut))\tSEK")
        )
    }

    @Test(.tags(.thorough))
    func `of a month with every kind of difference planted, each is found and nothing else`()
        async throws
    {
        try await Checkout.world { world, _ in
            var orders: [String: Order] = [:]
            for name in ["good", "amount", "vat", "currency", "absent", "twice", "late", "keys"] {
                orders[name] = try await captured(world)
            }
            for name in ["double 1", "double 2"] {
                orders[name] = try await captured(world, reference: "A-17")
            }
            orders["portal"] = try await captured(world, amounts: [])
            var numbers: [String: Int] = [:]
            for (name, order) in orders {
                numbers[name] = try await self.numbers(world, order).first
            }
            // Nobody has read this order since.
            let portal = try #require(orders["portal"])
            try await world.sandbox.carryOut(.portalCaptures(amount: 100), order: portal.id)
            numbers["portal"] = try await self.numbers(world, portal).first
            var report = await world.sandbox.settlement(
                number: "R9001-0001",
                date: Self.day(after: 20)
            )
            #expect(report.rows.count == 11)
            let later = try plant(into: &report, numbers)
            let files = try write(report, in: world) + write(later, in: world)
            let result = try await settle(world, files)
            #expect(result.status == 1, "\(result.diagnostics)")
            try await SchemaCheck.expect(result.output, fits: "cli/settle", in: world)
            try expect(try result.json, numbers, orders)
            // What differs is still paid out to the last öre.
            let totals = try result.json["reports"][0]["totals"].list
            let kronor = try #require(totals.first { $0["currency"].text == "SEK" })
            #expect(kronor["paidOut"].number == report.paidOut)
            let sums = kronor["results"].list.reduce(0) { $0 + ($1["amount"].number ?? 0) }
            #expect(sums == report.sales)
        }
    }

    /// Plants one difference of each kind, and returns the report after the next one.
    private func plant(
        into report: inout SandboxSettlement,
        _ numbers: [String: Int]
    ) throws -> SandboxSettlement {
        func index(_ name: String) throws -> Int {
            try #require(report.rows.firstIndex { $0.number == numbers[name] }, "\(name)")
        }
        report.rows[try index("amount")].amount += 1
        report.rows[try index("vat")].vatAmount = 1
        report.rows[try index("currency")].currency = "NOK"
        report.rows[try index("late")].time = Self.day(after: 18) + " 23:59:59"
        report.rows[try index("keys")].payeeReference =
            report.rows[try index("good")].payeeReference
        report.rows.remove(at: try index("absent"))
        report.rows.append(report.rows[try index("twice")])
        var unknown = report.rows[try index("good")]
        (unknown.number, unknown.payeeReference, unknown.referenced) = (990_001, "nobody", nil)
        report.rows.append(unknown)
        (unknown.number, unknown.amount, unknown.vatAmount) = (990_002, -700, nil)
        (unknown.payeeReference, unknown.referenced) = ("nobody2", 990_000)
        report.rows.append(unknown)
        var later = SandboxSettlement(number: "R9001-0003", date: report.date, rows: [])
        later.rows = [report.rows[try index("double 1")]]
        return later
    }

    private func expect(
        _ json: JSON,
        _ numbers: [String: Int],
        _ orders: [String: Order]
    ) throws {
        let found = json["lines"].list.filter { $0["result"].text != "matched" }
            .map { "\($0["number"].number ?? 0) \($0["result"].text ?? "")" }
        let planted =
            [
                ("amount", "amountDiffers"), ("vat", "vatDiffers"), ("currency", "wrongCurrency"),
                ("keys", "keysDisagree"), ("twice", "twice"), ("portal", "unknown"),
                ("double 1", "twice"),
            ].map { "\(numbers[$0] ?? 0) \($1)" } + ["990001 unknown", "990002 creditWithoutDebit"]
        #expect(found.sorted() == planted.sorted())
        #expect(json["missing"].list.map { $0["session"].text } == [orders["absent"]?.session])
        #expect(json["waiting"].list.isEmpty)
        let double = json["doublePayments"].list
        #expect(double.map { $0["orderReference"].text } == ["A-17"])
        #expect(double.first?["lines"].list.count == 2)
        let late = json["lines"].list.filter { $0["lateDays"].number != nil }
        #expect(late.map { $0["number"].number } == [numbers["late"] ?? 0])
        let faults = json["reports"].list.flatMap { $0["faults"].list }
        #expect(faults.map { $0["message"].text } == ["report R9001-0002 was not read"])
        // The story of an unknown capture is that of the payment whose authorization it names.
        let portal = json["lines"].list.first {
            $0["number"].number == numbers["portal"]
        }
        #expect(portal?["own"]["session"].text == orders["portal"]?.session)
    }

    @Test func `what cannot be read, or not be booked, says why`() async throws {
        try await World.with { world in
            _ = try await world.open()
            let report = SandboxSettlement(number: "R9001-0001", date: "2026-09-14", rows: [])
            let list = try world.write(report.list, to: "list.xml")
            let entity = "<!DOCTYPE a [<!ENTITY b SYSTEM \"/etc/passwd\">]><SALES/>"
            let hostile = try world.write(entity, to: "hostile.xml")
            let pdf = try world.write("%PDF-1.4 of nothing", to: "report.pdf")
            for (arguments, status, code) in [
                ([hostile], 65, "settlement.unsafe"),
                ([try world.write("a;b", to: "a.csv")], 65, "settlement.unknown-format"),
                ([try world.write("<SALES/>", to: "b.xml")], 65, "settlement.malformed"),
                ([pdf], 69, "settlement.no-text"),
                ([list, "--format", "sie"], 1, "settlement.not-bookable"),
                ([list, "--missing-after", "0"], 64, "usage.missing-after"),
                ([list, "--account", "bank=x"], 64, "usage.account"),
                ([list, "-o", "a"], 64, "usage.settlement-output"),
                ([world.folder + "/none.xml"], 66, "file.unreadable"),
            ] {
                let result = try await world.tool.run(["settle"] + arguments)
                #expect(result.status == Int32(status), "\(arguments) \(result.diagnostics)")
                #expect(result.diagnostics.contains("[\(code)]"), "\(result.diagnostics)")
                #expect(result.output.isEmpty)
            }
        }
    }
}
