package import EventLog
internal import SwedbankPay

/// Finds the session that a person names: by its whole identifier, its reference, also as a table
/// shortens it, the beginning or end of its identifier, or the end of its reference.
///
/// The store's index of sessions proposes them, and the session's log confirms the name. Imported
/// sessions are found, too.
package enum SessionNames {
    /// The minimum length of a part of an identifier, in characters.
    package static let shortestPart = IdentityEnding.indexed
    /// The minimum length of the end of a reference, in characters.
    package static let shortestEnd = 4
    /// The maximum number of listed sessions when a name is ambiguous.
    package static let candidateLimit = 10

    /// Returns the sessions with a name, newest first, at most one more than are listed; without
    /// `byEnding`, not those whose identifiers end with it.
    ///
    /// A reference may look like an identifier: then the session with that identifier has it.
    package static func sessions(
        named name: String,
        byEnding: Bool = true,
        in store: any PersistentStore
    ) async throws(EventStoreError) -> [SessionSummary] {
        if let session = SessionID(name), let row = try await store.row(of: session) {
            return [row]
        }
        let limit = candidateLimit + 1
        var found = try await store.sessions(
            matching: SessionQuery(reference: name, limit: limit)
        )
        if let (start, end) = ends(of: name) {
            found += try await store.sessions(
                matching: SessionQuery(referencePrefix: start, limit: longestSearch)
            ).filter { $0.reference?.hasSuffix(end) == true }.prefix(limit)
        }
        let part = name.lowercased()
        if isPartOfID(part) {
            if let end = lastID(beginningWith: part) {
                let before = SessionID(high: end.high, low: end.low &+ 1)
                found += try await store.sessions(
                    matching: SessionQuery(before: before, limit: limit)
                ).prefix { "\($0.session)".hasPrefix(part) }
            }
            if byEnding {
                found += try await store.sessions(
                    matching: SessionQuery(ending: part, limit: limit)
                )
            }
        }
        // No index has the ends of references.
        if byEnding, found.isEmpty, isEnd(name) {
            found += try await sessions(referenceEnding: name, limit: limit, in: store)
        }
        var seen: Set<SessionID> = []
        let once = found.filter { seen.insert($0.session).inserted }
        return Array(once.sorted { $0.session > $1.session }.prefix(limit))
    }

    /// Returns the sessions whose references end with a text, of those that were opened last.
    private static func sessions(
        referenceEnding end: String,
        limit: Int,
        in store: any PersistentStore
    ) async throws(EventStoreError) -> [SessionSummary] {
        var (query, found, read) = (SessionQuery(), [SessionSummary](), 0)
        while read < mostEnds, found.count < limit {
            let page = try await store.sessions(matching: query)
            found += page.filter { $0.reference?.hasSuffix(end) == true }
            read += page.count
            guard page.count == query.limit, let last = page.last else { break }
            query.before = last.session
        }
        return found
    }

    private static func isEnd(_ name: String) -> Bool { name.count >= shortestEnd }

    /// Whether the log of a session that was found by a name has that name.
    ///
    /// Only the first record is read, which has the reference. Whoever then acts on the session
    /// checks the MACs of all its records.
    ///
    /// - Parameters:
    ///   - session: The session.
    ///   - name: The name by which the index found it.
    ///   - store: The store.
    /// - Returns: Whether it has the name.
    /// - Throws: ``EventStoreError`` when the log cannot be read.
    package static func isNamed(
        _ session: SessionID,
        _ name: String,
        in store: any EventStore
    ) async throws(EventStoreError) -> Bool {
        let part = name.lowercased()
        if SessionID(name) == session { return true }
        if isPartOfID(part), "\(session)".hasPrefix(part) || "\(session)".hasSuffix(part) {
            return true
        }
        guard let first = try await store.read(session, from: 1, limit: 1).first, first.hasItsHash,
            let opened = try? RecordReader.event(in: first), opened.stream == session
        else { return false }
        var state = SessionState(session: session)
        state.apply(opened.event, at: opened.at)
        guard let reference = state.reference else { return false }
        if reference == name { return true }
        guard let (start, end) = ends(of: name) else {
            return isEnd(name) && reference.hasSuffix(name)
        }
        return reference.hasPrefix(start) && reference.hasSuffix(end)
    }

    /// The beginning and the end of a reference that was shortened in its middle; `nil` for any
    /// other name.
    private static func ends(of name: String) -> (start: String, end: String)? {
        for sign in ["\u{2026}", ".."] {
            let parts = name.split(separator: sign, omittingEmptySubsequences: false)
            guard parts.count == 2, !parts[0].isEmpty, !parts[1].isEmpty else { continue }
            return (String(parts[0]), String(parts[1]))
        }
        return nil
    }

    /// The maximum number of sessions that are compared with a shortened reference, newest first.
    private static let longestSearch = 5000

    /// The maximum number of sessions whose references are compared with an end, newest first.
    private static let mostEnds = 50_000

    private static func isPartOfID(_ text: String) -> Bool {
        (shortestPart..<36).contains(text.utf8.count)
            && text.utf8.allSatisfy { $0 == UInt8(ascii: "-") || $0.hexadecimalValue != nil }
    }

    /// Returns the largest identifier with a prefix.
    private static func lastID(beginningWith part: String) -> SessionID? {
        SessionID(part + "ffffffff-ffff-7fff-bfff-ffffffffffff".dropFirst(part.count))
    }
}
