/// What a check-in is begun with.
///
/// - Note: Source: payment order model, consumer.
public struct Consumer: Hashable, Sendable {
    /// The only operation that there is.
    public static let operation = "initiate-consumer-session"

    /// The language of the check-in's page.
    public var language: Language
    /// The countries that are shipped to, by ISO 3166-1 alpha-2.
    public var shippingAddressRestrictedToCountryCodes: [String]
    /// Members that this model does not know, kept and sent on.
    public var others: [String: FreeFormValue]

    /// A check-in in a language, for shipping to some countries.
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
