/// An amount together with its currency.
public struct CurrencyAmount: Hashable, Sendable {
    /// The amount in minor units of the currency: 64900 is SEK 649.00.
    public var minorUnits: Int64
    /// The currency as an ISO 4217 code.
    public var currency: String

    /// Creates an amount of a currency.
    ///
    /// - Parameters:
    ///   - minorUnits: The amount in minor units: 64900 is SEK 649.00.
    ///   - currency: The currency's code; `nil` is returned for one that ISO 4217 does not contain.
    public init?(minorUnits: Int64, currency: String) {
        guard MinorUnits.digits(of: currency) != nil else { return nil }
        self.minorUnits = minorUnits
        self.currency = currency
    }
}
