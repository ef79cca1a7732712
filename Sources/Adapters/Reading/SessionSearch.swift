package import EventLog
package import Inspection

/// A search for the sessions that contain a value: in the store's search index, or in all logs.
package struct SessionSearch: Sendable {
    /// The search term.
    package let wanted: Wanted
    /// The maximum number of results.
    package let limit: Int?
    /// The sessions to search.
    package let query: SessionQuery

    /// The results in the order in which they were found.
    package private(set) var found: [Found] = []
    /// The number of sessions in which no sealed value could be compared.
    package private(set) var locked = 0
    /// Whether logs were read without keys, so that no sealed value was compared.
    package private(set) var isWithoutKeys = false
    /// Whether the index has more sessions for the text than were compared.
    package private(set) var hasMoreCandidates = false
    /// Whether the index has more sessions with notes than were compared.
    package private(set) var hasMoreNotes = false
    /// The sessions whose logs were read.
    package private(set) var scan: StoreScan
    private var seen: Set<SessionID> = []
    private let store: any PersistentStore
    private let vault: (any KeyVault)?

    /// Creates a search that has read nothing yet.
    ///
    /// - Parameters:
    ///   - wanted: The search term.
    ///   - limit: The maximum number of results.
    ///   - query: The sessions to search.
    ///   - store: The store.
    ///   - vault: The keys of the store; without them no sealed value is compared.
    package init(
        _ wanted: Wanted,
        limit: Int?,
        query: SessionQuery,
        in store: any PersistentStore,
        by vault: (any KeyVault)?
    ) {
        (self.wanted, self.limit, self.query) = (wanted, limit, query)
        (self.store, self.vault) = (store, vault)
        scan = StoreScan(of: store)
    }

    /// The maximum number of records of a store in which a search reads whatever may match.
    ///
    /// Reading the logs of a larger store takes minutes.
    package static let smallStore: Int64 = 100_000

    /// Whether the store has at most so many records.
    package func isSmall(upTo most: Int64 = smallStore) async throws(LogReadingError) -> Bool {
        do throws(EventStoreError) {
            let end = try await store.changes(after: nil, limit: 1)?.cursor
            return end?.distance(from: nil) ?? 0 <= most
        } catch {
            throw .store(error)
        }
    }

    /// Whether the search stopped at the limit.
    package var isCut: Bool { limit.map { found.count >= $0 } ?? false }

    /// Reads the logs of the sessions that the text names, unless the search has stopped; with
    /// `byEnding`, also of those whose identifiers end with it, for which a store in PostgreSQL
    /// compares every identifier.
    package mutating func readNamed(
        byEnding: Bool,
        telling tell: (LogReadingNews) -> Void
    ) async throws(LogReadingError) {
        guard !isCut else { return }
        let named: [SessionSummary]
        do throws(EventStoreError) {
            named = try await SessionNames.sessions(
                named: wanted.text,
                byEnding: byEnding,
                in: store
            )
        } catch {
            throw .store(error)
        }
        try await read(named.map(\.session), telling: tell)
    }

    /// Reads the logs of sessions from the index.
    package mutating func read(
        _ candidates: SearchCandidates,
        telling tell: (LogReadingNews) -> Void
    ) async throws(LogReadingError) {
        if candidates.hasMore, candidates.haveNotes { hasMoreNotes = true }
        if candidates.hasMore, !candidates.haveNotes { hasMoreCandidates = true }
        try await read(candidates.sessions, telling: tell)
    }

    /// Reads the logs of sessions that were not read before, newest first.
    package mutating func read(
        _ candidates: [SessionID],
        telling tell: (LogReadingNews) -> Void
    ) async throws(LogReadingError) {
        var rows: [SessionSummary] = []
        for session in candidates where seen.insert(session).inserted {
            let row: SessionSummary?
            do throws(EventStoreError) { row = try await store.row(of: session) } catch {
                throw .store(error)
            }
            guard let row, isWanted(row) else { continue }
            rows.append(row)
        }
        rows.sort { $0.session > $1.session }
        try await read(rows, tell)
    }

    /// Reads the logs of all other sessions, newest first.
    package mutating func readRest(
        telling tell: (LogReadingNews) -> Void
    ) async throws(LogReadingError) {
        guard !isCut else { return }
        let all: [SessionSummary]
        do throws(EventStoreError) { all = try await store.allRows(matching: query) } catch {
            throw .store(error)
        }
        try await read(all.filter { !seen.contains($0.session) }, tell)
    }

    private func isWanted(_ row: SessionSummary) -> Bool {
        query.since.map { row.openedAt >= $0 } ?? true
            && query.until.map { row.openedAt < $0 } ?? true
            && query.origin.map { row.origin == $0 } ?? true
    }

    private mutating func read(
        _ rows: [SessionSummary],
        _ tell: (LogReadingNews) -> Void
    ) async throws(LogReadingError) {
        isWithoutKeys = vault == nil
        var (scan, found, locked) = (scan, found, locked)
        try await scan.read(
            rows,
            telling: tell,
            whileTrue: { row, log in
                var matches = wanted.matches(in: log)
                if vault != nil, matches.isEmpty || wanted.isSealed {
                    if let keys = await keys(of: row.session) {
                        matches +=
                            wanted.sealedMatches(in: log, keys) + wanted.noteMatches(in: log, keys)
                    } else {
                        locked += 1
                    }
                }
                if !matches.isEmpty { found.append(Found(row: row, matches: matches)) }
                return limit.map { found.count < $0 } ?? true
            }
        )
        (self.scan, self.found, self.locked) = (scan, found, locked)
    }

    /// Returns the keys of a session; `nil` when they are missing or were destroyed.
    private func keys(of session: SessionID) async -> SessionKeys? {
        do {
            guard let vault, let wrapped = try await store.wrappedKey(of: session) else {
                return nil
            }
            return try await vault.keys(unwrapping: wrapped, for: session)
        } catch {
            return nil
        }
    }
}
