internal import ArgumentParser

/// A duration on the command line: `500ms`, `30s`, `5m`, `1h`, `1d`, `1w`, several units
/// (`2h30m`), or `0`.
///
/// This parses all durations: those of options, of the configuration, and of times in the past.
struct DurationArgument: Hashable, Sendable {
    var duration: Duration
    /// Whether minutes were written as `m`, which can be mistaken for months.
    private(set) var hasShortMinutes = false

    /// The accepted forms, for hints.
    static let forms =
        "write a duration as whole numbers with units, the largest first, such as 500ms, 30s, 5m, "
        + "1h, 2h30m, 1d or 1w; at most a year"

    /// The longest accepted duration: a year.
    static let longest = Duration.seconds(366 * 24 * 3600)

    /// The units, the largest first.
    private static let units: [(names: [String], length: Duration)] = [
        (["w"], .seconds(7 * 24 * 3600)), (["d"], .seconds(24 * 3600)), (["h"], .seconds(3600)),
        (["m", "min"], .seconds(60)), (["s"], .seconds(1)), (["ms"], .milliseconds(1)),
    ]

    /// Reads whole numbers, each with its unit, the largest unit first.
    ///
    /// Returns `nil` for any other text, and for a duration that is too long.
    init?(_ text: String, longest: Duration = Self.longest) {
        duration = .zero
        guard text != "0" else { return }
        var (rest, units) = (text[...], Self.units[...])
        repeat {
            let digits = rest.prefix { $0.isASCII && $0.isNumber }
            let name = rest.dropFirst(digits.count).prefix { $0.isASCII && $0.isLetter }
            rest = rest.dropFirst(digits.count + name.count)
            guard digits.count <= 12, let number = Int64(digits),
                let place = units.firstIndex(where: { $0.names.contains(String(name)) })
            else { return nil }
            let unit = units[place]
            units = units[(place + 1)...]
            guard number <= longest / unit.length else { return nil }
            duration += unit.length * number
            if name == "m" { hasShortMinutes = true }
        } while !rest.isEmpty
        guard duration <= longest else { return nil }
    }

    init(_ duration: Duration) { self.duration = duration }
}

extension DurationArgument: ExpressibleByArgument {
    init?(argument: String) { self.init(argument) }

    var defaultValueDescription: String { "\(duration.components.seconds)s" }
}

extension Duration {
    fileprivate static func / (whole: Duration, part: Duration) -> Int64 {
        Int64(whole / part as Double)
    }
}
