internal import Adapters
internal import EventLog
internal import Measuring
internal import SwedbankPay
internal import Workflow

/// The log of a real payment, as a template for others.
struct SessionSample: Sendable {
    /// The events in order.
    let events: [RecordedEvent]
    /// The plaintexts of the sealed values.
    let secrets: SecretTable
    /// The session's keys.
    let keys: SessionKeys
    /// The session's row after each event, as an engine writes it.
    private let rows: [SessionSummary]

    /// Reads the log of a session in a store.
    init(of session: SessionID, at host: EngineHost) async throws {
        let records = try await host.store.read(session, from: 1, limit: 10_000)
        var events: [RecordedEvent] = []
        for record in records { events.append(try RecordReader.event(in: record)) }
        self.events = events
        let decider = SessionDecider(catalogue: .bundled)
        var state = SessionState(session: session)
        rows = events.map { event in
            state.apply(event.event, at: event.at)
            return decider.summary(of: state)
        }
        secrets = try await host.engine.secrets(of: session)
        guard let wrapped = try await host.store.wrappedKey(of: session) else {
            throw ChildProcess.Failure(description: "a sample session has no key")
        }
        keys = try await host.vault.keys(unwrapping: wrapped, for: session)
    }

    /// Pays at a sandbox: a card that is declined, then Swish.
    static func record(in directory: String, at baseURL: String) async throws -> SessionSample {
        let host = try await EngineHost(
            in: directory,
            configure: { $0.sessionLimits.pollInterval = .milliseconds(5) }
        )
        let scenario =
            #"{"swishApprovalMilliseconds":0,"savedCards":["4925000000000004"]}"#
        let urls = try await SandboxProcess.orders(
            1,
            at: baseURL,
            scenario: scenario,
            amount: 900_361,
            over: host.http,
            on: host.loop
        )
        let engine = host.engine
        let session = try await onLoop(host.loop) {
            let session = try await engine.open(
                urls[0],
                reference: "order-4711",
                preferences: [.card(rank: 1)],
                allowsInsecureLoopback: true
            )
            for await update in try await engine.updates(of: session) {
                if update.state.outcome != nil { return session }
                if let action = update.state.actions.last(where: \.isOpen) {
                    try await engine.report(session, action: action.id, .launched)
                    try await engine.returned(session, with: "https://shop.example/pay")
                } else if update.isSettled, update.state.problem != nil,
                    update.state.payment?.attempt == nil
                {
                    try await engine.attempt(session, with: .swish(msisdn: nil))
                }
            }
            return session
        }
        let sample = try await SessionSample(of: session, at: host)
        await host.shutdown()
        host.loop.shutdown()
        return sample
    }

    /// The events other than snapshots, like most of a log's records.
    var ordinary: [RecordedEvent] {
        events.filter { event in
            if case .fetched(let fetched) = event.event { fetched.snapshot == nil } else { true }
        }
    }

    /// 30 events: the log repeated, with a time that never goes back.
    var thirty: [RecordedEvent] {
        (0..<30).map { number in
            var event = events[number % events.count]
            event.at = events[0].at + .milliseconds(number)
            return event
        }
    }

    /// Appends sessions with these events each to a store, with the rows that an engine writes.
    func append(
        _ count: Int,
        of events: [RecordedEvent],
        to store: some PersistentStore,
        by decider: SessionDecider,
        on loop: UVLoop
    ) async throws {
        try await sharing(count, among: 64, on: loop) { _ in
            let session = SessionID.fresh()
            let records = try self.records(events.count, of: events, for: session)
            var append = StreamAppend(records[0])
            append.records = records
            append.summary = decider.summary(of: .folding(events, of: session))
            try await store.append(append)
        }
    }

    /// Returns records for another stream: these events, repeated, chained and sealed anew.
    func records(
        _ count: Int,
        of events: [RecordedEvent],
        for stream: SessionID,
        with keys: SessionKeys? = nil
    ) throws -> [StoredRecord] {
        let keys = keys ?? self.keys
        var head = StreamHead.empty
        var records: [StoredRecord] = []
        let random = SystemRandom()
        for number in 0..<count {
            var event = events[number % events.count]
            event.stream = stream
            event.sequence = head.sequence + 1
            let record = try RecordWriter.record(
                event,
                after: head,
                keys: keys,
                secrets: secrets,
                random: random
            )
            head = StreamHead(sequence: record.sequence, hash: record.hash)
            records.append(record)
        }
        return records
    }

    /// Returns appends of such records, one in each, with the rows that the events leave.
    func appends(
        _ count: Int,
        of events: [RecordedEvent],
        for stream: SessionID
    ) throws -> [StreamAppend] {
        try records(count, of: events, for: stream).enumerated().map { number, record in
            var row = rows[Int(events[number % events.count].sequence.rawValue) - 1]
            row.session = stream
            (row.lastSequence, row.lastAt) = (record.sequence, record.at)
            return StreamAppend(
                stream: stream,
                expectedVersion: record.sequence - 1,
                records: [record],
                summary: row
            )
        }
    }
}

extension SessionID {
    /// Returns a new identifier.
    static func fresh() -> SessionID {
        SessionID(
            at: Instant(microseconds: 1_790_000_000_000_000),
            random: (UInt64.random(in: 0...UInt64.max), UInt64.random(in: 0...UInt64.max))
        )
    }
}

extension StreamAppend {
    /// Creates an append of one record, with a minimal row of the projection.
    init(_ record: StoredRecord) {
        self.init(
            stream: record.stream,
            expectedVersion: record.sequence - 1,
            records: [record],
            summary: SessionSummary(
                session: record.stream,
                phase: "attempting",
                isSettled: false,
                lastSequence: record.sequence,
                openedAt: Instant(microseconds: 1_790_000_000_000_000),
                lastAt: record.at
            )
        )
    }
}

extension BareAppend {
    /// Creates an append with the same bytes as the store would write.
    init(_ record: StoredRecord, key: Int64) {
        self.init(
            key: key,
            sequence: record.sequence,
            type: Array(record.type.utf8),
            phase: Array("attempting".utf8),
            at: record.at.microseconds,
            record: record.canonical,
            previous: record.previous.bytes,
            hash: record.hash.bytes,
            seals: record.seals.flatMap { seal in
                withUnsafeBytes(of: UInt32(clamping: seal.count).bigEndian) { Array($0) } + seal
            }
        )
    }
}
