internal import ArgumentParser

/// A period on the command line: `90d`, or a duration such as `12h`.
struct PeriodArgument: Hashable, Sendable {
    var duration: Duration

    /// The longest period in days: a hundred years.
    static let longestDays: Int64 = 36_525

    /// Reads a whole number and its unit.
    ///
    /// - Returns: Nothing for any other text.
    init?(_ text: String) {
        if text.last == "d", let days = Int64(text.dropLast()), text.first?.isNumber == true {
            guard days <= Self.longestDays else { return nil }
            duration = .seconds(days * 24 * 3600)
        } else if let short = DurationArgument(text) {
            duration = short.duration
        } else {
            return nil
        }
    }
}

extension PeriodArgument: ExpressibleByArgument {
    init?(argument: String) { self.init(argument) }
}

extension Duration {
    /// The period as it is written: in days where they are whole.
    var periodText: String {
        let seconds = components.seconds
        if seconds % 86_400 == 0 { return "\(seconds / 86_400)d" }
        return seconds % 3600 == 0 ? "\(seconds / 3600)h" : "\(seconds)s"
    }
}
