internal import Adapters
internal import ArgumentParser
internal import EventLog
internal import Inspection
internal import SwedbankPay
internal import Workflow

/// `retention`: erases sessions whose retention period has passed.
struct RetentionCommand: Command {
    static let configuration = CommandConfiguration(
        commandName: "retention",
        abstract: "List sessions past their retention period and, with --apply, erase them.",
        discussion: """
            A period is a number of days (90d) or a duration such as 12h or 30min, counted from \
            the end of the session; 1m is not accepted because it could mean a month. Later \
            notes and operator actions do not extend it. Without --older-than, the retention \
            periods in the configuration apply. Sessions that have not ended or are in use by an \
            engine are skipped. If interrupted, run the command again to continue.

            Examples:
              workflowctl retention --older-than 90d
              workflowctl retention --older-than 90d --apply --limit 1000
              workflowctl retention --older-than 90d --json
            """
    )

    @Option(
        help: ArgumentHelp(
            "Select sessions that ended at least this long ago, whatever their outcome.",
            valueName: "period"
        )
    )
    var olderThan: PeriodArgument?

    @Flag(help: "Erase the sessions.")
    var apply = false

    @Option(help: ArgumentHelp("The maximum number of sessions, oldest first.", valueName: "n"))
    var limit: Int?

    @OptionGroup var global: GlobalOptions

    func refuseBadArguments() throws(Failure) {
        guard olderThan?.isAmbiguous != true else {
            throw .usage("period", PeriodArgument.ambiguity, hint: PeriodArgument.remedy)
        }
        if let limit, limit < 1 { throw .usage("limit", "--limit must be at least 1") }
    }

    func perform(in invocation: Invocation) async throws(Failure) -> ExitStatus {
        try await Keeper.withStore(
            for: self,
            in: invocation,
            access: apply ? .existing : .readOnly
        ) { keeper throws(Failure) in
            let policy = try policy(keeper.configuration)
            let search = DueSessions(of: keeper.store, by: policy, at: invocation.now())
            let due: [DueSession]
            do throws(EventStoreError) { due = try await search.find(limit: limit) } catch {
                throw Failure(error)
            }
            guard apply else {
                printResult(RetentionRun(due: due, applied: nil), invocation)
                return .done
            }
            let applied = await erase(due, keeper)
            keeper.note(applied.traces)
            if let failure = applied.failure { throw Failure(failure) }
            printResult(RetentionRun(due: due, applied: applied), invocation)
            guard let failure = Failure.pending(applied.traces) else { return .done }
            throw failure
        }
    }

    private func policy(_ configuration: Configuration) throws(Failure) -> RetentionPolicy {
        if let olderThan { return RetentionPolicy(period: olderThan.duration) }
        guard configuration.retention.shortest != nil else {
            throw .usage(
                "retention",
                "no retention period is set",
                hint:
                    "use --older-than, such as --older-than 90d, or set 'retention' in the configuration"
            )
        }
        return configuration.retention
    }

    private func erase(_ due: [DueSession], _ keeper: Keeper) async -> ErasedSessions {
        var progress = ProgressLine(on: keeper.invocation.diagnostics)
        defer { progress.clear() }
        return await keeper.erasure.erase(
            due.map(\.session),
            by: keeper.person.name,
            reason: keeper.person.reason ?? "retention"
        ) { done in
            progress.reached(
                Int64(done),
                of: Int64(due.count),
                "erasing",
                at: keeper.invocation.now()
            )
        }
    }

    private func printResult(_ run: RetentionRun, _ invocation: Invocation) {
        if global.json { return invocation.print(run.json) }
        let output = invocation.output
        var table = Table(columns: ["session", "outcome", "ended", "result"])
        table.rows = run.due.map {
            [
                $0.session.text(for: output), $0.outcome.rawValue, $0.endedAt.text(for: output),
                run.result(of: $0.session),
            ]
        }
        output.write(table.text(for: output))
        let left = run.due.count - run.erased.count
        invocation.note(
            run.applied != nil
                ? "sessions erased: \(run.erased.count), skipped: \(left)"
                : "sessions that would be erased: \(run.due.count); --apply erases them"
        )
    }
}

/// The results for the due sessions.
struct RetentionRun: Sendable {
    var due: [DueSession]
    /// What became of them; `nil` when they were only listed.
    var applied: ErasedSessions?

    var erased: Set<SessionID> { applied?.erased ?? [] }
    var inUse: Set<SessionID> { applied?.inUse ?? [] }

    /// Returns the result of a session, in one word.
    func result(of session: SessionID) -> String {
        if erased.contains(session) { return "erased" }
        return inUse.contains(session) ? "inUse" : "due"
    }

    var json: JSONValue {
        [
            "applied": .bool(applied != nil),
            "sessions": .array(
                due.map {
                    [
                        "session": .string("\($0.session)"),
                        "outcome": .string($0.outcome.rawValue),
                        "endedAt": .string("\($0.endedAt)"),
                        "result": .string(result(of: $0.session)),
                    ]
                }
            ),
            "erased": .integer(Int64(erased.count)),
            "inUse": .integer(Int64(inUse.count)),
            // Nothing is left of keys that were not destroyed.
            "tracesRemoved": .bool(applied.map { $0.traces == .done } ?? true),
        ]
    }
}
