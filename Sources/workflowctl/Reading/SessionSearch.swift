internal import Adapters
internal import EventLog
internal import Inspection
internal import SwedbankPay

/// A search for the sessions that contain a value: in the store's search index, or in all logs.
struct SessionSearch {
    /// The search term.
    let wanted: Wanted
    /// The maximum number of results.
    let limit: Int?
    /// The sessions to search.
    let query: SessionQuery

    /// The results in the order in which they were found.
    private(set) var found: [Found] = []
    /// The number of sessions in which no sealed value could be compared.
    private(set) var locked = 0
    /// Whether logs were read without keys, so that no sealed value was compared.
    private(set) var isWithoutKeys = false
    /// The sessions whose logs were read.
    private(set) var scan: StoreScan
    private var seen: Set<SessionID> = []

    init(_ wanted: Wanted, limit: Int?, query: SessionQuery, in reader: Reader) {
        (self.wanted, self.limit, self.query) = (wanted, limit, query)
        scan = StoreScan(of: reader.store)
    }

    /// Whether the search stopped at the limit.
    var isCut: Bool { limit.map { found.count >= $0 } ?? false }

    /// Finds sessions that contain the text as a whole, at the beginning of one of its words, or at
    /// its end.
    ///
    /// - Returns: Whether the index is up to date.
    mutating func readIndex(in reader: Reader) async throws(Failure) -> Bool {
        let named = try await SessionNames.sessions(named: wanted.text, in: reader.store)
        try await read(candidates: named.map(\.session), in: reader)
        guard var index = SearchIndex(of: reader), await index.catchUp() else { return false }
        if !isCut {
            try await read(candidates: index.candidates(for: wanted), in: reader)
        }
        return true
    }

    /// Reads the logs of sessions that were not read before, newest first.
    private mutating func read(
        candidates: [SessionID],
        in reader: Reader
    ) async throws(Failure) {
        var rows: [SessionSummary] = []
        for session in candidates where seen.insert(session).inserted {
            guard let row = try await reader.store.listedRow(of: session), isWanted(row) else {
                continue
            }
            rows.append(row)
        }
        rows.sort { $0.session > $1.session }
        try await read(rows, in: reader)
    }

    /// Reads the logs of all other sessions, newest first.
    mutating func readLogs(in reader: Reader) async throws(Failure) {
        guard !isCut else { return }
        let rest = try await reader.store.allSessions(matching: query)
            .filter { !seen.contains($0.session) }
        try await read(rest, in: reader)
    }

    private func isWanted(_ row: SessionSummary) -> Bool {
        query.since.map { row.openedAt >= $0 } ?? true
            && query.until.map { row.openedAt < $0 } ?? true
            && query.origin.map { row.origin == $0 } ?? true
    }

    private mutating func read(
        _ rows: [SessionSummary],
        in reader: Reader
    ) async throws(Failure) {
        let environment = reader.invocation.environment
        let hasKeys = (try? reader.location.existingVault(environment: environment)) != nil
        isWithoutKeys = !hasKeys
        var (scan, found, locked) = (scan, found, locked)
        var notes = ReadingNotes(reader.invocation) { _ in "reading logs" }
        defer { notes.clear() }
        do throws(LogReadingError) {
            try await scan.read(rows, telling: { notes.show($0) }, whileTrue: { row, log in
                var matches = wanted.matches(in: log)
                if hasKeys, matches.isEmpty || wanted.isSealed {
                    do throws(Failure) {
                        let keys = try await reader.unrecordedKeys(of: row.session)
                        matches +=
                            wanted.sealedMatches(in: log, keys) + wanted.noteMatches(in: log, keys)
                    } catch {
                        locked += 1
                    }
                }
                if !matches.isEmpty { found.append(Found(row: row, matches: matches)) }
                return limit.map { found.count < $0 } ?? true
            })
        } catch {
            throw Failure(error)
        }
        (self.scan, self.found, self.locked) = (scan, found, locked)
    }
}
