internal import Adapters
internal import ArgumentParser
internal import EventLog
internal import Inspection
internal import SwedbankPay

/// `resume`: does the work that has become due while no engine was running.
struct ResumeCommand: DrivingCommand {
    static let configuration = CommandConfiguration(
        commandName: "resume",
        abstract: "Catch up on everything that is due, for one session or all.",
        discussion: """
            Without a session, also waits for what becomes due within --wait, once for each session.

            A session that has ended is read once more, unless it is paid.

            Without a session, also continues sessions whose requests failed while the PSP was \
            unavailable, once the PSP responds again. Sessions that have a payment in progress or \
            an unknown outcome are left out, and the configured limits ('recovery') apply. With \
            --json, prints the session's view, or an array of views if no session is given.

            Examples:
              workflowctl resume SESSION
              workflowctl resume
            """
    )

    @Argument(
        help: ArgumentHelp("The session. Default: all.", valueName: "id"),
        completion: SessionCompletion.sessions
    )
    var id: String?

    @OptionGroup var driving: DrivingOptions
    @OptionGroup var global: GlobalOptions

    /// The number of sessions resumed concurrently.
    static let batch = 64
    /// How soon work is due that is done before anything is waited for.
    static let soon = Duration.seconds(1)

    var sessionNames: [String] {
        get { id.map { [$0] } ?? [] }
        set { id = newValue.first }
    }

    func refuseBadArguments() throws(Failure) {
        if let id { try SessionNames.refuseMalformed(id) }
    }

    func perform(in invocation: Invocation) async throws(Failure) -> ExitStatus {
        guard let id else {
            do throws(Failure) {
                return try await resumeAll(in: invocation)
            } catch {
                // Before the first session is opened there is neither a key nor any work.
                guard error.code == KeyVaultError.missing(reason: "").code,
                    try await isEmpty(in: invocation)
                else { throw error }
                if global.json { invocation.print(.array([])) }
                return .done
            }
        }
        let session = try SessionArgument.session(id)
        return try await Driver.drive(session, with: self, in: invocation) {
            driver throws(EngineError) in
            let state = try await driver.engine.resume(session)
            // What ended unpaid, or without a known result, may have been paid since then.
            if state.outcome != nil, state.money.standing != .confirmed {
                try await driver.engine.refetch(session)
            }
            await driver.telemetry?.catchUp(session)
        }
    }

    /// Returns whether the store has no session that could be driven.
    private func isEmpty(in invocation: Invocation) async throws(Failure) -> Bool {
        try await Reader.withStore(for: self, in: invocation) { reader throws(Failure) in
            do throws(EventStoreError) {
                let own = SessionQuery(origin: .own, limit: 1)
                guard try await reader.store.sessions(matching: own).isEmpty else { return false }
                return try await ForgottenSessions(in: reader.store, at: invocation.now())
                    .sessions.isEmpty
            } catch {
                throw Failure(error)
            }
        }
    }

    /// What a run over all sessions did so far.
    private struct Run {
        /// When it ends at the latest.
        let end: Instant
        /// The newest result of each session, in the order of the first ones.
        private(set) var followed: [(session: SessionID, result: Result<Followed, Failure>)] = []
        private(set) var seen: Set<SessionID> = []
        /// The sessions that are not followed again: they failed, or their hosts are not allowed.
        private var excluded: Set<SessionID> = []
        /// The sessions that other nodes hold.
        var held: [SessionID] = []
        /// The number of sessions whose hosts are not allowed.
        private(set) var unreachable = 0

        init(until end: Instant) { self.end = end }

        /// Returns those of the sessions to follow, and remembers that they were seen.
        mutating func choose(_ due: [SessionID]) -> [SessionID] {
            seen.formUnion(due)
            return due.filter { !excluded.contains($0) }
        }

        mutating func leaveOut(_ session: SessionID) {
            excluded.insert(session)
            unreachable += 1
        }

        mutating func add(_ session: SessionID, _ result: Result<Followed, Failure>) {
            if case .failure = result { excluded.insert(session) }
            followed.removeAll { $0.session == session }
            followed.append((session, result))
        }
    }

    private func resumeAll(in invocation: Invocation) async throws(Failure) -> ExitStatus {
        try await Driver.withEngine(for: self, in: invocation) { driver throws(Failure) in
            do throws(EventStoreError) {
                try await driver.store.confirmLiving()
            } catch {
                throw Failure(error)
            }
            await driver.telemetry?.catchUp(nil)
            var run = Run(until: driver.begin + global.wait.duration)
            try await followDue(by: driver, in: &run)
            try await recover(by: driver, in: &run)
            while try await mayContinue(run, by: driver) {
                try await followDue(by: driver, in: &run)
            }
            let (held, unreachable) = (run.held, run.unreachable)
            let status = printResult(run.followed.map(\.result), of: driver)
            if unreachable > 0 {
                invocation.note(
                    "note: \(unreachable) session\(unreachable == 1 ? "" : "s") skipped because "
                        + "the host is not allowed; for a sandbox, add --allow-insecure-loopback"
                )
            }
            guard let first = held.first, status == .done else { return status }
            throw Failure(
                .tryAgain,
                "store.busy",
                "\(held.count) "
                    + "session\(held.count == 1 ? " with due work is" : "s with due work are") "
                    + "held by another node, such as session \(first)",
                hint:
                    "run the command again when the lease has expired; 'workflowctl node list' "
                    + "shows the nodes"
            )
        }
    }

