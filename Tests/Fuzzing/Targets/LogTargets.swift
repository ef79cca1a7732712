@testable import Adapters
@testable import EventLog
@testable import Inspection
@testable import SwedbankPay

extension FuzzTarget {
    /// One record.
    static let record = FuzzTarget(
        name: "record",
        maximumLength: 16_384,
        seeds: { GoldenLogs.lines.compactMap { try? LogLine.decode($0).canonical } },
        growths: [
            .repeating("{\"$sealed\":", after: GoldenLogs.head + "\"x\":\"", before: "\"}"),
            .repeating("$", after: GoldenLogs.head + "\"x\":\"", before: "\"}"),
        ],
        check: { bytes throws(Broken) in try Records.check(bytes) }
    )

    /// One line of a log.
    static let logLine = readingLogLines { bytes in try LogLine.decode(bytes) }

    /// The same with code that reads lines.
    static func readingLogLines(
        _ decode: @escaping @Sendable ([UInt8]) throws -> StoredRecord
    ) -> FuzzTarget {
        FuzzTarget(
            name: "log-line",
            maximumLength: 16_384,
            seeds: { GoldenLogs.lines },
            growths: [
                .repeating(
                    "{",
                    after:
                        "{\"hash\":\"\(Digest256.zero)\",\"prev\":\"\(Digest256.zero)\",\"record\":"
                ),
                .repeating(
                    "\"QUJD\",",
                    after: GoldenLogs.emptyRecordLine,
                    before: "\"\"]}"
                ),
            ],
            check: { bytes throws(Broken) in
                let record: StoredRecord
                do {
                    record = try decode(bytes)
                } catch {
                    try Canary.isAbsent(from: "\(error)")
                    return false
                }
                let line = LogLine.encode(record)
                guard let again = try? decode(line) else {
                    throw Broken(description: "a line that was written is not read")
                }
                try hold(again == record, "a line is read back as it was")
                try hold(LogLine.encode(again) == line, "the same record gives the same line")
                let limits = CanonicalLimits.standard
                try hold(
                    record.canonical.count <= limits.recordBytes,
                    "the bound on records is kept"
                )
                // The following steps of the store and the command line.
                _ = try Records.check(record.canonical)
                let (head, damage) = LogVerifier<SessionEvent>.verify([record])
                if let damage {
                    try Canary.isAbsent(from: "\(damage)")
                    try hold(head == .empty, "nothing is found sound behind damage")
                } else {
                    try hold(record.hasItsHash, "what is found sound has the hash of its content")
                }
                let unsealed = RecordReader.unseal(record, with: Keys.keys)
                try hold(
                    unsealed.secrets.count == 0 || !record.seals.isEmpty,
                    "secrets come from seals"
                )
                return true
            }
        )
    }

    /// A whole log: several lines of one session or more.
    static let log = FuzzTarget(
        name: "log",
        maximumLength: 65_536,
        replayRounds: 20,
        seeds: { GoldenLogs.files },
        check: { bytes throws(Broken) in try Logs.check(bytes) }
    )
}

/// The properties of a record.
enum Records {
    static func check(_ bytes: [UInt8]) throws(Broken) -> Bool {
        let event: RecordedEvent
        do {
            event = try EventCodec.decode(bytes)
        } catch {
            try Canary.isAbsent(from: "\(error)")
            return false
        }
        let type = EventCodec.typeName(of: event.event)
        if let proved = EventCodec.decodeProving(bytes, of: SessionEvent.self, presumedType: type) {
            try hold(proved == event, "in one pass it reads as the same event")
            try hold(CanonicalCheck.isCanonical(bytes), "what was proved canonical is canonical")
        }
        let encoded = EventCodec.encode(event)
        try hold(encoded.isExact, "what was read can be written exactly")
        try hold(CanonicalCheck.isCanonical(encoded.canonical), "what is written is canonical")
        guard let again = try? EventCodec.decode(encoded.canonical) else {
            throw Broken(description: "a record that was written is not read")
        }
        try hold(again == event, "a record is read back as it was")
        try hold(
            EventCodec.encode(again).canonical == encoded.canonical,
            "the same event gives the same bytes"
        )
        let numbers = SealedPlaces.numbered(in: encoded.canonical).map(\.number)
        if case .unknown = event.event {
            // Kept exactly, including wrong numbers, which are errors for the verifier.
        } else {
            try hold(
                numbers.elementsEqual(0..<Int64(numbers.count)),
                "sealed values are numbered in their order"
            )
        }
        // The generic parser must find everything in the input that the typed one decoded.
        guard let whole = try? JSONValue(parsing: bytes),
            let part = try? JSONValue(parsing: encoded.canonical)
        else {
            let isOdd = (try? CanonicalReader.read(bytes, JSONValue.read)).map(
                JSONReading.hasEquivalentNames
            )
            try hold(isOdd == true, "both codecs read it")
            return true
        }
        try hold(
            isOlder(whole) || JSONReading.isPart(part, of: whole),
            "nothing was made up in reading"
        )
        return true
    }

