public import EventLog

extension SQLiteEventStore {
    /// Returns the number of records that lists and sums do not contain yet.
    public func projectionLag() async throws(EventStoreError) -> Int64 {
        try await readers.read { try SQLiteLists.lag(on: $0) }
    }

    /// Returns the time of the first record that sums do not contain.
    public func firstUnfollowed() async throws(EventStoreError) -> Instant? {
        try await readers.read { connection in
            try connection.integer(SQLiteLists.firstUnfollowed).map(Instant.init(microseconds:))
        }
    }

    /// Brings lists and sums up to date with the next records.
    public func project(limit: Int) async throws(EventStoreError) -> Bool {
        guard !isReadOnly else { throw .readOnly }
        return try await writer.follow(limit: limit)
    }

    /// Makes the rows of lists equal to those of the sessions again.
    public func repairLists(
        after session: SessionID?,
        limit: Int
    ) async throws(EventStoreError) -> SessionID? {
        guard !isReadOnly else { throw .readOnly }
        return try await writer.transaction { connection in
            try SQLiteLists(connection).repair(after: session?.description, limit: limit)
                .flatMap { SessionID($0) }
        }
    }

    /// Returns the sessions whose row in lists is not that of the session.
    public func listFaults(
        limit: Int,
        of session: SessionID?
    ) async throws(EventStoreError) -> [StoreFault] {
        try await readers.read { try SQLiteLists.different(limit: limit, of: session, on: $0) }
    }

    /// Brings lists and sums up to date, as far as this process may, and within a few seconds.
    @discardableResult
    public func catchUp() async -> Int64 {
        let deadline = ContinuousClock.now + ListFollowing.time
        do throws(EventStoreError) {
            guard try await projectionLag() > 0 else { return 0 }
            var isDone = false
            if access == .reading {
                isDone = try await followBeside(until: deadline)
            } else {
                while !isDone, !isReadOnly, ContinuousClock.now < deadline {
                    isDone = try await project(limit: ListFollowing.records)
                }
            }
            return isDone ? 0 : try await projectionLag()
        } catch {
            return (try? await projectionLag()) ?? 0
        }
    }

    /// Follows the log on a connection of its own, since the store's only read.
    private func followBeside(
        until deadline: ContinuousClock.Instant
    ) async throws(EventStoreError) -> Bool {
        var opening = readers.opening
        opening.options.access = .existing
        return try await readers.read { [opening] _ in
            let lists = try SQLiteLists(opening.openWriter())
            var isDone = false
            while !isDone, ContinuousClock.now < deadline {
                isDone = try lists.follow(limit: ListFollowing.records)
            }
            return isDone
        }
    }
}
