internal import EventLog
internal import Inspection
internal import SwedbankPay

/// Reads logs line by line: in the log's own format, or as a batch of events from `export --format
/// cloudevents`.
///
/// Carriage returns before line ends, empty lines and a leading byte-order mark are ignored.
struct LogReader {
    /// The result of a line.
    enum Entry {
        /// A record.
        case record(StoredRecord, line: Int)
        /// A fault: the file is damaged here, and may continue.
        case fault(LineFault)
    }

    /// A line that is not a record.
    struct LineFault: Hashable {
        /// The line number, from 1.
        var line: Int
        /// The kind, in one word.
        var kind: String
        /// A description without the data.
        var message: String
        /// The session of the record before it, if there is one.
        var session: SessionID?
        /// The sequence number of that record.
        var sequence: SequenceNumber?
    }

    private enum Form {
        /// Before the first line.
        case unknown
        /// Lines in the log's own format.
        case lines
        /// Events, one in each line.
        case events
        /// Events in a list, which has to end.
        case batch
        /// After the end of such a list.
        case ended
    }

    private var lines: LineSource
    private var form = Form.unknown
    private var last: (session: SessionID, sequence: SequenceNumber)?
    /// The maximum length of a line in bytes.
    private let limits = CanonicalLimits.standard

    /// Creates a reader of a source's lines.
    init(_ source: any ByteSource) {
        lines = LineSource(source, limit: CanonicalLimits.standard.lineBytes)
    }

    /// Returns the next record or fault; `nil` at the end.
    ///
    /// - Throws: A failure when the source cannot be read, or is not a log.
    mutating func next() throws(Failure) -> Entry? {
        while var line = try lines.next() {
            if line.number == 1, line.bytes.starts(with: [0xEF, 0xBB, 0xBF]) {
                line.bytes.removeFirst(3)
            }
            if line.bytes.last == 0x0D { line.bytes.removeLast() }
            if line.bytes.isEmpty, !line.isTooLong { continue }
            if form == .unknown { try begin(with: line) }
            if form == .batch {
                if line.bytes == [UInt8(ascii: "[")] { continue }
                if line.bytes == [UInt8(ascii: "]")] || line.bytes == Array("[]".utf8) {
                    form = .ended
                    continue
                }
            } else if form == .ended {
                return fault(line, "unreadable", "comes after the end of the list of events")
            }
            return entry(of: line)
        }
        guard form == .batch else { return nil }
        form = .ended
        return .fault(
            LineFault(
                line: 0,
                kind: "cut-line",
                message: "the file is truncated: its list of events does not end" + place,
                session: last?.session,
                sequence: last?.sequence
            )
        )
    }

    private mutating func begin(with line: LineSource.Line) throws(Failure) {
        // The content of a line that is too long was not kept, so its kind is unknown.
        let foreign = line.isTooLong ? nil : ForeignFile(line)
        if let foreign { throw foreign.failure }
        form =
            switch line.bytes.first {
            case UInt8(ascii: "["): .batch
            case _ where line.bytes.starts(with: "{\"chainhash\"".utf8): .events
            default: .lines
            }
    }

    private mutating func entry(of line: LineSource.Line) -> Entry {
        guard !line.isTooLong else {
            return fault(line, "line-too-long", "has more than \(limits.lineBytes) bytes")
        }
        guard !line.bytes.contains(0) else {
            return fault(line, "nul-bytes", "contains NUL bytes: it was overwritten")
        }
        do throws(EventDecodingError) {
            let record =
                form == .batch || form == .events
                ? try CloudEventLine.decode(line.bytes) : try LogLine.decode(line.bytes)
            last = (record.stream, record.sequence)
            return .record(record, line: line.number)
        } catch {
            if let newer = NewerRecord(in: line.bytes, limit: limits.rewrittenLineBytes) {
                return fault(line, "newer-version", newer.words)
            }
            guard line.isEnded else {
                return fault(line, "cut-line", "is truncated: it ends in the middle of a record")
            }
            guard error != .limit(name: LogLine.rewrittenLimit) else {
                let most = limits.rewrittenLineBytes
                return fault(
                    line,
                    "line-too-long",
                    "has more than \(most) bytes and is not in canonical form"
                )
            }
            return fault(line, "unreadable", "is not a log record: \(error)")
        }
    }

    private func fault(_ line: LineSource.Line, _ kind: String, _ words: String) -> Entry {
        .fault(
            LineFault(
                line: line.number,
                kind: kind,
                message: "line \(line.number) \(words)" + place,
                session: last?.session,
                sequence: last?.sequence
            )
        )
    }

    /// The position in the logs.
    private var place: String {
        last.map { ", after record \($0.sequence) of session \($0.session)" } ?? ""
    }
}

/// The failure for a record that a newer build wrote and this one cannot read.
private struct NewerRecord {
    let words: String

    /// Examines a line that cannot be read; one that is longer than `limit` is not examined.
    init?(in line: [UInt8], limit: Int) {
        guard line.count <= limit, let record = try? JSONValue(parsing: line)["record"],
            case .string(let type)? = record["type"], case .integer(let version)? = record["v"],
            version > Int64(EventCodec.newestVersion(ofType: type) ?? 0)
        else { return nil }
        words = "was written by a newer version of this program and cannot be read"
    }
}