    /// Follows the sessions in which something is due or will be soon, the longest overdue first.
    private func followDue(by driver: Driver, in run: inout Run) async throws(Failure) {
        let soon = min(run.end, driver.invocation.now() + Self.soon)
        let due: [SessionID]
        do throws(EventStoreError) {
            // Also those whose rows contradict themselves: their logs say what is due.
            let forgotten = try await ForgottenSessions(in: driver.store, at: driver.begin)
                .sessions.map(\.session).filter { !run.seen.contains($0) }
            due = run.choose(
                forgotten
                    + (try await driver.store.sessionsDue(
                        by: soon,
                        limit: SessionQuery.defaultLimit
                    ))
            )
            run.held = try await othersWork(of: driver, besides: run.seen)
        } catch {
            throw Failure(error)
        }
        var reachable: [SessionID] = []
        for session in due {
            if try await driver.unreachableHost(of: session, global) == nil {
                reachable.append(session)
            } else {
                run.leaveOut(session)
            }
        }
        for start in stride(from: 0, to: reachable.count, by: Self.batch) {
            let batch = reachable[start..<min(reachable.count, start + Self.batch)]
            let tasks = batch.map { session in
                driver.invocation.loop.spawn { await follow(session, doing: soon, by: driver) }
            }
            for (session, task) in zip(batch, tasks) { run.add(session, await task.value) }
        }
    }

    /// Resumes sessions that had given up on a PSP that is available again.
    private func recover(by driver: Driver, in run: inout Run) async throws(Failure) {
        let recovery = SessionRecovery(
            engine: driver.engine,
            store: driver.store,
            clock: UVClock(on: driver.invocation.loop),
            limits: driver.recovery
        )
        let outcome: SessionRecovery.Outcome
        do throws(EventStoreError) {
            outcome = try await recovery.run(until: run.end)
        } catch {
            throw Failure(error)
        }
        for session in run.choose(
            (outcome.recovered + outcome.failed).filter { !run.seen.contains($0) }
        ) {
            run.add(session, await follow(session, doing: driver.begin, by: driver))
        }
    }

    /// Returns the sessions that were due when the command began and that another node holds.
    ///
    /// A node that was killed holds its sessions until its lease expires.
    private func othersWork(
        of driver: Driver,
        besides seen: Set<SessionID>
    ) async throws(EventStoreError) -> [SessionID] {
        try await driver.store.sessions(
            matching: SessionQuery(overdueSince: driver.begin, origin: .own)
        )
        .map(\.session).filter { !seen.contains($0) }
    }

    /// Waits for sessions of other nodes, and for those in which something becomes due before the
    /// end; returns whether there are any.
    ///
    /// It waits until each of these was followed once; meanwhile all are followed whenever
    /// something is due, which a payer may wait for.
    private func mayContinue(_ run: Run, by driver: Driver) async throws(Failure) -> Bool {
        let now = driver.invocation.now()
        guard now < run.end else { return false }
        var pause = Duration.milliseconds(200)
        if run.held.isEmpty {
            let later: SessionID?
            let row: SessionSummary?
            do throws(EventStoreError) {
                later = try await driver.store.sessionsDue(
                    by: run.end,
                    limit: SessionQuery.defaultLimit
                ).first { !run.seen.contains($0) }
                row = if let later { try await driver.store.row(of: later) } else { nil }
            } catch {
                throw Failure(error)
            }
            guard let due = row?.dueAt else { return false }
            pause = max(pause, min(Self.soon, due - now))
        }
        return (try? await driver.invocation.loop.sleep(for: pause)) != nil
    }

    /// Follows a session until what is due by a time was done.
    private func follow(
        _ session: SessionID,
        doing time: Instant,
        by driver: Driver
    ) async -> Result<Followed, Failure> {
        do throws(Failure) {
            return .success(
                try await driver.follow(
                    session,
                    until: driving.until,
                    for: max(.zero, driver.begin + global.wait.duration - driver.invocation.now()),
                    doing: time,
                    verbosely: global.verbose
                )
            )
        } catch {
            return .failure(error)
        }
    }

    /// Reports the results; sessions that cannot be opened here (erased, or wrapped with another
    /// key) are skipped.
    private func printResult(
        _ followed: [Result<Followed, Failure>],
        of driver: Driver
    ) -> ExitStatus {
        var (status, views) = (ExitStatus.done, [SessionView]())
        for result in followed {
            switch result {
            case .success(let followed):
                views.append(
                    SessionView(followed.state, by: driver.engine.decider, disclosing: .masked)
                )
                let isStuck = followed.state.problem?.problem.kind == .requestFailed
                if isStuck, followed.isSettled { status = .unavailable }
            case .failure(let failure):
                driver.invocation.note("\(failure)")
                if status == .done { status = failure.status }
            }
        }
        if global.json {
            driver.invocation.print(.array(views.map(\.json)))
        } else {
            let output = driver.invocation.output
            let table = Table(
                columns: ["session", "phase", "outcome", "problem"],
                rows: views.map {
                    [
                        $0.session.text(for: output), $0.phase.rawValue,
                        $0.outcome?.rawValue ?? "", $0.problem?.problem.kind?.rawValue ?? "",
                    ]
                }
            )
            output.write(table.text(for: output))
        }
        return status
    }
}
