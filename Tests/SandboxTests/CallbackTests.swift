import Synchronization
import TestSupport
import Testing

@testable import Sandbox

@Suite struct CallbackTests {
    /// Runs a test with a sandbox whose clock it moves, and a merchant's endpoint.
    private func withMerchant(
        _ statuses: [Int] = [],
        scale: Double = 1,
        _ body: (SandboxServer, CallbackReceiver, ManualTime) async throws -> Void
    ) async throws {
        let time = ManualTime()
        var configuration = SandboxConfiguration()
        configuration.now = { time.now }
        configuration.callbackTimeScale = scale
        let receiver = try CallbackReceiver(statuses)
        defer { receiver.stop() }
        try await withSandbox(configuration) { try await body($0, receiver, time) }
    }

    private func order(_ receiver: CallbackReceiver) -> JSON {
        Bodies.freshOrder().setting("urls.callbackUrl", to: .string(receiver.url))
            .setting("payeeInfo.orderReference", to: "1001")
    }

    /// Waits until the deliveries of an order satisfy a condition.
    private func deliveries(
        _ merchant: MerchantDriver,
        _ isReached: ([CallbackDelivery]) -> Bool
    ) async throws -> [CallbackDelivery] {
        for _ in 1...1000 {
            let deliveries = await merchant.sandbox.callbacks(of: merchant.id)
            if isReached(deliveries) { return deliveries }
            try await Task.sleep(for: .milliseconds(10))
        }
        return await merchant.sandbox.callbacks(of: merchant.id)
    }

    @Test(arguments: ["3.1", "3.0", "2.0"])
    func `the callback about a payment has the form of the order's API version`(
        version: String
    )
        async throws
    {
        try await withMerchant { sandbox, receiver, _ in
            let merchant = try await MerchantDriver(sandbox, version, order(receiver))
            try await merchant.pay("Swish")
            let callback = try #require(try await receiver.wait(for: 1).first)
            #expect(callback.head.hasPrefix("POST /callback/nonce-1?shop=1 HTTP/1.1\r\n"))
            #expect(callback.head.contains("Content-Type: application/json"))
            #expect(callback.body.value(at: "paymentOrder.id")?.text == merchant.path)
            #expect(callback.body.value(at: "paymentOrder.instrument") == "Swish")
            let number = try await merchant.read("paid").order("paid.number")
            if version == "3.1" {
                #expect(callback.body["orderReference"] == "1001")
                #expect(callback.body.value(at: "paymentOrder.number") == number)
                #expect(callback.body["transaction"] == nil)
            } else {
                #expect(callback.body["orderReference"] == nil)
                #expect(callback.body.value(at: "transaction.number") == number)
                #expect(callback.body.value(at: "payment.id") != nil)
            }
            let sent = try await deliveries(merchant) { $0.first?.state == .delivered }
            #expect(sent.map { $0.tries.map(\.status) } == [[200]])
            let listed = try await HTTPClient.send(
                "GET",
                sandbox.baseURL + "/sandbox/callbacks/\(merchant.id)"
            )
            #expect(listed.json?.value(at: "0.state") == "delivered")
            #expect(!listed.text.contains("nonce-1"))
        }
    }

    @Test func `a payment that no client polls sends its callback when it ends`() async throws {
        try await withMerchant { sandbox, receiver, time in
            let merchant = try await MerchantDriver(sandbox, "3.1", order(receiver))
            let driver = SessionDriver(
                sandbox: sandbox,
                id: merchant.id,
                sessionURL: try merchant.created.href("view-paymentsession")
            )
            _ = try await driver.start("Swish", Bodies.swish("+46739000001"))
            #expect(await sandbox.callbacks(of: merchant.id).isEmpty)
            time.advance(by: .seconds(2))
            #expect(try await receiver.wait(for: 1).count == 1)
            #expect(try await merchant.ledger.status == "Paid")
        }
    }

