/// Checks that one session's log is complete and unaltered, record by record; needs no keys.
///
/// Of a record whose text was masked the hash is taken as given, since it is that of the text before: its place and the links
/// to the records around it are checked, its content is not. Such records are counted in ``masked``.
public struct LogVerifier<Event: LoggedEvent>: Sendable {
    /// The session; nothing before the first record.
    public private(set) var stream: SessionID?
    /// The end of what was found sound.
    public private(set) var head = StreamHead.empty
    /// The records whose content is not covered by their hash, because text in them was masked.
    public private(set) var masked = MaskedRecords()
    private var last: Instant?
    private let upcasters: UpcasterRegistry

    /// A verifier before the first record.
    ///
    /// - Parameters:
    ///   - stream: The session that the log must be of; nothing takes that of the first record.
    ///   - upcasters: How older forms are read; nil for how the events read them.
    public init(stream: SessionID? = nil, upcasters: UpcasterRegistry? = nil) {
        self.stream = stream
        self.upcasters = upcasters ?? Event.upcasters
    }

    /// Checks the next record.
    ///
    /// - Returns: What was read in it.
    /// - Throws: ``LogDamage`` for the first thing that is wrong; the verifier stays at the record before.
    @discardableResult
    public mutating func check(_ record: StoredRecord) throws(LogDamage) -> CheckedRecord<Event> {
        let read = try record.canonical.withUnsafeBufferPointer { bytes throws(LogDamage) in
            try check(LentRecord(record, bytes), masked: record.isMasked ? record : nil)
        }
        masked.note(record)
        return CheckedRecord(
            event: read.event,
            sealedValues: read.sealedValues,
            masked: record.masked
        )
    }

    /// Checks the next record where it stands.
    ///
    /// - Returns: What was read in it.
    /// - Throws: ``LogDamage`` for the first thing that is wrong; the verifier stays at the record before.
    package mutating func check(
        _ record: LentRecord
    ) throws(LogDamage) -> (event: Recorded<Event>, sealedValues: Int) {
        try check(record, masked: nil)
    }

    /// Checks the next record.
    ///
    /// - Parameter masked: The same record, where text was masked in it: then the hash is not that of its bytes.
    private mutating func check(
        _ record: LentRecord,
        masked: StoredRecord?
    ) throws(LogDamage) -> (event: Recorded<Event>, sealedValues: Int) {
        let (event, isProved): (Recorded<Event>, Bool)
        if let proved = EventCodec.decodeProving(
            record.canonical,
            of: Event.self,
            presumedType: record.type
        ) {
            (event, isProved) = (proved, true)
        } else {
            (event, isProved) = (try decode(record), false)
        }
        if let stream, event.stream != stream { throw damage(.foreignStream(found: event.stream)) }
        if stream == nil { stream = event.stream }
        guard event.sequence == head.sequence + 1 else {
            throw damage(.outOfSequence(found: event.sequence))
        }
        guard record.previous == head.hash else { throw damage(.wrongPrevious) }
        guard isProved || CanonicalCheck.isCanonical(Array(record.canonical)) else {
            throw damage(.notCanonical)
        }
        if let masked {
            try masked.checkMasks(of: Event.self)
        } else {
            let bytes = UnsafeRawBufferPointer(record.canonical)
            guard HashChain.hash(record.previous, bytes) == record.hash else {
                throw damage(.wrongHash)
            }
        }
        if let last, event.at < last { throw damage(.timeWentBack) }
        try checkColumns(of: record, against: event)
        let sealedValues = try checkSeals(of: record)
        head = StreamHead(sequence: event.sequence, hash: record.hash)
        last = event.at
        return (event, sealedValues)
    }

    /// Checks a whole log.
    ///
    /// - Returns: The end of the log, and nothing or the first damage.
    public static func verify(
        _ records: some Sequence<StoredRecord>,
        stream: SessionID? = nil,
        upcasters: UpcasterRegistry? = nil
    ) -> (head: StreamHead, damage: LogDamage?) {
        var verifier = LogVerifier(stream: stream, upcasters: upcasters)
        for record in records {
            do {
                try verifier.check(record)
            } catch {
                return (verifier.head, error)
            }
        }
        return (verifier.head, nil)
    }

    private func decode(_ record: LentRecord) throws(LogDamage) -> Recorded<Event> {
        do {
            return try EventCodec.decode(
                Array(record.canonical),
                of: Event.self,
                upcasters: upcasters
            )
        } catch {
            throw damage(.unreadable(error))
        }
    }

    private func checkColumns(
        of record: LentRecord,
        against event: Recorded<Event>
    ) throws(LogDamage) {
        guard record.stream == event.stream else { throw damage(.contradicted(member: "stream")) }
        guard record.sequence == event.sequence else { throw damage(.contradicted(member: "seq")) }
        guard record.at == event.at else { throw damage(.contradicted(member: "at")) }
        guard record.type == event.event.typeName else {
            throw damage(.contradicted(member: "type"))
        }
    }

    /// How many sealed values a record has.
    private func checkSeals(of record: LentRecord) throws(LogDamage) -> Int {
        guard let count = SealedPlaces.count(in: record.canonical),
            record.sealCount == 0 || record.sealCount == count
        else { throw damage(.wrongSeals) }
        return count
    }

    private func damage(_ kind: LogDamage.Kind) -> LogDamage {
        LogDamage(stream: stream, sequence: head.sequence + 1, kind: kind)
    }
}
