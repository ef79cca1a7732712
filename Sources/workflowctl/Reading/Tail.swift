internal import Adapters
internal import Workflow

/// Follows a store: what is appended by any process is written as it comes.
struct Tail {
    /// Which events are shown.
    struct Filter: Sendable {
        var types: [String]
        var onlyProblems: Bool
        var reference: String?
    }

    /// How often it is looked whether something was appended.
    static let interval = Duration.milliseconds(250)
    /// How many records are read at once.
    static let batch = 1024

    private let reader: Reader
    private let filter: Filter
    private let asJSON: Bool
    /// Up to which place each session was shown, and whether it has the wanted reference.
    private var told: [SessionID: (sequence: Int64, isWanted: Bool)] = [:]
    /// Whether the session that is followed has ended.
    private var isOver = false

    init(reader: Reader, filter: Filter, asJSON: Bool) {
        self.reader = reader
        self.filter = filter
        self.asJSON = asJSON
    }

    private var output: Sink { reader.invocation.output }

    /// Follows one session, or all.
    ///
    /// - Parameters:
    ///   - session: The session; nothing for all.
    ///   - count: Of one session: how many of its last events are shown first.
    ///   - untilEnded: Whether the end of that session ends it.
    ///   - time: After how long it ends; nothing for never.
    mutating func follow(
        _ session: SessionID?,
        last count: Int,
        untilEnded: Bool,
        for time: Duration?
    ) async throws(Failure) -> ExitStatus {
        let end = time.map { reader.invocation.now() + $0 }
        var position = try await news(after: nil).position
        if let session { try await begin(session, last: count) } else { try await beginAll() }
        while !Task.isCancelled, !output.isGone() {
            if untilEnded, isOver { return .done }
            if let end, reader.invocation.now() >= end { return .done }
            let news = try await news(after: position)
            for (changed, head) in news.heads.sorted(by: { $0.key < $1.key })
            where session == nil || session == changed {
                try await show(changed, upTo: head)
            }
            position = news.position
            guard news.isComplete else { continue }
            do {
                try await reader.invocation.loop.sleep(for: Self.interval)
            } catch {
                break
            }
        }
        return .done
    }

    private func news(after position: Int64?) async throws(Failure) -> StoreNews {
        do {
            return try await reader.store.news(after: position, limit: Self.batch)
                ?? StoreNews(position: position ?? 0)
        } catch {
            throw Failure(error)
        }
    }

    /// Shows the last events that are there already.
    private mutating func begin(_ session: SessionID, last count: Int) async throws(Failure) {
        let log = try await SessionLog.read(session, from: reader.store)
        told[session] = (max(0, Int64(log.records.count - count)), true)
        isOver = log.state.outcome != nil
        try await show(session, upTo: Int64(log.records.count))
    }

    private mutating func show(_ session: SessionID, upTo head: Int64) async throws(Failure) {
        if told[session] == nil { told[session] = try await beginning(of: session) }
        guard var known = told[session] else { return }
        while known.sequence < head {
            let records = try await reader.records(
                of: session,
                from: known.sequence + 1,
                limit: Self.batch
            )
            guard !records.isEmpty else { break }
            for (record, event) in zip(records, try SessionEvents.read(records)) {
                known.sequence = record.sequence
                if event.event.isEnd { isOver = true }
                guard known.isWanted, isWanted(event.event, record.type) else { continue }
                write(record, event)
            }
        }
        told[session] = known
    }

    /// A session that was not there when following began: all of it is news.
    private func beginning(
        of session: SessionID
    ) async throws(Failure) -> (sequence: Int64, isWanted: Bool) {
        guard filter.reference != nil else { return (0, true) }
        return (0, try await reader.store.listedRow(of: session)?.reference == filter.reference)
    }

    /// What the sessions have that are there already is not shown.
    private mutating func beginAll() async throws(Failure) {
        for row in try await reader.store.allSessions() {
            let isWanted = filter.reference == nil || row.reference == filter.reference
            told[row.session] = (row.lastSequence, isWanted)
        }
    }

    private func isWanted(_ event: SessionEvent, _ type: String) -> Bool {
        guard filter.types.isEmpty || filter.types.contains(type) else { return false }
        return !filter.onlyProblems || event.isTrouble
    }

    private func write(_ record: StoredRecord, _ event: RecordedEvent) {
        guard !asJSON else {
            output.take(LogLine.encode(record) + [0x0A])
            return
        }
        let words = EventWords(event.event)
        guard output.isTerminal else {
            let cells = [
                "\(event.at)", "\(event.stream)", "\(event.sequence)", record.type, words.words,
            ]
            output.write(cells.map { Screen.safe($0) }.joined(separator: "\t") + "\n")
            return
        }
        let style = output.style
        let identity = "\(event.stream)".suffix(12)
        let head = "\(event.at.clock) \(identity) "
        let room = max(16, (output.columns ?? 100) - head.count - 2)
        let text = Screen.cut(Screen.safe(words.words), to: room)
        output.write(
            style.paint(head, .dim) + words.lane.symbol(style) + " "
                + (words.lane == .problem ? style.paint(text, .bad) : text) + "\n"
        )
    }
}

extension SessionEvent {
    /// Whether it ends the session.
    fileprivate var isEnd: Bool {
        switch self {
        case .completed, .canceled, .expired, .failed: true
        default: false
        }
    }

    /// Whether something went wrong.
    fileprivate var isTrouble: Bool {
        switch self {
        case .problem, .operationFailed, .expired, .failed, .externalAppLaunchFailed,
            .threeDSLoadFailed, .walletFailed:
            true
        default: false
        }
    }
}
