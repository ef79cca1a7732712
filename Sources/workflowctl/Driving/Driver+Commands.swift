internal import Adapters
internal import EventLog
internal import Inspection
internal import SwedbankPay
internal import Workflow

extension Driver {
    /// Runs a command on a session of the store, follows the session, prints its view and reports
    /// the result.
    static func drive<Driving: DrivingCommand>(
        _ session: SessionID,
        with command: Driving,
        in invocation: Invocation,
        _ action: (Driver) async throws(EngineError) -> Void
    ) async throws(Failure) -> ExitStatus {
        let remote = try await RemoteDriver.run(command, in: invocation) {
            service throws(Failure) in
            try await service.drive(session, command, try command.call(in: invocation))
        }
        if let remote { return remote }
        return try await withEngine(for: command, in: invocation, session: session) {
            driver throws(Failure) in
            try driver.checkReason(for: command.intervention)
            if command.asksPSP { try await driver.refuseUnreachable(session, for: command) }
            do throws(EngineError) {
                try await action(driver)
                try await driver.record(command.intervention, in: session)
            } catch {
                throw await driver.refusal(error, of: session, for: command)
            }
            return try await driver.finish(session, command)
        }
    }

    /// Returns the host of a session when it is not allowed; `nil` where it is, or where no host is
    /// called any more.
    ///
    /// This reads the log before an engine drives the session, which would call the host at once
    /// and record the failure.
    func unreachableHost(
        of session: SessionID,
        _ configuration: Configuration
    ) async throws(Failure) -> String? {
        guard let log = try await readableLog(of: session), log.state.outcome == nil,
            log.state.payment != nil, let host = log.state.host
        else { return nil }
        return configuration.allows(host: host) ? nil : host
    }

    /// Reads the log of a session; `nil` when it is damaged or unknown, which the engine reports.
    private func readableLog(of session: SessionID) async throws(Failure) -> SessionLog? {
        do throws(Failure) {
            return try await SessionLog.read(session, from: store)
        } catch {
            guard error.status == .damaged || error.status == .unknown else { throw error }
            return nil
        }
    }

    /// Refuses to drive a session whose host is not allowed, or an order of the PSP without the
    /// merchant's access token, before anything is recorded.
    ///
    /// An option that was forgotten on the command line is not part of the payment's story.
    func refuseUnreachable(
        _ session: SessionID,
        for command: some Command
    ) async throws(Failure) {
        let configuration = try Configuration.read(
            command.global,
            environment: invocation.environment
        )
        if let host = try await unreachableHost(of: session, configuration) {
            throw .unreachable(host)
        }
        guard let log = try await readableLog(of: session),
            let checkout = log.state.checkout,
            !(command is ResumeCommand && log.state.isOver)
        else { return }
        // Its address is sealed, and an engine that opened it would drive the session: the host
        // decides. Any other host was trusted with the order when it was opened.
        let host = checkout.opening.host
        if APIAddress.isLoopback(host), !configuration.allows(host: host) {
            throw .unreachable(host)
        }
        // With a scratch store, the sandbox's own token is used.
        if checkout.opening.gateway == .psp, try await !store.isScratchStore() {
            try Self.requireToken(for: command, configuration, in: invocation)
        }
    }

    /// Follows a session, prints its view and reports the result.
    func finish(
        _ session: SessionID,
        _ command: some DrivingCommand
    ) async throws(Failure) -> ExitStatus {
        var followed = try await follow(
            session,
            until: command.driving.until,
            for: command.global.wait.duration,
            verbosely: command.global.verbose
        )
        followed = await awaitConfirmation(of: followed, for: command.global.wait.duration)
        shown.remember(try await print(followed, command.global))
        // The view shows the newest state that could be read.
        if let failure = followed.storeFailure { throw Failure(failure) }
        let report = DrivingReport(of: command, by: engine.decider, in: invocation)
        report.notePendingRetry(of: followed)
        return report.status(of: followed)
    }

    /// Prints the view of a session for the client that drives it, with what it needs in order to
    /// act.
    @discardableResult
    func print(
        _ followed: Followed,
        _ options: GlobalOptions
    ) async throws(Failure) -> SessionView {
        if options.reveal { try await recordReveal(of: followed.state.session) }
        let secrets: SecretTable
        do {
            secrets = try await engine.secrets(of: followed.state.session)
        } catch {
            throw Failure(error)
        }
        var view = SessionView(
            followed.state,
            by: engine.decider,
            disclosing: options.reveal ? .clear(secrets) : .masked,
            // A client reads JSON; what is printed for people remains on screens and in the logs of
            // other programs.
            actions: options.json || options.reveal ? .clear(secrets) : .masked
        )
        view.possibleDuplicates = try await DuplicatePayments.others(
            than: followed.state,
            in: store
        )
        view.addPaymentRequests()
        if options.json {
            invocation.print(view.json)
        } else {
            invocation.print(view, options, isWaitOver: !followed.isSettled)
        }
        return view
    }

    /// Translates an engine's error; a rejection names what is allowed, and the view is still
    /// printed as JSON.
    func refusal(
        _ error: EngineError,
        of session: SessionID,
        for command: some DrivingCommand
    ) async -> Failure {
        // Without the state, the refusal is reported without a hint.
        guard case .rejected(let rejection) = error,
            let state = try? await engine.state(of: session)
        else { return Failure(error) }
        if command.global.json {
            // A list that comes with a refusal was not requested, so ranks keep their meaning. The
            // refusal is reported even if the view can't be.
            _ = try? await print(
                Followed(state: state, isSettled: engine.decider.isSettled(state)),
                command.global
            )
        }
        let report = DrivingReport(of: command, by: engine.decider, in: invocation)
        return Failure(rejection, hint: report.hint(for: rejection.code, state))
    }
}

/// A command that drives a session.
protocol DrivingCommand: Command {
    /// The options that determine how long the command waits.
    var driving: DrivingOptions { get }

    /// Returns what a service is asked for, when one was chosen.
    ///
    /// - Throws: A usage failure when a service does not offer the command.
    func call(in invocation: Invocation) throws(Failure) -> ServiceCall
}

extension DrivingCommand {
    /// By default a service does not offer a command.
    func call(in invocation: Invocation) throws(Failure) -> ServiceCall { throw .onlyForStores }

    /// Whether it gives up the session: then a refusal by the PSP is its failure.
    var isAbort: Bool { self is AbortCommand || self is OrderAbortCommand }

    /// Whether it exists to send a request to the PSP; a client's report is recorded in any case.
    var asksPSP: Bool { !(self is ReportCommand || self is ReturnCommand) }
}
