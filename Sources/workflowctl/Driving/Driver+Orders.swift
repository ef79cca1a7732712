internal import Adapters
internal import EventLog
internal import Inspection
internal import SwedbankPay
internal import Workflow

extension Driver {
    /// Opens a session for a checkout, follows it, prints its view and reports the result.
    static func open(
        _ request: CheckoutRequest,
        at host: String,
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
        // Naming a backend or the PSP's base means trusting it with this order.
        return try await withEngine(
            for: command,
            in: invocation,
            access: .createIfMissing,
            host: host
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

    /// Captures, cancels or reverses an amount; the exit status is 1 when the PSP refuses.
    static func transact(
        _ session: SessionID,
        for command: some DrivingCommand,
        in invocation: Invocation,
        _ request: @Sendable (OrderSnapshot?) throws(Failure) -> NewTransaction
    ) async throws(Failure) -> ExitStatus {
        try await withEngine(for: command, in: invocation, session: session) {
            driver throws(Failure) in
            try await driver.refuseUnreachable(session, for: command)
            guard let checkout = try await driver.checkout(of: session) else {
                throw await driver.refusal(.rejected(.notACheckout), of: session, for: command)
            }
            let wanted = try request(checkout.order)
            try driver.checkReason(for: command.intervention)
            do throws(EngineError) {
                try await driver.engine.transact(session, wanted)
                try await driver.record(command.intervention, in: session)
            } catch {
                throw await driver.refusal(error, of: session, for: command)
            }
            let status = try await driver.finish(session, command)
            guard status == .done,
                let transaction = try await driver.checkout(of: session)?.transactions.last,
                let result = transaction.result, !result.isDone
            else { return status }
            let program = command.global.call(driver.invocation.program)
            let refusal = Failure.refused(
                transaction.wasRefused
                    ? "the PSP refused the transaction"
                    : result == .notDone
                        ? "the transaction was not made: none of its requests took effect"
                        : "the PSP does not allow the transaction now; nothing was sent",
                hint: transaction.wasRefused
                    ? "'\(program) log \(session) --type operationFailed' shows the PSP's reason"
                    : "run '\(program) order show \(session)' to see what is possible now"
            )
            driver.invocation.note("\(refusal)")
            return refusal.status
        }
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
    /// Returns the failure for a transaction that the PSP rejected.
    fileprivate static func refused(_ message: String, hint: String) -> Failure {
        Failure(.refused, "order.refused", message, hint: hint)
    }
}
