internal import EventLog
internal import HTTPTypes
internal import UVTransport

/// The time for which a response may be reused, according to its headers.
///
/// - Note: Source: merchant backend API, root discovery: `max-age` is respected; without it, and
///   with `no-store`, the response is good for one request.
enum CacheLifetime {
    /// The longest lifetime, whatever the response requests.
    static let longest: Duration = .seconds(365 * 86_400)

    /// Reads the fields `Cache-Control` and `Age` (RFC 9111).
    ///
    /// - Returns: `nil` when the response must not be reused.
    static func read(_ headers: HTTPFields) -> Duration? {
        var seconds: Int64?
        for value in headers[values: .cacheControl] {
            for directive in value.lowercased().pieces(between: ",") {
                let parts = directive.pieces(between: "=", maxSplits: 1).map(trimmed)
                switch parts.first {
                case "no-store", "no-cache": return nil
                case "max-age":
                    guard parts.count == 2, let age = number(parts[1]) else { return nil }
                    // When several values differ, the shortest is the safest.
                    seconds = min(seconds ?? age, age)
                default: break
                }
            }
        }
        guard var seconds else { return nil }
        let spent = headers.lastValue(of: .age).flatMap { number($0) }
        seconds -= spent ?? 0
        return seconds > 0 ? min(.seconds(seconds), longest) : nil
    }

    /// Parses a number of seconds; one that is too large counts as the maximum.
    private static func number(_ text: some StringProtocol) -> Int64? {
        let digits = trimmed(text)
        guard !digits.isEmpty, digits.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else {
            return nil
        }
        return min(Int64(digits) ?? .max, longest.components.seconds)
    }

    private static func trimmed(_ text: some StringProtocol) -> String {
        String(text).split(whereSeparator: { " \t\"".contains($0) }).joined(separator: " ")
    }
}
