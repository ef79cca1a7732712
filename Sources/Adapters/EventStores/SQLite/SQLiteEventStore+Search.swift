public import EventLog

extension SQLiteEventStore {
    /// Returns how far the table of terms has followed the log; `nil` before it was started.
    public func searchProgress() async throws(EventStoreError) -> SearchProgress? {
        try await readers.read { try Self.progress(on: $0) }
    }

    private static func progress(
        on connection: SQLiteConnection
    ) throws(SQLiteFailure) -> SearchProgress? {
        let row = try connection.statement("SELECT mark, position FROM search_progress")
        defer { row.reset() }
        guard try row.step(), let mark = row.text(0) else { return nil }
        // The table is part of the store, and was adopted with it.
        let store = try SQLiteLineage(connection).identity()
        let position = row.integer(1)
        let cursor = position > 0 ? LogCursor(store: store, position: position) : nil
        return SearchProgress(mark: mark, cursor: cursor)
    }

    /// Removes all terms, so that the table is filled again from the first record.
    ///
    /// They are removed in many transactions, between which sessions are appended to. Nobody adds
    /// terms without a progress. When another process was faster, its new table stays.
    public func restartSearch(_ mark: String) async throws(EventStoreError) {
        guard !isReadOnly else { throw .readOnly }
        try await writer.transaction { try $0.execute("DELETE FROM search_progress") }
        while try await !writer.transaction({ try Self.begin(mark, on: $0) }) {}
    }

    /// Begins a new table if the old one is empty, otherwise removes some of its terms.
    ///
    /// - Returns: Whether there is a new table.
    private static func begin(
        _ mark: String,
        on connection: SQLiteConnection
    ) throws(SQLiteFailure) -> Bool {
        guard try progress(on: connection) == nil else { return true }
        guard try connection.integer("SELECT EXISTS (SELECT 1 FROM search_terms)") == 0 else {
            try connection.execute(
                """
                DELETE FROM search_terms WHERE (term, session) IN (SELECT term, session
                    FROM search_terms ORDER BY term, session LIMIT \(termsPerRemoval))
                """
            )
            return false
        }
        let begin = try connection.statement("INSERT INTO search_progress VALUES (1, ?1, 0)")
        begin.bind(text: mark, at: 1)
        try begin.run()
        return true
    }

    /// How many terms are removed in one transaction.
    static let termsPerRemoval = 10_000

    /// Removes the terms of a session, given by its identity.
    static let forgetTerms =
        "DELETE FROM search_terms WHERE session = (SELECT key FROM sessions WHERE id = ?1)"

    /// Adds terms and records how far the table has followed the log, all or nothing.
    public func addTerms(
        _ terms: [SessionID: Set<String>],
        erased: Set<SessionID>,
        upTo progress: SearchProgress
    ) async throws(EventStoreError) {
        guard !isReadOnly else { throw .readOnly }
        try await writer.transaction { connection in
            let store = try SQLiteLineage(connection).identity()
            let position = try progress.cursor?.position(in: store) ?? 0
            guard let known = try Self.progress(on: connection), known.mark == progress.mark,
                try (known.cursor?.position(in: store) ?? 0) <= position
            else { return }
            let forget = try connection.statement(Self.forgetTerms)
            for session in erased {
                forget.bind(text: session.description, at: 1)
                try forget.run()
            }
            let insert = try connection.statement(
                """
                INSERT OR IGNORE INTO search_terms (term, session)
                SELECT ?2, key FROM sessions WHERE id = ?1 AND (?3 = 0 OR EXISTS (
                    \(SQLiteRows.usableKey) AND session = sessions.key))
                """
            )
            for (session, terms) in terms {
                insert.bind(text: session.description, at: 1)
                for term in terms {
                    insert.bind(text: term, at: 2)
                    // The session may have been erased since the value was opened.
                    insert.bind(term.hasPrefix(SearchProgress.blindKind) ? 1 : 0, at: 3)
                    try insert.run()
                }
            }
            let advance = try connection.statement("UPDATE search_progress SET position = ?1")
            advance.bind(position, at: 1)
            try advance.run()
        }
    }

    /// Returns the sessions that have a term with one of these prefixes, newest first.
    public func sessions(
        withTermsBeginning beginnings: [String],
        since: Instant?,
        until: Instant?,
        limit: Int
    ) async throws(EventStoreError) -> [SessionID] {
        let isOfTime =
            since == nil && until == nil
            ? ""
            : """
             AND EXISTS (SELECT 1 FROM sessions s WHERE s.key = search_terms.session
                AND s.opened_at >= ?4 AND s.opened_at < ?5)
            """
        return try await readers.read { connection in
            let rows = try connection.statement(
                """
                SELECT id FROM sessions WHERE key IN (
                    SELECT session FROM search_terms WHERE term >= ?1 AND term < ?2\(isOfTime)
                    ORDER BY term, session DESC LIMIT \(Self.maximumTermsExamined))
                ORDER BY +id DESC LIMIT ?3
                """
            )
            var found: Set<SessionID> = []
            for beginning in beginnings {
                defer { rows.reset() }
                rows.bind(text: beginning, at: 1)
                // Greater than every term with that prefix: texts are compared byte by byte.
                rows.bind(text: beginning + "\u{10FFFF}", at: 2)
                rows.bind(Int64(max(0, limit)), at: 3)
                if !isOfTime.isEmpty {
                    rows.bind(since?.microseconds ?? .min, at: 4)
                    rows.bind(until?.microseconds ?? .max, at: 5)
                }
                while try rows.step() { found.insert(try SQLiteRows.session(in: rows)) }
            }
            return Array(found.sorted(by: >).prefix(max(0, limit)))
        }
    }
}
