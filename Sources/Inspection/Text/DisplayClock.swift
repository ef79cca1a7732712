package import EventLog
internal import SwedbankPay

/// By which clock times are told to people: their own, or that of UTC.
package struct DisplayClock: Sendable {
    private let offset: @Sendable (Instant) -> Duration

    /// The clock that is so far ahead of UTC at an instant.
    package init(offset: @escaping @Sendable (Instant) -> Duration) { self.offset = offset }

    /// The clock of UTC.
    package static let utc = DisplayClock { _ in .zero }

    /// The date and the time to the second, and which clock shows that: `2026-12-02 01:47:43
    /// +01:00`, or `… UTC`.
    package func second(_ instant: Instant) -> String {
        let text = shown(instant).description
        return text.prefix(10) + " " + text.dropFirst(11).prefix(8) + " " + zone(at: instant)
    }

    /// The time of the day, to the second.
    package func clock(_ instant: Instant) -> String { shown(instant).clock }

    /// The date.
    package func date(_ instant: Instant) -> String {
        String(shown(instant).description.prefix(10))
    }

    /// How far ahead of UTC the clock is: `+01:00`, or `UTC`.
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
