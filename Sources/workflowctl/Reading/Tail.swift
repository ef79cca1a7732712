internal import Adapters
internal import EventLog
internal import Inspection
internal import SwedbankPay

/// Follows a store: prints the records that any process appends.
struct Tail {
    /// The events to print.
    struct Filter: Sendable {
        var types: [String]
        var onlyProblems: Bool
        var reference: String?
    }

    /// The number of records that are read at once.
    static let batch = 1024

    private let reader: Reader
    private let filter: Filter
    private let asJSON: Bool
    /// Whether sessions have the requested reference, as far as that is known.
    private var wanted: [SessionID: Bool] = [:]
    /// For one session: the sequence number up to which events were printed before following began.
    private var shown = SequenceNumber.zero
    /// Whether the followed session has ended.
    private var isOver = false
    /// Whether the store is available, and the time between two attempts.
    private var waiting: StoreWaiting
    /// What was read last.
    private var follower = LogFollower()
    /// The local date of the line that was printed last on a terminal; before the first one, today.
    private var date: String

    init(reader: Reader, filter: Filter, asJSON: Bool) {
        self.reader = reader
        self.filter = filter
        self.asJSON = asJSON
        waiting = StoreWaiting(reader.invocation)
        date = reader.invocation.output.form.clock.date(reader.invocation.now())
    }

    private var output: Sink { reader.invocation.output }

    /// Follows one session, or all sessions when `session` is `nil`.
    ///
    /// For one session, the last `count` events are shown first, and `untilEnded` says whether to
    /// stop at the session's end. `time` limits the duration; `nil` means no limit.
    mutating func follow(
        _ session: SessionID?,
        last count: Int,
        untilEnded: Bool,
        for time: Duration?
    ) async throws(Failure) -> ExitStatus {
        let deadline = time.map { reader.invocation.now() + $0 }
        // Read before the first events are printed, so that later appends come after this record.
        follower = try await newest()
        if let session { try await begin(session, last: count) }
        while !Task.isCancelled, !output.isGone() {
            if untilEnded, isOver { return .done }
            if let deadline, reader.invocation.now() >= deadline {
                return waiting.isAway ? .unavailable : .done
            }
            let records = try await changes()
            for placed in Self.inOrderOfTime(records)
            where session == nil || session == placed.record.stream {
                guard session == nil || placed.record.sequence > shown else { continue }
                try await show(placed.record)
            }
            guard records.count < Self.batch else { continue }
            guard await waiting.pause() else { break }
        }
        return .done
    }

    /// Merges the records of several lanes by their times; those of each lane stay in their order.
    private static func inOrderOfTime(_ records: [PositionedRecord]) -> [PositionedRecord] {
        var lanes = Dictionary(grouping: records, by: \.cursor.lane).values.map { $0[...] }
        guard lanes.count > 1 else { return records }
        var merged: [PositionedRecord] = []
        while merged.count < records.count {
            let heads = lanes.indices.compactMap { lane in
                lanes[lane].first.map { (at: $0.record.at, number: $0.cursor.lane, lane: lane) }
            }
            guard let next = heads.min(by: { ($0.at, $0.number) < ($1.at, $1.number) }) else {
                break
            }
            merged.append(lanes[next.lane].removeFirst())
        }
        return merged
    }

    /// Returns a follower that continues after the newest records.
    private func newest() async throws(Failure) -> LogFollower {
        do throws(EventStoreError) {
            guard let end = try await reader.store.changes(after: nil, limit: 1)?.cursor,
                end.distance(from: nil) != 0
            else { return LogFollower() }
            guard let newest = try await LogFollower.find(end, in: reader.store) else {
                throw .cursorRefused(.beyondEnd)
            }
            return newest
        } catch {
            throw Failure(error)
        }
    }

