internal import EventLog
internal import UVTransport

/// The state of the store's lineage in this process: whether requests may be sent, and the newest
/// record of the store.
///
/// - Note: Isolation: any. Updating the lineage file is one small write without a sync, at most
///   once a second.
final class LineageWatch: Sendable {
    private struct Table {
        /// The known state of the store; `nil` before it was checked.
        var memory: StoreMemory?
        /// The record that each connection wrote last.
        var marks: [Int: LogMark] = [:]
        var doubt: LineageDoubt?
        /// The mark in the file.
        var written: LogMark?
        var writtenAt: ContinuousClock.Instant?
    }

    /// The path of the lineage file; `nil` when there is none.
    let path: String?
    private let table = ThreadLock(Table())

    /// The shortest interval between two writes of the mark: at most this much can be rolled back
    /// unnoticed.
    static let pause = Duration.seconds(1)

    init(path: String?) { self.path = path }

    /// The state remembered in this process; `nil` before the store was checked.
    var memory: StoreMemory? { table.withLock { $0.memory } }

    /// Why no request may be sent any more; `nil` while there is no doubt.
    var doubt: LineageDoubt? { table.withLock { $0.doubt } }

    /// Whether the store was checked and there is no doubt.
    var isConfirmed: Bool { table.withLock { $0.memory != nil && $0.doubt == nil } }

    /// The remembered state: this process's takes precedence over the file's, which may be a second
    /// behind.
    func remembered() throws(EventStoreError) -> StoreMemory.Reading {
        if let memory { return .remembered(memory) }
        guard let path else { return .absent }
        return try StoreMemory.read(path)
    }

    /// Confirms that the store is the live one; the remembered state is durable on return.
    func confirm(_ memory: StoreMemory) throws(EventStoreError) {
        try write(memory)
        rely(on: memory)
    }

    /// Writes the file; the remembered state is durable on return.
    ///
    /// The store counts as the live one only after ``rely(on:)``.
    func write(_ memory: StoreMemory) throws(EventStoreError) {
        if let path { try memory.write(to: path, isLasting: true) }
    }

    /// Takes the store for the live one: from now on requests are sent.
    func rely(on memory: StoreMemory) {
        table.withLock { $0 = Table(memory: memory, written: memory.mark, writtenAt: .now) }
    }

    /// The records that the store certainly has: those that each connection wrote last.
    ///
    /// Whatever the last commits are that a standby lacks, one of these is among them.
    var marks: [LogMark] {
        table.withLock { table in
            table.marks.isEmpty ? [table.memory?.mark].compactMap { $0 } : Array(table.marks.values)
        }
    }

    /// Records that the store lacks a record: from now on no request is sent, until the store has
    /// it or is adopted.
    func doubt(lacking mark: LogMark) {
        table.withLock { table in
            guard table.doubt == nil else { return }
            table.doubt = .wentBack(stream: mark.stream, sequence: mark.sequence)
            table.memory?.mark = mark
            // Best effort: the file may have a mark that the store still has.
            if let path { try? table.memory?.write(to: path, isLasting: false) }
        }
    }

    /// Records that a record is durable; the mark is written now or together with a later one.
    ///
    /// - Parameters:
    ///   - mark: The record.
    ///   - connection: The number of the connection that wrote it.
    func note(_ mark: LogMark, by connection: Int = 0) {
        write { table in
            table.memory?.mark = mark
            table.marks[connection] = mark
            return table.writtenAt.map { $0.duration(to: .now) >= Self.pause } ?? false
        }
    }

    /// Writes the mark of the newest record.
    func flush() {
        write { _ in true }
    }

    private func write(_ isDue: (inout Table) -> Bool) {
        guard let path else { return table.withLock { _ = isDue(&$0) } }
        table.withLock { table in
            guard isDue(&table), table.doubt == nil, let memory = table.memory,
                memory.mark != table.written
            else { return }
            // Best effort: a mark that is not written now is written with a later record. It is
            // never ahead of the log.
            guard (try? memory.write(to: path, isLasting: false)) != nil else { return }
            table.written = memory.mark
            table.writtenAt = .now
        }
    }
}

extension LogMark {
    /// Creates a mark for the last record of a durable append.
    init?(after append: StreamAppend) {
        guard let record = append.records.last else { return nil }
        self.init(stream: append.stream, sequence: record.sequence, hash: record.hash)
    }
}
