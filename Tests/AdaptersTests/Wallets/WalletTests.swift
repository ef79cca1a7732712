import EventLog
import SwedbankPay
import TestSupport
import Testing

@testable import PaymentPages

@Suite struct WalletTests {
    static let apple: [String: WalletConfiguration.Value] = [
        "TotalAmountLabel": .text("Kaffe & bulle"), "TotalAmount": .text("1234567890.10"),
        "MerchantCapabilities": .texts(["supports3DS", "supportsCredit"]),
        "Locale": .text("sv-SE"), "CurrencyCode": .text("SEK"),
        "SupportedNetworks": .texts(["Visa", "masterCard", "ID", "dankort"]),
        "SupportedCountries": .texts(["SE", "NO"]),
        "RequiredShippingContactFields": .texts(["email", "postalAddress"]),
    ]

    static let google: [String: WalletConfiguration.Value] = [
        "EnvironmentNative": .text("PRODUCTION"), "Gateway": .text("swedbankpay"),
        "GatewayMerchantId": .text("m-1"), "AllowedCardNetworks": .texts(["visa", "MASTERCARD"]),
        "AllowedCardAuthMethods": .texts(["PAN_ONLY", "CRYPTOGRAM_3DS"]),
        "BillingAddressRequired": .bool(true), "TotalPrice": .text("0.10"),
        "TotalPriceStatus": .text("FINAL"), "TotalPriceLabel": .text("Total"),
        "CountryCode": .text("SE"), "CurrencyCode": .text("SEK"), "TransactionId": .text("t-1"),
        "MerchantName": .text("Butik Å"), "MerchantId": .text("g-1"),
        "ShippingAddressRequired": .text("false"), "PhoneNumberRequired": .text("True"),
    ]

    private func text(_ json: JSONValue) throws -> String {
        String(decoding: try json.canonical(), as: UTF8.self)
    }

    private func apple(
        _ change: (inout [String: WalletConfiguration.Value]) -> Void = { _ in }
    ) throws(WalletError) -> ApplePayRequest {
        var values = Self.apple
        change(&values)
        return try ApplePayRequest(
            WalletConfiguration(values),
            merchantIdentifier: "merchant.shop"
        )
    }

    private func google(
        _ change: (inout [String: WalletConfiguration.Value]) -> Void = { _ in }
    ) throws(WalletError) -> GooglePayRequest {
        var values = Self.google
        change(&values)
        return try GooglePayRequest(WalletConfiguration(values))
    }

