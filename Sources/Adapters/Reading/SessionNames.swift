package import EventLog

/// Finds the session that a person names: by its whole identifier, its reference, also as a table
/// shortens it, or the beginning or end of its identifier.
///
/// It reads only the store's index of sessions, never a log. Imported sessions are found, too.
package enum SessionNames {
    /// The minimum length of a part of an identifier, in characters.
    package static let shortestPart = IdentityEnding.indexed
    /// The maximum number of listed sessions when a name is ambiguous.
    package static let candidateLimit = 10

    /// Returns the sessions with a name, newest first, at most one more than are listed; without
    /// `byEnding`, not those whose identifiers end with it.
    package static func sessions(
        named name: String,
        byEnding: Bool = true,
        in store: any PaymentStore
    ) async throws(EventStoreError) -> [SessionSummary] {
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
        var seen: Set<SessionID> = []
        let once = found.filter { seen.insert($0.session).inserted }
        return Array(once.sorted { $0.session > $1.session }.prefix(limit))
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

    private static func isPartOfID(_ text: String) -> Bool {
        (shortestPart..<36).contains(text.utf8.count)
            && text.utf8.allSatisfy { $0 == UInt8(ascii: "-") || $0.hexadecimalValue != nil }
    }

    /// Returns the largest identifier with a prefix.
    private static func lastID(beginningWith part: String) -> SessionID? {
        SessionID(part + "ffffffff-ffff-7fff-bfff-ffffffffffff".dropFirst(part.count))
    }
}
