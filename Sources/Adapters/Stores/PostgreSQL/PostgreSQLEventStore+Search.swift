public import EventLog

extension PostgreSQLEventStore {
    private static let progress = PQStatement(
        "search_progress",
        """
        SELECT mark, position, coalesce(array_to_string(lanes, ','), position::text)
        FROM search_progress
        """
    )
    private static let empty = PQStatement("search_empty", "DELETE FROM search_terms")
        .ofWholeTables
    private static let begin = PQStatement(
        "search_begin",
        """
        INSERT INTO search_progress VALUES (1, $1, 0)
        ON CONFLICT (only_row) DO UPDATE SET mark = excluded.mark, position = 0, lanes = NULL
        """,
        .text
    )
    /// Blinded terms are added only for sessions that have their key: one may have been erased
    /// since the value was opened.
    ///
    /// Terms are added in their order, so that two writers of the same terms cannot deadlock.
    private static let add = PQStatement(
        "search_add",
        """
        INSERT INTO search_terms (term, session)
        SELECT term, session FROM unnest($1, $2) AS t (term, session)
        WHERE EXISTS (SELECT 1 FROM search_progress WHERE mark = $3)
            AND EXISTS (SELECT 1 FROM sessions s WHERE s.id = t.session)
            AND (NOT starts_with(term, '\(SearchProgress.blindKind)')
                OR EXISTS (SELECT 1 FROM session_keys k WHERE k.session = t.session))
        ORDER BY 1, 2 ON CONFLICT DO NOTHING
        """,
        .texts,
        .identities,
        .text
    )
    private static let advance = PQStatement(
        "search_advance",
        """
        UPDATE search_progress SET lanes = (
            SELECT array_agg(greatest(known, new) ORDER BY lane)
            FROM unnest(lanes, $2) WITH ORDINALITY AS u (known, new, lane)),
            position = CASE WHEN cardinality($2) = 1 THEN greatest(position, $2[1])
                WHEN $2[$3 + 1] > coalesce(lanes[$3 + 1], 0) THEN $2[$3 + 1] ELSE position END
        WHERE mark = $1
        """,
        .text,
        .integers,
        .integer
    )
    /// Locks the progress, so that nobody adds terms of a session while it is erased.
    static let holdSearch = PQStatement(
        "search_hold",
        "SELECT 1 FROM search_progress FOR UPDATE"
    )
    private static func beginning(_ condition: String) -> String {
        """
        SELECT session::text FROM (
            SELECT DISTINCT session FROM (
                SELECT session FROM search_terms
                WHERE term >= $1 COLLATE "C" AND term < $2 COLLATE "C"\(condition)
                ORDER BY search_terms.term, search_terms.session DESC
                LIMIT \(maximumTermsExamined)) AS examined
        ) AS t ORDER BY t.session DESC LIMIT $3
        """
    }
    private static let ofAnyTime = PQStatement("search", beginning(""), .text, .text, .integer)
    private static let ofTime = PQStatement(
        "search_of_time",
        beginning(
            """
             AND EXISTS (SELECT 1 FROM sessions s WHERE s.id = search_terms.session
                AND s.opened_at >= $4 AND s.opened_at < $5)
            """
        ),
        .text,
        .text,
        .integer,
        .integer,
        .integer
    ).plannedEachTime

    /// Returns how far the table of terms has followed the log; `nil` before it was started.
    public func searchProgress() async throws(EventStoreError) -> SearchProgress? {
        let found = try await rows(PQCommand(Self.progress))[0]
        guard found.count > 0, let mark = found.text(0, 0) else { return nil }
        // The table is part of the store, and was adopted with it.
        guard let positions = lanes.parse(found.text(0, 2)) else {
            return SearchProgress(mark: mark, cursor: nil)
        }
        let cursor = try lanes.cursor(
            in: try await identity(),
            positions,
            last: found.integer(0, 1).flatMap(lanes.lane)
        )
        // Before the first records there is nothing to compare a log position with.
        return SearchProgress(mark: mark, cursor: cursor.distance(from: nil) == 0 ? nil : cursor)
    }

    /// Removes all terms, so that the table is filled again from the first record.
    ///
    /// The progress is changed first: its row is locked until the commit, so that the terms which
    /// others add meanwhile are removed, too, or are not added.
    public func restartSearch(_ mark: String) async throws(EventStoreError) {
        try await change([PQCommand(Self.begin, .text(mark)), PQCommand(Self.empty)])
    }

    /// Adds terms and records how far the table has followed the log, all or nothing.
    ///
    /// The progress is changed first: its row is locked until the commit, so that the table is not
    /// emptied, and no session erased, between the two statements.
    public func addTerms(
        _ terms: [SessionID: Set<String>],
        upTo progress: SearchProgress
    ) async throws(EventStoreError) {
        let positions = try lanes.positions(of: progress.cursor, in: try await identity())
        let count = terms.values.reduce(0) { $0 + $1.count }
        var texts = PQArrayWriter(of: .text, capacity: 40 * count)
        var sessions = PQArrayWriter(of: .identity, capacity: 20 * count)
        for (session, terms) in terms {
            for term in terms {
                texts.append(term)
                sessions.append(session)
            }
        }
        var add = PQCommand(Self.add)
        add.values = [texts.finish(), sessions.finish(), .text(progress.mark)]
        try await change([
            PQCommand(
                Self.advance,
                .text(progress.mark),
                .integers(positions),
                .integer(Int64(progress.cursor?.lane ?? 0))
            ),
            add,
        ])
    }

    /// Returns the sessions that have a term with one of these prefixes, newest first.
    public func sessions(
        withTermsBeginning beginnings: [String],
        since: Instant?,
        until: Instant?,
        limit: Int
    ) async throws(EventStoreError) -> [SessionID] {
        let isOfAnyTime = since == nil && until == nil
        let time = [since?.microseconds ?? .min, until?.microseconds ?? .max]
        var found: Set<SessionID> = []
        for beginning in beginnings {
            var search = PQCommand(
                isOfAnyTime ? Self.ofAnyTime : Self.ofTime,
                .text(beginning),
                // Greater than every term with that prefix: terms are compared byte by byte.
                .text(beginning + "\u{10FFFF}"),
                .integer(Int64(max(0, limit)))
            )
            if !isOfAnyTime { search.values += time.map { .integer($0) } }
            let rows = try await rows(search)[0]
            for row in 0..<rows.count {
                if let session = rows.text(row, 0).flatMap({ SessionID($0) }) {
                    found.insert(session)
                }
            }
        }
        return Array(found.sorted(by: >).prefix(max(0, limit)))
    }
}
