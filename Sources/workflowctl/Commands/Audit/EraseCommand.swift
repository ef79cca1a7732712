internal import Adapters
internal import ArgumentParser
internal import EventLog
internal import Inspection
internal import SwedbankPay
internal import Workflow

/// `erase`: destroys a session's data key.
struct EraseCommand: SessionCommand {
    static let configuration = CommandConfiguration(
        commandName: "erase",
        abstract:
            "Destroy a session's data key, so that its sealed values can never be read again.",
        discussion: """
            First records in the log who erased the session and why. The log itself stays \
            complete: it can still be verified, replayed, shown and exported, but the session \
            can no longer be driven. Copies of the store and of the master key elsewhere are not \
            affected. If interrupted, run the command again to finish.

            Examples:
              workflowctl erase SESSION --reason "the payer asked for it"
              workflowctl erase SESSION --reason "request 17" --force --json
            """
    )

    @OptionGroup var given: SessionArgument

    @Flag(
        help:
            "Erase the session even if it has not ended; its payment cannot be continued afterwards."
    )
    var force = false

    @OptionGroup var global: GlobalOptions

    func perform(in invocation: Invocation) async throws(Failure) -> ExitStatus {
        let session = try session
        try Operator.read(global, environment: invocation.environment).requireReason()
        return try await Keeper.withStore(for: self, in: invocation, session: session) {
            keeper throws(Failure) in
            let row = try await keeper.store.listedRow(of: session)
            // The end is read from the log, whatever the row says; its MACs are checked before the
            // erasure is recorded.
            guard
                try await SessionLog.read(session, from: keeper.store).state.outcome != nil || force
            else { throw Self.notOver(session, isImported: row?.isForeign == true) }
            let person = keeper.person
            let erased: ErasedSession?
            do throws(ErasureError) {
                erased = try await keeper.erasure.erase(
                    session,
                    by: person.name,
                    reason: person.reason
                )
            } catch {
                throw Failure(error)
            }
            guard let erased else { throw Self.inUse(session) }
            keeper.note(erased.traces)
            printResult(session, erased, invocation)
            guard let failure = Failure.pending(erased.traces) else { return .done }
            throw failure
        }
    }

    private func printResult(
        _ session: SessionID,
        _ erased: ErasedSession,
        _ invocation: Invocation
    ) {
        if global.json {
            invocation.print([
                "session": .string("\(session)"),
                "destroyed": .bool(erased.isDestroyed),
                "seq": JSONValue(erased.sequence),
                "tracesRemoved": .bool(erased.traces == .done),
            ])
        } else if erased.isDestroyed {
            invocation.print("\(session)\terased")
        } else {
            invocation.print("\(session)\tno key to destroy")
        }
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