    /// Returns the records appended after the last one, those of each lane in commit order, without
    /// omissions.
    ///
    /// While a store is unavailable, this waits, and then continues after the same record. A store
    /// that ends before it may be a standby that lags behind; one that has another record in its
    /// place was put back to an earlier state, and what was appended to it since can't be told from
    /// what was read.
    private mutating func changes() async throws(Failure) -> [PositionedRecord] {
        let read: [PositionedRecord]?
        do {
            read = try await recordsFromLast()
        } catch {
            let failure = Failure(error)
            guard error.isTransient || error == .cursorRefused(.beyondEnd) else { throw failure }
            waiting.missed(failure)
            return []
        }
        guard let found = read else {
            throw Failure(
                .refused,
                "cursor.beyond-end",
                "the store has another record in place of the last one that was read: an earlier "
                    + "state was restored",
                hint: "run the command again to follow the store as it is now"
            )
        }
        waiting.found()
        follower.advance(through: found)
        return found
    }

    /// Reads on, and compares what was read last; `nil` when the store has other records in its
    /// place.
    private func recordsFromLast() async throws(EventStoreError) -> [PositionedRecord]? {
        switch try await follower.next(in: reader.store, limit: Self.batch) {
        case .records(let records): return records
        case .missing: throw .cursorRefused(.beyondEnd)
        case .otherRecord: return nil
        }
    }

    /// Prints the last existing events.
    private mutating func begin(_ session: SessionID, last count: Int) async throws(Failure) {
        let log = try await SessionLog.read(session, from: reader.store)
        isOver = log.state.outcome != nil
        shown = SequenceNumber(log.records.count)
        wanted[session] = true
        for record in log.records.suffix(count) { try await show(record) }
    }

    private mutating func show(_ record: StoredRecord) async throws(Failure) {
        guard let event = try SessionEvents.read([record]).first else { return }
        if event.event.isEnd { isOver = true }
        guard isWanted(event.event, record.type), try await concerns(record.stream) else { return }
        let words = EventWords(
            event.event,
            currency: try await reader.store.orderCurrency(for: event)
        )
        write(record, event, words)
    }

    /// Returns whether a session has the requested reference, which it has from its first event on.
    private mutating func concerns(_ session: SessionID) async throws(Failure) -> Bool {
        guard let reference = filter.reference else { return true }
        if let known = wanted[session] { return known }
        let isIt = try await reader.store.listedRow(of: session)?.reference == reference
        wanted[session] = isIt
        return isIt
    }

    private func isWanted(_ event: SessionEvent, _ type: String) -> Bool {
        guard filter.types.isEmpty || filter.types.contains(type) else { return false }
        return !filter.onlyProblems || event.isTrouble
    }

    /// Prints an event.
    ///
    /// On a terminal, its time is local, and the date is on a line of its own wherever it changes.
    private mutating func write(
        _ record: StoredRecord,
        _ event: RecordedEvent,
        _ words: EventWords
    ) {
        guard !asJSON else {
            output.write(document: LogLine.encode(record) + [0x0A], isJSON: true)
            return
        }
        guard output.isTerminal else {
            let cells = [
                "\(event.at)", "\(event.stream)", "\(event.sequence)", record.type, words.words,
            ]
            output.write(Table.tabSeparated([cells]))
            return
        }
        let (style, clock) = (output.style, output.form.clock)
        let date = clock.date(event.at)
        if date != self.date { output.write(style.paint(date, .dim) + "\n") }
        self.date = date
        let head = "\(clock.clock(event.at)) \(event.stream.short) "
        let room = max(16, (output.columns ?? 100) - head.count - 2)
        let text = Screen.cut(Screen.safe(words.words), to: room)
        output.write(
            style.paint(head, .dim) + words.lane.symbol(style) + " "
                + style.paint(text, words.lane == .problem ? .bad : nil) + "\n"
        )
    }
}

extension SessionEvent {
    /// Whether the event ends the session.
    fileprivate var isEnd: Bool {
        switch self {
        case .completed, .canceled, .expired, .failed: true
        default: false
        }
    }

    /// Whether the event reports a failure.
    fileprivate var isTrouble: Bool {
        switch self {
        case .problem, .operationFailed, .expired, .failed, .externalAppLaunchFailed,
            .threeDSLoadFailed, .walletFailed:
            true
        default: false
        }
    }
}
