internal import SwedbankPay

/// A file that is not a log, judging by its first line.
struct ForeignFile {
    /// The probable format.
    private let words: String
    /// The hint.
    private let hint: String

    private static let logHint =
        "a log has one JSON object per line; create one with 'workflowctl export'"

    /// Examines the first line that is not empty.
    ///
    /// Returns `nil` when it may be the first line of a log, even of a damaged one.
    init?(_ line: LineSource.Line) {
        let bytes = line.bytes
        if bytes.starts(with: "{\"hash\"".utf8) || bytes.starts(with: "{\"chainhash\"".utf8) {
            return nil
        }
        if bytes.starts(with: "SQLite format 3".utf8) {
            words = "the file is a database, not a log"
            hint = "to use a store, name it with --store sqlite:PATH"
        } else if bytes.starts(with: [0xFF, 0xFE]) || bytes.starts(with: [0xFE, 0xFF]) {
            words = "the file is UTF-16 text, not a log"
            hint = "logs are UTF-8; use the file as it was exported"
        } else if bytes.contains(0) || String(validating: bytes, as: UTF8.self) == nil {
            words = "the file is binary, not a log"
            hint = Self.logHint
        } else if bytes.first == UInt8(ascii: "<") {
            words = "the file is HTML or XML, not a log"
            hint = Self.logHint
        } else if bytes.first == UInt8(ascii: "[") {
            // The first line of a batch of events has only the beginning of the list.
            guard bytes.count > 1, bytes != Array("[]".utf8) else { return nil }
            words = "the file is a JSON array, but not a list of events from 'export'"
            hint = Self.logHint
        } else if bytes.first == UInt8(ascii: "{") {
            guard !bytes.contains(subsequence: "\"record\"") else { return nil }
            words = "the file is JSON, but not a log"
            hint = Self.logHint
        } else {
            words = "the file is not a log"
            hint = Self.logHint
        }
    }

    /// The failure of a command that expected a log.
    var failure: Failure { Failure(.damaged, "log.foreign", words, hint: hint) }
}

extension [UInt8] {
    /// Whether the bytes contain a text.
    fileprivate func contains(subsequence text: String) -> Bool {
        firstRange(of: Array(text.utf8)) != nil
    }
}
