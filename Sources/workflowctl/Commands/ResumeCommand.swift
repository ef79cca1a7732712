internal import Adapters
internal import ArgumentParser
internal import EventLog
internal import Inspection
internal import SwedbankPay

/// `resume`: performs the work that became due while no engine was running.
struct ResumeCommand: DrivingCommand {
    static let configuration = CommandConfiguration(
        commandName: "resume",
        abstract: "Catch up: everything that is due, for one session or all.",
        discussion: """
            Without a session also those go on whose requests failed while the PSP was out of reach, once it answers again: \
            only where nothing of their money is under way or unknown, and within the configuration's limits (recovery). \
            With --json: the session's view, or without a session an array of views.

            Examples:
              workflowctl resume SESSION
              workflowctl resume
            """
    )

    @Argument(
        help: ArgumentHelp("The session; all when left out.", valueName: "id"),
        completion: SessionCompletion.sessions
    )
    var id: String?

    @OptionGroup var driving: DrivingOptions
    @OptionGroup var global: GlobalOptions

    /// The maximum number of sessions that are driven concurrently.
    static let batch = 64
    /// Work that becomes due within this time is performed as well.
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
            try await driver.engine.resume(session)
            await driver.telemetry?.catchUp(session)
        }
    }

    /// Whether the store has no session that can be driven.
    private func isEmpty(in invocation: Invocation) async throws(Failure) -> Bool {
        try await Reader.withStore(for: self, in: invocation) { reader throws(Failure) in
            do throws(EventStoreError) {
                return try await reader.store
                    .sessions(matching: SessionQuery(origin: .own, limit: 1)).isEmpty
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
                    due = try await driver.store.sessionsDue(
                        by: soon,
                        limit: SessionQuery.defaultLimit
                    )
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
            let status = tell(followed, of: driver)
            if unreachable > 0 {
                invocation.note(
                    "note: \(unreachable) session\(unreachable == 1 ? " is" : "s are") left alone, whose host may not be called here; "
                        + "for a sandbox add --allow-insecure-loopback"
                )
            }
            guard let first = held.first, status == .done else { return status }
            throw Failure(
                .tryAgain,
                "store.busy",
                "of what is due \(held.count) is held by another node, such as session \(first)",
                hint:
                    "run it again when its lease is over; 'workflowctl node list' tells who lives"
            )
        }
    }

    /// Retries the sessions whose requests failed, now that the PSP is available again.
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

    /// Returns the sessions that were overdue when the command began but that another node has
    /// leased.
    ///
    /// A node that was killed keeps its leases until they expire.
    private func othersWork(
        of driver: Driver,
        besides seen: Set<SessionID>
    ) async throws(EventStoreError) -> [SessionID] {
        try await driver.store.sessions(
            matching: SessionQuery(overdueSince: driver.begin, origin: .own)
        )
        .map(\.session).filter { !seen.contains($0) }
    }

    /// Waits briefly for the leases of other nodes to expire.
    ///
    /// - Returns: Whether the store should be queried again.
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
    private func tell(
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
            let table = Table(
                columns: ["session", "phase", "outcome", "problem"],
                rows: views.map {
                    [
                        "\($0.session)", $0.phase.rawValue, $0.outcome?.rawValue ?? "",
                        $0.problem?.problem.kind?.rawValue ?? "",
                    ]
                }
            )
            driver.invocation.output.write(table.text(for: driver.invocation.output))
        }
        return status
    }
}
