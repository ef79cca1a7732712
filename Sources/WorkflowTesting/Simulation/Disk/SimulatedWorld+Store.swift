import EventLog
import SwedbankPay
import Workflow

/// The journal that engines share, on a virtual disk.
extension SimulatedWorld {
    /// An engine passes events to the store.
    mutating func begin(_ append: PendingAppend<Scenario.Rules>, by node: Int) {
        guard let number = numbers[append.session] else { return }
        note(.writing, node: node, number, "\(append.events.count) events, \(append.cause)")
        if nodes[node].isCutFromStore {
            let error = EventStoreError.unavailable(reason: "cut off", code: nil)
            return schedule(.refuse(number, error), for: node, within: 1...2000)
        }
        if weather.isDiskFull(at: now) {
            return schedule(.refuse(number, .full), for: node, within: 1...20)
        }
        if chance(faults.appendFails) {
            return schedule(.refuse(number, .busy), for: node, within: 1...20)
        }
        var write = PendingWrite(append: append, transaction: nil, hash: .zero)
        if append.expectedVersion == logs[number].head.sequence {
            do {
                let records = try makeRecords(
                    of: append.events,
                    in: number,
                    at: append.at,
                    cause: append.cause,
                    by: "node-\(node)"
                ).map { nodes[node].driver.stored($0) }
                write.transaction = StoredRows.transaction(of: records)
                write.hash = records.last?.hash ?? .zero
                if nodes[node].driver.assignsPositionsEarly {
                    write.position = subscription.assignPositions(
                        records.count,
                        of: append.session
                    )
                }
            } catch {
                let refusal = EventStoreError.unwritable(
                    stream: append.session,
                    reason: "\(error)"
                )
                return schedule(.refuse(number, refusal), for: node, within: 0...1)
            }
        }
        nodes[node].writes[number] = write
        let isSlow = chance(faults.slowDisk)
        schedule(.commit(number), for: node, within: isSlow ? 200...5000 : 1...20)
    }

    /// An append fails.
    mutating func refuse(_ number: Int, _ error: EventStoreError, by node: Int) {
        note(.appendFailed, node: node, number, error.code)
        give(.appendFailed(residents[number].id, error), to: node)
    }

    /// A write reaches the disk: it becomes durable, or conflicts with another writer.
    mutating func commit(_ number: Int, by node: Int) {
        guard let write = nodes[node].writes.removeValue(forKey: number) else { return }
        let known = logs[number].head.sequence
        guard known == write.append.expectedVersion, let transaction = write.transaction else {
            statistics.conflicts += 1
            ledger.lostResponse(of: residents[number].id)
            let conflict = EventStoreError.conflict(
                stream: residents[number].id,
                expected: write.append.expectedVersion,
                actual: known
            )
            return refuse(number, conflict, by: node)
        }
        // The store compares the token of the append.
        if write.append.isUnderLease, residents[number].lease != node {
            nodes[node].unawareOf.remove(number)
            return refuse(number, .leaseLost(stream: residents[number].id), by: node)
        }
        if nodes[node].isCutFromStore {
            // The connection broke while the store was writing: the outcome is unknown.
            if chance(500) {
                becomeDurable(transaction, write.hash, in: number, by: node, at: write.position)
            }
            return refuse(number, .unavailable(reason: "cut off", code: nil), by: node)
        }
        becomeDurable(transaction, write.hash, in: number, by: node, at: write.position)
        if chance(faults.commitUnacknowledged) {
            return refuse(number, .inputOutput(reason: "fsync", code: nil), by: node)
        }
        give(.appended(residents[number].id), to: node)
    }

    /// Truncates what a crashed engine was writing at an arbitrary byte.
    mutating func tear(_ write: PendingWrite<Scenario.Rules>, in number: Int) {
        guard let transaction = write.transaction,
            write.append.expectedVersion == logs[number].head.sequence
        else { return }
        let kept = Int(generator.next() % UInt64(transaction.count + 1))
        if kept == transaction.count {
            statistics.survivingWrites += 1
            note(.torn, node: nil, number, "all \(kept) bytes are there")
            becomeDurable(transaction, write.hash, in: number, by: nil, at: write.position)
        } else {
            statistics.tornWrites += 1
            note(.torn, node: nil, number, "\(kept) of \(transaction.count) bytes are there")
            logs[number].tear(transaction, after: kept)
            reread(number)
        }
    }

    /// A transaction is on the disk: it is read back, and the ledger and the other engines are
    /// notified.
    mutating func becomeDurable(
        _ transaction: [UInt8],
        _ hash: Digest256,
        in number: Int,
        by writer: Int?,
        at position: Int64? = nil
    ) {
        let session = residents[number].id
        let count: Int
        do {
            count = try logs[number].write(transaction, at: now, by: scenario.rules)
        } catch {
            return violation(error.guarantee, error.explanation)
        }
        subscription.append(count, to: logs[number], at: position)
        statistics.events += count
        history.add(hash)
        let events = logs[number].events.suffix(count)
        note(.appended, node: writer, number, Self.words(for: events))
        let live = logs[number].live
        for recorded in events {
            let event = recorded.event
            ledger.durable(
                event,
                meaning: scenario.meaning(of: event),
                mayFollowEnd: scenario.mayFollowEnd(event, in: live),
                of: session
            )
        }
        Scenario.recorded(events, leadingTo: logs[number].states, of: number, in: &self)
        if SimulatedSecrets.stands(in: transaction) {
            violation(.noSecretOutside, "a secret stands in a record of \(session)")
        }
        if !settings.invariants.isEmpty {
            check(.recorded, live, number, events)
        }
        for node in nodes.indices where node != writer { expectNews(at: node) }
    }

