public import EventLog

extension PostgreSQLEventStore {
    /// The number of records of each lane whose sessions are copied for lists in one transaction.
    private static let recordsFollowed: Int64 = 5_000
    /// How long the end of a store waits for lists.
    private static let lastFollowingTime = Duration.seconds(1)
    /// How long a reading of lists waits for their rows to be copied.
    private static let followingTime = Duration.seconds(5)

    /// Returns the number of records that lists and sums do not contain yet.
    public func projectionLag() async throws(EventStoreError) -> Int64 {
        try await rows(PQCommand(PostgreSQLLists.lag))[0].integer(0, 0) ?? 0
    }

    /// Brings lists and sums up to date with the next records of each lane.
    public func project(limit: Int) async throws(EventStoreError) -> Bool {
        try await follow(limit: Int64(max(1, limit / lanes.count)))
    }

    private func follow(limit: Int64) async throws(EventStoreError) -> Bool {
        let done = try await change(Self.following(limit: limit))
        return done.last?.integer(0, 0) == 0
    }

    /// Makes the rows of lists equal to those of the sessions again.
    public func repairLists(
        after session: SessionID?,
        limit: Int
    ) async throws(EventStoreError) -> SessionID? {
        let done = try await change([
            PQCommand(PostgreSQLLists.hold),
            PQCommand(
                PostgreSQLLists.repair,
                .optional(session?.description),
                .integer(Int64(max(1, limit)))
            ),
        ])
        return done.last?.text(0, 0).flatMap { SessionID($0) }
    }

    /// Returns the sessions whose row in lists is not that of the session.
    public func listFaults(
        limit: Int,
        of session: SessionID?
    ) async throws(EventStoreError) -> [StoreFault] {
        let found = try await rows(
            PQCommand(
                PostgreSQLLists.different,
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

    /// Brings lists up to date before they are read, if this role may.
    ///
    /// What cannot be written keeps nobody from reading what is there.
    func followLog() async {
        guard options.access != .readOnly else { return }
        let deadline = ContinuousClock.now + Self.followingTime
        do {
            guard try await projectionLag() > 0 else { return }
            guard isReadOnly else {
                while try await !follow(limit: Self.recordsFollowed), ContinuousClock.now < deadline
                {}
                return
            }
            var options = options
            options.access = .existing
            let connection = try await PQConnection.open(
                target,
                on: loop,
                writes: true,
                options: options
            )
            _ = try? await connection.run([PQCommand(PostgreSQLPlans.ofWriter)])
            var left: Int64 = 1
            while left > 0, ContinuousClock.now < deadline {
                let commands = Self.following(limit: Self.recordsFollowed)
                left = (try? await connection.run(commands))?.last?.integer(0, 0) ?? 0
            }
            await connection.close()
        } catch {
            return
        }
    }

    /// Brings lists up to date, unless the server does not answer soon: roles that only read depend
    /// on those that write.
    ///
    /// - Returns: What is left of it, which ends with the connections.
    func followLogBriefly() async -> Task<Void, Never> {
        let (ended, end) = AsyncStream.makeStream(of: Void.self)
        let following = loop.spawn {
            await self.followLog()
            end.finish()
        }
        let limit = Task.detached {
            try? await Task.sleep(for: Self.lastFollowingTime)
            end.finish()
        }
        for await _ in ended {}
        limit.cancel()
        return following
    }

    private static func following(limit: Int64) -> [PQCommand] {
        [PQCommand(PostgreSQLLists.hold), PQCommand(PostgreSQLLists.follow, .integer(limit))]
    }
}
