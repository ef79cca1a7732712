import FoundationEssentials

/// The requests that the sandbox has recorded.
struct LedgerBook: Sendable {
    private let limit: Int
    private var entries: [LedgerEntry] = []
    private var sequence = 0
    private(set) var requests: [String: Int] = [:]

    init(limit: Int) {
        self.limit = max(limit, 1)
    }

    /// Counts a received request.
    mutating func count(_ rel: String) {
        requests[rel, default: 0] += 1
    }

    /// Records how a request ended.
    mutating func record(order: String, rel: String, status: Int, outcome: String, at date: Date) {
        sequence += 1
        if entries.count >= 2 * limit { entries.removeFirst(entries.count - limit) }
        entries.append(
            LedgerEntry(
                sequence: sequence,
                at: Timestamp.text(date),
                order: order,
                rel: rel,
                status: status,
                outcome: outcome
            )
        )
    }

    /// The newest entries, oldest first, of one order or of all.
    func newest(of order: String? = nil) -> [LedgerEntry] {
        let kept = Array(entries.suffix(limit))
        guard let order else { return kept }
        return kept.filter { $0.order == order }
    }
}
