package import EventLog

/// A calendar day of a report, without a time zone: reports do not state any.
package struct ReportDay: Hashable, Comparable, Sendable, CustomStringConvertible {
    /// The days since 1970-01-01.
    package let days: Int64

    /// Creates the day that is so many days after 1970-01-01.
    package init(days: Int64) { self.days = days }

    /// Reads `YYYY-MM-DD`, also in front of a time (`YYYY-MM-DD hh:mm:ss`).
    ///
    /// Returns `nil` for any other text, and for a day or time that does not exist.
    package init?(_ text: String) {
        let bytes = Array(text.utf8)
        guard bytes.count == 10 || bytes.count == 19, bytes[4] == UInt8(ascii: "-"),
            bytes[7] == UInt8(ascii: "-")
        else { return nil }
        func number(_ range: Range<Int>) -> Int64? {
            bytes[range].allSatisfy(\.isASCIIDigit)
                ? bytes[range].reduce(0) { $0 * 10 + Int64($1 - 0x30) } : nil
        }
        if bytes.count == 19 {
            guard let hours = number(11..<13), let minutes = number(14..<16),
                let seconds = number(17..<19), hours < 24, minutes < 60, seconds < 60,
                bytes[10] == UInt8(ascii: " "), bytes[13] == UInt8(ascii: ":"),
                bytes[16] == UInt8(ascii: ":")
            else { return nil }
        }
        guard let year = number(0..<4), let month = number(5..<7), let day = number(8..<10)
        else { return nil }
        days = Instant.days(year: year, month: month, day: day)
        let parts = Instant.civil(fromDays: days)
        guard parts.year == year, parts.month == month, parts.day == day else { return nil }
    }

    /// The day of an instant in UTC.
    package init(_ instant: Instant) {
        let (days, rest) = instant.microseconds.quotientAndRemainder(dividingBy: 86_400_000_000)
        self.days = rest < 0 ? days - 1 : days
    }

    /// `YYYY-MM-DD`.
    package var description: String {
        let parts = Instant.civil(fromDays: days)
        func padded(_ number: Int64, _ width: Int) -> String {
            let digits = String(number)
            return String(repeating: "0", count: max(0, width - digits.utf8.count)) + digits
        }
        return "\(padded(parts.year, 4))-\(padded(parts.month, 2))-\(padded(parts.day, 2))"
    }

    /// `YYYYMMDD`, as SIE writes days.
    var compact: String { description.rewriting("-", as: "") }

    package static func < (left: ReportDay, right: ReportDay) -> Bool { left.days < right.days }
}
