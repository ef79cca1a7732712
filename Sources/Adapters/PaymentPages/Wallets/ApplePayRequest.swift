public import EventLog
internal import SwedbankPay

/// The values for a `PKPaymentRequest`.
///
/// - Note: Source: payment session API, `wallet-sdk` for Apple Pay.
public struct ApplePayRequest: Hashable, Sendable {
    /// The merchant's identifier at Apple, which the PSP does not know.
    public let merchantIdentifier: String
    /// The country (ISO 3166), from the region of the PSP's locale.
    public let countryCode: String
    /// The currency (ISO 4217).
    public let currencyCode: String
    /// The raw values of `PKPaymentNetwork`, in the PSP's order.
    public let supportedNetworks: [String]
    /// The PSP's networks for which Apple Pay has no value.
    public let unknownNetworks: [String]
    /// The capabilities: `supports3DS`, `supportsDebit`, `supportsCredit`.
    public let merchantCapabilities: [String]
    /// The supported countries (ISO 3166); empty excludes none.
    public let supportedCountries: [String]
    /// The names of `PKContactField`, in the PSP's order.
    public let requiredShippingContactFields: [String]
    /// The text that describes the purchase to the payer.
    public let totalLabel: String
    /// The amount as a decimal text.
    public let totalAmount: String

    /// The maximum length of a merchant identifier in bytes.
    static let maximumIdentifierBytes = 256

    /// Creates a request from the PSP's configuration.
    ///
    /// - Parameters:
    ///   - configuration: The expected values of the task `wallet-sdk`.
    ///   - merchantIdentifier: The merchant's identifier at Apple.
    /// - Throws: ``WalletError``, which names the missing or unusable member.
    public init(
        _ configuration: WalletConfiguration,
        merchantIdentifier: String
    ) throws(WalletError) {
        guard !merchantIdentifier.isEmpty else { throw .missing(member: "merchantIdentifier") }
        guard merchantIdentifier.utf8.count <= Self.maximumIdentifierBytes,
            merchantIdentifier.utf8.allSatisfy({ (0x21...0x7E).contains($0) })
        else {
            throw .malformed(member: "merchantIdentifier", reason: "it must be a plain name")
        }
        self.merchantIdentifier = merchantIdentifier
        countryCode = try Self.region(of: configuration.text("Locale"))
        currencyCode = try configuration.code("CurrencyCode", letters: 3)

        let networks = try configuration.texts("SupportedNetworks")
        supportedNetworks = networks.compactMap { Self.networks[$0.lowercased()] }
        unknownNetworks = networks.filter { Self.networks[$0.lowercased()] == nil }
        guard !supportedNetworks.isEmpty else {
            throw .malformed(
                member: "SupportedNetworks",
                reason: "Apple Pay supports none of the networks"
            )
        }
        merchantCapabilities = try configuration.texts("MerchantCapabilities")
        guard merchantCapabilities.allSatisfy(Self.capabilities.contains) else {
            throw .malformed(
                member: "MerchantCapabilities",
                reason: "it must be one of \(Self.capabilities.joined(separator: ", "))"
            )
        }
        supportedCountries = try configuration.textsIfAny("SupportedCountries") ?? []
        guard supportedCountries.allSatisfy({ WalletConfiguration.isCode($0, letters: 2) }) else {
            throw .malformed(
                member: "SupportedCountries",
                reason: "each must be two capital letters"
            )
        }
        let fields = try configuration.textsIfAny("RequiredShippingContactFields") ?? []
        requiredShippingContactFields = fields.map { Self.contactFields[$0.lowercased()] ?? $0 }
        totalLabel = try configuration.text("TotalAmountLabel")
        totalAmount = try configuration.amount("TotalAmount", decimals: 1...4)
    }

    /// The request as JSON, with the member names of `PKPaymentRequest`.
    ///
    /// The amount is a text: a decimal number must not be converted to a binary one.
    public var json: JSONValue {
        .object(
            [
                .init("merchantIdentifier", .string(merchantIdentifier)),
                .init("countryCode", .string(countryCode)),
                .init("currencyCode", .string(currencyCode)),
                .init("supportedNetworks", .texts(supportedNetworks)),
                .init("merchantCapabilities", .texts(merchantCapabilities)),
            ]
                + (supportedCountries.isEmpty
                    ? [] : [.init("supportedCountries", .texts(supportedCountries))])
                + [
                    .init("requiredShippingContactFields", .texts(requiredShippingContactFields)),
                    .init(
                        "paymentSummaryItems",
                        .array([
                            .object([
                                .init("label", .string(totalLabel)),
                                .init("amount", .string(totalAmount)),
                                .init("type", .string("final")),
                            ])
                        ])
                    ),
                ]
        )
    }

    /// The region of a locale such as `sv-SE`, `sv_SE` or `zh-Hans-CN`.
    private static func region(of locale: String) throws(WalletError) -> String {
        let parts = locale.rewriting("_", as: "-").pieces(between: "-").dropFirst()
        let region = parts.first { WalletConfiguration.isCode($0.uppercased(), letters: 2) }
        guard let region else {
            throw .malformed(member: "Locale", reason: "it must include a region, such as sv-SE")
        }
        return region.uppercased()
    }

    /// The PSP's names of networks, and the raw values of `PKPaymentNetwork`.
    private static let networks = [
        "amex": "AmEx", "cartebancaires": "CartesBancaires", "chinaunionpay": "ChinaUnionPay",
        "discover": "Discover", "interac": "Interac", "id": "iD", "jcb": "JCB",
        "mastercard": "MasterCard", "quicpay": "QUICPay", "suica": "Suica", "visa": "Visa",
    ]

    private static let capabilities = ["supports3DS", "supportsDebit", "supportsCredit"]

    private static let contactFields = [
        "email": "emailAddress", "emailaddress": "emailAddress", "name": "name",
        "phone": "phoneNumber", "phonenumber": "phoneNumber", "phoneticname": "phoneticName",
        "postaladdress": "postalAddress",
    ]
}

extension ApplePayRequest: CustomStringConvertible, CustomReflectable {
    /// A fixed text without any part of the payment.
    public var description: String { "an Apple Pay request" }

    /// An empty mirror.
    public var customMirror: Mirror { Mirror(self, children: []) }
}

extension JSONValue {
    /// A list of strings.
    static func texts(_ texts: [String]) -> JSONValue { .array(texts.map { .string($0) }) }
}
