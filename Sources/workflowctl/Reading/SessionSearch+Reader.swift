internal import Adapters
internal import EventLog
internal import Inspection
internal import SwedbankPay

extension SessionSearch {
    /// Creates a search of a command's store, with the keys that are available.
    init(_ wanted: Wanted, limit: Int?, query: SessionQuery, in reader: Reader) {
        let environment = reader.invocation.environment
        self.init(
            wanted,
            limit: limit,
            query: query,
            in: reader.store,
            by: try? reader.location.existingVault(environment: environment)
        )
    }

    /// Finds sessions that contain the text as a whole, at the beginning of one of its words, or at
    /// its end.
    ///
    /// In a large store, notes and the ends of identifiers are compared only when nothing else was
    /// found.
    ///
    /// - Returns: Whether the index is up to date.
    mutating func readIndex(in reader: Reader, isSmall: Bool) async throws(Failure) -> Bool {
        try await readNamed(in: reader, byEnding: isSmall)
        guard let index = await reader.currentSearchIndex() else {
            if !isSmall { try await readNamed(in: reader, byEnding: true) }
            return false
        }
        let (wanted, query) = (wanted, query)
        try await read(in: reader) { () throws(SearchIndexError) in
            try await index.candidates(for: wanted, query)
        }
        if isSmall || found.isEmpty {
            try await read(in: reader) { () throws(SearchIndexError) in
                try await index.sessionsWithNotes(query)
            }
        }
        if !isSmall, found.isEmpty { try await readNamed(in: reader, byEnding: true) }
        return true
    }

    /// Reads the logs of sessions from the index, unless the search has stopped.
    private mutating func read(
        in reader: Reader,
        _ candidates: () async throws(SearchIndexError) -> SearchCandidates
    ) async throws(Failure) {
        guard !isCut else { return }
        let found: SearchCandidates
        do throws(SearchIndexError) { found = try await candidates() } catch {
            throw Failure(error)
        }
        try await showing(in: reader) { search, tell throws(LogReadingError) in
            try await search.read(found, telling: tell)
        }
    }

    private mutating func readNamed(in reader: Reader, byEnding: Bool) async throws(Failure) {
        try await showing(in: reader) { search, tell throws(LogReadingError) in
            try await search.readNamed(byEnding: byEnding, telling: tell)
        }
    }

    /// Reads the logs of all other sessions, newest first.
    mutating func readLogs(in reader: Reader) async throws(Failure) {
        try await showing(in: reader) { search, tell throws(LogReadingError) in
            try await search.readRest(telling: tell)
        }
    }

    /// Shows the progress of a part of the search.
    private mutating func showing(
        in reader: Reader,
        _ part: (inout SessionSearch, (LogReadingNews) -> Void)
            async throws(LogReadingError) -> Void
    ) async throws(Failure) {
        var notes = ReadingNotes(reader.invocation) { _ in "reading logs" }
        defer { notes.clear() }
        do throws(LogReadingError) {
            try await part(&self, { notes.show($0) })
        } catch {
            throw Failure(error)
        }
    }
}
