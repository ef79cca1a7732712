import Testing

@testable import Sandbox

@Suite struct WalletTests {
    private func started(
        _ method: String,
        _ sandbox: SandboxServer,
        amount: Int = 10_000,
        _ change: (inout Scenario) -> Void = { _ in }
    ) async throws -> (driver: SessionDriver, running: Snapshot) {
        var scenario = Scenario(methods: ["Swish", "ApplePay", "GooglePay"])
        change(&scenario)
        let driver = try await SessionDriver(
            sandbox,
            SandboxOrder(amount: amount, scenario: scenario)
        )
        return (driver, try await driver.start(method, Bodies.start([:])))
    }

    private func types(_ snapshot: Snapshot, of method: String) throws -> [String: String] {
        let task = try #require(snapshot.operation("attempt-payload", of: method)?.task)
        guard case .array(let expectations)? = task["expects"] else { return [:] }
        return Dictionary(
            uniqueKeysWithValues: expectations.map {
                ($0["name"]?.text ?? "", $0["type"]?.text ?? "")
            }
        )
    }

    @Test func `an Apple Pay attempt has every value that the sheet needs`() async throws {
        try await withSandbox { sandbox in
            let (_, running) = try await started("ApplePay", sandbox, amount: 12_305)
            #expect(
                try types(running, of: "ApplePay") == [
                    "TotalAmountLabel": "string", "TotalAmount": "string",
                    "MerchantCapabilities": "string[]", "Locale": "string",
                    "CurrencyCode": "string", "SupportedNetworks": "string[]",
                    "SupportedCountries": "string[]", "RequiredShippingContactFields": "string[]",
                ]
            )
            let operation = try #require(running.operation("attempt-payload"))
            #expect(operation["next"] == true)
            #expect(operation.task?.expectation("TotalAmount") == "123.05")
            #expect(running.operation("fail-payment-attempt", of: "ApplePay") != nil)
        }
    }

    @Test(arguments: [false, true])
    func `a Google Pay sheet gets its booleans as booleans or as text`(
        asText: Bool
    )
        async throws
    {
        try await withSandbox { sandbox in
            let (_, running) = try await started("GooglePay", sandbox) {
                $0.walletBooleansAsText = asText
            }
            let types = try types(running, of: "GooglePay")
            #expect(types.count == 16)
            for name in [
                "BillingAddressRequired", "ShippingAddressRequired", "PhoneNumberRequired",
            ] {
                #expect(types[name] == (asText ? "string" : "bool"))
            }
            let task = running.operation("attempt-payload")?.task
            #expect(task?.expectation("PhoneNumberRequired") == (asText ? "false" : nil))
            #expect(task?.expectation("EnvironmentNative") == "TEST")
        }
    }

    @Test(arguments: ["", "not base64!", "YWJj\nZGVm"])
    func `a payload that is empty or not base64 is refused`(payload: String) async throws {
        try await withSandbox { sandbox in
            let (driver, running) = try await started("ApplePay", sandbox)
            let refused = try await HTTPClient.send(
                "POST",
                running.href("attempt-payload"),
                json: ["paymentMethod": "ApplePay", "paymentPayload": .string(payload)]
            )
            #expect(refused.status == 400)
            #expect(refused.json?.value(at: "problems.0.name") == "paymentPayload")
            #expect(try await driver.ledger.attempts.map(\.state) == [.running])
        }
    }

    @Test func `a magic amount declines a wallet after its payload`() async throws {
        try await withSandbox { sandbox in
            let (driver, running) = try await started("GooglePay", sandbox, amount: 900_361)
            let declined = try await driver.post(
                running.href("attempt-payload"),
                ["paymentMethod": "GooglePay", "paymentPayload": "e30="]
            )
            #expect(declined.problemType?.hasSuffix("acquirerinsufficientfunds") == true)
            try await driver.acknowledge(declined)
            #expect(try await driver.get().rels.contains("customize-payment"))
        }
    }

    @Test func `a slow acquirer leaves a wallet payment pending, and the client polls it`()
        async throws
    {
        let time = ManualTime()
        var configuration = SandboxConfiguration()
        configuration.now = { time.now }
        try await withSandbox(configuration) { sandbox in
            let (driver, running) = try await started("ApplePay", sandbox) {
                $0.settling = .seconds(5)
            }
            let waiting = try await driver.post(
                running.href("attempt-payload"),
                ["paymentMethod": "ApplePay", "paymentPayload": "e30="]
            )
            #expect(waiting.problemType == nil)
            let poll = try waiting.href("get-payment", of: "ApplePay")
            #expect(try await driver.get(poll).redirect == nil)
            time.advance(by: .seconds(5))
            #expect(try await driver.get(poll).redirect == "https://shop.example/complete")
        }
    }
}
