internal import SwedbankPay

/// A file that is not a log, judging by its first line.
struct ForeignFile {
    /// The presumed kind of file.
    private let words: String
    /// What to do.
    private let hint: String

    private static let logHint =
        "a log has one JSON object a line, as 'workflowctl export' writes it"

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
            hint = "name a store with --store sqlite:PATH"
        } else if bytes.starts(with: [0xFF, 0xFE]) || bytes.starts(with: [0xFE, 0xFF]) {
            words = "the file is text in UTF-16, not a log"
            hint = "logs are UTF-8; take the file as it was exported"
        } else if bytes.contains(0) || String(validating: bytes, as: UTF8.self) == nil {
            words = "the file is not text, and no log"
            hint = Self.logHint
        } else if bytes.first == UInt8(ascii: "<") {
            words = "the file is HTML or XML, not a log"
            hint = Self.logHint
        } else if bytes.first == UInt8(ascii: "[") {
            // The first line of a batch of events is only a bracket.
            guard bytes.count > 1, bytes != Array("[]".utf8) else { return nil }
            words = "the file is a list in JSON, but no list of events as 'export' writes it"
            hint = Self.logHint
        } else if bytes.first == UInt8(ascii: "{") {
            guard !bytes.contains(subsequence: "\"record\"") else { return nil }
            words = "the file is JSON of something else, not a log"
            hint = Self.logHint
        } else {
            words = "the file is no log"
            hint = Self.logHint
        }
    }

    /// The failure of a command that expected a log.
    var failure: Failure { Failure(.damaged, "log.foreign", words, hint: hint) }
}

extension [UInt8] {
    /// Returns whether the bytes contain a text.
    fileprivate func contains(subsequence text: String) -> Bool {
        firstRange(of: Array(text.utf8)) != nil
    }
}
