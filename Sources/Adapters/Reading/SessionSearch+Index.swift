internal import EventLog
internal import Inspection

extension SessionSearch {
    /// Why a search in the index ended.
    package enum IndexFailure: Error, Sendable {
        /// A log or the store could not be read.
        case reading(LogReadingError)
        /// The index could not be read.
        case index(SearchIndexError)
    }

    /// Finds sessions that contain the text as a whole, at the beginning of one of its words, or at
    /// its end.
    ///
    /// In a large store, notes and the ends of identifiers are compared only when nothing else was
    /// found.
    ///
    /// - Parameters:
    ///   - index: The search index; `nil` to find only what the session index has.
    ///   - isSmall: Whether the store is small enough to compare everything.
    ///   - tell: Receives the progress of reading logs, and those that are left out.
    /// - Throws: ``IndexFailure`` when the store or an index cannot be read.
    package mutating func read(
        by index: SearchIndex?,
        isSmall: Bool,
        telling tell: (LogReadingNews) -> Void
    ) async throws(IndexFailure) {
        try await readNamed(byEnding: isSmall, tell)
        guard let index else {
            if !isSmall { try await readNamed(byEnding: true, tell) }
            return
        }
        let (wanted, query) = (wanted, query)
        try await read(tell) { () throws(SearchIndexError) in
            try await index.candidates(for: wanted, query)
        }
        if isSmall || found.isEmpty {
            try await read(tell) { () throws(SearchIndexError) in
                try await index.sessionsWithNotes(query)
            }
        }
        if !isSmall, found.isEmpty { try await readNamed(byEnding: true, tell) }
    }

    /// Reads the logs of sessions from the index, unless the search has stopped.
    private mutating func read(
        _ tell: (LogReadingNews) -> Void,
        _ candidates: () async throws(SearchIndexError) -> SearchCandidates
    ) async throws(IndexFailure) {
        guard !isCut else { return }
        let found: SearchCandidates
        do throws(SearchIndexError) { found = try await candidates() } catch {
            throw .index(error)
        }
        do throws(LogReadingError) { try await read(found, telling: tell) } catch {
            throw .reading(error)
        }
    }

    private mutating func readNamed(
        byEnding: Bool,
        _ tell: (LogReadingNews) -> Void
    ) async throws(IndexFailure) {
        do throws(LogReadingError) { try await readNamed(byEnding: byEnding, telling: tell) } catch
        {
            throw .reading(error)
        }
    }
}
