import FoundationEssentials

/// Wall-clock times as the PSP writes them.
enum Timestamp {
    /// The moment in ISO 8601, UTC, with milliseconds.
    static func text(_ date: Date) -> String {
        date.formatted(Date.ISO8601FormatStyle(includingFractionalSeconds: true))
    }
}
