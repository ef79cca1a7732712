/// Checks that one session's log is complete and unaltered, record by record, without keys.
public struct LogVerifier<Event: LoggedEvent>: Sendable {
    /// The session; `nil` before the first record.
    public private(set) var stream: SessionID?
    /// The last record that was found sound.
    public private(set) var head = StreamHead.empty
    private var last: Instant?
    private let upcasters: UpcasterRegistry

    /// Creates a verifier before the first record.
    ///
    /// - Parameters:
    ///   - stream: The session that the log must belong to; `nil` to accept the first record's.
    ///   - upcasters: How older forms are read; `nil` to use the event type's upcasters.
    public init(stream: SessionID? = nil, upcasters: UpcasterRegistry? = nil) {
        self.stream = stream
        self.upcasters = upcasters ?? Event.upcasters
    }

    /// Checks the next record.
    ///
    /// - Returns: What was read from it.
    /// - Throws: ``LogDamage`` for the first defect; the verifier then stays at the previous
    ///   record.
    @discardableResult
    public mutating func check(_ record: StoredRecord) throws(LogDamage) -> CheckedRecord<Event> {
        let read = try record.canonical.withUnsafeBufferPointer { bytes throws(LogDamage) in
            try check(LentRecord(record, bytes))
        }
        return CheckedRecord(event: read.event, sealedValues: read.sealedValues)
    }

    /// Checks the next record in place, without copying its bytes.
    ///
    /// - Returns: What was read from it.
    /// - Throws: ``LogDamage`` for the first defect; the verifier then stays at the previous
    ///   record.
    package mutating func check(
        _ record: LentRecord
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
        let bytes = UnsafeRawBufferPointer(record.canonical)
        guard HashChain.hash(record.previous, bytes) == record.hash else {
            throw damage(.wrongHash)
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
    /// - Returns: The end of the log, and the first damage or `nil`.
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

    /// The number of sealed values in a record.
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
