internal import Adapters
internal import EventLog
internal import Inspection
internal import SwedbankPay

/// Why a session cannot be copied into a store that has records of it already.
struct CopyObstacles: Sendable {
    let source: any PersistentStore
    let target: any PersistentStore
    /// Whether the sessions will belong to the target.
    let moves: Bool

    /// Returns the obstacle to copying a session; `nil` when the target has no records of it, or
    /// the same ones.
    ///
    /// - Throws: A failure of the stores.
    func found(_ session: SessionID) async throws(Failure) -> Failure? {
        let known = try await SessionLog.records(of: session, in: target)
        guard !known.isEmpty else { return nil }
        return try await found(try await SessionLog.read(session, from: source), known)
    }

    /// Returns the obstacle to copying a session of which the target has some records.
    ///
    /// - Throws: A failure of the stores.
    func found(
        _ log: SessionLog,
        _ known: [StoredRecord]
    ) async throws(Failure) -> Failure? {
        let session = log.session
        let common = min(known.count, log.records.count)
        guard known[..<common].map(\.hash) == log.records[..<common].map(\.hash) else {
            return Failure(
                .refused,
                "import.other-history",
                "the other store has a different log of session \(session); none of its records were copied",
                hint: "copy it into a separate store to compare them"
            )
        }
        guard let row = try await target.listedRow(of: session) else { return nil }
        guard row.isForeign else {
            guard common < log.records.count else { return nil }
            return Failure(
                .damaged,
                "import.own-session",
                "session \(session) was opened in the other store, so records from elsewhere "
                    + "cannot be added to it",
                hint: "copy it into a separate store to compare them"
            )
        }
        // A copy always stays a copy: after a move, neither store would drive the session.
        guard moves, try await source.listedRow(of: session)?.isForeign == false else { return nil }
        return Failure(
            .refused,
            "store.copied-before",
            "the other store has a copy of session \(session), which cannot be driven",
            hint: "move the sessions into a store that has no copies of them"
        )
    }
}
