import EventLog
import WorkflowTesting

/// A subscriber to all cells: it keeps one log position for each of them.
final class MergedSubscriber {
    /// What came of reading a cell.
    enum Step {
        case read(count: Int)
        /// It crashed while it processed the records.
        case crashed
        /// The log position was refused; the next step begins again.
        case startedAgain
        /// The log position was refused, and is kept.
        case refused
    }

    /// A record as a subscriber knows it.
    ///
    /// After a restore, a session may have another record with the same number.
    private struct Received: Hashable {
        let session: SessionID
        let sequence: SequenceNumber
        let hash: Digest256

        init(_ record: StoredRecord) {
            (session, sequence, hash) = (record.stream, record.sequence, record.hash)
        }
    }

    private var positions: [Int: LogCursor] = [:]
    private var received: Set<Received> = []
    /// The number of the last record of each session since its cell was begun.
    private var last: [SessionID: SequenceNumber] = [:]
    /// The records before which another one of their session is missing.
    private(set) var gaps: [StoredRecord] = []
    private let neglected: CellDuty?

    private static let batch = 6

    init(neglecting duty: CellDuty?) { neglected = duty }

    /// Reads the next records of a cell; it crashes after so many of them.
    func read(_ cell: Cell, crashAfter limit: Int? = nil) async throws -> Step {
        let records: [PositionedRecord]
        do {
            records = try await cell.store.records(after: positions[cell.id], limit: Self.batch)
        } catch EventStoreError.cursorRefused {
            return try await startAgain(cell)
        }
        guard let end = records.last?.cursor else { return .read(count: 0) }
        if neglected == .saveAfterProcessing { positions[cell.id] = end }
        for (index, positioned) in records.enumerated() {
            if index == limit { return .crashed }
            process(positioned.record)
        }
        positions[cell.id] = end
        return .read(count: records.count)
    }

    /// Duty of a subscriber: what it knows of a cell's order ends with the cell's restore.
    private func startAgain(_ cell: Cell) async throws -> Step {
        if neglected == .startAgainAfterRestore, let end = try await cell.end() {
            let isKept = positions[cell.id]?.store == end.store
            positions[cell.id] = positions[cell.id]?.inEpoch(of: end.store)
            return isKept ? .refused : .startedAgain
        }
        positions[cell.id] = nil
        last = last.filter { $0.key.cell != cell.id }
        return .startedAgain
    }

    private func process(_ record: StoredRecord) {
        let known = last[record.stream, default: .zero]
        if record.sequence > known.next { gaps.append(record) }
        last[record.stream] = max(known, record.sequence)
        received.insert(Received(record))
    }

    /// Whether it has processed a record.
    func has(_ record: StoredRecord) -> Bool { received.contains(Received(record)) }
}
