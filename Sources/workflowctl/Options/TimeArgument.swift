internal import ArgumentParser
internal import EventLog
internal import SwedbankPay

/// A point in time on the command line.
///
/// It is `today`, `yesterday`, `2026-11-20` or `2026-11-20 09:00` (optionally with seconds) in
/// local time, `2026-11-20T12:00:00Z` with a fraction or an offset, or a duration before now.
struct TimeArgument: Hashable, Sendable {
    /// The form of the time.
    enum Meaning: Hashable, Sendable {
        case at(Instant)
        case ago(Duration)
        /// The beginning of a day, a number of days from today.
        case day(Int32)
        /// A day; its beginning in local time, stored as if it were UTC.
        case date(Instant)
        /// A local time, stored as if it were UTC.
        case local(Instant)
    }

    /// The accepted forms, for hints.
    static let forms =
        "write a time as today, yesterday, 2026-11-20, '2026-11-20 09:00' (local time), "
        + "2026-11-20T09:00:00Z or 2026-11-20T09:00:00+01:00, or as a duration before now, such "
        + "as 2h30m, 1d or 1w"

    var meaning: Meaning
    /// The text as it was given.
    let text: String

    /// Returns the instant, relative to the current time; of a day, its beginning.
    func instant(from now: Instant) -> Instant {
        switch meaning {
        case .at(let instant): instant
        case .ago(let duration): now + (.zero - duration)
        case .day(let days): LocalTime.beginningOfDay(days, from: now)
        case .date(let midnight), .local(let midnight): LocalTime.instant(shownAs: midnight)
        }
    }

    /// Returns the end of a period that is given by its last time: of a day, the beginning of the
    /// next one, so that the period includes the day.
    func end(from now: Instant) -> Instant {
        switch meaning {
        case .at, .ago, .local: instant(from: now)
        case .day(let days): LocalTime.beginningOfDay(days + 1, from: now)
        case .date(let midnight): LocalTime.instant(shownAs: midnight + .seconds(24 * 3600))
        }
    }

    init?(_ text: String) {
        self.text = text
        if let duration = DurationArgument(text) {
            meaning = .ago(duration.duration)
        } else if text == "today" || text == "yesterday" {
            meaning = .day(text == "today" ? 0 : -1)
        } else if let shown = Self.local(text) {
            meaning = text.utf8.count == 10 ? .date(shown) : .local(shown)
        } else if let instant = Self.instant(of: text) {
            meaning = .at(instant)
        } else {
            return nil
        }
    }

    /// Parses `2026-11-20`, `2026-11-20 09:00` or `2026-11-20 09:00:30` as if it were UTC.
    private static func local(_ text: String) -> Instant? {
        let parts = text.pieces(between: " ", omittingEmptySubsequences: false)
        guard parts.count <= 2, parts[0].utf8.count == 10 else { return nil }
        switch parts.count == 2 ? parts[1].utf8.count : 0 {
        case 0: return parts.count == 1 ? Instant(text + "T00:00:00.000000Z") : nil
        case 5: return Instant("\(parts[0])T\(parts[1]):00.000000Z")
        case 8: return Instant("\(parts[0])T\(parts[1]).000000Z")
        default: return nil
        }
    }

    /// Parses a time of RFC 3339.
    private static func instant(of text: String) -> Instant? {
        let bytes = Array(text.utf8)
        guard bytes.count >= 20, bytes[10] == UInt8(ascii: "T") || bytes[10] == UInt8(ascii: "t")
        else { return nil }
        var rest = bytes[19...]
        var fraction: [UInt8] = []
        if rest.first == UInt8(ascii: ".") {
            fraction = Array(rest.dropFirst().prefix { (0x30...0x39).contains($0) })
            rest = rest.dropFirst(1 + fraction.count)
            guard (1...9).contains(fraction.count) else { return nil }
        }
        let digits = (fraction + Array(repeating: UInt8(ascii: "0"), count: 6)).prefix(6)
        let base =
            String(decoding: bytes[..<10], as: UTF8.self) + "T"
            + String(decoding: bytes[11..<19], as: UTF8.self) + "."
            + String(decoding: digits, as: UTF8.self) + "Z"
        guard let instant = Instant(base), let offset = offset(of: Array(rest)) else { return nil }
        // An offset may lead to a year with more than four digits.
        let meant = instant + (.zero - offset)
        return Instant("\(meant)") == meant ? meant : nil
    }

    private static func offset(of bytes: [UInt8]) -> Duration? {
        let text = String(decoding: bytes, as: UTF8.self)
        if text == "Z" || text == "z" { return .zero }
        let parts = text.dropFirst().pieces(between: ":", omittingEmptySubsequences: false)
        guard text.utf8.count == 6, parts.count == 2, parts.allSatisfy({ $0.utf8.count == 2 }),
            let hours = Int(parts[0]), let minutes = Int(parts[1]), hours < 24, minutes < 60
        else { return nil }
        switch text.first {
        case "+": return .seconds(hours * 3600 + minutes * 60)
        case "-": return .seconds(-hours * 3600 - minutes * 60)
        default: return nil
        }
    }
}

extension TimeArgument: ExpressibleByArgument {
    init?(argument: String) { self.init(argument) }
}
