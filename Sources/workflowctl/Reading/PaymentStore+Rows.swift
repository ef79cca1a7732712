internal import Adapters
internal import EventLog
internal import Inspection
internal import SwedbankPay

extension PersistentStore {
    /// Returns the row of a session.
    func listedRow(of session: SessionID) async throws(Failure) -> SessionSummary? {
        do {
            return try await row(of: session)
        } catch {
            throw Failure(error)
        }
    }

    /// Returns the number of the last record that a session has, whatever its row says.
    func lastSequence(of session: SessionID) async throws(Failure) -> SequenceNumber {
        do {
            return try await head(of: session)?.sequence ?? 0
        } catch {
            throw Failure(error)
        }
    }

    /// Returns the currency of the order that a session is a checkout of, if an event's words need
    /// it; `nil` otherwise.
    func orderCurrency(for event: RecordedEvent) async throws(Failure) -> String? {
        guard case .checkout(.transactionRequested) = event.event else { return nil }
        let first: [StoredRecord]
        do {
            first = try await read(event.stream, from: 1, limit: 1)
        } catch {
            throw Failure(error)
        }
        return try SessionEvents.read(first).first?.event.orderCurrency
    }

    /// Returns all matching rows, newest first.
    func allSessions(
        matching wanted: SessionQuery = SessionQuery()
    ) async throws(Failure) -> [SessionSummary] {
        do {
            return try await allRows(matching: wanted)
        } catch {
            throw Failure(error)
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
