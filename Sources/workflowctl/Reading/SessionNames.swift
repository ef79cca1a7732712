internal import Adapters
internal import EventLog
internal import Glibc
internal import Inspection
internal import SwedbankPay
internal import Workflow

/// The sessions that a command line names.
extension SessionNames {
    /// Refuses a text that cannot be the name of a session in any store.
    static func refuseMalformed(_ name: String) throws(Failure) {
        guard SessionID(name) == nil else { return }
        let isText = !name.unicodeScalars.contains { $0.value < 0x20 || $0.value == 0x7F }
        guard isText, name.contains(where: { !$0.isWhitespace }),
            name.utf8.count <= HostText.bytes
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
        if try ServiceAddress.read(command.global, environment: environment) == nil {
            let kind = try StoreLocation.read(command.global, environment: environment).kind
            guard !kind.isFile || kind.exists else {
                let areWhole = names.allSatisfy { SessionID($0) != nil }
                if command.mayNameFiles || areWhole { return command }
                throw unknown("the store \(kind.path) does not exist")
            }
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
                } else if SessionID(name) != nil {
                    // The command reports that there is no such session.
                    whole.append(name)
                } else if command.mayNameFiles,
                    name.unicodeScalars.contains(where: { $0 == "/" || $0 == "." })
                {
                    // The reader of the file reports that it does not exist.
                    whole.append(name)
                } else {
                    if let beginning = try await beginning(name, in: reader.store) {
                        throw beginning
                    }
                    throw isTooShort(name) ? malformed : unknown(nil)
                }
            }
            return whole
        }
        return resolved
    }

    /// Whether the name has to be looked up in the store, since it may be a reference; a file with
    /// that name takes precedence.
    private static func isOpen(_ name: String, mayBeFile: Bool) -> Bool {
        !(mayBeFile && (name == "-" || access(name, F_OK) == 0))
    }

    /// Returns the session with a name; `nil` when there is none.
    ///
    /// - Throws: A usage failure with the candidates when the name is ambiguous.
    private static func session(
        named name: String,
        in store: any PersistentStore
    ) async throws(Failure) -> SessionID? {
        let found: [SessionSummary]
        do throws(EventStoreError) { found = try await sessions(named: name, in: store) } catch {
            // The command reads the session's log, whatever the index is like.
            if SessionID(name) != nil { return nil }
            throw Failure(error)
        }
        guard found.count > 1 else {
            guard let session = found.first?.session else { return nil }
            let hasName: Bool
            do throws(EventStoreError) {
                hasName = try await isNamed(session, name, in: store)
            } catch {
                throw Failure(error)
            }
            guard hasName else { throw Failure(EngineError.misfiled(session)) }
            return session
        }
        throw .usage(
            "session-ambiguous",
            "\(count(of: found)) sessions match",
            hint: "use the session's id, or more characters of it"
        ).listing(found)
    }

    /// Returns the failure for a name that is only the beginning of references; `nil` when it is
    /// not even that.
    ///
    /// Nothing is done to such a session: `order-1` is not `order-10`.
    private static func beginning(
        _ name: String,
        in store: any PersistentStore
    ) async throws(Failure) -> Failure? {
        let found: [SessionSummary]
        do throws(EventStoreError) {
            found = try await store.sessions(
                matching: SessionQuery(referencePrefix: name, limit: candidateLimit + 1)
            )
        } catch {
            throw Failure(error)
        }
        guard !found.isEmpty else { return nil }
        let hint = "use the session's id, or its whole reference"
        guard found.count > 1 else {
            let message = "no session has this reference or id; one reference begins with it"
            return Failure(.unknown, "engine.unknown-session", message, hint: hint).listing(found)
        }
        let message = "the references of \(count(of: found)) sessions begin with this"
        return Failure.usage("session-ambiguous", message, hint: hint).listing(found)
    }

    private static func count(of found: [SessionSummary]) -> String {
        found.count > candidateLimit ? "more than \(candidateLimit)" : "\(found.count)"
    }

    /// Returns the failure for a text that is too short for a part of an identifier, or is
    /// malformed.
    private static func isTooShort(_ name: String) -> Bool {
        name.count < shortestPart
            || name.pieces(between: "-", omittingEmptySubsequences: false).map(\.count)
                == [8, 4, 4, 4, 12]
    }

    private static let malformed = Failure.usage(
        "session-id",
        "invalid session id, and no session has this reference",
        hint:
            "use an id, at least \(shortestPart) characters from the beginning or end of an id, "
            + "a reference, or at least \(shortestEnd) characters from its end"
    )

    private static func unknown(_ reason: String?) -> Failure {
        Failure(
            .unknown,
            "engine.unknown-session",
            reason.map { "no such session: \($0)" }
                ?? "no session has this reference or id",
            hint: reason == nil
                ? "run 'workflowctl list' to list the sessions, or 'workflowctl find TEXT' to "
                    + "search their logs"
                : "choose the store with --store sqlite:PATH"
        )
    }
}

extension Failure {
    /// Returns the failure with the sessions that may have been meant, as many as are listed.
    fileprivate func listing(_ found: [SessionSummary]) -> Failure {
        var failure = self
        failure.candidates = Array(found.prefix(SessionNames.candidateLimit))
        return failure
    }
}
