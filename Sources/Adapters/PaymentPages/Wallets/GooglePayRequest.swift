public import EventLog
internal import SwedbankPay

/// A complete request to Google Pay.
///
/// - Note: Source: payment session API, `wallet-sdk` for Google Pay; Google Pay API version 2.
public struct GooglePayRequest: Hashable, Sendable {
    /// The environment: the client must be configured with it, since it is not part of the request.
    public let environment: GooglePayEnvironment
    /// The accepted cards.
    public let cards: GooglePayCards
    /// The `PaymentDataRequest`.
    public let paymentDataRequest: JSONValue

    /// Creates a request from the PSP's configuration.
    ///
    /// - Parameter configuration: The expected values of the task `wallet-sdk`.
    /// - Throws: ``WalletError``, which names the missing or unusable member.
    public init(_ configuration: WalletConfiguration) throws(WalletError) {
        environment = try GooglePayEnvironment(
            configuration.textIfAny("EnvironmentNative"),
            member: "EnvironmentNative"
        )
        cards = try GooglePayCards(
            methods: configuration.texts("AllowedCardAuthMethods"),
            methodsMember: "AllowedCardAuthMethods",
            networks: configuration.texts("AllowedCardNetworks"),
            networksMember: "AllowedCardNetworks"
        )
        let method = cards.method(
            billingAddressRequired: try configuration.bool("BillingAddressRequired"),
            gateway: (
                try configuration.text("Gateway"), try configuration.text("GatewayMerchantId")
            )
        )
        let shipping: [JSONValue.Member] = [
            .init(
                "shippingAddressRequired",
                .bool(try configuration.bool("ShippingAddressRequired"))
            ),
            .init(
                "shippingAddressParameters",
                .object([
                    .init(
                        "phoneNumberRequired",
                        .bool(try configuration.bool("PhoneNumberRequired"))
                    )
                ])
            ),
        ]
        paymentDataRequest = .object(
            GooglePayCards.version + [
                .init("allowedPaymentMethods", .array([method])),
                .init("transactionInfo", try Self.transaction(configuration)),
                .init("merchantInfo", try Self.merchant(configuration)),
            ] + shipping
        )
    }

    /// An `IsReadyToPayRequest` for the same cards.
    ///
    /// - Parameter existingPaymentMethodRequired: Whether the payer must already have such a card.
    /// - Returns: The request as JSON.
    public func isReadyToPay(existingPaymentMethodRequired: Bool) -> JSONValue {
        cards.isReadyToPay(existingPaymentMethodRequired: existingPaymentMethodRequired)
    }

    private static func transaction(
        _ configuration: WalletConfiguration
    ) throws(WalletError) -> JSONValue {
        let status = try configuration.text("TotalPriceStatus").uppercased()
        guard ["FINAL", "ESTIMATED", "NOT_CURRENTLY_KNOWN"].contains(status) else {
            throw .malformed(
                member: "TotalPriceStatus",
                reason: "it must be FINAL, ESTIMATED or NOT_CURRENTLY_KNOWN"
            )
        }
        var members: [JSONValue.Member] = [.init("totalPriceStatus", .string(status))]
        if status != "NOT_CURRENTLY_KNOWN" {
            // Google accepts no decimals or two.
            let price = try configuration.amount("TotalPrice", decimals: 2...2)
            members.append(.init("totalPrice", .string(price)))
        }
        members += [
            .init("countryCode", .string(try configuration.code("CountryCode", letters: 2))),
            .init("currencyCode", .string(try configuration.code("CurrencyCode", letters: 3))),
        ]
        for (name, member) in [
            ("TotalPriceLabel", "totalPriceLabel"), ("TransactionId", "transactionId"),
        ] {
            guard let text = try configuration.textIfAny(name), !text.isEmpty else { continue }
            members.append(.init(member, .string(text)))
        }
        return .object(members)
    }

    private static func merchant(
        _ configuration: WalletConfiguration
    ) throws(WalletError) -> JSONValue {
        var members: [JSONValue.Member] = []
        for (name, member) in [("MerchantName", "merchantName"), ("MerchantId", "merchantId")] {
            guard let text = try configuration.textIfAny(name), !text.isEmpty else { continue }
            members.append(.init(member, .string(text)))
        }
        return .object(members)
    }
}

extension GooglePayRequest: CustomStringConvertible, CustomReflectable {
    /// The wallet and the environment, without any part of the payment.
    public var description: String { "a Google Pay request (\(environment.rawValue))" }

    /// An empty mirror.
    public var customMirror: Mirror { Mirror(self, children: []) }
}
