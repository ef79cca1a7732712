internal import EventLog

/// An amount to be paid, together with its currency.
public struct CurrencyAmount: Hashable, Sendable {
    /// The amount in minor units of the currency: 64900 is SEK 649.00.
    public let minorUnits: Int64
    /// The currency as an ISO 4217 code.
    public let currency: String

    /// The largest amount that a log can contain, in minor units: 2^53 - 1.
    public static let greatest = CanonicalWriter.greatestInteger

    /// Creates an amount of a currency; `nil` outside the bounds below.
    ///
    /// - Parameters:
    ///   - minorUnits: The amount in minor units, from 1 to ``greatest``.
    ///   - currency: The code of a currency of ISO 4217.
    public init?(minorUnits: Int64, currency: String) {
        guard (1...Self.greatest).contains(minorUnits), MinorUnits.digits(of: currency) != nil
        else { return nil }
        self.minorUnits = minorUnits
        self.currency = currency
    }
}
