import EventLog
import Foundation
import MerchantBackend
import SwedbankPay
import Testing

@Suite struct OrderRegisterTests {
    /// The kinds of registers, which must behave alike.
    enum Kind: CaseIterable {
        case memory
        case sqlite
    }

    private static func order(
        _ number: Int,
        owner: String = "alice",
        links: [String] = ["https://api.payex.com/a"]
    ) -> RegisteredOrder {
        RegisteredOrder(
            id: "/psp/paymentorders/\(number)",
            name: "name-\(number)",
            owner: owner,
            payeeReference: "reference-\(number)",
            links: links.map { RegisteredOrder.Link(rel: "abort", method: "PATCH", href: $0) },
            isInstrumentMode: number.isMultiple(of: 2)
        )
    }

    private func withRegister(
        _ kind: Kind,
        _ body: (any OrderRegister) async throws -> Void
    ) async throws {
        switch kind {
        case .memory: try await body(InMemoryOrderRegister())
        case .sqlite:
            try await withFile { path in
                let register = try await SQLiteOrderRegister(path: path)
                try await body(register)
                await register.close()
            }
        }
    }

    private func withFile(_ body: (String) async throws -> Void) async throws {
        let directory = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
        try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: directory) }
        try await body(directory.appending(path: "orders.db").path)
    }

    @Test(arguments: Kind.allCases)
    func `an order is found by its id, its name and each of its links`(
        kind: Kind
    ) async throws {
        try await withRegister(kind) { register in
            let first = Self.order(1, links: ["https://a.example/1", "https://a.example/2"])
            let second = Self.order(2, owner: "bob", links: [])
            try await register.keep(first)
            try await register.keep(second)
            #expect(try await register.order(.id(first.id)) == first)
            #expect(try await register.order(.name("name-2")) == second)
            #expect(try await register.order(.href("https://a.example/2")) == first)
            for key in [
                OrderKey.id("name-1"), .name(first.id), .href("https://a.example"), .id(""),
            ] {
                #expect(try await register.order(key) == nil)
            }
        }
    }

    @Test(arguments: Kind.allCases)
    func `an order is not found by links that it no longer has`(kind: Kind) async throws {
        try await withRegister(kind) { register in
            try await register.keep(Self.order(1, links: ["https://a.example/old"]))
            let changed = Self.order(1, links: ["https://a.example/new"])
            try await register.keep(changed)
            #expect(try await register.order(.href("https://a.example/old")) == nil)
            #expect(try await register.order(.href("https://a.example/new")) == changed)
            #expect(try await register.order(.id(changed.id)) == changed)
        }
    }

    @Test(arguments: Kind.allCases)
    func `a callback is recorded once, by order and number`(kind: Kind) async throws {
        try await withRegister(kind) { register in
            for number in [1, 2] { try await register.keep(Self.order(number)) }
            let one = CallbackReceipt(orderID: "/psp/paymentorders/1", number: 7, source: "::1")
            let none = CallbackReceipt(orderID: "/psp/paymentorders/1", number: nil)
            let other = CallbackReceipt(orderID: "/psp/paymentorders/2", number: 7)
            #expect(try await !register.hasReceived(one))
            try await register.record(one)
            try await register.record(one)
            #expect(try await register.hasReceived(one))
            #expect(try await !register.hasReceived(none))
            #expect(try await !register.hasReceived(other))
            try await register.record(none)
            try await register.record(none)
            #expect(try await register.hasReceived(none))
        }
    }

    @Test func `orders and callbacks are still there after the register is closed and reopened`()
        async throws
    {
        try await withFile { path in
            let first = try await SQLiteOrderRegister(path: path)
            try await first.keep(Self.order(1))
            let receipt = CallbackReceipt(orderID: "/psp/paymentorders/1", number: 7)
            try await first.record(receipt)
            let beside = try await SQLiteOrderRegister(path: path)
            #expect(try await beside.order(.name("name-1")) == Self.order(1))
            await first.close()
            await beside.close()
            let second = try await SQLiteOrderRegister(path: path)
            #expect(try await second.order(.name("name-1")) == Self.order(1))
            #expect(try await second.hasReceived(receipt))
            await second.close()
            let mode = try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions]
            #expect(mode as? Int == 0o600)
            await #expect(throws: EventStoreError.closed) {
                try await second.order(.id("/psp/paymentorders/1"))
            }
        }
    }

    @Test func `a second order with the same payee reference is refused`() async throws {
        try await withFile { path in
            let register = try await SQLiteOrderRegister(path: path)
            try await register.keep(Self.order(1))
            let twin = RegisteredOrder(
                id: "/psp/paymentorders/9",
                name: "name-9",
                owner: "bob",
                payeeReference: "reference-1",
                links: [],
                isInstrumentMode: false
            )
            await #expect(throws: EventStoreError.self) { try await register.keep(twin) }
            #expect(try await register.order(.id(twin.id)) == nil)
            await register.close()
        }
    }

    @Test func `a file that is not a database is refused and left unchanged`() async throws {
        try await withFile { path in
            try Data("this is no database, but long enough to be taken for one".utf8)
                .write(to: URL(filePath: path))
            await #expect(throws: EventStoreError.self) {
                try await SQLiteOrderRegister(path: path)
            }
            let left = try Data(contentsOf: URL(filePath: path))
            #expect(left.starts(with: Data("this is no database".utf8)))
            await #expect(throws: EventStoreError.self) {
                try await SQLiteOrderRegister(path: path + "/nowhere/orders.db")
            }
        }
    }
}