    /// Schedules that an engine looks for what others have appended.
    private mutating func expectNews(at node: Int) {
        guard !nodes[node].expectsNews else { return }
        nodes[node].expectsNews = true
        schedule(.news, for: node, within: 1...150)
    }

    /// An engine looks for what others have appended.
    mutating func follow(at node: Int) {
        nodes[node].expectsNews = false
        let counter = subscription.count
        guard nodes[node].following.hasNews(counter) else { return }
        guard !nodes[node].isCutFromStore else { return expectNews(at: node) }
        var following = nodes[node].following
        let changed: [SessionID]
        switch following.question {
        case .ends:
            let held = logs.filter { nodes[node].core.holds($0.session) }
            changed = following.learn(
                ends: Dictionary(uniqueKeysWithValues: held.map { ($0.session, $0.head.sequence) }),
                isWhole: nodes[node].loading.isEmpty,
                newest: subscription.end,
                counter: counter
            ) {
                memory(of: $0, at: node)
            }
        case .changes(let cursor, let limit):
            let found = nodes[node].driver.heard(subscription.changes(after: cursor, limit: limit))
            changed = following.learn(found, counter: counter) { memory(of: $0, at: node) }
        }
        nodes[node].following = following
        for session in changed { give(.storeChanged(session), to: node) }
        if following.hasNews(subscription.count) {
            expectNews(at: node)
        } else {
            checkMemory(of: node)
        }
    }

    /// What an engine has of a session.
    private func memory(of session: SessionID, at node: Int) -> Following.Memory {
        if let end = nodes[node].core.end(of: session) { return .upTo(end) }
        let isLoading = numbers[session].map { nodes[node].loading.contains($0) } ?? false
        return nodes[node].driver.remembers(isLoading ? .loading : .nothing)
    }

    /// Another process that shares the store applies an input.
    mutating func writeElsewhere(_ input: Scenario.Rules.Input, in number: Int) {
        let state = logs[number].live
        let instant = max(now, state.lastAt)
        guard !weather.isDiskFull(at: now),
            let events = try? decision(on: input, in: state, at: instant)?.events, !events.isEmpty,
            let records = try? makeRecords(
                of: events,
                in: number,
                at: instant,
                cause: "elsewhere",
                by: "elsewhere"
            )
        else { return }
        let transaction = StoredRows.transaction(of: records)
        becomeDurable(transaction, records.last?.hash ?? .zero, in: number, by: nil)
        adoptLater(number)
    }

    /// An engine reads a session's log.
    mutating func load(_ number: Int, at node: Int, isWatched: Bool = false) {
        let session = residents[number].id
        let known = logs[number].head.sequence
        note(.loaded, node: node, number, "up to \(known)")
        if nodes[node].isCutFromStore {
            let error = EventStoreError.unavailable(reason: "cut off", code: nil)
            return give(.loadFailed(session, error), to: node)
        }
        offerForgery(of: number, to: node)
        give(.loaded(logs[number].live, isWatched: isWatched), to: node)
    }

    // MARK: Records

    /// Converts events to records, as the engine's shell does.
    private mutating func makeRecords(
        of events: [Scenario.Rules.Event],
        in number: Int,
        at instant: Instant,
        cause: String,
        by node: String
    ) throws(RecordWritingError) -> [StoredRecord] {
        let metadata = EventMetadata(
            build: settings.build,
            catalogue: scenario.rules.catalogueVersion,
            cause: cause,
            node: node
        )
        var head = logs[number].head
        var records: [StoredRecord] = []
        for event in events {
            let recorded = Recorded(
                stream: residents[number].id,
                sequence: head.sequence + 1,
                at: instant,
                event: event,
                metadata: metadata
            )
            let record = try record(recorded, after: head, number)
            head = StreamHead(sequence: record.sequence, hash: record.hash)
            records.append(record)
        }
        return records
    }

    private mutating func record(
        _ event: Recorded<Scenario.Rules.Event>,
        after head: StreamHead,
        _ number: Int
    ) throws(RecordWritingError) -> StoredRecord {
        guard settings.sealsRecords, let keys = scenario.secrets.keys else {
            return try RecordWriter.unsealedRecord(event, after: head)
        }
        let nonces = SimulatedNonces(seed: UInt64(number) << 32 | UInt64(event.sequence.rawValue))
        do {
            return try RecordWriter.record(
                event,
                after: head,
                keys: keys,
                secrets: scenario.secrets.table,
                random: nonces
            )
        } catch .missingPlaintext {
            // A driver invented a response.
            scenario.secrets.invent(EventCodec.encode(event).sealed)
            return try RecordWriter.record(
                event,
                after: head,
                keys: keys,
                secrets: scenario.secrets.table,
                random: nonces
            )
        }
    }

    private static func words(for events: ArraySlice<Recorded<Scenario.Rules.Event>>) -> String {
        events.map { "\($0.sequence) \($0.event.typeName)" }
            .joined(separator: ", ")
    }
}
