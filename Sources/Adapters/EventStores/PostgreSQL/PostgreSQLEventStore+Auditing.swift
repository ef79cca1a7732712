public import EventLog

extension PostgreSQLEventStore {
    /// A plan for any value would read all sessions before that one.
    static let identities = PQStatement(
        "identities",
        """
        SELECT id::text FROM sessions WHERE $1 IS NULL OR id > $1::text::uuid
        ORDER BY sessions.id LIMIT $2
        """,
        .text,
        .integer
    ).plannedEachTime
    private static let newestKey = PQStatement(
        "newest_key",
        "SELECT wrapped FROM session_keys ORDER BY session DESC LIMIT 1"
    )
    /// One statement sees one moment, whatever is appended meanwhile.
    private static let order = PQStatement(
        "order",
        """
        SELECT \(PostgreSQLLanes.lane(of: "log_end.position")),
            \(PostgreSQLLanes.number(of: "log_end.position")), held.count, held.first, held.last, held.different
        FROM log_end CROSS JOIN LATERAL (
            SELECT count(*), coalesce(min(\(PostgreSQLLanes.number(of: "position"))), 1) AS first,
                coalesce(max(\(PostgreSQLLanes.number(of: "position"))), 0) AS last,
                count(DISTINCT position) AS different
            FROM events WHERE position >= log_end.position - \(PostgreSQLLanes.number(of: "log_end.position"))
                AND position <= \(PostgreSQLLanes.lastInLane(of: "log_end.position"))) AS held
        UNION ALL
        SELECT NULL, NULL, count(*), NULL, NULL, NULL FROM events
        ORDER BY 1
        """
    ).ofWholeTables
    /// The sessions with a record in a lane that is not theirs.
    private static let mislaid = PQStatement(
        "mislaid",
        """
        SELECT DISTINCT session::text FROM events
        WHERE \(PostgreSQLLanes.lane(of: "position")) <> \(PostgreSQLLanes.lane(of: "session", lanes: "$1"))
        LIMIT $2
        """,
        .integer,
        .integer
    ).ofWholeTables
    private static let strays = PQStatement(
        "strays",
        """
        SELECT DISTINCT session::text FROM events e
        WHERE NOT EXISTS (SELECT 1 FROM sessions s WHERE s.id = e.session) LIMIT $1
        """,
        .integer
    ).ofWholeTables
    /// A session may still be found by the fingerprint under an earlier master key than the one in
    /// its row.
    private static let misled = PQStatement(
        "addresses_misled",
        """
        SELECT s.id::text, s.last_seq FROM sessions s
        WHERE s.address_fp IS NOT NULL AND NOT EXISTS (
                SELECT 1 FROM addresses a WHERE a.fp = s.address_fp AND a.session = s.id)
            OR s.address_fp IS NULL AND s.id IN (SELECT session FROM addresses)
        ORDER BY s.id LIMIT $1
        """,
        .integer
    ).ofWholeTables
    private static let unknownAddresses = PQStatement(
        "addresses_unknown",
        """
        SELECT DISTINCT session::text FROM addresses a
        WHERE NOT EXISTS (SELECT 1 FROM sessions s WHERE s.id = a.session) LIMIT $1
        """,
        .integer
    ).ofWholeTables

    /// Returns the sessions of the store in the order of their identities, in batches.
    public func sessionIdentities(
        after session: SessionID?,
        limit: Int
    ) async throws(EventStoreError) -> [SessionID] {
        let found = try await rows(
            PQCommand(
                Self.identities,
                .optional(session?.description),
                .integer(Int64(max(0, limit)))
            )
        )[0]
        return (0..<found.count).compactMap { found.text($0, 0).flatMap { SessionID($0) } }
    }

    /// Returns the wrapped data key of the session opened last; `nil` when there is none.
    public func newestWrappedKey() async throws(EventStoreError) -> [UInt8]? {
        let found = try await rows(PQCommand(Self.newestKey))[0]
        return found.count > 0 ? found.bytes(0, 0) : nil
    }

