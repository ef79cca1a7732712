public import EventLog
internal import UVTransport

extension PostgreSQLEventStore {
    /// Returns the number of records that lists and sums do not contain yet.
    public func projectionLag() async throws(EventStoreError) -> Int64 {
        try await rows(PQCommand(PostgreSQLLists.lag))[0].integer(0, 0) ?? 0
    }

    /// Returns the time of the first record of any lane that sums do not contain.
    public func firstUnfollowed() async throws(EventStoreError) -> Instant? {
        try await rows(PQCommand(PostgreSQLLists.firstUnfollowed))[0].integer(0, 0)
            .map(Instant.init(microseconds:))
    }

    /// Brings lists and sums up to date with the next records of each lane.
    public func project(limit: Int) async throws(EventStoreError) -> Bool {
        Self.isAtEnd(try await change(lists.following(share(of: limit))))
    }

    private func share(of limit: Int) -> Int64 { Int64(max(1, limit / lanes.count)) }

    private static func isAtEnd(_ results: [PQRows]) -> Bool {
        let left = results[PostgreSQLLists.left]
        return (0..<left.count).allSatisfy { left.integer($0, 0) == 0 }
    }

    /// Makes the rows of lists equal to those of the sessions again.
    public func repairLists(
        after session: SessionID?,
        limit: Int
    ) async throws(EventStoreError) -> SessionID? {
        guard !isReadOnly else { throw .readOnly }
        let place = session?.description
        let number = PQValue.integer(Int64(max(1, limit)))
        let found = try await rows(PQCommand(PostgreSQLLists.batchEnd, .optional(place), number))[0]
        let end = found.text(0, 0)
        try await change(lists.repairing(after: place, to: end))
        return end.flatMap { SessionID($0) }
    }

    /// Returns the sessions whose row in lists is not that of the session.
    public func listFaults(
        limit: Int,
        of session: SessionID?
    ) async throws(EventStoreError) -> [StoreFault] {
        let found = try await rows(
            PQCommand(
                lists.different,
                .integer(Int64(max(0, limit))),
                .optional(session?.description)
            )
        )[0]
        return (0..<found.count).map { row in
            StoreFault(
                session: found.text(row, 0).flatMap { SessionID($0) },
                sequence: found.sequence(row, 1),
                kind: .projection([ListedSession.copyMember])
            )
        }
    }

    /// Brings lists and sums up to date, as far as this role may, and within a few seconds.
    @discardableResult
    public func catchUp() async -> Int64 {
        let deadline = ContinuousClock.now + ListFollowing.time
        do throws(EventStoreError) {
            guard try await projectionLag() > 0 else { return 0 }
            var isDone = false
            if options.access == .reading {
                isDone = await followBeside(until: deadline)
            } else {
                while !isDone, options.access.appends, ContinuousClock.now < deadline {
                    isDone = try await project(limit: ListFollowing.records)
                }
            }
            return isDone ? 0 : try await projectionLag()
        } catch {
            return (try? await projectionLag()) ?? 0
        }
    }

    /// Follows the log on a connection of its own, since the store's only read.
    private func followBeside(until deadline: ContinuousClock.Instant) async -> Bool {
        var writing = options
        writing.access = .existing
        let opened = try? await PQConnection.open(target, on: loop, writes: true, options: writing)
        guard let connection = opened else { return false }
        _ = try? await connection.run([PQCommand(PostgreSQLPlans.ofWriter)])
        var isDone = false
        while !isDone, ContinuousClock.now < deadline {
            let commands = lists.following(share(of: ListFollowing.records))
            guard let done = try? await connection.run(commands) else { break }
            isDone = Self.isAtEnd(done)
        }
        await connection.close()
        return isDone
    }

    /// Brings lists up to date, unless the server does not answer soon: roles that only read depend
    /// on those that write.
    ///
    /// - Returns: What is left of it, which ends with the connections.
    func catchUpBriefly() async -> Task<Void, Never> {
        let (ended, end) = AsyncStream.makeStream(of: Void.self)
        let following = loop.spawn {
            await self.catchUp()
            end.finish()
        }
        let limit = Task.detached {
            try? await Task.sleep(for: ListFollowing.lastTime)
            end.finish()
        }
        for await _ in ended {}
        limit.cancel()
        return following
    }
}
