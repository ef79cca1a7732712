internal import Adapters
internal import EventLog
internal import SwedbankPay

extension PaymentStore {
    /// Returns the row of a session.
    func listedRow(of session: SessionID) async throws(Failure) -> SessionSummary? {
        do {
            return try await row(of: session)
        } catch {
            throw Failure(error)
        }
    }

    /// Returns all matching rows, newest first.
    func allSessions(
        matching wanted: SessionQuery = SessionQuery()
    ) async throws(Failure) -> [SessionSummary] {
        var (query, rows) = (wanted, [SessionSummary]())
        while true {
            do {
                let more = try await sessions(matching: query)
                rows += more
                guard more.count == query.limit, let last = more.last else { return rows }
                query.before = last.session
            } catch {
                throw Failure(error)
            }
        }
    }

    /// Returns the sessions in the order of their identifiers, in batches.
    func sessions(
        after session: SessionID?,
        limit: Int
    ) async throws(Failure) -> [SessionID] {
        do {
            return try await sessionIdentities(after: session, limit: limit)
        } catch {
            throw Failure(error)
        }
    }
}
