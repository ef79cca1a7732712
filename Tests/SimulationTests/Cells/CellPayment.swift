import EventLog

/// The log of a simple payment.
enum CellPayment {
    /// The events of a payment.
    ///
    /// After `requested` is durable, the request is sent to the PSP.
    static let events = ["opened", "fetched", "requested", "settled"]

    /// The next append of a payment; `nil` when it is over.
    static func append(
        after head: StreamHead,
        of session: SessionID,
        address: Digest256,
        at now: Instant
    ) -> StreamAppend? {
        guard head.sequence.count < events.count else { return nil }
        let type = events[head.sequence.count]
        let canonical = Array("\(type) \(session) \(now)".utf8)
        let record = StoredRecord(
            stream: session,
            sequence: head.sequence.next,
            type: type,
            at: now,
            canonical: canonical,
            previous: head.hash,
            hash: HashChain.hash(head.hash, canonical),
            seals: []
        )
        let isOver = record.sequence.count == events.count
        let summary = SessionSummary(
            session: session,
            phase: isOver ? SessionSummary.ended : type,
            isSettled: isOver,
            lastSequence: record.sequence,
            openedAt: Instant(microseconds: Int64(session.high >> 16) * 1000),
            lastAt: now,
            addressFingerprint: address
        )
        return StreamAppend(
            stream: session,
            expectedVersion: head.sequence,
            records: [record],
            summary: summary
        )
    }
}

/// The PSP's ledger: which of our sessions began to pay at each address.
///
/// A request of the same session changes nothing.
struct PaymentLedger {
    private(set) var sessions: [Int: [SessionID]] = [:]

    /// Records a request, and returns whether it is a repeated one.
    mutating func request(_ session: SessionID, address: Int) -> Bool {
        let isRepeated = sessions[address, default: []].contains(session)
        if !isRepeated { sessions[address, default: []].append(session) }
        return isRepeated
    }
}
