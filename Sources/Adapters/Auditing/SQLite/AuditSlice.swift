internal import SwedbankPay

/// The rows that one thread reads at once, divided into the shares of sessions that they belong to.
///
/// Its memory is reused.
///
/// - Note: Isolation: one thread while it is filled; then any number of threads that only read.
final class AuditSlice: @unchecked Sendable {
    // Unchecked: the audit waits for the thread that fills a slice before it lends the slice to
    // others, and for these before the slice is filled again.

    /// The number of log positions per slice.
    static let size: Int64 = 2048
    /// The number of bytes at which a slice is full, whatever was requested.
    static let maximumBytes = 16 << 20

    /// The rows of each share.
    private(set) var shares: [AuditRows]
    /// The raw hashes of the records in storage order.
    private(set) var hashes: [UInt8] = []
    /// The last record read; `nil` when there was none.
    private(set) var last: StoreAuditPosition.Place?
    /// Whether the slice was full before everything requested was read.
    private(set) var isCut = false

    /// Creates an empty slice for this many shares.
    init(shares count: Int) {
        shares = Array(repeating: AuditRows(), count: count)
    }

    /// Reads the records at log positions after `first` and up to `last`.
    func fill(
        after first: Int64,
        through last: Int64,
        on connection: SQLiteConnection
    ) throws {
        for share in shares.indices { shares[share].removeAll() }
        hashes.removeAll(keepingCapacity: true)
        (self.last, isCut) = (nil, false)
        let rows = try connection.statement(
            """
            SELECT \(AuditRows.columns) FROM events
            WHERE position > ?1 AND position <= ?2 ORDER BY position
            """
        )
        defer { rows.reset() }
        rows.bind(first, at: 1)
        rows.bind(last, at: 2)
        var bytes = 0
        while try rows.step() {
            guard bytes < Self.maximumBytes else {
                isCut = true
                return
            }
            let share = Int((rows.integer(1) % Int64(shares.count)).magnitude)
            bytes -= shares[share].byteCount
            let hash = try shares[share].append(rows, on: connection)
            bytes += shares[share].byteCount
            hash.withBytes { hashes.append(contentsOf: $0) }
            self.last = StoreAuditPosition.Place(position: rows.integer(0), hash: hash)
        }
    }
}