    /// Whether a record has an older form, which is converted.
    private static func isOlder(_ record: JSONValue) -> Bool {
        guard case .string(let type)? = record["type"],
            let newest = EventCodec.newestVersion(ofType: type)
        else { return false }
        return record["v"] != .integer(Int64(newest))
    }
}

/// The properties of a log.
enum Logs {
    static func check(_ bytes: [UInt8]) throws(Broken) -> Bool {
        var logs: [SessionID: [StoredRecord]] = [:]
        var order: [SessionID] = []
        for line in bytes.split(separator: 0x0A) {
            guard let record = try? LogLine.decode(Array(line)) else { continue }
            if logs[record.stream] == nil { order.append(record.stream) }
            logs[record.stream, default: []].append(record)
        }
        var isSound = false
        for session in order {
            let records = logs[session] ?? []
            if LogVerifier<SessionEvent>.verify(records).damage == nil {
                isSound = true
                try checkTampering(with: records, by: bytes)
            }
            // A log that is damaged or unordered can still be displayed.
            try fold(records.compactMap { try? RecordReader.event(in: $0) }, of: session)
        }
        return isSound
    }

    /// Checks that no changed byte and no missing record of a valid log goes undetected.
    private static func checkTampering(
        with records: [StoredRecord],
        by bytes: [UInt8]
    ) throws(Broken) {
        let pick = bytes.reduce(into: 17) { $0 = ($0 &* 31 &+ Int($1)) & 0xFFFF_FFFF }
        let index = pick % records.count
        var altered = records
        let place = (pick / 7) % altered[index].canonical.count
        altered[index].canonical[place] ^= 1 << UInt8(pick % 8)
        try hold(
            LogVerifier<SessionEvent>.verify(altered).damage != nil,
            "an altered byte is noticed"
        )
        if records.count > 1, index < records.count - 1 {
            var shortened = records
            shortened.remove(at: index)
            try hold(
                LogVerifier<SessionEvent>.verify(shortened).damage != nil,
                "a missing record is noticed"
            )
        }
    }

    /// Folds arbitrary events: every event can be applied, and every view of the state can be
    /// created.
    private static func fold(_ events: [RecordedEvent], of session: SessionID) throws(Broken) {
        let decider = SessionDecider(catalogue: .bundled)
        let state = SessionState.folding(events, of: session)
        let first = decider.pendingEffects(of: state)
        try hold(first == decider.pendingEffects(of: state), "the same state owes the same")
        let summary = decider.summary(of: state)
        _ = summary.dueAt.map { "\($0)" }
        _ = "\(state.lastAt)"
        let view = SessionView(state, by: decider, disclosing: .masked)
        try hold((try? view.json.canonical()) != nil, "the view is JSON")
        // Whether every decision would be repeated: most of these logs were never decided by rules.
        var check = ReplayCheck(of: session, by: decider)
        for (index, event) in events.enumerated() {
            let following = index + 1 < events.count ? events[index + 1].event : nil
            do {
                try check.verify(event, followedBy: following)
            } catch {
                return
            }
        }
        try hold(check.state == state, "step by step gives the same state")
    }
}

/// The keys with which inputs are sealed.
enum Keys {
    static let keys: SessionKeys = {
        guard let keys = SessionKeys(dataKey: [UInt8](repeating: 9, count: 32)) else {
            preconditionFailure("32 bytes are a data key")
        }
        return keys
    }()
}
