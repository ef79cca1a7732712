internal import EventLog
internal import SwedbankPay

/// The progress of consumers, in memory.
struct InMemoryDeliveries {
    private struct Key: Hashable {
        var session: SessionID
        var consumer: String
    }

    private struct Row {
        var progress = DeliveryProgress.start
        var worker: Int64?
        var until = Instant(microseconds: 0)
    }

    private var rows: [Key: Row] = [:]

    /// Whether a session has records for a consumer, and no worker has claimed it.
    func isUndelivered(_ summary: SessionSummary, _ query: UndeliveredQuery) -> Bool {
        let key = Key(session: summary.session, consumer: query.consumer)
        guard let row = rows[key] else { return summary.lastSequence > 0 }
        return summary.lastSequence > row.progress.position
            && (row.worker == nil || row.until <= query.now)
    }

    /// Makes a change.
    ///
    /// - Returns: The progress after it; `nil` when another worker has claimed the session.
    mutating func make(
        _ change: DeliveryChange,
        by claim: DeliveryClaim,
        at now: Instant
    ) -> DeliveryProgress? {
        let key = Key(session: change.session, consumer: claim.consumer)
        switch change {
        case .claim:
            var row = rows[key] ?? Row()
            guard row.worker == nil || row.worker == claim.worker || row.until <= now else {
                return nil
            }
            row.worker = claim.worker
            row.until = claim.until
            rows[key] = row
            return row.progress
        case .advance(_, let progress), .release(_, let progress):
            guard var row = rows[key], row.worker == claim.worker else { return nil }
            if progress.position >= row.progress.position { row.progress = progress }
            row.until = claim.until
            if case .release = change { row.worker = nil }
            rows[key] = row
            return row.progress
        }
    }
}
