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

    /// Finds sessions by the indexes of the store.
    ///
    /// - Returns: Whether the search index is up to date.
    mutating func readIndex(in reader: Reader, isSmall: Bool) async throws(Failure) -> Bool {
        let index = await reader.currentSearchIndex()
        var notes = ReadingNotes(reader.invocation) { _ in "reading logs" }
        defer { notes.clear() }
        do throws(IndexFailure) {
            try await read(by: index, isSmall: isSmall, telling: { notes.show($0) })
        } catch {
            switch error {
            case .reading(let error): throw Failure(error)
            case .index(let error): throw Failure(error)
            }
        }
        return index != nil
    }

    /// Reads the logs of all other sessions, newest first.
    mutating func readLogs(in reader: Reader) async throws(Failure) {
        var notes = ReadingNotes(reader.invocation) { _ in "reading logs" }
        defer { notes.clear() }
        do throws(LogReadingError) { try await readRest(telling: { notes.show($0) }) } catch {
            throw Failure(error)
        }
    }
}
