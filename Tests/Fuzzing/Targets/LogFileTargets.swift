import Inspection

@testable import EventLog
@testable import SwedbankPay
@testable import workflowctl

extension FuzzTarget {
    /// A file in place of a log: lines in our format, a batch of events, or anything else.
    static let logFile = readingLogFiles { LogReader($0) }

    /// The same with code that reads files.
    static func readingLogFiles(
        _ reader: @escaping @Sendable (any ByteSource) -> LogReader
    ) -> FuzzTarget {
        FuzzTarget(
            name: "log-file",
            maximumLength: 65_536,
            replayRounds: 40,
            seeds: { GoldenLogs.files + [Batches.bytes(of: GoldenLogs.files[0])] },
            growths: [
                .repeating("\n"), .repeating("\r\n", after: "{\"hash\""), .repeating("[\n"),
                .repeating(",", after: "[\n{\"chainhash\":\"", before: "\n]\n"),
                .repeating("{\"hash\"\n"),
            ],
            check: { bytes throws(Broken) in
                let whole = LogFiles.read(reader(BufferedSource([bytes])))
                try whole.check(length: bytes.count)
                // Pieces end anywhere: in the middle of a line, a character, or a line's end.
                let size = 1 + Int(bytes.first ?? 0) % 7
                let pieces = stride(from: 0, to: bytes.count, by: size).map {
                    Array(bytes[$0..<min(bytes.count, $0 + size)])
                }
                try hold(
                    LogFiles.read(reader(BufferedSource(pieces))) == whole,
                    "pieces of another size give the same"
                )
                try LogFiles.checkAgain(whole.records)
                return !whole.records.isEmpty
            }
        )
    }

    /// A line of a batch of events.
    static let cloudEvent = FuzzTarget(
        name: "cloud-event",
        maximumLength: 16_384,
        seeds: {
            GoldenLogs.lines.compactMap { line in
                (try? LogLine.decode(line)).map(CloudEventLine.encode)
            }
        },
        growths: [
            .repeating(",\"datacontenttype\":\"", after: Batches.head),
            .repeating(",", after: Batches.head), .repeating(",\"data", after: Batches.head),
        ],
        check: { bytes throws(Broken) in
            let record: StoredRecord
            do throws(EventDecodingError) {
                record = try CloudEventLine.decode(bytes)
            } catch {
                try Canary.isAbsent(from: "\(error)")
                return false
            }
            try hold(record.seals.isEmpty, "an event has no seals")
            let line = CloudEventLine.encode(record)
            let given = bytes.last == UInt8(ascii: ",") ? Array(bytes.dropLast()) : bytes
            try hold(line == given, "an event that is read is one that we write")
            // The verifier checks whether the data can be decoded, as with lines of the log's own
            // form.
            guard CanonicalCheck.isCanonical(record.canonical) else { return false }
            guard let event = try? JSONValue(parsing: line), case .object = event["data"] else {
                throw Broken(description: "an event that is read is no JSON")
            }
            try hold(
                event["subject"] == .string("\(record.stream)")
                    && event["id"] == .string("\(record.stream)/\(record.sequence)"),
                "an event's attributes say what its data says"
            )
            return true
        }
    )
}

/// Batches of events as they are exported.
enum Batches {
    /// Returns the beginning of an event, up to the first member of its data.
    static let head =
        "{\"chainhash\":\"\(Digest256.zero)\",\"chainprevious\":\"\(Digest256.zero)\",\"data\":{"

    /// Returns a log as a batch.
    static func bytes(of log: [UInt8]) -> [UInt8] {
        let records = log.split(separator: 0x0A).compactMap { try? LogLine.decode(Array($0)) }
        return CloudEventLine.batchBegin
            + records.map(CloudEventLine.encode).joined(separator: CloudEventLine.separator)
            + CloudEventLine.batchEnd(isEmpty: records.isEmpty)
    }
}

/// The content of a file.
struct LogFiles: Equatable {
    /// The records, each from one line.
    var records: [StoredRecord] = []
    var lines: [Int] = []
    var faults: [LogReader.LineFault] = []
    /// The failure that ended the file, if any.
    var failure: String?

    static func read(_ reader: LogReader) -> LogFiles {
        var reader = reader
        var file = LogFiles()
        do throws(Failure) {
            while let entry = try reader.next() {
                switch entry {
                case .record(let record, let line):
                    file.records.append(record)
                    file.lines.append(line)
                case .fault(let fault): file.faults.append(fault)
                }
            }
        } catch {
            file.failure = "\(error)"
        }
        return file
    }

    func check(length: Int) throws(Broken) {
        for fault in faults {
            try Canary.isAbsent(from: fault.message)
            try hold(fault.message.utf8.count <= 400, "a message is short")
        }
        if let failure {
            try Canary.isAbsent(from: failure)
            try hold(records.isEmpty && faults.isEmpty, "a foreign file is refused at once")
        }
        try hold(zip(lines, lines.dropFirst()).allSatisfy(<), "lines are counted")
        try hold(records.count + faults.count <= length + 1, "no line gives two entries")
    }

    /// The content is exported and read again in both formats.
    static func checkAgain(_ records: [StoredRecord]) throws(Broken) {
        guard !records.isEmpty else { return }
        var lines: [UInt8] = []
        for record in records { lines += LogLine.encode(record) + [0x0A] }
        let own = read(LogReader(BufferedSource([lines])))
        try hold(own.records == records && own.faults.isEmpty, "what is exported is read again")
        var file = FileVerification()
        for (line, record) in records.enumerated() {
            _ = file.verify(.record(record, line: line + 1))
        }
        let verification = file.verification
        try hold(
            verification.damaged <= verification.sessions
                && verification.records <= Int64(records.count),
            "no more is found than there is"
        )
        if let first = verification.first { try Canary.isAbsent(from: "\(first.failure)") }
        let batch = read(LogReader(BufferedSource([Batches.bytes(of: lines)])))
        let bare = records.map { record in
            var copy = record
            // An event has neither seals nor a MAC.
            copy.seals = []
            copy.mac = nil
            return copy
        }
        try hold(batch.records == bare && batch.faults.isEmpty, "so is a batch of events")
    }
}
