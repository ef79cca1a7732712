internal import Adapters
internal import Workflow

/// Orders and checkouts.
extension Driver {
    /// Takes in a checkout, follows it, prints its view and says how it went.
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
        var request = request
        request.callbackScheme = request.callbackScheme ?? configuration.callbackScheme
        // Whoever names a backend or the PSP's base trusts it with this order.
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

    /// Captures, cancels or reverses; exits 1 when the PSP refuses.
    static func transact(
        _ session: SessionID,
        for command: some DrivingCommand,
        in invocation: Invocation,
        _ wish: @Sendable (OrderSnapshot?) throws(Failure) -> TransactionWish
    ) async throws(Failure) -> ExitStatus {
        try await withEngine(for: command, in: invocation, session: session) {
            driver throws(Failure) in
            let order: OrderSnapshot?
            do throws(EngineError) {
                order = try await driver.engine.state(of: session).checkout?.order
            } catch {
                throw Failure(error)
            }
            let wanted = try wish(order)
            do throws(EngineError) {
                try await driver.engine.transact(session, wanted)
            } catch {
                throw await driver.refusal(error, of: session, for: command)
            }
            let status = try await driver.finish(session, command)
            guard status == .done,
                let state = try? await driver.engine.state(of: session),
                state.checkout?.transactions.last?.result == .refused
            else { return status }
            let code = "order.refused"
            driver.invocation.note(
                "error: the PSP refused it, or does not offer it now [\(code)]\n"
                    + "hint: 'workflowctl log \(session) --type operationFailed' tells the PSP's words"
            )
            return .refused
        }
    }
}
