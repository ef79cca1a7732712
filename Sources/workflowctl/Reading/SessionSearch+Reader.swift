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
        let environment = reader.invocation.environment
        guard let vault = try? reader.location.existingVault(environment: environment),
            await reader.hasCurrentSearchIndex(by: vault)
        else { return false }
        guard !isCut else { return true }
        let candidates: [SessionID]
        do throws(SearchIndexError) {
            candidates = try await SearchIndex(of: reader.store, by: vault)
                .candidates(for: wanted)
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
