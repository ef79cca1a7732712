internal import ArgumentParser

/// A duration on the command line: `500ms`, `30s`, `5m`, `1h`, or `0`.
struct DurationArgument: Hashable, Sendable {
    var duration: Duration

    /// The longest duration that is taken: a year.
    static let longest = Duration.seconds(366 * 24 * 3600)

    /// Reads a whole number and its unit.
    ///
    /// - Returns: Nothing for any other text.
    init?(_ text: String) {
        let digits = text.prefix { $0.isASCII && $0.isNumber }
        guard let number = Int64(digits) else { return nil }
        let scale: Duration
        switch text.dropFirst(digits.count) {
        case "ms": scale = .milliseconds(1)
        case "s": scale = .seconds(1)
        case "m": scale = .seconds(60)
        case "h": scale = .seconds(3600)
        case "" where number == 0: scale = .zero
        default: return nil
        }
        guard number <= 366 * 24 * 3_600_000 else { return nil }
        duration = scale * number
        guard duration <= Self.longest else { return nil }
    }

    init(_ duration: Duration) { self.duration = duration }
}

extension DurationArgument: ExpressibleByArgument {
    init?(argument: String) { self.init(argument) }

    var defaultValueDescription: String { "\(duration.components.seconds)s" }
}
