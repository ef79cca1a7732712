internal import Workflow

/// Durations for people: the two largest units, rounded down.
enum SpanWords {
    /// The duration, for example `3 min 20 s`, `2 h 5 min` or `450 ms`.
    static func text(_ duration: Duration) -> String {
        let milliseconds =
            max(0, duration.components.seconds * 1000)
            + max(0, duration.components.attoseconds / 1_000_000_000_000_000)
        let seconds = milliseconds / 1000
        switch seconds {
        case 0: return "\(milliseconds) ms"
        case ..<60: return "\(seconds) s"
        case ..<3600: return two(seconds / 60, "min", seconds % 60, "s")
        case ..<86_400: return two(seconds / 3600, "h", seconds % 3600 / 60, "min")
        default: return two(seconds / 86_400, "d", seconds % 86_400 / 3600, "h")
        }
    }

    /// The time since a beginning in a column: `+0.05 s`, `+12:03`, `+1:02:03`, `+3 d 4 h`.
    static func offset(_ duration: Duration) -> String {
        let hundredths =
            max(0, duration.components.seconds * 100)
            + max(0, duration.components.attoseconds / 10_000_000_000_000_000)
        let seconds = hundredths / 100
        func padded(_ number: Int64) -> String { (number < 10 ? "0" : "") + "\(number)" }
        switch seconds {
        case ..<60: return "+\(seconds).\(padded(hundredths % 100)) s"
        case ..<3600: return "+\(seconds / 60):\(padded(seconds % 60))"
        case ..<86_400:
            return "+\(seconds / 3600):\(padded(seconds % 3600 / 60)):\(padded(seconds % 60))"
        default: return "+" + text(duration)
        }
    }

    private static func two(
        _ large: Int64,
        _ largeUnit: String,
        _ small: Int64,
        _ smallUnit: String
    ) -> String {
        small == 0 ? "\(large) \(largeUnit)" : "\(large) \(largeUnit) \(small) \(smallUnit)"
    }
}
