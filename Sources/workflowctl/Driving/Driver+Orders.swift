internal import Adapters
internal import EventLog
internal import Inspection
internal import SwedbankPay
internal import Workflow

extension Driver {
    /// Opens a session for a checkout, follows it, prints its view and reports the result.
    static func open(
        _ request: CheckoutRequest,
        at address: SessionAddress,
        for command: some DrivingCommand,
        in invocation: Invocation
    ) async throws(Failure) -> ExitStatus {
        let configuration = try Configuration.read(
            command.global,
            environment: invocation.environment
        )
        if request.gateway == .psp { try requireToken(for: command, configuration, in: invocation) }
        var request = request
        request.callbackScheme = request.callbackScheme ?? configuration.callbackScheme
        // Naming a backend or the PSP's base means trusting it with this order; a port other than
        // the default has to be in the configuration, because later commands know only the host.
        var reach = configuration.transport
        reach.allowedHostSuffixes.append(address.host)
        if let refusal = reach.refusal(of: address.text) { throw .refusedAddress(refusal) }
        return try await withEngine(
            for: command,
            in: invocation,
            access: .createIfMissing,
            host: address.host
        ) { [request] driver throws(Failure) in
            let session: SessionID
            do throws(EngineError) {
                session = try await driver.engine.openCheckout(
                    request,
                    allowsInsecureLoopback: command.global.allowInsecureLoopback
                )
            } catch {
                throw Failure(error)
            }
            return try await driver.finish(session, command)
        }
    }

    /// Reads the order, which may have changed elsewhere, and then captures, cancels or reverses an
    /// amount; the exit status is 1 when the PSP refuses.
    static func transact(
        _ session: SessionID,
        for command: some DrivingCommand,
        in invocation: Invocation,
        _ request: @Sendable (OrderSnapshot?) throws(Failure) -> NewTransaction
    ) async throws(Failure) -> ExitStatus {
        try await withEngine(for: command, in: invocation, session: session) {
            driver throws(Failure) in
            try await driver.refuseUnreachable(session, for: command)
            guard try await driver.checkout(of: session) != nil else {
                throw await driver.refusal(.rejected(.notACheckout), of: session, for: command)
            }
            try driver.checkReason(for: command.intervention)
            let read = try await driver.readOrder(of: session, for: command)
            if read.isSettled, read.state.problem?.problem.kind == .requestFailed {
                return try await driver.finish(session, command)
            }
            let wanted = try request(read.state.checkout?.order)
            do throws(EngineError) {
                try await driver.engine.transact(session, wanted)
                try await driver.record(command.intervention, in: session)
            } catch {
                throw await driver.refusal(error, of: session, for: command)
            }
            let status = try await driver.finish(session, command)
            guard status == .done, let checkout = try await driver.checkout(of: session),
                let refusal = Failure(
                    lastOf: checkout,
                    in: session,
                    program: command.global.call(driver.invocation.program)
                )
            else { return status }
            driver.invocation.note("\(refusal)")
            return refusal.status
        }
    }

    /// Reads the order of a checkout once more, within the command's time.
    private func readOrder(
        of session: SessionID,
        for command: some DrivingCommand
    ) async throws(Failure) -> Followed {
        do throws(EngineError) {
            try await engine.refetch(session, by: who)
        } catch {
            throw await refusal(error, of: session, for: command)
        }
        return try await follow(
            session,
            until: .settled,
            for: command.global.wait.duration,
            verbosely: command.global.verbose
        )
    }

    private func checkout(of session: SessionID) async throws(Failure) -> CheckoutState? {
        do throws(EngineError) {
            return try await engine.state(of: session).checkout
        } catch {
            throw Failure(error)
        }
    }

    /// Refuses to send orders to the PSP without credentials, before anything is recorded.
    static func requireToken(
        for command: some Command,
        _ configuration: Configuration,
        in invocation: Invocation
    ) throws(Failure) {
        let secrets = try OrderSecrets(
            command.global,
            environment: invocation.environment,
            configuration: configuration
        )
        guard secrets.accessToken == nil else { return }
        throw Failure(
            .configuration,
            "configuration.token",
            "the PSP requires the merchant's access token",
            hint: "save the token in a file and name the file with --token-file"
        )
    }
}

extension Failure {
    /// Creates the failure of a checkout's newest transaction; `nil` when it has none.
    fileprivate init?(lastOf checkout: CheckoutState, in session: SessionID, program: String) {
        guard let transaction = checkout.transactions.last, let result = transaction.result,
            !result.isDone
        else { return nil }
        let count = checkout.refusedInARow(transaction.request.kind)
        let message =
            transaction.wasRefused
            ? count > 0
                ? transaction.request.kind.warning(after: count) : "the PSP refused the transaction"
            : result == .notDone
                ? "the transaction was not made: none of its requests took effect"
                : "the PSP does not allow the transaction now; nothing was sent"
        self.init(
            .refused,
            "order.refused",
            message,
            hint: transaction.wasRefused
                ? "'\(program) log \(session.short) --type operationFailed' shows the PSP's reason"
                : "run '\(program) order show \(session.short)' to see what is possible now"
        )
    }
}
