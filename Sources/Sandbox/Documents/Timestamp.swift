import FoundationEssentials

/// Formats wall-clock times like the PSP.
enum Timestamp {
    /// The time in ISO 8601, UTC, with milliseconds.
    static func text(_ date: Date) -> String {
        date.formatted(Date.ISO8601FormatStyle(includingFractionalSeconds: true))
    }
}
