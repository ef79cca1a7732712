internal import Adapters
internal import ArgumentParser
internal import EventLog
internal import Inspection
internal import SwedbankPay

/// `store copy`: copies sessions from one store to another.
struct StoreCopyCommand: Command {
    static let configuration = CommandConfiguration(
        commandName: "copy",
        abstract: "Copy the store's sessions and keys to another store.",
        discussion: """
            Works between SQLite and PostgreSQL in both directions. Each session is read back \
            and compared. Records that are already present are skipped, so a copy can be \
            repeated or continued after an interruption; a session whose log in the other store \
            differs is refused. The data keys stay wrapped by the same master key, which the \
            other store needs as well. Checkpoints, leases and the position of event logging are \
            not copied. The records of a compressed store arrive uncompressed, unless the other \
            store is compressed already: 'store compress' there trains a dictionary of its own.

            A copy can be read but not driven. With --move, the other store drives the sessions \
            from then on, and this store, which must be a SQLite file that no engine is using, \
            accepts no more events. An interrupted move continues when the command is run again. \
            A store that already has copies of the sessions cannot be the target of a move.

            Examples:
              workflowctl store copy sqlite:copy.db
              workflowctl store copy sqlite:copy.db --json
              workflowctl store copy sqlite:other.db --move
            """
    )

    @Argument(
        help: ArgumentHelp(
            "The target store: sqlite:PATH or postgres://USER@HOST/DATABASE.",
            valueName: "to"
        )
    )
    var target: String

    @Flag(
        help: "Let the other store drive the sessions from now on, and close this one for writing."
    )
    var move = false

    @OptionGroup var global: GlobalOptions

    func refuseBadArguments() throws(Failure) { _ = try StoreLocation(target) }

    func perform(in invocation: Invocation) async throws(Failure) -> ExitStatus {
        let (target, loop) = (try StoreLocation(target), invocation.loop)
        let source = try StoreLocation.read(global, environment: invocation.environment)
        guard source.text != target.text || source.kind.secretText != target.kind.secretText else {
            throw .usage("copy", "source and target are the same store")
        }
        if move { try await close(source, for: target, invocation) }
        return try await Reader.withStore(for: self, in: invocation) { reader throws(Failure) in
            let store = try await target.open(.createIfMissing, on: loop)
            let result: Result<StoreCopy?, Failure>
            do throws(Failure) {
                result = .success(try await copy(reader, to: store))
            } catch {
                result = .failure(error)
            }
            await store.close()
            guard let copy = try result.get() else { return .interrupted }
            printResult(copy, invocation)
            return copy.refused.isEmpty ? .done : .refused
        }
    }

    /// Closes a store for writing, unless an engine is at work in it or the other store cannot
    /// accept a session.
    private func close(
        _ location: StoreLocation,
        for target: StoreLocation,
        _ invocation: Invocation
    ) async throws(Failure) {
        let opened = try await location.open(.existing, on: invocation.loop)
        let failure: Failure?
        do {
            guard let store = opened as? any MovableStore else {
                throw Failure(
                    .usage,
                    "store.only-for-files",
                    "only a SQLite store can be moved",
                    hint:
                        "copy it without --move to read it elsewhere, or move the database with "
                        + "PostgreSQL's own tools"
                )
            }
            let rows = try await store.allSessions(matching: SessionQuery(origin: .own))
            for row in rows where row.outcome == nil {
                guard try await store.acquireLease(on: row.session) else {
                    throw Failure(
                        .tryAgain,
                        "session.in-use",
                        "session \(row.session) is in use by an engine; nothing was moved",
                        hint: "stop all engines that use this store first"
                    )
                }
            }
            try await requireRoom(for: rows.map(\.session), of: store, in: target, invocation)
            try await store.closeForGood(for: target.kind.place)
            invocation.note(
                "note: this store accepts no more events; its sessions now belong to the other store"
            )
            failure = nil
        } catch let error as Failure {
            failure = error
        } catch let error as EventStoreError {
            failure = Failure(error)
        } catch {
            failure = Failure(.defect, "store.unavailable", "\(error)")
        }
        await opened.close()
        if let failure { throw failure }
    }

    /// Throws when the other store conflicts with a session, so that this one is not closed in
    /// vain.
    private func requireRoom(
        for sessions: [SessionID],
        of source: any PersistentStore,
        in target: StoreLocation,
        _ invocation: Invocation
    ) async throws(Failure) {
        let store = try await target.open(.createIfMissing, on: invocation.loop)
        let obstacles = CopyObstacles(source: source, target: store, moves: true)
        var obstacle: Failure?
        do throws(Failure) {
            for session in sessions where obstacle == nil {
                obstacle = try await obstacles.found(session)
            }
        } catch {
            obstacle = error
        }
        await store.close()
        if let obstacle { throw obstacle }
    }

    private func copy(
        _ reader: Reader,
        to target: any PersistentStore
    ) async throws(Failure) -> StoreCopy? {
        var copy = StoreCopy(
            from: reader.store,
            to: target,
            by: reader.decider,
            moves: move
        )
        let all = try await reader.sessionCountForProgress()
        var line = ProgressLine(on: reader.invocation.diagnostics)
        defer { line.clear() }
        var last: SessionID?
        while true {
            let sessions = try await reader.store.sessions(
                after: last,
                limit: StoreCopy.sessionsAtOnce
            )
            for start in stride(from: 0, to: sessions.count, by: StoreCopy.sessionsTogether) {
                guard !Task.isCancelled else { return nil }
                let end = min(sessions.count, start + StoreCopy.sessionsTogether)
                try await copy.copy(sessions[start..<end])
                line.reached(
                    copy.sessions,
                    of: all,
                    "\(copy.sessions) of \(all) sessions",
                    at: reader.invocation.now()
                )
            }
            guard sessions.count == StoreCopy.sessionsAtOnce else { return copy }
            last = sessions.last
        }
    }

    private func printResult(_ copy: StoreCopy, _ invocation: Invocation) {
        if global.json {
            invocation.print([
                "sessions": .integer(copy.sessions),
                "written": .integer(copy.written),
                "skipped": .integer(copy.skipped),
                "refused": .array(copy.refused.map { .string("\($0.session)") }),
            ])
        } else {
            invocation.print(
                "\(copy.sessions) sessions\t\(copy.written) records written\t\(copy.skipped) already present"
            )
        }
        for refusal in copy.refused { invocation.note("\(refusal.failure)") }
    }
}
