internal import ArgumentParser

/// A retention period: `90d`, or a duration such as `12h` or `30min`.
struct PeriodArgument: Hashable, Sendable {
    var duration: Duration
    /// Whether the unit is ambiguous: `1m` can mean a minute or a month.
    var isAmbiguous: Bool

    /// The longest period: a hundred years.
    static let longest = Duration.seconds(36_525 * 24 * 3600)

    /// The accepted forms, for hints.
    static let forms = "write a period in days, such as 90d, or as a duration such as 12h or 30min"

    /// The error for an ambiguous period.
    static let ambiguity = "'m' is ambiguous in a retention period: it could mean minutes or months"
    /// The hint for an ambiguous period.
    static let remedy = "use days, such as 30d, or write minutes as 30min"

    /// Parses a duration of up to a hundred years.
    init?(_ text: String) {
        guard let read = DurationArgument(text, longest: Self.longest) else { return nil }
        (duration, isAmbiguous) = (read.duration, read.hasShortMinutes)
    }
}

extension PeriodArgument: ExpressibleByArgument {
    init?(argument: String) { self.init(argument) }
}

extension Duration {
    /// Returns the period as text: in days where it is a whole number of days.
    var periodText: String {
        let seconds = components.seconds
        if seconds % 86_400 == 0 { return "\(seconds / 86_400)d" }
        return seconds % 3600 == 0 ? "\(seconds / 3600)h" : "\(seconds)s"
    }
}
