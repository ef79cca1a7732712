internal import SwedbankPay

/// What one thread reads of a store at once: the rows by the share of sessions that they belong to.
///
/// Its memory is used again and again.
///
/// - Note: Isolation: one thread while it is filled; then any number that only read.
final class AuditSlice: @unchecked Sendable {
    // Unchecked: the audit waits for whoever fills it before it lends it to others, and for these before it is filled anew.

    /// How many places are read at once.
    static let size: Int64 = 2048
    /// After how many bytes a slice is full, whatever was to be read.
    static let maximumBytes = 16 << 20

    /// The rows of each share.
    private(set) var shares: [AuditRows]
    /// The raw hashes of its records in the order in which they were stored.
    private(set) var hashes: [UInt8] = []
    /// The last record that was read; nothing when there was none.
    private(set) var last: StoreAuditPosition.Place?
    /// Whether it was full before everything was read that was to be.
    private(set) var isCut = false

    /// An empty slice for so many shares.
    init(shares count: Int) {
        shares = Array(repeating: AuditRows(), count: count)
    }

    /// Reads the records at the places after one and up to another.
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
            let hash = shares[share].append(rows)
            bytes += shares[share].byteCount
            hash.withBytes { hashes.append(contentsOf: $0) }
            self.last = StoreAuditPosition.Place(position: rows.integer(0), hash: hash)
        }
    }
}
