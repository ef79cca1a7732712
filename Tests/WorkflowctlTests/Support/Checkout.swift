import Foundation
import Synchronization
import TestSupport
import Testing

@testable import Sandbox

/// Payment orders of merchants, and worlds in which they are created.
enum Checkout {
    /// The access token that the PSP of these tests requires.
    static let accessToken = "merchant-access-0123456789"

    /// Returns an order as JSON.
    static func order(
        amount: Int = 10_000,
        instrument: String? = nil,
        productName: String? = "Checkout3",
        payer: String? = nil,
        more: String = "",
        sandbox: String = "{}"
    ) -> String {
        let locked = instrument.map { #""instrument":"\#($0)","# } ?? ""
        let known = payer.map { #""payer":{"payerReference":"\#($0)"},"# } ?? ""
        let product = productName.map { #""productName":"\#($0)","# } ?? ""
        let reference = UInt64.random(in: 1...UInt64.max)
        return """
            {"paymentorder":{"operation":"Purchase",\(locked)\(known)\(more)"currency":"SEK",
             "amount":\(amount),"vatAmount":\(amount / 5),"description":"Lamp","language":"sv-SE",
             \(product)"urls":{"hostUrls":["https://shop.example/"],
             "completeUrl":"https://shop.example/complete","cancelUrl":"https://shop.example/cancel",
             "paymentUrl":"https://shop.example/pay?id=1","callbackUrl":"https://shop.example/call"},
             "payeeInfo":{"payeeId":"shop","payeeReference":"r\(reference)"},
             "sandbox":\(sandbox)}}
            """
    }

    /// Runs a test in a world whose PSP requires a token; it is given the bodies of the PSP's
    /// callbacks.
    static func world(
        _ body: (World, Mailbox) async throws -> Void
    ) async throws {
        let mailbox = Mailbox()
        var configuration = SandboxConfiguration()
        configuration.accessToken = accessToken
        configuration.bankReversalDelay = .zero
        configuration.callbackSender = { _, body in
            mailbox.add(body)
            return 200
        }
        try await World.with(configuration) { world in
            _ = try world.write(accessToken + "\n", to: "token")
            try await body(world, mailbox)
        }
    }

    /// Runs a test in a world with a merchant backend, which the program runs in front of a
    /// sandbox.
    static func backend(
        _ body: (World, _ backend: String, _ psp: String) async throws -> Void
    ) async throws {
        try await World.with { world in
            let running = try world.tool.start(
                Tool.path,
                ["sandbox", "--merchant-backend", "0", "--json"],
                input: nil
            )
            defer { kill(running.id, SIGKILL) }
            for _ in 1...800 where !running.outputSoFar.contains("\n") {
                try await Task.sleep(for: .milliseconds(25))
            }
            try await SchemaCheck.expect(running.outputSoFar, fits: "cli/sandbox", in: world)
            let told = try JSON(parsing: running.outputSoFar)
            _ = try world.write(
                "Authorization: Bearer sandbox\nX-Shop: hidden-header\n",
                to: "headers"
            )
            try await body(
                world,
                try #require(told["backendURL"].text),
                try #require(told["baseURL"].text)
            )
            kill(running.id, SIGINT)
            #expect(try await world.tool.finish(running).status == 130)
        }
    }

    /// The callbacks of the PSP.
    final class Mailbox: Sendable {
        private let bodies = Mutex<[String]>([])

        func add(_ body: String) { bodies.withLock { $0.append(body) } }

        /// Waits for the first callback.
        func first() async throws -> String {
            for _ in 1...400 {
                if let body = bodies.withLock({ $0.first }) { return body }
                try await Task.sleep(for: .milliseconds(25))
            }
            throw CancellationError()
        }
    }
}

extension World {
    /// Runs the program as the merchant of the PSP.
    func merchant(_ arguments: String..., input: String? = nil) async throws -> Tool.Result {
        try await tool.run(
            ["--allow-insecure-loopback", "--json", "--token-file", "token"] + arguments,
            input: input
        )
    }

    /// Runs the program as a client of the merchant backend.
    func shopper(_ arguments: String..., input: String? = nil) async throws -> Tool.Result {
        try await tool.run(
            ["--allow-insecure-loopback", "--json", "--headers-file", "headers"] + arguments,
            input: input
        )
    }

    /// Creates an order at the PSP and expects success.
    func create(_ order: String = Checkout.order()) async throws -> Order {
        let path = try write(order, to: "order.json")
        let created = try await merchant("order", "create", path, "--psp", sandbox.baseURL)
        try #require(created.status == 0, "\(created.output)\(created.diagnostics)")
        return try Order(created.json, at: sandbox.baseURL)
    }

    /// Starts a checkout at the PSP and expects its page to be the next client action.
    func checkout(
        _ order: String = Checkout.order(),
        _ options: String...
    ) async throws -> Order {
        let path = try write(order, to: "order.json")
        let started = try await tool.run(
            [
                "--allow-insecure-loopback", "--json", "--token-file", "token", "checkout",
                "start", path, "--psp", sandbox.baseURL,
            ] + options
        )
        try #require(started.status == 0, "\(started.output)\(started.diagnostics)")
        try await SchemaCheck.expect(started.output, fits: "session-view", in: self)
        return try Order(started.json, at: sandbox.baseURL)
    }

    /// Pays or ends the order without the program.
    func elsewhere(_ order: Order, _ query: String = "as=paid&method=CreditCard") async throws {
        let done = try await tool.shell(
            "curl -sS --fail -X POST '\(order.psp)/sandbox/orders/\(order.id)/outcome?\(query)'"
        )
        #expect(done.status == 0, "\(done.diagnostics)")
    }

    /// Expects that the logs of all sessions are valid and replay with the same decisions.
    func expectSoundLogs(
        _ sessions: String...,
        sourceLocation: SourceLocation = #_sourceLocation
    ) async throws {
        let verified = try await run("verify")
        #expect(verified.status == 0, "\(verified.output)", sourceLocation: sourceLocation)
        for session in sessions {
            let checked = try await run("replay", session, "--check")
            #expect(checked.status == 0, "\(checked.output)", sourceLocation: sourceLocation)
        }
    }
}

/// An order that exists.
struct Order {
    /// The program's identifier.
    var session: String
    /// The PSP's identifier.
    var id: String
    /// The PSP's base URL.
    var psp: String
    /// The view in which the order appeared.
    var view: JSON

    init(_ view: JSON, at psp: String) throws {
        session = try #require(view["session"].text)
        id = String(
            try #require(view["checkout"]["order"]["id"].text).split(separator: "/").last ?? ""
        )
        self.psp = psp
        self.view = view
    }

    /// Returns the client action.
    var action: JSON { view["actions"][0] }
}
