internal import Adapters
internal import EventLog
internal import Inspection
internal import SwedbankPay
internal import Workflow

/// Commands for orders and checkouts.
extension Driver {
    /// Opens a checkout, follows it, and prints its view and the result.
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
        // By naming a backend or the PSP's base URL, the caller trusts it with this order.
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
        _ wish: @Sendable (OrderSnapshot?) throws(Failure) -> TransactionWish
    ) async throws(Failure) -> ExitStatus {
        try await withEngine(for: command, in: invocation, session: session) {
            driver throws(Failure) in
            let checkout: CheckoutState?
            do throws(EngineError) {
                checkout = try await driver.engine.state(of: session).checkout
            } catch {
                throw Failure(error)
            }
            let order = checkout?.order
            // Requests from a scratch store carry the sandbox's own token.
            let isScratch = try await driver.store.isScratchStore()
            if checkout?.opening.gateway == .psp, !isScratch {
                let configuration = try Configuration.read(
                    command.global,
                    environment: invocation.environment
                )
                try requireToken(for: command, configuration, in: invocation)
            }
            let wanted = try wish(order)
            try driver.checkReason(for: command.intervention)
            do throws(EngineError) {
                try await driver.engine.transact(session, wanted)
                try await driver.record(command.intervention, in: session)
            } catch {
                throw await driver.refusal(error, of: session, for: command)
            }
            let status = try await driver.finish(session, command)
            guard status == .done,
                let state = try? await driver.engine.state(of: session),
                let transaction = state.checkout?.transactions.last,
                let result = transaction.result, !result.isDone
            else { return status }
            let program = command.global.call(driver.invocation.program)
            let refusal = Failure.refused(
                transaction.isAnsweredNo
                    ? "the PSP refused it"
                    : result == .notDone
                        ? "no request of it had an effect"
                        : "the PSP does not offer it now; nothing was sent",
                hint: transaction.isAnsweredNo
                    ? "'\(program) log \(session) --type operationFailed' tells the PSP's words"
                    : "'\(program) order show \(session)' reads what is possible now"
            )
            driver.invocation.note("\(refusal)")
            return refusal.status
        }
    }

    /// Requires an access token, because the PSP creates orders only for authenticated merchants.
    ///
    /// Without one nothing is recorded or sent.
    private static func requireToken(
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
            "the PSP wants the merchant's access token",
            hint: "write it to a file and give the file with --token-file"
        )
    }
}

extension Failure {
    /// Returns the failure of a transaction that the PSP refused.
    fileprivate static func refused(_ message: String, hint: String) -> Failure {
        Failure(.refused, "order.refused", message, hint: hint)
    }
}
