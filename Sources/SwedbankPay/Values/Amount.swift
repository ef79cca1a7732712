internal import EventLog

/// A number of minor units of a currency that the surroundings name: 64900 is SEK 649.00.
///
/// ``Money`` is an amount together with its currency. An amount has a type of its own so that it
/// can't be confused with a count, a percentage or a duration.
///
/// Sums and differences end at ``Money/greatest`` and at its negative, the bounds of exact numbers
/// in JSON. Every amount in a log is within them, but the sum of a long hostile list would not be.
public struct Amount: Hashable, Sendable {
    /// The number of minor units.
    public let minorUnits: Int64

    /// Creates an amount of so many minor units.
    public init(_ minorUnits: Int64) { self.minorUnits = minorUnits }

    /// No money.
    public static let zero = Amount(0)

    /// The sum; `nil` when it is not within the bounds.
    package func adding(exactly other: Amount) -> Amount? {
        let (sum, overflow) = minorUnits.addingReportingOverflow(other.minorUnits)
        return overflow || sum.magnitude > Money.greatest.magnitude ? nil : Amount(sum)
    }
}

extension Amount {
    /// The amount, or the bound that it exceeds.
    private static func bounded(_ number: Int64) -> Amount {
        Amount(min(max(number, -Money.greatest), Money.greatest))
    }

    /// The sum, kept within the bounds.
    public static func + (left: Amount, right: Amount) -> Amount {
        let (sum, overflow) = left.minorUnits.addingReportingOverflow(right.minorUnits)
        return bounded(overflow ? (right.minorUnits < 0 ? .min : .max) : sum)
    }

    /// The difference, kept within the bounds.
    public static func - (left: Amount, right: Amount) -> Amount {
        let (difference, overflow) = left.minorUnits.subtractingReportingOverflow(right.minorUnits)
        return bounded(overflow ? (left.minorUnits < 0 ? .min : .max) : difference)
    }

    /// The amount with the other sign, kept within the bounds.
    public static prefix func - (amount: Amount) -> Amount { zero - amount }

    /// Adds an amount.
    public static func += (left: inout Amount, right: Amount) { left = left + right }

    /// Subtracts an amount.
    public static func -= (left: inout Amount, right: Amount) { left = left - right }
}

extension Amount: Comparable {
    /// Whether one is less than the other.
    public static func < (left: Amount, right: Amount) -> Bool {
        left.minorUnits < right.minorUnits
    }
}

extension Amount: ExpressibleByIntegerLiteral {
    /// Creates an amount of so many minor units.
    public init(integerLiteral value: Int64) { minorUnits = value }
}

extension Amount: CustomStringConvertible {
    /// The number of minor units in decimal digits.
    public var description: String { String(minorUnits) }
}
