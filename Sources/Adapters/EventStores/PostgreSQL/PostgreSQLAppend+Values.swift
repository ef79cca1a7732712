internal import EventLog

/// An append, and the fencing token of the lease that it relies on.
struct FencedAppend: Sendable {
    var append: StreamAppend
    /// The token; `nil` when the append relies on no lease.
    var token: Int64?
}

extension PostgreSQLAppend {
    /// The statement with the values of some appends, which belong to different sessions.
    ///
    /// - Parameters:
    ///   - appends: The appends.
    ///   - lanes: The lanes of the store.
    ///   - model: What lists and sums need of the sessions.
    ///   - compressor: Compresses the records; `nil` to store them as they are.
    /// - Returns: The statement.
    static func command(
        _ appends: [FencedAppend],
        in lanes: PostgreSQLLanes,
        for model: ReadModel,
        compressedBy compressor: RecordCompressor?
    ) -> PQCommand {
        let rekeys = appends.contains {
            $0.append.expectedVersion > 0 && $0.append.wrappedKey != nil
        }
        let opens = rekeys || appends.contains { $0.append.expectedVersion == 0 }
        let variant: Variant = rekeys ? .rekeying : opens ? .opening : .advancing
        let laneRows = appends.map { lanes.row(of: lanes.lane(of: $0.append.stream)) }
        let isSingle = laneRows.allSatisfy { $0 == laneRows[0] }
        var command = PQCommand(isSingle ? toOneLane(variant) : toSeveralLanes(variant))
        let order = appends.indices.map { (appends[$0].append.stream, $0) }
            .sorted { $0.0 < $1.0 }
        command.values = rows(appends, order.map(\.1), model) + records(appends, compressor)
        command.values += isSingle ? [.integer(laneRows[0])] : ranks(appends, laneRows)
        if opens {
            var keys = PQArrayWriter(of: .bytes, capacity: 64 * appends.count)
            for (_, index) in order { keys.append(appends[index].append.wrappedKey) }
            command.values.append(keys.finish())
        }
        return command
    }

    /// The sessions' rows, in the order in which they are locked.
    private static func rows(
        _ appends: [FencedAppend],
        _ order: [Int],
        _ model: ReadModel
    ) -> [PQValue] {
        let numbers = 12 * order.count
        var streams = PQArrayWriter(of: .identity, capacity: 20 * order.count)
        var expected = PQArrayWriter(of: .integer, capacity: numbers)
        var last = PQArrayWriter(of: .integer, capacity: numbers)
        var phases = PQArrayWriter(of: .text, capacity: 20 * order.count)
        var outcomes = PQArrayWriter(of: .text, capacity: numbers)
        var settled = PQArrayWriter(of: .integer, capacity: numbers)
        var openedAt = PQArrayWriter(of: .integer, capacity: numbers)
        var lastAt = PQArrayWriter(of: .integer, capacity: numbers)
        var references = PQArrayWriter(of: .text, capacity: numbers)
        var labels = PQArrayWriter(of: .text, capacity: numbers)
        var problems = PQArrayWriter(of: .text, capacity: numbers)
        var dueAt = PQArrayWriter(of: .integer, capacity: numbers)
        var addresses = PQArrayWriter(of: .bytes, capacity: 36 * order.count)
        var tokens = PQArrayWriter(of: .integer, capacity: numbers)
        var headMACs = PQArrayWriter(of: .bytes, capacity: 36 * order.count)
        var imported = PQArrayWriter(of: .integer, capacity: numbers)
        var facts = PQArrayWriter(of: .text, capacity: 160 * order.count)
        for index in order {
            let row = appends[index].append.summary
            streams.append(row.session)
            expected.append(appends[index].append.expectedVersion.rawValue)
            last.append(row.lastSequence.rawValue)
            phases.append(row.phase)
            outcomes.append(row.outcome)
            settled.append(row.isSettled ? 1 : 0)
            openedAt.append(row.openedAt.microseconds)
            lastAt.append(row.lastAt.microseconds)
            references.append(row.reference)
            labels.append(row.label)
            problems.append(row.problem)
            dueAt.append(row.dueAt?.microseconds)
            addresses.append(row.addressFingerprint)
            tokens.append(appends[index].token)
            headMACs.append(row.headMAC)
            imported.append(row.origin == .imported ? 1 : 0)
            facts.append(Self.stored(row.facts, model))
        }
        return [
            streams.finish(), expected.finish(), last.finish(), phases.finish(), outcomes.finish(),
            settled.finish(), openedAt.finish(), lastAt.finish(), references.finish(),
            labels.finish(), problems.finish(), dueAt.finish(), addresses.finish(),
            tokens.finish(), headMACs.finish(), imported.finish(), facts.finish(),
        ]
    }

    /// Facts as one value, in JSON.
    static func stored(_ facts: SessionFacts?, _ model: ReadModel) -> String? {
        facts.map { String(decoding: $0.encoded(version: model.version), as: UTF8.self) }
    }

    /// For each record the row of its lane, and its rank among the records of its lane.
    private static func ranks(_ appends: [FencedAppend], _ laneRows: [Int64]) -> [PQValue] {
        let count = appends.reduce(0) { $0 + $1.append.records.count }
        var lanes = PQArrayWriter(of: .integer, capacity: 12 * count)
        var ranks = PQArrayWriter(of: .integer, capacity: 12 * count)
        var reached: [Int64: Int64] = [:]
        for (append, row) in zip(appends, laneRows) {
            for _ in append.append.records {
                reached[row, default: 0] += 1
                lanes.append(row)
                ranks.append(reached[row])
            }
        }
        return [lanes.finish(), ranks.finish()]
    }

    private static func records(
        _ appends: [FencedAppend],
        _ compressor: RecordCompressor?
    ) -> [PQValue] {
        let count = appends.reduce(0) { $0 + $1.append.records.count }
        let bytes = appends.reduce(0) { $0 + $1.append.bytes }
        var streams = PQArrayWriter(of: .identity, capacity: 20 * count)
        var places = PQArrayWriter(of: .integer, capacity: 12 * count)
        var types = PQArrayWriter(of: .text, capacity: 24 * count)
        var times = PQArrayWriter(of: .integer, capacity: 12 * count)
        var canonicals = PQArrayWriter(of: .bytes, capacity: bytes + 4 * count)
        var previous = PQArrayWriter(of: .bytes, capacity: 36 * count)
        var hashes = PQArrayWriter(of: .bytes, capacity: 36 * count)
        var seals = PQArrayWriter(of: .bytes, capacity: 64 * count)
        var macs = PQArrayWriter(of: .bytes, capacity: 36 * count)
        for append in appends {
            for record in append.append.records {
                streams.append(record.stream)
                places.append(record.sequence.rawValue)
                types.append(record.type)
                times.append(record.at.microseconds)
                compressor.withCompressed(record.canonical) { canonicals.append($0) }
                previous.append(record.previous)
                hashes.append(record.hash)
                seals.append(record.seals.isEmpty ? nil : SQLiteRows.bytes(of: record.seals))
                macs.append(record.mac)
            }
        }
        return [
            streams.finish(), places.finish(), types.finish(), times.finish(), canonicals.finish(),
            previous.finish(), hashes.finish(), seals.finish(), macs.finish(),
        ]
    }
}

extension StreamAppend {
    /// The approximate number of bytes sent to the server.
    var bytes: Int {
        records.reduce(0) { sum, record in
            record.seals.reduce(sum + record.canonical.count) { $0 + $1.count }
        }
    }
}