    @Test(.feature("N-23")) func `an Apple Pay request has all that PassKit requires`() throws {
        let request = try apple()
        #expect(
            try text(request.json) == """
                {"countryCode":"SE","currencyCode":"SEK",\
                "merchantCapabilities":["supports3DS","supportsCredit"],\
                "merchantIdentifier":"merchant.shop","paymentSummaryItems":\
                [{"amount":"1234567890.10","label":"Kaffe & bulle","type":"final"}],\
                "requiredShippingContactFields":["emailAddress","postalAddress"],\
                "supportedCountries":["SE","NO"],"supportedNetworks":["Visa","MasterCard","iD"]}
                """
        )
        #expect(request.unknownNetworks == ["dankort"])
    }

    @Test(.feature("N-24")) func `a Google Pay request is complete`() throws {
        let request = try google()
        #expect(request.environment == .production)
        #expect(
            try text(request.paymentDataRequest) == """
                {"allowedPaymentMethods":[{"parameters":\
                {"allowedAuthMethods":["PAN_ONLY","CRYPTOGRAM_3DS"],\
                "allowedCardNetworks":["VISA","MASTERCARD"],"billingAddressRequired":true},\
                "tokenizationSpecification":{"parameters":\
                {"gateway":"swedbankpay","gatewayMerchantId":"m-1"},"type":"PAYMENT_GATEWAY"},\
                "type":"CARD"}],"apiVersion":2,"apiVersionMinor":0,\
                "merchantInfo":{"merchantId":"g-1","merchantName":"Butik Å"},\
                "shippingAddressParameters":{"phoneNumberRequired":true},\
                "shippingAddressRequired":false,"transactionInfo":\
                {"countryCode":"SE","currencyCode":"SEK","totalPrice":"0.10",\
                "totalPriceLabel":"Total","totalPriceStatus":"FINAL","transactionId":"t-1"}}
                """
        )
        #expect(
            try text(request.isReadyToPay(existingPaymentMethodRequired: true)) == """
                {"allowedPaymentMethods":[{"parameters":\
                {"allowedAuthMethods":["PAN_ONLY","CRYPTOGRAM_3DS"],\
                "allowedCardNetworks":["VISA","MASTERCARD"]},"type":"CARD"}],\
                "apiVersion":2,"apiVersionMinor":0,"existingPaymentMethodRequired":true}
                """
        )
    }

    @Test(.feature("N-27"), arguments: ["", "test", "Test", "STAGING", "PRODUCTION "])
    func `F-34: an unknown environment is refused, never taken for the test environment`(
        word: String
    ) {
        #expect(throws: WalletError.self) {
            try google { $0["EnvironmentNative"] = .text(word) }
        }
        let method = OfferedMethod(
            name: PaymentMethodName(rawValue: "GooglePay"),
            cardBrands: ["Visa"],
            allowedCardAuthMethods: ["PAN_ONLY"],
            environment: word
        )
        #expect(throws: WalletError.self) { try GooglePayReadiness(method) }
    }

    @Test func `the readiness check for Google Pay is made from the offered method`() throws {
        let method = OfferedMethod(
            name: PaymentMethodName(rawValue: "GooglePay"),
            cardBrands: ["Visa", "MasterCard", "Dankort"],
            allowedCardAuthMethods: ["pan_only", "cryptogram_3ds"],
            environment: "TEST"
        )
        let readiness = try GooglePayReadiness(method)
        #expect(readiness.environment == .test)
        #expect(readiness.cards.networks == ["VISA", "MASTERCARD"])
        #expect(readiness.cards.unknownNetworks == ["Dankort"])
        let asked = readiness.isReadyToPay(existingPaymentMethodRequired: false)
        #expect(asked["existingPaymentMethodRequired"] == .bool(false))
    }

    @Test(arguments: [
        "TotalAmountLabel", "TotalAmount", "MerchantCapabilities", "Locale", "CurrencyCode",
        "SupportedNetworks",
    ])
    func `a member missing for Apple Pay is named`(member: String) {
        #expect(throws: WalletError.missing(member: member)) { try apple { $0[member] = nil } }
    }

    @Test(arguments: [
        "EnvironmentNative", "Gateway", "GatewayMerchantId", "AllowedCardNetworks",
        "AllowedCardAuthMethods", "TotalPrice", "TotalPriceStatus", "CountryCode", "CurrencyCode",
    ])
    func `a member missing for Google Pay is named`(member: String) {
        #expect(throws: WalletError.missing(member: member)) { try google { $0[member] = nil } }
    }

    @Test(arguments: ["1,00", "-1.00", "1e3", "", "1.", ".5", "01.00", "NaN", "1.00 ", "１.00"])
    func `an amount that is not a plain decimal number is refused`(amount: String) {
        #expect(throws: WalletError.self) { try apple { $0["TotalAmount"] = .text(amount) } }
        #expect(throws: WalletError.self) { try google { $0["TotalPrice"] = .text(amount) } }
    }

    @Test func `a malformed wallet member is named`() {
        func member(_ make: () throws(WalletError) -> Void) -> String {
            do { try make() } catch {
                if case .malformed(let member, _) = error { return member }
            }
            return ""
        }
        let bool = member { () throws(WalletError) in
            _ = try google { $0["PhoneNumberRequired"] = .text("yes") }
        }
        #expect(bool == "PhoneNumberRequired")
        let locale = member { () throws(WalletError) in
            _ = try apple { $0["Locale"] = .text("sv") }
        }
        #expect(locale == "Locale")
        let networks = member { () throws(WalletError) in
            _ = try apple { $0["SupportedNetworks"] = .texts(["dankort"]) }
        }
        #expect(networks == "SupportedNetworks")
        let text = member { () throws(WalletError) in
            _ = try google { $0["Gateway"] = .texts(["a"]) }
        }
        #expect(text == "Gateway")
        let price = member { () throws(WalletError) in
            _ = try google { $0["TotalPrice"] = .text("1.5") }
        }
        #expect(price == "TotalPrice")
    }

    @Test func `a wallet configuration is read from a task and its sealed values`() throws {
        let keys = try #require(SessionKeys(dataKey: [UInt8](repeating: 5, count: 32)))
        var secrets = SecretTable()
        let label = secrets.seal("Kaffe", with: keys)
        let lost = Sealed(fingerprint: keys.fingerprint(of: "gone"))
        let task = IntegrationTask(
            rel: .walletSDK,
            expects: [
                Expectation(name: "Label", value: .sealed(label)),
                Expectation(name: "Lost", value: .sealed(lost)),
                Expectation(name: "List", value: .strings(["a"])),
                Expectation(name: "Flag", value: .bool(true)),
                Expectation(name: "Number", value: .integer(100)),
                Expectation(name: "Nothing", value: .null),
                Expectation(name: "Twice", value: .bool(true)),
                Expectation(name: "Twice", value: .bool(true)),
                Expectation(name: "Odd", value: .unknown(type: "x", raw: label)),
            ]
        )
        let configuration = WalletConfiguration(task, secrets: secrets)
        #expect(try configuration.text("Label") == "Kaffe")
        #expect(try configuration.texts("List") == ["a"])
        #expect(try configuration.bool("Flag"))
        #expect(try configuration.amount("Number", decimals: 1...2) == "100")
        #expect(throws: WalletError.missing(member: "Lost")) { try configuration.text("Lost") }
        #expect(throws: WalletError.missing(member: "Nothing")) {
            try configuration.text("Nothing")
        }
        for name in ["Twice", "Odd"] {
            #expect(throws: WalletError.self) { try configuration.bool(name) }
        }
        #expect(!"\(configuration)".contains("Kaffe"))
    }

    @Test func `a wallet configuration is read from the request shown to the client`() throws {
        let configuration = WalletConfiguration(
            request: .object([
                .init("Label", .string("Kaffe")), .init("Masked", .string("•••0a1b2c3d")),
                .init("List", .array([.string("a")])), .init("Flag", .bool(false)),
                .init("Mixed", .array([.string("a"), .bool(true)])), .init("Number", .integer(5)),
            ])
        )
        #expect(try configuration.text("Label") == "Kaffe")
        #expect(try configuration.texts("List") == ["a"])
        #expect(try !configuration.bool("Flag"))
        #expect(try configuration.text("Number") == "5")
        #expect(throws: WalletError.missing(member: "Masked")) {
            try configuration.text("Masked")
        }
        #expect(throws: WalletError.self) { try configuration.texts("Mixed") }
    }
}
