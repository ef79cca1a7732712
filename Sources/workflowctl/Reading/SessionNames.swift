internal import Adapters
internal import EventLog
internal import Glibc
internal import Inspection
internal import SwedbankPay

/// Finds the session that a person names: by its whole identifier, its reference, or the beginning
/// or end of its identifier.
///
/// It reads only the store's index of sessions, never a log. Imported sessions are found, too.
enum SessionNames {
    /// The minimum length of a part of an identifier, in characters.
    static let shortestPart = 6
    /// The number of sessions listed when a name matches several.
    static let candidateLimit = 10

    /// Refuses a text that cannot name any session.
    static func refuseMalformed(_ name: String) throws(Failure) {
        guard SessionID(name) == nil else { return }
        let isText = !name.unicodeScalars.contains { $0.value < 0x20 || $0.value == 0x7F }
        guard isText, name.contains(where: { !$0.isWhitespace }),
            name.utf8.count <= Notes.textLimit
        else { throw malformed }
    }

    /// Replaces the names in a command's arguments by whole identifiers.
    static func resolve<Resolved: Command>(
        in command: Resolved,
        _ invocation: Invocation
    ) async throws(Failure) -> Resolved {
        let names = command.sessionNames
        guard names.contains(where: { isOpen($0, mayBeFile: command.mayNameFiles) }) else {
            return command
        }
        let environment = invocation.environment
        let kind = try StoreLocation.read(command.global, environment: environment).kind
        guard !kind.isFile || kind.exists else {
            if command.mayNameFiles { return command }
            throw unknown("the store \(kind.path) does not exist")
        }
        var resolved = command
        resolved.sessionNames = try await Reader.withStore(for: command, in: invocation) {
            reader throws(Failure) in
            var whole: [String] = []
            for name in names {
                guard isOpen(name, mayBeFile: command.mayNameFiles) else {
                    whole.append(name)
                    continue
                }
                let session = try await session(named: name, in: reader.store)
                if let session {
                    whole.append("\(session)")
                } else if command.mayNameFiles {
                    // The command that reads the file reports that there is none.
                    whole.append(name)
                } else {
                    throw isTooShort(name) ? malformed : unknown(nil)
                }
            }
            return whole
        }
        return resolved
    }

    /// Returns whether the store must be read to resolve a name; a file of that name takes
    /// precedence.
    private static func isOpen(_ name: String, mayBeFile: Bool) -> Bool {
        SessionID(name) == nil && !(mayBeFile && (name == "-" || access(name, F_OK) == 0))
    }

    /// Returns the session that a name matches; `nil` when there is none.
    ///
    /// - Throws: A usage failure with the candidates when it matches several.
    private static func session(
        named name: String,
        in store: any PaymentStore
    ) async throws(Failure) -> SessionID? {
        let found = try await sessions(named: name, in: store)
        guard found.count > 1 else { return found.first?.session }
        let isCut = found.count > candidateLimit
        var failure = Failure.usage(
            "session-ambiguous",
            "the name fits \(isCut ? "more than \(candidateLimit)" : "\(found.count)") sessions",
            hint: "name the session by its id, or by more of it"
        )
        failure.candidates = Array(found.prefix(candidateLimit))
        throw failure
    }

    /// Returns the sessions that a name matches, newest first, at most one more than are listed.
    static func sessions(
        named name: String,
        in store: any PaymentStore
    ) async throws(Failure) -> [SessionSummary] {
        let limit = candidateLimit + 1
        var found: [SessionSummary] = []
        do {
            found = try await store.sessions(matching: SessionQuery(reference: name, limit: limit))
            let part = name.lowercased()
            if isPartOfID(part) {
                if let end = lastID(beginningWith: part) {
                    let before = SessionID(high: end.high, low: end.low &+ 1)
                    found += try await store.sessions(
                        matching: SessionQuery(before: before, limit: limit)
                    ).prefix { "\($0.session)".hasPrefix(part) }
                }
                found += try await store.sessions(
                    matching: SessionQuery(ending: part, limit: limit)
                )
            }
        } catch {
            throw Failure(error)
        }
        var seen: Set<SessionID> = []
        let once = found.filter { seen.insert($0.session).inserted }
        return Array(once.sorted { $0.session > $1.session }.prefix(limit))
    }

    private static func isPartOfID(_ text: String) -> Bool {
        (shortestPart..<36).contains(text.utf8.count)
            && text.utf8.allSatisfy { $0 == UInt8(ascii: "-") || $0.hexadecimalValue != nil }
    }

    /// Returns the last possible identifier with a prefix.
    private static func lastID(beginningWith part: String) -> SessionID? {
        SessionID(part + "ffffffff-ffff-7fff-bfff-ffffffffffff".dropFirst(part.count))
    }

    /// Returns whether a text is too short for a part of an identifier, or is a malformed whole
    /// one.
    private static func isTooShort(_ name: String) -> Bool {
        name.count < shortestPart
            || name.split(separator: "-", omittingEmptySubsequences: false).map(\.count)
                == [8, 4, 4, 4, 12]
    }

    private static let malformed = Failure.usage(
        "session-id",
        "that is no session id, and no session has that reference",
        hint:
            "name a session by its id, by at least \(shortestPart) characters of the id's beginning or end, or by its reference"
    )

    private static func unknown(_ reason: String?) -> Failure {
        Failure(
            .unknown,
            "engine.unknown-session",
            reason.map { "there is no such session: \($0)" }
                ?? "no session has that reference, or an id that begins or ends so",
            hint: reason == nil
                ? "'workflowctl list' shows the sessions of the store, 'workflowctl find TEXT' looks into their logs"
                : "name the store with --store sqlite:PATH"
        )
    }
}
