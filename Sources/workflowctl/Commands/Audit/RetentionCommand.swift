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
            engine are skipped. The index only proposes sessions: each end and its time are read \
            from the log, whose MACs must be valid, so --apply requires the keys. If interrupted, \
            run the command again to continue.

            With --apply, a run is refused if this machine's clock is more than 31 days ahead of \
            the last run, of the newest record and of the database server's clock, or if it would \
            erase more than ten sessions that are more than a quarter of all. --trust-clock and \
            --many permit it.

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

    @Flag(help: "Erase even if the clock is far ahead of everything that the store knows.")
    var trustClock = false

    @Flag(help: "Erase even more than a quarter of all sessions at once.")
    var many = false

    @OptionGroup var global: GlobalOptions

    static var commonOptions: Set<String> { ["--by", "--reason"] }

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
            let now = invocation.now()
            // What would be erased can be listed without keys.
            let vault =
                apply
                ? try keeper.location.vault(environment: invocation.environment)
                : (try? keeper.location.vault(environment: invocation.environment)) ?? nil
            let memory = RetentionMemory(of: keeper.location)
            let check = RetentionGuard(of: keeper.store, at: now, after: memory.lastRun())
            var search = DueSessions(of: keeper.store, by: policy, at: now, provenBy: vault)
            let refusal: RetentionGuard.Refusal?
            do throws(EventStoreError) {
                try await search.find(limit: limit)
                refusal = try await self.refusal(of: search.due.count, by: check)
            } catch {
                throw Failure(error)
            }
            guard apply else {
                printResult(RetentionRun(due: search.due, left: search.left), invocation)
                if let refusal { invocation.note("note: \(Failure(refusal).message)") }
                return .done
            }
            if let refusal { throw Failure(refusal) }
            if !search.due.isEmpty {
                _ = try keeper.location.existingVault(environment: invocation.environment)
            }
            let rule = DueRule(policy, at: now, provenBy: vault)
            let reason = keeper.person.reason ?? "retention"
            let applied = await keeper.erase(search.due.map(\.session), rule, reason: reason)
            keeper.note(applied.traces)
            if let failure = applied.failure { throw Failure(failure) }
            let left = search.left.merging(applied.left) { $1 }
            printResult(RetentionRun(due: search.due, left: left, applied: applied), invocation)
            try memory.remember(now)
            if let failure = Failure.pending(applied.traces) ?? Failure.unproven(left) {
                throw failure
            }
            return .done
        }
    }

    /// Returns why so much is not erased by this clock; `nil` when it may be.
    private func refusal(
        of count: Int,
        by check: RetentionGuard
    ) async throws(EventStoreError) -> RetentionGuard.Refusal? {
        guard count > 0 else { return nil }
        if !trustClock, let refusal = try await check.clockRefusal() { return refusal }
        return many ? nil : try await check.shareRefusal(of: count)
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
        for (session, refusal) in run.left.sorted(by: { $0.key < $1.key }) {
            table.rows.append([session.text(for: output), "", "", refusal.rawValue])
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
    /// The sessions whose rows say that they are due, although their logs do not.
    var left: [SessionID: DueRule.Refusal] = [:]
    /// What became of them; `nil` when they were only listed.
    var applied: ErasedSessions?

    var erased: Set<SessionID> { Set((applied?.erased ?? [:]).keys) }
    var inUse: Set<SessionID> { applied?.inUse ?? [] }

    /// Returns the result of a session, in one word.
    func result(of session: SessionID) -> String {
        if let refusal = left[session] { return refusal.rawValue }
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
            "left": .array(
                left.sorted { $0.key < $1.key }.map {
                    ["session": .string("\($0.key)"), "reason": .string($0.value.rawValue)]
                }
            ),
            "erased": .integer(Int64(erased.count)),
            "inUse": .integer(Int64(inUse.count)),
            // Nothing is left of keys that were not destroyed.
            "tracesRemoved": .bool(applied.map { $0.traces == .done } ?? true),
        ]
    }
}
