internal import ArgumentParser

/// A period after which something is destroyed: `90d`, or a duration such as `12h` or `30min`.
struct PeriodArgument: Hashable, Sendable {
    var duration: Duration
    /// Whether it is ambiguous: `1m` is a minute for some and a month for others.
    var isAmbiguous: Bool

    /// The longest period: a hundred years.
    static let longest = Duration.seconds(36_525 * 24 * 3600)

    /// The message about an ambiguous period.
    static let ambiguity = "in a period that destroys keys 'm' could be minutes or months"
    /// What to write instead.
    static let remedy = "write days (30d), or 30min if minutes are meant"

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
    /// The period as text: in days where they are whole.
    var periodText: String {
        let seconds = components.seconds
        if seconds % 86_400 == 0 { return "\(seconds / 86_400)d" }
        return seconds % 3600 == 0 ? "\(seconds / 3600)h" : "\(seconds)s"
    }
}