    /// Checks whether the log positions of the records in each lane are 1, 2, 3 … up to its end,
    /// and each record belongs to a session and is in the lane of the session.
    ///
    /// The absence of gaps proves that no subscriber has skipped a record: log positions are
    /// assigned in commit order.
    public func structuralFaults(limit: Int = 100) async throws(EventStoreError) -> [String] {
        var faults: [String] = []
        let found = try await rows(PQCommand(Self.order))[0]
        var outside: Int64 = 0
        for row in 0..<found.count {
            let count = found.integer(row, 2) ?? 0
            outside += found.isNull(row, 0) ? count : -count
            if let fault = fault(inLane: row, of: found) { faults.append(fault) }
        }
        if outside != 0 { faults.append("\(outside) records have log positions in no lane") }
        for session in try await mislaidSessions(limit: max(1, limit))
        where faults.count < limit {
            faults.append("records of \(session) are in a lane that is not theirs")
        }
        let strays = try await rows(PQCommand(Self.strays, .integer(Int64(max(1, limit)))))[0]
        for row in 0..<strays.count where faults.count < limit {
            faults.append(
                "records of \(strays.text(row, 0) ?? "?") belong to no session of the list"
            )
        }
        for session in try await sessionsOfUnknownAddresses(limit: max(1, limit))
        where faults.count < limit {
            faults.append("an address leads to \(session), which is no session of the list")
        }
        if faults.count < limit { faults += try await alteredDictionaries(limit - faults.count) }
        return faults
    }

    /// The sessions with a record in a lane that is not theirs.
    private func mislaidSessions(limit: Int) async throws(EventStoreError) -> [String] {
        guard lanes.count > 1 else { return [] }
        let found = try await rows(
            PQCommand(Self.mislaid, .integer(Int64(lanes.count)), .integer(Int64(limit)))
        )[0]
        return (0..<found.count).map { found.text($0, 0) ?? "?" }
    }

    /// What is wrong with the log positions in a lane; `nil` when they are 1, 2, 3 … up to its end.
    private func fault(inLane row: Int, of found: PQRows) -> String? {
        guard !found.isNull(row, 0) else { return nil }
        let numbers = (0..<6).map { found.integer(row, $0) ?? -1 }
        let (end, count, first, last) = (numbers[1], numbers[2], numbers[3], numbers[4])
        guard first != 1 || last != end || count != end || numbers[5] != end else { return nil }
        let lane = lanes.count > 1 ? " in lane \(numbers[0])" : ""
        return "the log positions of the \(count) records\(lane) are not 1 to \(end): "
            + "they go from \(first) to \(last), \(numbers[5]) different ones"
    }

    /// Descriptions of the compression dictionaries that were altered, at most `limit`.
    private func alteredDictionaries(_ limit: Int) async throws(EventStoreError) -> [String] {
        var (faults, last): ([String], Int64) = ([], .min)
        while faults.count < limit {
            let page = PQCommand(PostgreSQLDictionaries.page, .integer(last))
            let found = try await rows(page)[0]
            for row in 0..<found.count {
                last = found.integer(row, 0) ?? last
                guard PostgreSQLDictionaries.dictionary(in: found, row) == nil else { continue }
                faults.append("the compression dictionary \(last) was altered")
            }
            guard found.count == PostgreSQLDictionaries.maximumPerRead else { break }
        }
        return Array(faults.prefix(limit))
    }

    /// The sessions that addresses refer to but that do not exist; empty when only engines have the
    /// right to know.
    private func sessionsOfUnknownAddresses(
        limit: Int
    ) async throws(EventStoreError) -> [String] {
        do {
            let found = try await rows(PQCommand(Self.unknownAddresses, .integer(Int64(limit))))[0]
            return (0..<found.count).map { found.text($0, 0) ?? "?" }
        } catch .missingRight {
            return []
        }
    }

    /// Returns the sessions that are not found by the fingerprint in their row, or that are found
    /// by one although their row has none.
    public func addressFaults(limit: Int) async throws(EventStoreError) -> [StoreFault] {
        let found = try await rows(PQCommand(Self.misled, .integer(Int64(max(0, limit)))))[0]
        return (0..<found.count).map { row in
            StoreFault(
                session: found.text(row, 0).flatMap { SessionID($0) },
                sequence: found.sequence(row, 1),
                kind: .projection([ListedSession.fingerprintMember])
            )
        }
    }
}
