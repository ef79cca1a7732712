internal import EventLog
package import HTTPTypes

/// Reads the delay that a response requests.
package enum RetryAfter {
    /// Reads the delay in the header fields of a response.
    package static func duration(in headers: HTTPFields, maximum: Duration) -> Duration? {
        duration(
            headers.lastValue(of: .retryAfter),
            date: headers.lastValue(of: .date),
            maximum: maximum
        )
    }

    /// Reads the header `Retry-After`: seconds, or a date relative to the response's own `Date`.
    ///
    /// The local clock is not used, so a wrong clock cannot lengthen a wait.
    ///
    /// - Parameters:
    ///   - value: The header.
    ///   - date: The header `Date` of the same response.
    ///   - maximum: The longest wait.
    /// - Returns: The wait; `nil` when the header cannot be read.
    /// - Note: Source: RFC 9110, Retry-After and HTTP-date.
    static func duration(_ value: String?, date: String?, maximum: Duration) -> Duration? {
        guard let text = value.map({ $0.trimmed }), !text.isEmpty else { return nil }
        if text.utf8.allSatisfy({ (0x30...0x39).contains($0) }) {
            guard let seconds = Int64(text) else { return maximum }
            return min(.seconds(seconds), maximum)
        }
        guard let until = HTTPDate.seconds(text),
            let from = date.flatMap({ HTTPDate.seconds($0.trimmed) })
        else { return nil }
        return min(.seconds(max(0, until - from)), maximum)
    }
}

/// Parses the three forms of an HTTP date.
package enum HTTPDate {
    /// Seconds since 1970-01-01T00:00:00Z.
    ///
    /// - Returns: `nil` when the text has none of the forms.
    package static func seconds(_ text: String) -> Int64? {
        let words = text.pieces(between: " ", omittingEmptySubsequences: true).map(String.init)
        switch words.count {
        case 6 where words[5] == "GMT":
            return seconds(year: words[3], month: words[2], day: words[1], time: words[4])
        case 4 where words[3] == "GMT":
            let parts = words[1].pieces(between: "-").map(String.init)
            guard parts.count == 3, parts[2].count == 2, let short = Int(parts[2]) else {
                return nil
            }
            let year = String(short < 70 ? 2000 + short : 1900 + short)
            return seconds(year: year, month: parts[1], day: parts[0], time: words[2])
        case 5:
            return seconds(year: words[4], month: words[1], day: words[2], time: words[3])
        default: return nil
        }
    }

    private static let months = [
        "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
    ]

    private static func seconds(
        year: String,
        month: String,
        day: String,
        time: String
    ) -> Int64? {
        let clock = time.pieces(between: ":").compactMap { Int64($0) }
        guard let year = Int64(year), (1970...9999).contains(year),
            let month = months.firstIndex(of: month), let day = Int64(day),
            (1...31).contains(day), clock.count == 3, (0..<24).contains(clock[0]),
            (0..<60).contains(clock[1]), (0...60).contains(clock[2])
        else { return nil }
        // Days since 1970 of a Gregorian date, in years that begin in March.
        let shifted = month < 2 ? year - 1 : year
        let era = shifted / 400
        let yearOfEra = shifted % 400
        let dayOfYear = (153 * Int64((month + 10) % 12) + 2) / 5 + day - 1
        let dayOfEra = yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear
        let days = era * 146_097 + dayOfEra - 719_468
        return days * 86_400 + clock[0] * 3600 + clock[1] * 60 + clock[2]
    }
}

extension String {
    /// The text without blanks at its ends.
    fileprivate var trimmed: String {
        String(
            drop { $0 == " " || $0 == "\t" }.reversed().drop { $0 == " " || $0 == "\t" }.reversed()
        )
    }
}
