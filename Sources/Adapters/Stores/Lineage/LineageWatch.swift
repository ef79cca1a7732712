internal import EventLog
internal import SwedbankPay

/// What this process knows of its store's lineage: whether it may send anything, and how far the store has come.
///
/// - Note: Isolation: any. Writing what is remembered is one small write without waiting for the disk, at most once a second.
final class LineageWatch: Sendable {
    private struct Table {
        /// What the store was found to be; nil before it was looked at.
        var memory: StoreMemory?
        var doubt: LineageDoubt?
        /// The mark that stands in the file.
        var written: LogMark?
        var writtenAt: ContinuousClock.Instant?
    }

    /// Where it is remembered beside this process; nil where it isn't.
    let path: String?
    private let table = ThreadLock(Table())

    /// The shortest time between two times that the mark is written: so much can go back unnoticed at the most.
    static let pause = Duration.seconds(1)

    init(path: String?) { self.path = path }

    /// What is remembered in this process; nil before the store was looked at.
    var memory: StoreMemory? { table.withLock { $0.memory } }

    /// Why nothing may be sent any more; nil while nothing is known against it.
    var doubt: LineageDoubt? { table.withLock { $0.doubt } }

    /// Whether the store was looked at, and nothing is known against it.
    var isConfirmed: Bool { table.withLock { $0.memory != nil && $0.doubt == nil } }

    /// What is remembered: what this process knows goes before what the file has, which may be a second behind.
    func remembered() throws(EventStoreError) -> StoreMemory.Reading {
        if let memory { return .remembered(memory) }
        guard let path else { return .absent }
        return try StoreMemory.read(path)
    }

    /// The store is the one that lives; what is remembered is durable when it returns.
    func confirm(_ memory: StoreMemory) throws(EventStoreError) {
        if let path { try memory.write(to: path, isLasting: true) }
        table.withLock { $0 = Table(memory: memory, written: memory.mark, writtenAt: .now) }
    }

    /// From here on nothing is sent.
    func doubt(_ doubt: LineageDoubt) {
        table.withLock { $0.doubt = doubt }
    }

    /// A record is durable; it is remembered now or with a later one.
    func note(_ mark: LogMark) {
        write { table in
            table.memory?.mark = mark
            return table.writtenAt.map { $0.duration(to: .now) >= Self.pause } ?? false
        }
    }

    /// Remembers the newest record.
    func flush() {
        write { _ in true }
    }

    private func write(_ isDue: (inout Table) -> Bool) {
        guard let path else { return table.withLock { _ = isDue(&$0) } }
        table.withLock { table in
            guard isDue(&table), table.doubt == nil, let memory = table.memory,
                memory.mark != table.written
            else { return }
            // Best effort: what is not written now is written with a later record. It is never more than there is.
            guard (try? memory.write(to: path, isLasting: false)) != nil else { return }
            table.written = memory.mark
            table.writtenAt = .now
        }
    }
}

extension LogMark {
    /// The last record of an append that is durable.
    init?(after append: StreamAppend) {
        guard let record = append.records.last else { return nil }
        self.init(stream: append.stream, sequence: record.sequence, hash: record.hash)
    }
}
