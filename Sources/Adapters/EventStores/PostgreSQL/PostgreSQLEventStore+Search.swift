public import EventLog

extension PostgreSQLEventStore {
    private static let progress = PQStatement(
        "search_progress",
        """
        SELECT mark, position, coalesce(array_to_string(lanes, ','), position::text)
        FROM search_progress
        """
    )
    /// The beginning of the marks of a table that is being emptied, or was never begun.
    ///
    /// Such a mark stands for no progress. The row stays: an engine's role may not delete it, and
    /// everybody who changes terms locks it. The marks of indexes begin with a digit.
    private static let emptying = "emptying-"
    /// How many terms are removed in one transaction.
    static let termsPerRemoval = 10_000
    /// Joins those who are already emptying the table.
    private static let beginEmptying = PQStatement(
        "search_begin_emptying",
        """
        INSERT INTO search_progress VALUES (1, $1, 0)
        ON CONFLICT (only_row) DO UPDATE SET mark =
            CASE WHEN starts_with(search_progress.mark, '\(emptying)') THEN search_progress.mark
                ELSE excluded.mark END
        RETURNING mark
        """,
        .text
    )
    /// Dead rows of earlier removals may have to be passed, of which there can be as many as the
    /// table has had terms.
    private static let firstTerm = PQStatement(
        "search_first_term",
        """
        SELECT term, session::text FROM search_terms
        WHERE (term, session) >= ($1 COLLATE "C", $2::text::uuid)
        ORDER BY search_terms.term, search_terms.session LIMIT 1
        """,
        .text,
        .text
    ).ofWholeTables
    /// Rows are found again by their places: while the progress is locked, nobody else changes
    /// terms.
    private static let removeTerms = PQStatement(
        "search_remove_terms",
        """
        WITH chosen AS MATERIALIZED (
            SELECT ctid AS place, term, session FROM search_terms
            WHERE (term, session) >= ($1 COLLATE "C", $2::text::uuid)
                AND EXISTS (SELECT 1 FROM search_progress WHERE mark = $3)
            ORDER BY term, session LIMIT \(termsPerRemoval)
        ), removed AS (
            DELETE FROM search_terms WHERE ctid = ANY (ARRAY(SELECT place FROM chosen))
        )
        SELECT c.term, c.session::text FROM chosen c ORDER BY c.term DESC, c.session DESC LIMIT 1
        """,
        .text,
        .text,
        .text
    ).ofWholeTables
    private static let begin = PQStatement(
        "search_begin",
        "UPDATE search_progress SET mark = $1, position = 0, lanes = NULL WHERE mark = $2",
        .text,
        .text
    )
    /// Whether the table has a mark and, in the lane of a session, has not followed the log further
    /// than to a position.
    ///
    /// One that is further has the terms up to there, and may have lost them again by an erasure
    /// after them. The progress is changed first, and is not behind then.
    private static func isAwaited(
        _ session: String,
        mark: String,
        upTo positions: String
    ) -> String {
        let lane = PostgreSQLLanes.lane(of: session, lanes: "cardinality(\(positions))")
        return """
            EXISTS (SELECT 1 FROM search_progress p WHERE p.mark = \(mark)
                AND p.lanes[\(lane) + 1] <= \(positions)[\(lane) + 1])
            """
    }
    private static let forget = PQStatement(
        "search_forget",
        """
        DELETE FROM search_terms WHERE session = ANY ($1)
            AND \(isAwaited("search_terms.session", mark: "$2", upTo: "$3"))
        """,
        .identities,
        .text,
        .integers
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
        WHERE \(isAwaited("t.session", mark: "$3", upTo: "$4"))
            AND EXISTS (SELECT 1 FROM sessions s WHERE s.id = t.session)
            AND (NOT starts_with(term, '\(SearchProgress.blindKind)')
                OR EXISTS (SELECT 1 FROM session_keys k WHERE k.session = t.session))
        ORDER BY 1, 2 ON CONFLICT DO NOTHING
        """,
        .texts,
        .identities,
        .text,
        .integers
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
    ///
    /// Without a row there would be nothing to lock, and a table that others begin meanwhile could
    /// get terms of the session.
    static let holdSearch = PQStatement(
        "search_hold",
        """
        INSERT INTO search_progress VALUES (1, '\(emptying)', 0)
        ON CONFLICT (only_row) DO UPDATE SET mark = search_progress.mark RETURNING mark
        """
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
        guard found.count > 0, let mark = found.text(0, 0), !mark.hasPrefix(Self.emptying) else {
            return nil
        }
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
    /// They are removed in many transactions, between which sessions are erased. Nobody adds terms
    /// meanwhile, so that none is left when the end is reached. When another process was faster,
    /// its new table stays.
    public func restartSearch(_ mark: String) async throws(EventStoreError) {
        let begin = PQCommand(
            Self.beginEmptying,
            .text("\(Self.emptying)\(UInt64.random(in: .min ... .max))")
        )
        guard let emptying = try await change([begin])[0].text(0, 0) else { return }
        var reached = ("", "00000000-0000-0000-0000-000000000000")
        while let first = try await firstTerm(from: reached) {
            guard let last = try await removeTerms(from: first, whileMarked: emptying) else {
                return
            }
            reached = last
        }
        try await change([PQCommand(Self.begin, .text(mark), .text(emptying))])
    }

    /// Returns the first term that is not before this one, and its session.
    private func firstTerm(
        from term: (String, String)
    ) async throws(EventStoreError) -> (String, String)? {
        let command = PQCommand(Self.firstTerm, .text(term.0), .text(term.1))
        let found = try await rows(command)[0]
        guard found.count > 0, let term = found.text(0, 0), let session = found.text(0, 1) else {
            return nil
        }
        return (term, session)
    }

    /// Removes some terms, in their order.
    ///
    /// - Returns: The last one, or the given one if others have removed all of them; `nil` when the
    ///   table has another mark by now.
    private func removeTerms(
        from term: (String, String),
        whileMarked mark: String
    ) async throws(EventStoreError) -> (String, String)? {
        let results = try await change([
            PQCommand(Self.holdSearch),
            PQCommand(Self.removeTerms, .text(term.0), .text(term.1), .text(mark)),
        ])
        guard results[0].text(0, 0) == mark else { return nil }
        guard let last = results[1].text(0, 0), let session = results[1].text(0, 1) else {
            return term
        }
        return (last, session)
    }

    /// Adds terms and records how far the table has followed the log, all or nothing.
    ///
    /// The progress is changed first: its row is locked until the commit, so that the table is not
    /// emptied, and no session erased, between the statements.
    public func addTerms(
        _ terms: [SessionID: Set<String>],
        erased: Set<SessionID>,
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
        var gone = PQArrayWriter(of: .identity, capacity: 20 * erased.count)
        for session in erased { gone.append(session) }
        let (mark, reached) = (PQValue.text(progress.mark), PQValue.integers(positions))
        let advance = PQCommand(
            Self.advance,
            mark,
            reached,
            .integer(Int64(progress.cursor?.lane ?? 0))
        )
        let forget = PQCommand(Self.forget, gone.finish(), mark, reached)
        let add = PQCommand(Self.add, texts.finish(), sessions.finish(), mark, reached)
        try await change(erased.isEmpty ? [advance, add] : [advance, forget, add])
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
