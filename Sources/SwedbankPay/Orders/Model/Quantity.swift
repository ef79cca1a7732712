internal import EventLog

/// An exact quantity with up to four decimals.
///
/// - Note: Source: payment order model, orderItems.
public struct Quantity: Hashable, Sendable, Comparable {
    /// The quantity times 10000.
    public let tenThousandths: Int64

    /// The number of decimals that a quantity can have.
    public static let decimals = 4
    /// The maximum number of digits before the decimal point.
    public static let maximumDigits = 12

    /// Creates a quantity from ten-thousandths.
    public init(tenThousandths: Int64) { self.tenThousandths = tenThousandths }

    /// Reads a plain decimal number, for example `1.5`.
    ///
    /// Returns `nil` for more than ``decimals`` decimals or ``maximumDigits`` digits before the
    /// decimal point, for exponents, and for anything that is not a number.
    public init?(_ text: some StringProtocol) {
        var rest = Array(text.utf8)[...]
        let isNegative = rest.first == UInt8(ascii: "-")
        if isNegative { rest = rest.dropFirst() }
        let parts = rest.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
        guard parts.count <= 2, let whole = parts.first, (1...Self.maximumDigits) ~= whole.count
        else { return nil }
        var fraction: ArraySlice<UInt8> = []
        if parts.count == 2 {
            fraction = parts[1]
            guard !fraction.isEmpty else { return nil }
            while fraction.last == UInt8(ascii: "0") { fraction = fraction.dropLast() }
        }
        guard fraction.count <= Self.decimals else { return nil }
        var value: Int64 = 0
        for digit in Array(whole) + Array(fraction) {
            guard digit.isASCIIDigit else { return nil }
            value = value * 10 + Int64(digit - UInt8(ascii: "0"))
        }
        for _ in fraction.count..<Self.decimals { value *= 10 }
        tenThousandths = isNegative ? -value : value
    }

    /// Whether one is less than the other.
    public static func < (left: Quantity, right: Quantity) -> Bool {
        left.tenThousandths < right.tenThousandths
    }
}

extension Quantity: ExpressibleByIntegerLiteral, CustomStringConvertible {
    /// Creates a whole quantity.
    public init(integerLiteral value: Int32) { tenThousandths = Int64(value) * 10_000 }

    /// The plain decimal number, without unnecessary zeros.
    public var description: String {
        let (whole, rest) = tenThousandths.magnitude.quotientAndRemainder(dividingBy: 10_000)
        let sign = tenThousandths < 0 ? "-" : ""
        guard rest > 0 else { return "\(sign)\(whole)" }
        var decimals = String(String(10_000 + rest).dropFirst())
        while decimals.last == "0" { decimals.removeLast() }
        return "\(sign)\(whole).\(decimals)"
    }
}
