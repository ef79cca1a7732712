/// The request that begins a check-in.
///
/// - Note: Source: payment order model, consumer.
public struct Consumer: Hashable, Sendable {
    /// The only operation that exists.
    public static let operation = "initiate-consumer-session"

    /// The language of the check-in page.
    public var language: Language
    /// The countries that goods can be shipped to, as ISO 3166-1 alpha-2 codes.
    public var shippingAddressRestrictedToCountryCodes: [String]
    /// Members that this model does not know; they are kept and sent.
    public var others: [String: FreeFormValue]

    /// Creates a check-in in a language, for shipping to some countries.
    public init(
        language: Language = .enUS,
        shippingAddressRestrictedToCountryCodes: [String] = [],
        others: [String: FreeFormValue] = [:]
    ) {
        self.language = language
        self.shippingAddressRestrictedToCountryCodes = shippingAddressRestrictedToCountryCodes
        self.others = others
    }
}
