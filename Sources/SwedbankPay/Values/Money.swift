internal import EventLog

/// An amount of money: a whole number of minor units, with its currency.
public struct Money: Hashable, Sendable {
    /// The amount.
    public let amount: Amount
    /// The currency as an ISO 4217 code.
    public let currency: String

    /// The amount in minor units of the currency: 64900 is SEK 649.00.
    public var minorUnits: Int64 { amount.minorUnits }

    /// The largest amount that a log can contain, in minor units: 2^53 - 1.
    public static let greatest = CanonicalWriter.greatestInteger

    /// Creates an amount of a currency.
    ///
    /// - Parameters:
    ///   - minorUnits: The amount in minor units, from 0 to ``greatest``.
    ///   - currency: The code of a currency of ISO 4217, in capital letters.
    /// - Throws: ``InvalidAmount`` for an amount out of these bounds or an unknown currency.
    public init(minorUnits: Int64, currency: String) throws(InvalidAmount) {
        guard MinorUnits.digits(of: currency) != nil else { throw .unknownCurrency }
        guard (0...Self.greatest).contains(minorUnits) else { throw .outOfBounds }
        amount = Amount(minorUnits)
        self.currency = currency
    }
}

/// Why a number and a code are not an amount of money.
@nonexhaustive
public enum InvalidAmount: Error, Hashable, Sendable, CustomStringConvertible {
    /// It is negative, or larger than ``Money/greatest``.
    case outOfBounds
    /// The code is not that of a currency of ISO 4217.
    case unknownCurrency

    /// The reason in words.
    public var description: String {
        switch self {
        case .outOfBounds: "an amount is from 0 to \(Money.greatest) minor units"
        case .unknownCurrency: "a currency is a code of ISO 4217, for example SEK"
        }
    }
}
