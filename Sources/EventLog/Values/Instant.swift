/// A point in time in UTC, in whole microseconds.
///
/// The pure layers never read a clock: every input carries an instant, which the log stores as
/// `at`.
public struct Instant: Hashable, Comparable, Sendable {
    /// Microseconds since 1970-01-01T00:00:00Z.
    public let microseconds: Int64

    /// Creates the instant that many microseconds after 1970-01-01T00:00:00Z.
    public init(microseconds: Int64) {
        self.microseconds = microseconds
    }

    /// Orders by time.
    public static func < (left: Instant, right: Instant) -> Bool {
        left.microseconds < right.microseconds
    }

    /// The instant a duration later; fractions of a microsecond are discarded.
    public static func + (instant: Instant, duration: Duration) -> Instant {
        Instant(microseconds: instant.microseconds &+ duration.wholeMicroseconds)
    }

    /// The duration from the second instant to the first; negative when the first is earlier.
    public static func - (left: Instant, right: Instant) -> Duration {
        .microseconds(left.microseconds &- right.microseconds)
    }
}

extension Duration {
    /// The duration in microseconds, truncated towards zero and clamped to 64 bits.
    package var wholeMicroseconds: Int64 {
        let (seconds, attoseconds) = components
        let (product, overflow) = seconds.multipliedReportingOverflow(by: 1_000_000)
        guard !overflow else { return seconds < 0 ? .min : .max }
        let (sum, carry) = product.addingReportingOverflow(attoseconds / 1_000_000_000_000)
        guard !carry else { return seconds < 0 ? .min : .max }
        return sum
    }

    /// The duration in milliseconds, truncated towards zero.
    package var wholeMilliseconds: Int64 { wholeMicroseconds / 1000 }
}

extension Instant: CustomStringConvertible {
    /// RFC 3339 in UTC with six decimals, for example `2026-11-20T12:00:00.123456Z`.
    public var description: String {
        String(decoding: utf8, as: UTF8.self)
    }

    /// The bytes of ``description``.
    package var utf8: [UInt8] {
        let (days, inDay) = Self.floorDivide(microseconds, by: 86_400_000_000)
        let (year, month, day) = Self.civil(fromDays: days)
        let secondOfDay = inDay / 1_000_000
        var bytes: [UInt8] = []
        bytes.reserveCapacity(27)
        Self.append(year, digits: 4, to: &bytes)
        bytes.append(UInt8(ascii: "-"))
        Self.append(month, digits: 2, to: &bytes)
        bytes.append(UInt8(ascii: "-"))
        Self.append(day, digits: 2, to: &bytes)
        bytes.append(UInt8(ascii: "T"))
        Self.append(secondOfDay / 3600, digits: 2, to: &bytes)
        bytes.append(UInt8(ascii: ":"))
        Self.append(secondOfDay / 60 % 60, digits: 2, to: &bytes)
        bytes.append(UInt8(ascii: ":"))
        Self.append(secondOfDay % 60, digits: 2, to: &bytes)
        bytes.append(UInt8(ascii: "."))
        Self.append(inDay % 1_000_000, digits: 6, to: &bytes)
        bytes.append(UInt8(ascii: "Z"))
        return bytes
    }

    /// Reads exactly the form that ``description`` writes.
    ///
    /// Returns `nil` when the text has another form or is not a valid date and time.
    public init?(_ text: some StringProtocol) {
        self.init(utf8: Array(text.utf8))
    }

    package init?(utf8 bytes: some RandomAccessCollection<UInt8>) {
        guard bytes.count == 27 else { return nil }
        var digits: [Int64] = []
        digits.reserveCapacity(7)
        let layout: [(count: Int, end: UInt8)] = [
            (4, UInt8(ascii: "-")), (2, UInt8(ascii: "-")), (2, UInt8(ascii: "T")),
            (2, UInt8(ascii: ":")), (2, UInt8(ascii: ":")), (2, UInt8(ascii: ".")),
            (6, UInt8(ascii: "Z")),
        ]
        var index = bytes.startIndex
        for (count, end) in layout {
            var number: Int64 = 0
            for _ in 0..<count {
                let digit = bytes[index]
                guard digit >= 0x30, digit <= 0x39 else { return nil }
                number = number * 10 + Int64(digit - 0x30)
                index = bytes.index(after: index)
            }
            guard bytes[index] == end else { return nil }
            index = bytes.index(after: index)
            digits.append(number)
        }
        let days = Self.days(year: digits[0], month: digits[1], day: digits[2])
        guard (1...12).contains(digits[1]), digits[2] >= 1,
            Self.civil(fromDays: days) == (digits[0], digits[1], digits[2]),
            digits[3] < 24, digits[4] < 60, digits[5] < 60
        else { return nil }
        let seconds = digits[3] * 3600 + digits[4] * 60 + digits[5]
        self.init(microseconds: (days * 86_400 + seconds) * 1_000_000 + digits[6])
    }
}

extension Instant {
    private static func floorDivide(_ value: Int64, by divisor: Int64) -> (Int64, Int64) {
        let remainder = value % divisor
        return remainder < 0
            ? (value / divisor - 1, remainder + divisor) : (value / divisor, remainder)
    }

    /// Appends only the last digits of a number, also for a year before 0 or after 9999, which no
    /// log contains.
    private static func append(_ value: Int64, digits: Int, to bytes: inout [UInt8]) {
        var scale: UInt64 = 1
        for _ in 1..<digits { scale *= 10 }
        while scale > 0 {
            bytes.append(0x30 + UInt8(value.magnitude / scale % 10))
            scale /= 10
        }
    }

    /// The days from 1970-01-01 to a date in the proleptic Gregorian calendar.
    package static func days(year: Int64, month: Int64, day: Int64) -> Int64 {
        let shifted = month <= 2 ? year - 1 : year
        let era = (shifted >= 0 ? shifted : shifted - 399) / 400
        let yearOfEra = shifted - era * 400
        let dayOfYear = (153 * (month + (month > 2 ? -3 : 9)) + 2) / 5 + day - 1
        let dayOfEra = yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear
        return era * 146_097 + dayOfEra - 719_468
    }

    /// The date in the proleptic Gregorian calendar of a day counted from 1970-01-01.
    package static func civil(
        fromDays days: Int64
    ) -> (year: Int64, month: Int64, day: Int64) {
        let shifted = days + 719_468
        let era = (shifted >= 0 ? shifted : shifted - 146_096) / 146_097
        let dayOfEra = shifted - era * 146_097
        let yearOfEra =
            (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let monthIndex = (5 * dayOfYear + 2) / 153
        let month = monthIndex < 10 ? monthIndex + 3 : monthIndex - 9
        let year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
        return (year, month, dayOfYear - (153 * monthIndex + 2) / 5 + 1)
    }
}
