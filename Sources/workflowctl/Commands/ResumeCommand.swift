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
    /// How long to wait for effects that become due soon.
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

    private func resumeAll(in invocation: Invocation) async throws(Failure) -> ExitStatus {
        try await Driver.withEngine(for: self, in: invocation) { driver throws(Failure) in
            do throws(EventStoreError) {
                try await driver.store.confirmLiving()
            } catch {
                throw Failure(error)
            }
            await driver.telemetry?.catchUp(nil)
            let soon = driver.begin + min(global.wait.duration, Self.soon)
            var followed: [Result<Followed, Failure>] = []
            var seen: Set<SessionID> = []
            var held: [SessionID] = []
            var unreachable = 0
            repeat {
                let due: [SessionID]
                do throws(EventStoreError) {
                    // Also those whose rows contradict themselves: their logs say what is due.
                    let forgotten = try await ForgottenSessions(in: driver.store, at: driver.begin)
                    due =
                        (try await driver.store.sessionsDue(
                            by: soon,
                            limit: SessionQuery.defaultLimit
                        ) + forgotten.sessions.map(\.session))
                        .filter { seen.insert($0).inserted }
                    held = try await othersWork(of: driver, besides: seen)
                } catch {
                    throw Failure(error)
                }
                var reachable: [SessionID] = []
                for session in due {
                    if try await driver.unreachableHost(of: session, global) == nil {
                        reachable.append(session)
                    } else {
                        unreachable += 1
                    }
                }
                for start in stride(from: 0, to: reachable.count, by: Self.batch) {
                    let batch = reachable[start..<min(reachable.count, start + Self.batch)]
                    let tasks = batch.map { session in
                        invocation.loop.spawn { await follow(session, by: driver) }
                    }
                    for task in tasks { followed.append(await task.value) }
                }
            } while await mayComeFree(held, by: driver)
            followed += try await recover(by: driver, besides: seen)
            let status = printResult(followed, of: driver)
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

    /// Resumes sessions that had given up on a PSP that is available again.
    private func recover(
        by driver: Driver,
        besides seen: Set<SessionID>
    ) async throws(Failure) -> [Result<Followed, Failure>] {
        let recovery = SessionRecovery(
            engine: driver.engine,
            store: driver.store,
            clock: UVClock(on: driver.invocation.loop),
            limits: driver.recovery
        )
        let outcome: SessionRecovery.Outcome
        do throws(EventStoreError) {
            outcome = try await recovery.run(until: driver.begin + global.wait.duration)
        } catch {
            throw Failure(error)
        }
        var followed: [Result<Followed, Failure>] = []
        for session in outcome.recovered + outcome.failed where !seen.contains(session) {
            followed.append(await follow(session, by: driver))
        }
        return followed
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

    /// Waits a little for sessions of other nodes; returns whether it is worth trying again.
    private func mayComeFree(_ held: [SessionID], by driver: Driver) async -> Bool {
        let end = driver.begin + global.wait.duration
        guard !held.isEmpty, driver.invocation.now() < end else { return false }
        return (try? await driver.invocation.loop.sleep(for: .milliseconds(200))) != nil
    }

    private func follow(
        _ session: SessionID,
        by driver: Driver
    ) async -> Result<Followed, Failure> {
        do throws(Failure) {
            return .success(
                try await driver.follow(
                    session,
                    until: driving.until,
                    for: max(.zero, driver.begin + global.wait.duration - driver.invocation.now()),
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
