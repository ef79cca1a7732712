internal import EventLog
internal import SwedbankPay
internal import Workflow

/// One session's log on a virtual disk: bytes, and what was read back from them.
///
/// Every append is read back from its bytes by the code that reads real logs, and folded: `live` is
/// what the bytes say, not what the engine believes to have written.
struct VirtualLog<Rules: WorkflowRules>: Sendable {
    let session: SessionID
    /// The bytes, including what a crash left after the last complete transaction.
    private(set) var file: [UInt8] = []
    /// The end of the last complete transaction.
    private(set) var committed = 0
    /// The end of the chain.
    private(set) var head = StreamHead.empty
    /// The hashes of the records.
    private(set) var hashes: [Digest256] = []
    /// The events, as read back.
    private(set) var events: [Recorded<Rules.Event>] = []
    /// Their fold.
    private(set) var live: Rules.State
    /// The state before the newest write, and the state after each of its events.
    private(set) var states: [Rules.State] = []
    /// When the first and the last event became durable, in the world's time.
    private(set) var since: Instant?
    private(set) var until: Instant?

    init(session: SessionID) {
        self.session = session
        live = Rules.State(session: session)
    }

    /// The damage detected after a write.
    typealias Damage = LogWriteDamage

    /// Writes a complete transaction and reads it back.
    ///
    /// - Returns: The number of new events.
    mutating func write(
        _ transaction: [UInt8],
        at now: Instant,
        by rules: Rules
    ) throws(Damage) -> Int {
        if file.count > committed { recover() }
        file += transaction
        let start = committed
        committed = file.count
        since = since ?? now
        until = now
        guard let records = StoredRows.records(in: file, from: start, of: session) else {
            throw Damage(guarantee: .nothingLost, explanation: "\(session) can't be read back")
        }
        states = [live]
        for record in records { try replay(record, by: rules) }
        return records.count
    }

    /// Leaves the first bytes of a transaction behind, like a crash.
    mutating func tear(_ transaction: [UInt8], after count: Int) {
        file.removeLast(file.count - committed)
        file += transaction.prefix(count)
    }

    /// Discards everything after the last complete transaction, which is found by reading from the
    /// start.
    mutating func recover() {
        let end = StoredRows.end(of: file)
        file.removeLast(file.count - end)
        committed = end
    }

    /// The records on the disk.
    var records: [StoredRecord]? {
        StoredRows.records(in: Array(file.prefix(committed)), of: session)
    }

    /// Reads one record back, checks its sequence number and hashes, and folds it.
    private mutating func replay(_ record: StoredRecord, by rules: Rules) throws(Damage) {
        let recorded: Recorded<Rules.Event>
        do {
            recorded = try EventCodec.decode(record.canonical, of: Rules.Event.self)
        } catch {
            throw damage(.replayEqualsLive, "\(record.type) cannot be read back: \(error)")
        }
        guard recorded.sequence == head.sequence + 1, record.sequence == recorded.sequence else {
            throw damage(.oneWriter, "record \(recorded.sequence) follows \(head.sequence)")
        }
        guard recorded.stream == session, record.previous == head.hash,
            HashChain.hash(record.previous, record.canonical) == record.hash
        else { throw damage(.oneWriter, "the chain is broken at \(recorded.sequence)") }
        if let last = events.last, recorded.at < last.at {
            throw damage(.oneWriter, "the log goes back in time at \(recorded.sequence)")
        }
        head = StreamHead(sequence: record.sequence, hash: record.hash)
        rules.evolve(&live, by: recorded.event, at: recorded.at)
        events.append(recorded)
        hashes.append(record.hash)
        states.append(live)
    }

    private func damage(_ guarantee: Guarantee, _ what: String) -> Damage {
        Damage(guarantee: guarantee, explanation: "\(session): \(what)")
    }
}

/// The damage detected after a write.
struct LogWriteDamage: Error {
    var guarantee: Guarantee
    var explanation: String
}

/// A write that has started and is not durable.
struct PendingWrite<Rules: WorkflowRules>: Sendable {
    var append: PendingAppend<Rules>
    /// The bytes that reach the disk; `nil` when the log has advanced already.
    var transaction: [UInt8]?
    /// The last record's hash, for the history's digest.
    var hash: Digest256
    /// The log position that the store has assigned to the first record before the commit; `nil`
    /// in a store that assigns it with the commit.
    var position: Int64?
}
