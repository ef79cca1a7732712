import EventLog
import SwedbankPay

/// Alters logs as a forger would.
package enum Forge {
    /// Returns the lines of a log without some, with a recomputed chain: valid, but not what
    /// happened.
    package static func rechained(_ log: String, without type: String) throws -> String {
        try rechained(log, without: type) { $0 }
    }

    /// Returns the lines of a log as another build would have written them.
    package static func rechained(_ log: String, by build: String) throws -> String {
        try rechained(log) { $0.replacing(#/"build":"[^"]*"/#, with: #""build":"\#(build)""#) }
    }

    /// Returns the lines of a log with the type of some events renamed.
    package static func rechained(
        _ log: String,
        changing type: String,
        to other: String
    ) throws -> String {
        try rechained(log) { $0.replacing(#""type":"\#(type)""#, with: #""type":"\#(other)""#) }
    }

    /// Returns the lines of a log with some text replaced, given as it is in the records.
    package static func rechained(
        _ log: String,
        replacing text: String,
        with other: String
    ) throws -> String {
        try rechained(log) { $0.replacing(text, with: other) }
    }

    private static func rechained(
        _ log: String,
        without type: String? = nil,
        changing: (String) -> String
    ) throws -> String {
        var previous = Digest256.zero
        var sequence: SequenceNumber = 0
        var lines = ""
        for line in log.split(separator: "\n") {
            let record = try LogLine.decode(Array(line.utf8))
            guard record.type != type else { continue }
            sequence += 1
            let text = String(decoding: record.canonical, as: UTF8.self)
                .replacing(#""seq":\#(record.sequence),"#, with: #""seq":\#(sequence),"#)
            var forged = record
            forged.sequence = sequence
            forged.canonical = Array(changing(text).utf8)
            forged.previous = previous
            forged.hash = HashChain.hash(previous, forged.canonical)
            forged.seals = []
            previous = forged.hash
            lines += String(decoding: LogLine.encode(forged), as: UTF8.self) + "\n"
        }
        return lines
    }
}
