package import EventLog
internal import SwedbankPay

/// The time zone in which times are displayed: the user's, or UTC.
package struct DisplayClock: Sendable {
    private let offset: @Sendable (Instant) -> Duration

    /// Creates a time zone with an offset from UTC at each instant.
    package init(offset: @escaping @Sendable (Instant) -> Duration) { self.offset = offset }

    /// UTC.
    package static let utc = DisplayClock { _ in .zero }

    /// Returns the date and the time to the second, and the clock's offset: `2026-12-02 01:47:43
    /// +01:00`, or `… UTC`.
    package func second(_ instant: Instant) -> String {
        let text = shown(instant).description
        return text.prefix(10) + " " + text.dropFirst(11).prefix(8) + " " + zone(at: instant)
    }

    /// Returns the time of day, to the second.
    package func clock(_ instant: Instant) -> String { shown(instant).clock }

    /// Returns the date.
    package func date(_ instant: Instant) -> String {
        String(shown(instant).description.prefix(10))
    }

    /// Returns when a day begins, given as `YYYY-MM-DD`; `nil` for any other text.
    package func start(ofDay day: String) -> Instant? {
        guard day.utf8.count == 10, let midnight = Instant(day + "T00:00:00.000000Z") else {
            return nil
        }
        return midnight + (.zero - offset(midnight))
    }

    /// Returns the clock's offset to UTC: `+01:00`, or `UTC`.
    package func zone(at instant: Instant) -> String {
        let minutes = offset(instant).wholeMilliseconds / 60_000
        guard minutes != 0 else { return "UTC" }
        func digits(_ number: Int64) -> String { number < 10 ? "0\(number)" : "\(number)" }
        let ahead = abs(minutes)
        return (minutes < 0 ? "-" : "+") + digits(ahead / 60) + ":" + digits(ahead % 60)
    }

    private func shown(_ instant: Instant) -> Instant { instant + offset(instant) }
}

extension TextForm {
    /// The reader's clock.
    package var clock: DisplayClock { DisplayClock(offset: offset) }
}
