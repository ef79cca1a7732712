internal import Adapters
internal import ArgumentParser
internal import EventLog
internal import Inspection
internal import SwedbankPay
internal import Workflow

/// `erase`: destroys the data keys of sessions.
struct EraseCommand: Command {
    static let configuration = CommandConfiguration(
        commandName: "erase",
        abstract:
            "Destroy the data keys of sessions, so that their sealed values can never be read again.",
        discussion: """
            First records in the log who erased the session and why. The log itself stays \
            complete: it can still be verified, replayed, shown and exported, but the session \
            can no longer be driven. Copies of the store and of the master key elsewhere are not \
            affected. If interrupted, run the command again to finish.

            The store's files are searched for remains of the keys once for all sessions, so name \
            all sessions of a person in one command. Nothing is erased unless every session may be.

            Examples:
              workflowctl erase SESSION --reason "the payer asked for it"
              workflowctl erase SESSION --reason "request 17" --force --json
            """
    )

    @Argument(
        help: ArgumentHelp(
            "The sessions: ids, at least six characters from the beginning or end of an id, or references.",
            valueName: "id"
        ),
        completion: SessionCompletion.sessions
    )
    var ids: [String]

    @Flag(
        help:
            "Erase sessions even if they have not ended; their payments cannot be continued afterwards."
    )
    var force = false

    @OptionGroup var global: GlobalOptions

    var sessionNames: [String] {
        get { ids }
        set { ids = newValue }
    }

    func refuseBadArguments() throws(Failure) {
        for id in ids { try SessionNames.refuseMalformed(id) }
    }

    static var commonOptions: Set<String> { ["--by", "--reason"] }

    func perform(in invocation: Invocation) async throws(Failure) -> ExitStatus {
        var sessions: [SessionID] = []
        for id in ids {
            let session = try SessionArgument.session(id)
            if !sessions.contains(session) { sessions.append(session) }
        }
        let chosen = sessions
        try Operator.read(global, environment: invocation.environment).requireReason()
        return try await Keeper.withStore(for: self, in: invocation, session: chosen.first) {
            keeper throws(Failure) in
            for session in chosen { try await refuseOpen(session, keeper) }
            let erased = await keeper.erase(chosen, nil, reason: keeper.person.reason)
            keeper.note(erased.traces)
            printResult(erased, of: chosen, invocation)
            if let failure = erased.failure { throw Failure(failure) }
            if let session = chosen.first(where: erased.inUse.contains) {
                throw Self.inUse(session)
            }
            guard let failure = Failure.pending(erased.traces) else { return .done }
            throw failure
        }
    }

    /// Refuses a session that has not ended, unless that is forced.
    private func refuseOpen(_ session: SessionID, _ keeper: Keeper) async throws(Failure) {
        let row = try await keeper.store.listedRow(of: session)
        // The end is read from the log, whatever the row says; its MACs are checked before the
        // erasure is recorded.
        guard try await SessionLog.read(session, from: keeper.store).state.outcome != nil || force
        else { throw Self.notOver(session, isImported: row?.isForeign == true) }
    }

    /// Prints what was erased: as JSON, one object for one session, otherwise an array.
    private func printResult(
        _ all: ErasedSessions,
        of sessions: [SessionID],
        _ invocation: Invocation
    ) {
        let erased = sessions.compactMap { session in all.erased[session].map { (session, $0) } }
        guard global.json else {
            for (session, erased) in erased {
                invocation.print(
                    "\(session)\t" + (erased.isDestroyed ? "erased" : "no key to destroy")
                )
            }
            return
        }
        let documents = erased.map { session, erased -> JSONValue in
            [
                "session": .string("\(session)"),
                "destroyed": .bool(erased.isDestroyed),
                "seq": JSONValue(erased.sequence),
                "tracesRemoved": .bool(all.traces == .done),
            ]
        }
        if sessions.count > 1 { return invocation.print(.array(documents)) }
        if let only = documents.first { invocation.print(only) }
    }

    private static func notOver(_ session: SessionID, isImported: Bool) -> Failure {
        Failure(
            .refused,
            "session.not-over",
            "session \(session) has not ended; without its keys, its payment cannot be continued",
            hint: isImported
                ? "add --force; an imported session cannot be ended here"
                : "end it with 'workflowctl abort \(session)', or add --force"
        )
    }

    private static func inUse(_ session: SessionID) -> Failure {
        Failure(
            .tryAgain,
            "session.in-use",
            "session \(session) is in use by an engine",
            hint: "run the command again when the session has settled"
        )
    }
}
