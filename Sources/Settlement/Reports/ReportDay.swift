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
        let parts = text.pieces(between: " ", omittingEmptySubsequences: false)
        let time = parts.count == 2 ? parts[1] : "00:00:00"
        guard parts.count <= 2, time.utf8.count == 8,
            let instant = Instant("\(parts[0])T\(time).000000Z")
        else { return nil }
        self.init(instant)
    }

    /// The day of an instant in UTC.
    package init(_ instant: Instant) {
        let (days, rest) = instant.microseconds.quotientAndRemainder(dividingBy: 86_400_000_000)
        self.days = rest < 0 ? days - 1 : days
    }

    /// `YYYY-MM-DD`.
    package var description: String {
        String(Instant(microseconds: days * 86_400_000_000).description.prefix(10))
    }

    /// `YYYYMMDD`, as SIE writes days.
    var compact: String { description.rewriting("-", as: "") }

    package static func < (left: ReportDay, right: ReportDay) -> Bool { left.days < right.days }
}
