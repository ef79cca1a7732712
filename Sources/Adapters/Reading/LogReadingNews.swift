/// What a reader of many logs tells while it reads.
package enum LogReadingNews: Sendable {
    /// How many logs, or rows, it has come to; the total is 0 when it is unknown.
    case reached(Int64, of: Int64)
    /// A log cannot be read or was altered, and is left out.
    case leftOut(LogReadingError)
}
