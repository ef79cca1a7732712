internal import EventLog

/// Follows the records of a store after those that were sent elsewhere: what publishers and
/// webhooks share.
///
/// A database that was restored, or whose standby took over without the newest records, is another
/// store, in which the position means something else: each step reads the records again that were
/// read last.
struct OutboxFeed: Sendable {
    /// What came of a step.
    enum Step: Sendable {
        /// The next records, empty at the end, and how many records there are after those that were
        /// read before.
        case records([PositionedRecord], behind: Int64)
        /// The store cannot be read, or ends before the position: try again, longer after each of
        /// so many tries.
        case later(tries: Int, OutboxFailure)
    }

    /// The maximum number of consecutive reads in which the store ends before the position: a
    /// standby that lags catches up, a store that was restored to an earlier state does not.
    private static let reads = 10

    private let store: any EventStore
    private var last: LogFollower
    /// The numbers of consecutive steps in which the store could not be read, or lacked records.
    private var (unread, missing) = (0, 0)

    /// The log position of the last record; `nil` before the first one.
    var cursor: LogCursor? { last.cursor }

    /// What to save; `nil` before the first record.
    var mark: OutboxMark? {
        guard let cursor = last.cursor, let digest = last.digest else { return nil }
        return OutboxMark(position: cursor, hash: digest)
    }

    /// Continues after what was sent last, at the beginning if there is nothing; throws unless the
    /// store still has it.
    ///
    /// A store that was adopted since, in another epoch, has the same records up to there if it has
    /// those that were sent last: their hashes are the proof.
    init(of store: any EventStore, after mark: OutboxMark?) async throws(OutboxFailure) {
        self.store = store
        last = try await Self.find(mark, in: store)
    }

    /// Begins with what is recorded from now on.
    init(atEndOf store: any EventStore) async throws(OutboxFailure) {
        self.store = store
        do throws(EventStoreError) {
            guard let end = try await store.changes(after: nil, limit: 1)?.cursor, end.lanesRead > 0
            else {
                last = LogFollower()
                return
            }
            guard let found = try await LogFollower.find(end, in: store) else {
                throw EventStoreError.cursorRefused(.beyondEnd)
            }
            last = found
        } catch {
            throw .store(error)
        }
    }

    private static func find(
        _ mark: OutboxMark?,
        in store: any EventStore
    ) async throws(OutboxFailure) -> LogFollower {
        guard let mark else { return LogFollower() }
        let found: LogFollower?
        do throws(EventStoreError) {
            found = try await lookUp(mark, in: store)
        } catch .cursorRefused {
            found = nil
        } catch {
            throw .store(error)
        }
        guard let found else { throw .otherStore }
        return found
    }

    private static func lookUp(
        _ mark: OutboxMark,
        in store: any EventStore
    ) async throws(EventStoreError) -> LogFollower? {
        guard let current = try await store.records(after: nil, limit: 1).first?.cursor.store else {
            return nil
        }
        guard mark.position.store.isSameStore(as: current) else { return nil }
        let found = try await LogFollower.find(mark.position.inEpoch(of: current), in: store)
        return found?.digest == mark.hash ? found : nil
    }

    /// Reads the next records, without moving on.
    ///
    /// - Parameters:
    ///   - limit: The maximum number of records.
    ///   - bytes: The approximate maximum size of the records; a larger one comes alone.
    /// - Returns: The records, or that the store has to be read again.
    /// - Throws: ``OutboxFailure/otherStore``.
    mutating func next(limit: Int, bytes: Int = .max) async throws(OutboxFailure) -> Step {
        let found: LogFollower.Step
        do throws(EventStoreError) {
            found = try await last.next(in: store, limit: limit)
        } catch .cursorRefused {
            return try await afterRefusal(limit: limit, bytes: bytes)
        } catch {
            return unreadable(error)
        }
        switch found {
        case .records(let records):
            do throws(EventStoreError) {
                let step = try await batch(of: records, limit: limit, bytes: bytes)
                (unread, missing) = (0, 0)
                return step
            } catch {
                return unreadable(error)
            }
        case .otherRecord: throw .otherStore
        case .missing:
            unread = 0
            missing += 1
            guard missing < Self.reads else { throw .otherStore }
            return .later(tries: missing, .otherStore)
        }
    }

    private mutating func unreadable(_ error: EventStoreError) -> Step {
        unread += 1
        return .later(tries: unread, .store(error))
    }

    /// Finds the position again in a store that was adopted, as after a restore; throws when it is
    /// another one.
    private mutating func afterRefusal(
        limit: Int,
        bytes: Int
    ) async throws(OutboxFailure) -> Step {
        do throws(OutboxFailure) {
            last = try await Self.find(mark, in: store)
        } catch .store(let error) {
            return unreadable(error)
        }
        // Servers of different epochs may respond in turn, as standbys that lag behind.
        missing += 1
        guard missing < Self.reads else { throw .otherStore }
        // Once is an adoption, after which there is nothing to wait for.
        guard missing > 1 else { return try await next(limit: limit, bytes: bytes) }
        return .later(tries: missing, .otherStore)
    }

    /// The first of some records that fit into a batch, and how many follow what was read before.
    private func batch(
        of records: [PositionedRecord],
        limit: Int,
        bytes: Int
    ) async throws(EventStoreError) -> Step {
        var (batch, size) = ([PositionedRecord](), 0)
        for record in records {
            size += record.record.canonical.count
            if !batch.isEmpty, size > bytes { break }
            batch.append(record)
        }
        // When everything was read, that is the end.
        var end = batch.last?.cursor
        if records.count == limit || batch.count < records.count {
            end = try await store.changes(after: nil, limit: 1)?.cursor ?? end
        }
        return .records(batch, behind: max(0, end?.distance(from: last.cursor) ?? 0))
    }

    /// Moves on to the last of some records of a step.
    mutating func advance(through records: [PositionedRecord]) { last.advance(through: records) }
}
