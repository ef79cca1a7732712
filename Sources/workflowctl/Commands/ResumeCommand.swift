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
            an unknown outcome are only read, and the configured limits ('recovery') apply. With \
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

    /// A service does what is due by itself; a session that was named is also read once more.
    func call(in invocation: Invocation) throws(Failure) -> ServiceCall {
        guard global.reason == nil else {
            throw .usage(
                "server",
                "a service records no reason for 'resume'",
                hint: "leave out --reason, or record it with 'note'"
            )
        }
        return ServiceCall(path: "refetch")
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
            let clock = UVClock(on: invocation.loop)
            let catchUp = CatchUp(
                engine: driver.engine,
                store: driver.store,
                clock: clock,
                recovery: SessionRecovery(
                    engine: driver.engine,
                    store: driver.store,
                    clock: clock,
                    limits: driver.recovery
                )
            )
            let outcome: CatchUp.Outcome
            do throws(EventStoreError) {
                try await driver.store.confirmLiving()
                await driver.telemetry?.catchUp(nil)
                outcome = try await catchUp.run(until: driver.begin + global.wait.duration)
            } catch {
                throw Failure(error)
            }
            let status = printResult(outcome.driven.map(\.result), of: driver)
            let unreachable = outcome.refused.count
            if unreachable > 0 {
                invocation.note(
                    "note: \(unreachable) session\(unreachable == 1 ? "" : "s") skipped because "
                        + "the host is not allowed; for a sandbox, add --allow-insecure-loopback"
                )
            }
            guard let first = outcome.held.first, status == .done else { return status }
            let held = outcome.held.count
            throw Failure(
                .tryAgain,
                "store.busy",
                "\(held) session\(held == 1 ? " with due work is" : "s with due work are") "
                    + "held by another node, such as session \(first)",
                hint:
                    "run the command again when the lease has expired; 'workflowctl node list' "
                    + "shows the nodes"
            )
        }
    }

    /// Reports the results; sessions that cannot be opened here (erased, or wrapped with another
    /// key) are skipped.
    private func printResult(
        _ driven: [Result<SessionState, EngineError>],
        of driver: Driver
    ) -> ExitStatus {
        var (status, views) = (ExitStatus.done, [SessionView]())
        let decider = driver.engine.decider
        for result in driven {
            switch result {
            case .success(let state):
                views.append(SessionView(state, by: decider, disclosing: .masked))
                let isStuck = state.problem?.problem.kind == .requestFailed
                if isStuck, decider.isSettled(state) { status = .unavailable }
            case .failure(let error):
                let failure = Failure(error)
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
