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
    /// - Returns: Whether the index is up to date.
    mutating func readIndex(in reader: Reader) async throws(Failure) -> Bool {
        try await showing(in: reader) { search, tell throws(LogReadingError) in
            try await search.readNamed(telling: tell)
        }
        guard var index = SearchIndex(of: reader), await index.catchUp(in: reader) else {
            return false
        }
        guard !isCut else { return true }
        let candidates: [SessionID]
        do throws(SearchIndexError) {
            candidates = try await index.candidates(for: wanted)
        } catch {
            throw Failure(error)
        }
        try await showing(in: reader) { search, tell throws(LogReadingError) in
            try await search.read(candidates, telling: tell)
        }
        return true
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

extension SearchIndex {
    /// Opens the index of a command's store; returns `nil` without keys, because sealed values are
    /// blinded with one of them.
    init?(of reader: Reader) {
        let environment = reader.invocation.environment
        guard let vault = try? reader.location.existingVault(environment: environment) else {
            return nil
        }
        self.init(of: reader.store, by: vault)
    }

    /// Adds the records since the last update.
    ///
    /// Returns whether the index follows the log to its end; it cannot when this process may not
    /// write, or has other keys.
    mutating func catchUp(in reader: Reader) async -> Bool {
        let invocation = reader.invocation
        var line = ProgressLine(on: invocation.diagnostics)
        defer { line.clear() }
        do {
            return try await catchUp(
                opening: { try await reader.location.open(.existing, on: invocation.loop) },
                reached: { done, all in
                    line.reached(done, of: all, "updating the search index", at: invocation.now())
                }
            )
        } catch {
            line.clear()
            invocation.note("note: the search index could not be updated: \(error)")
            return false
        }
    }
}

extension Failure {
    /// Translates the failure of a search index for the command line.
    init(_ error: SearchIndexError) {
        switch error {
        case .store(let error): self.init(error)
        case .vault(let error): self.init(error)
        }
    }
}
