internal import EventLog
internal import SwedbankPay

/// Formats durations for people.
extension Duration {
    /// The duration as text, in its two largest units.
    package var spoken: String {
        let milliseconds = max(0, wholeMilliseconds)
        let seconds = milliseconds / 1000
        func two(_ large: Int64, _ unit: String, _ small: Int64, _ rest: String) -> String {
            small == 0 ? "\(large) \(unit)" : "\(large) \(unit) \(small) \(rest)"
        }
        switch seconds {
        case ..<1: return "\(milliseconds) ms"
        case ..<10:
            let tenths = milliseconds % 1000 / 100
            return tenths == 0 ? "\(seconds) s" : "\(seconds).\(tenths) s"
        case ..<60: return "\(seconds) s"
        case ..<3600: return two(seconds / 60, "min", seconds % 60, "s")
        case ..<86_400: return two(seconds / 3600, "h", seconds % 3600 / 60, "min")
        default: return two(seconds / 86_400, "d", seconds % 86_400 / 3600, "h")
        }
    }

    /// The time since a beginning, for a column: `+0.05 s`, `+12:03`, `+1:02:03`, `+3 d 4 h`.
    package var offset: String {
        let milliseconds = max(0, wholeMilliseconds)
        let seconds = milliseconds / 1000
        func padded(_ number: Int64) -> String { (number < 10 ? "0" : "") + "\(number)" }
        switch seconds {
        case ..<60: return "+\(seconds).\(padded(milliseconds % 1000 / 10)) s"
        case ..<3600: return "+\(seconds / 60):\(padded(seconds % 60))"
        case ..<86_400:
            return "+\(seconds / 3600):\(padded(seconds % 3600 / 60)):\(padded(seconds % 60))"
        default: return "+" + spoken
        }
    }
}
