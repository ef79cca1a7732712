package import EventLog
package import Inspection

/// Why a session's log could not be read.
package enum LogReadingError: Error, Hashable, Sendable {
    /// The store has no record of the session.
    case unknownSession(SessionID)
    /// A record cannot be decoded, is out of sequence or was altered.
    case damaged(LogDamage)
    /// The store could not be read.
    case store(EventStoreError)

    /// Whether the log or the store is damaged, rather than missing or out of reach.
    package var isDamage: Bool {
        switch self {
        case .unknownSession: false
        case .damaged, .store(.corrupt), .store(.foreign), .store(.alteredSchema): true
        case .store: false
        }
    }
}

extension SessionLog {
    /// The number of records that are read at once.
    package static let batch = 1024
}

extension PersistentStore {
    /// Returns all records of a session, in order; empty for an unknown session.
    package func allRecords(
        of session: SessionID
    ) async throws(EventStoreError) -> [StoredRecord] {
        var records: [StoredRecord] = []
        while true {
            let more = try await read(
                session,
                from: SequenceNumber(records.count).next,
                limit: SessionLog.batch
            )
            records += more
            if more.count < SessionLog.batch { return records }
        }
    }

    /// Returns the log of a session.
    ///
    /// With `isSound`, no record of it was altered.
    package func log(
        of session: SessionID,
        isSound: Bool = false
    ) async throws(LogReadingError) -> SessionLog {
        let records: [StoredRecord]
        do throws(EventStoreError) { records = try await allRecords(of: session) } catch {
            throw .store(error)
        }
        guard !records.isEmpty else { throw .unknownSession(session) }
        do throws(LogDamage) {
            let log = try SessionLog(session, records)
            if isSound { try log.checkSound(upTo: .max) }
            return log
        } catch {
            throw .damaged(error)
        }
    }

    /// Returns all matching rows, newest first.
    package func allRows(
        matching wanted: SessionQuery = SessionQuery()
    ) async throws(EventStoreError) -> [SessionSummary] {
        var (query, rows) = (wanted, [SessionSummary]())
        while true {
            let more = try await sessions(matching: query)
            rows += more
            guard more.count == query.limit, let last = more.last else { return rows }
            query.before = last.session
        }
    }
}

extension PersistentStore {
    /// Returns the log of a session in the index; `nil` when it cannot be read or was altered,
    /// which is counted and reported.
    func log(
        of session: SessionID,
        counting unreadable: inout Int,
        telling tell: (LogReadingNews) -> Void
    ) async throws(LogReadingError) -> SessionLog? {
        do throws(LogReadingError) {
            return try await log(of: session, isSound: true)
        } catch {
            // A listed session without a log is damaged, too: its records were removed.
            guard error.isDamage || error == .unknownSession(session) else { throw error }
            tell(.leftOut(error))
            unreadable += 1
            return nil
        }
    }
}