    @Test func `a failed attempt and the payment after it each send a callback`() async throws {
        try await withMerchant { sandbox, receiver, _ in
            let merchant = try await MerchantDriver(sandbox, "3.1", order(receiver))
            let menu = "\(sandbox.baseURL)/sandbox/menu/\(merchant.id)"
            _ = try await HTTPClient.send("POST", menu + "/decline?method=CreditCard")
            #expect(try await receiver.wait(for: 1).count == 1)
            _ = try await HTTPClient.send("POST", menu + "/pay?method=Swish")
            let numbers = try await receiver.wait(for: 2).map {
                $0.body.value(at: "paymentOrder.number")
            }
            let read = try await merchant.read("paid,failedAttempts")
            #expect(
                numbers == [
                    read.order("failedAttempts.failedAttemptList.0.number"),
                    read.order("paid.number"),
                ]
            )
        }
    }

    @Test(.feature("O-05"))
    func `a callback that fails is repeated at the documented times`() async throws {
        try await withMerchant([500, 404, 0, 301, 503, 500, 500]) { sandbox, receiver, time in
            let merchant = try await MerchantDriver(sandbox, "3.1", order(receiver))
            try await merchant.pay("Swish")
            var passed = 0
            for (place, second) in CallbackBook.repeatSeconds.enumerated() {
                _ = try await deliveries(merchant) { $0.first?.tries.count == place + 1 }
                time.advance(by: .seconds(second - passed - 1))
                try await Task.sleep(for: .milliseconds(120))
                #expect(receiver.received.count == place + 1, "too early before \(second) s")
                time.advance(by: .seconds(1))
                passed = second
            }
            let ended = try await deliveries(merchant) { $0.first?.state == .givenUp }
            #expect(ended.first?.state == .givenUp)
            #expect(ended.first?.tries.map(\.status) == [500, 404, 0, 301, 503, 500, 500])
            #expect(CallbackBook.repeatSeconds == [30, 60, 360, 432, 864, 1265])
        }
    }

    @Test func `callbackTimeScale shortens the waits between repeated callbacks`() async throws {
        try await withMerchant([500, 500], scale: 0.001) { sandbox, receiver, time in
            let merchant = try await MerchantDriver(sandbox, "3.1", order(receiver))
            try await merchant.pay("Swish")
            _ = try await deliveries(merchant) { $0.first?.tries.count == 1 }
            time.advance(by: .milliseconds(30))
            _ = try await deliveries(merchant) { $0.first?.tries.count == 2 }
            time.advance(by: .milliseconds(30))
            let done = try await deliveries(merchant) { $0.first?.state == .delivered }
            #expect(done.first?.tries.map(\.status) == [500, 500, 200])
        }
    }

    @Test func `a scenario can delay, duplicate, reorder or drop callbacks`()
        async throws
    {
        try await withMerchant { sandbox, receiver, time in
            func create(_ behaviour: String) async throws -> MerchantDriver {
                let scenario: JSON = [
                    "callbacks": .string(behaviour), "callbackDelayMilliseconds": 9000,
                ]
                return try await MerchantDriver(sandbox, "3.1", order(receiver), scenario: scenario)
            }
            let none = try await create("none")
            try await none.pay("Swish")
            let late = try await create("late")
            try await late.pay("Swish")
            let twice = try await create("duplicated")
            try await twice.pay("Swish")
            let both = try await receiver.wait(for: 2)
            #expect(both.map(\.body) == [both[0].body, both[0].body])
            #expect(both[0].body.value(at: "paymentOrder.id")?.text == twice.path)

            let mixed = try await create("outOfOrder")
            let menu = "\(sandbox.baseURL)/sandbox/menu/\(mixed.id)"
            _ = try await HTTPClient.send("POST", menu + "/decline?method=CreditCard")
            _ = try await HTTPClient.send("POST", menu + "/pay?method=Swish")
            let all = try await receiver.wait(for: 4)
            #expect(
                all.suffix(2).map { $0.body.value(at: "paymentOrder.instrument") }
                    == ["Swish", "CreditCard"]
            )
            time.advance(by: .seconds(9))
            let last = try await receiver.wait(for: 5).last
            #expect(last?.body.value(at: "paymentOrder.id")?.text == late.path)
            #expect(await sandbox.callbacks(of: none.id).isEmpty)
        }
    }

    @Test func `a reversal at a bank sends its callback when it is done`() async throws {
        try await withMerchant { sandbox, receiver, time in
            let merchant = try await MerchantDriver(
                sandbox,
                "3.1",
                order(receiver),
                scenario: ["methods": ["Trustly"]]
            )
            try await merchant.pay("Trustly")
            _ = try await receiver.wait(for: 1)
            #expect(try await merchant.transact("reversal", 10_000).status == 202)
            time.advance(by: .seconds(3))
            #expect(try await receiver.wait(for: 2).count == 2)
            #expect(try await merchant.read().order("status") == "Reversed")
        }
    }

    @Test func `a callback URL on another machine needs a custom callbackSender`()
        async throws
    {
        let url = "https://shop.example/callback"
        let body = Bodies.freshOrder().setting("urls.callbackUrl", to: .string(url))
        try await withSandbox { sandbox in
            let merchant = try await MerchantDriver(sandbox, "3.1", body)
            try await merchant.pay("Swish")
            let ended = try await deliveries(merchant) { $0.first?.state == .undeliverable }
            #expect(ended.map(\.state) == [.undeliverable])
        }
        let addresses = Mutex<[String]>([])
        var configuration = SandboxConfiguration()
        configuration.callbackSender = { url, _ in
            addresses.withLock { $0.append(url) }
            return 204
        }
        try await withSandbox(configuration) { sandbox in
            let merchant = try await MerchantDriver(sandbox, "3.1", body)
            try await merchant.pay("Swish")
            let ended = try await deliveries(merchant) { $0.first?.state == .delivered }
            #expect(ended.map(\.state) == [.delivered])
            #expect(addresses.withLock { $0 } == [url])
        }
    }

    @Test(arguments: [
        ("http://127.0.0.1:80/x", true), ("http://localhost/x", true), ("http://[::1]:8080", true),
        ("https://shop.example/x?y", true), ("http://shop.example/x", false),
        ("http://127.0.0.1.shop.example/", false), ("http://user@127.0.0.1/", false),
        ("ftp://127.0.0.1/", false), ("https://", false), ("http://127.0.0.1:0/", false),
        ("http://127.0.0.1:x/", false), ("http://localhost.shop.example/", false),
    ])
    func `a callback URL must use https or be on this machine`(url: String, isAcceptable: Bool) {
        #expect(CallbackAddress.isAcceptable(url) == isAcceptable)
    }
}
