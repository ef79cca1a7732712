/// The number of a record in its stream: 1, 2, 3 … without a gap.
///
/// The number 0 is the position before the first record. As an expected version a number is
/// that of the last record that the writer knows. It has a type of its own so that it cannot be
/// confused with a count, an amount or a position in the log.
public struct SequenceNumber: RawRepresentable, Hashable, Sendable {
    /// The number as it is recorded.
    public let rawValue: Int64

    /// Creates the number with this value.
    public init(rawValue: Int64) { self.rawValue = rawValue }

    /// Creates the number of the last of so many records.
    public init(_ count: Int) { rawValue = Int64(count) }

    /// The position before the first record.
    public static let zero = SequenceNumber(rawValue: 0)
    /// The number of the first record.
    public static let first = SequenceNumber(rawValue: 1)

    /// The greatest number: no stream is as long.
    public static let max = SequenceNumber(rawValue: .max)

    /// The number of records up to this one.
    public var count: Int { Int(clamping: rawValue) }

    /// The number of the following record; the greatest number has none, and stays.
    public var next: SequenceNumber {
        SequenceNumber(rawValue: rawValue < .max ? rawValue + 1 : .max)
    }

    /// The number so many records later.
    public static func + (number: SequenceNumber, count: Int) -> SequenceNumber {
        SequenceNumber(rawValue: number.rawValue + Int64(count))
    }

    /// The number so many records earlier.
    public static func - (number: SequenceNumber, count: Int) -> SequenceNumber {
        SequenceNumber(rawValue: number.rawValue - Int64(count))
    }

    /// The number of records after the second one, up to the first one; it is clamped to 64 bits,
    /// because a damaged store may contain any number.
    public static func - (later: SequenceNumber, earlier: SequenceNumber) -> Int64 {
        let (difference, overflow) = later.rawValue.subtractingReportingOverflow(earlier.rawValue)
        guard overflow else { return difference }
        return later.rawValue < 0 ? .min : .max
    }

    /// Moves on by so many records.
    public static func += (number: inout SequenceNumber, count: Int) { number = number + count }
}

extension SequenceNumber: Strideable {
    /// The number of records up to another one; negative when it is earlier.
    public func distance(to other: SequenceNumber) -> Int { Int(clamping: other - self) }

    /// The number so many records later.
    public func advanced(by count: Int) -> SequenceNumber { self + count }

    // The equality of `Strideable` is that of the distance, which is clamped.
    /// Whether both are the same number.
    public static func == (left: SequenceNumber, right: SequenceNumber) -> Bool {
        left.rawValue == right.rawValue
    }

    /// Orders by the position in the stream.
    public static func < (left: SequenceNumber, right: SequenceNumber) -> Bool {
        left.rawValue < right.rawValue
    }
}

extension SequenceNumber: ExpressibleByIntegerLiteral {
    /// Creates the number with this value.
    public init(integerLiteral value: Int64) { rawValue = value }
}

extension SequenceNumber: LosslessStringConvertible {
    /// Creates the number from its decimal digits; `nil` for any other text.
    public init?(_ description: String) {
        guard let value = Int64(description) else { return nil }
        rawValue = value
    }

    /// The number in decimal digits.
    public var description: String { String(rawValue) }
}
