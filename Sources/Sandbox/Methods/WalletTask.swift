/// The data that a wallet needs to show its sheet.
///
/// - Note: Source: payment session API, task `wallet-sdk`.
enum WalletTask {
    /// The task for a wallet and an order.
    static func document(for method: String, order: SandboxOrder) -> JSON {
        method == MethodName.applePay ? applePay(order) : googlePay(order)
    }

    private static func applePay(_ order: SandboxOrder) -> JSON {
        task([
            string("TotalAmountLabel", order.payeeName ?? "Total"),
            string("TotalAmount", decimal(order.amount)),
            strings("MerchantCapabilities", ["supports3DS", "supportsDebit", "supportsCredit"]),
            string("Locale", order.language),
            string("CurrencyCode", order.currency),
            strings("SupportedNetworks", ["visa", "mastercard"]),
            strings("SupportedCountries", ["SE", "NO"]),
            strings("RequiredShippingContactFields", []),
        ])
    }

    private static func googlePay(_ order: SandboxOrder) -> JSON {
        task([
            string("EnvironmentNative", "TEST"),
            string("Gateway", "swedbankpay"),
            string("GatewayMerchantId", "sandbox"),
            strings("AllowedCardNetworks", ["VISA", "MASTERCARD"]),
            strings("AllowedCardAuthMethods", ["PAN_ONLY", "CRYPTOGRAM_3DS"]),
            bool("BillingAddressRequired", false, order),
            string("TotalPrice", decimal(order.amount)),
            string("TotalPriceStatus", "FINAL"),
            string("TotalPriceLabel", order.payeeName ?? "Total"),
            string("CountryCode", "SE"),
            string("CurrencyCode", order.currency),
            string("TransactionId", order.payeeReference),
            string("MerchantName", order.payeeName ?? "Sandbox Shop"),
            string("MerchantId", "sandbox"),
            bool("ShippingAddressRequired", false, order),
            bool("PhoneNumberRequired", false, order),
        ])
    }

    private static func task(_ expects: [JSON]) -> JSON {
        ["rel": "wallet-sdk", "href": nil, "method": nil, "expects": .array(expects)]
    }

    private static func string(_ name: String, _ value: String) -> JSON {
        ["name": .string(name), "type": "string", "value": .string(value)]
    }

    private static func strings(_ name: String, _ values: [String]) -> JSON {
        ["name": .string(name), "type": "string[]", "value": .strings(values)]
    }

    private static func bool(_ name: String, _ value: Bool, _ order: SandboxOrder) -> JSON {
        let isText = order.scenario.walletBooleansAsText
        return [
            "name": .string(name), "type": isText ? "string" : "bool",
            "value": isText ? .string(value ? "true" : "false") : .bool(value),
        ]
    }

    /// Returns minor units as a decimal text with two decimals.
    static func decimal(_ amount: Int) -> String {
        let fraction = String(amount % 100)
        return "\(amount / 100).\(fraction.count < 2 ? "0" : "")\(fraction)"
    }
}
