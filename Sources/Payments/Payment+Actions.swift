internal import EventLog
internal import Inspection
public import SwedbankPay
internal import Workflow

extension Payment {
    /// The open client actions, for clients that poll; ``clientActions`` delivers them to others.
    public var openActions: [ClientAction] {
        get async throws(PaymentError) { try await actions(openIn: state, leavingOut: []) }
    }

    /// Reports what the client did about a client action; a repeated report changes nothing.
    ///
    /// - Parameters:
    ///   - report: What the client did. `canceled` is accepted for every kind; for a kind without
    ///     that report it means that the client could not perform the action. Its JSON form is
    ///     `Decodable`.
    ///   - action: The identifier of the action.
    /// - Returns: Whether it came in time.
    /// - Throws: ``PaymentError/refused(_:)`` for an action that the payment does not have, and for
    ///   a report that its kind does not accept; ``PaymentError/stopped`` and the like when it
    ///   could not be recorded.
    @discardableResult
    public func report(
        _ report: ClientReport,
        on action: ActionID
    ) async throws(PaymentError) -> ClientAction.ReportResult {
        let response = report == .canceled ? try await cancelation(of: action) : report
        do throws(EngineError) {
            _ = try await engine.report(id, action: action, response)
            return .accepted
        } catch {
            switch error {
            case .rejected(.actionAlreadyReported), .rejected(.actionWithdrawn),
                .rejected(.sessionEnded):
                return .late
            default: throw PaymentError(error)
            }
        }
    }

    /// The report by which the client of this kind of action declines it.
    private func cancelation(of action: ActionID) async throws(PaymentError) -> ClientReport {
        switch try await state.actions.last(where: { $0.id == action })?.kind {
        case .launchApp: .launchFailed
        case .load3DSMethod: .failed(error: nil)
        case .show3DS, .authorizeWallet, .showMenu, .checkIn, nil: .canceled
        }
    }

    /// Returns the open actions of a state, with their values.
    ///
    /// An action whose values may not be disclosed is reported as failed instead.
    func actions(
        openIn state: SessionState,
        leavingOut delivered: Set<ActionID>
    ) async throws(PaymentError) -> [ClientAction] {
        // There are no actions after the end, and most updates have none.
        let isNew = state.actions.contains { $0.isOpen && !delivered.contains($0.id) }
        guard isNew, state.outcome == nil else { return [] }
        let secrets = try await PaymentError.translating { () throws(EngineError) in
            try await engine.secrets(of: id)
        }
        let view = SessionView(
            state,
            by: engine.decider,
            disclosing: .masked,
            actions: .clear(secrets)
        )
        var actions: [ClientAction] = []
        for action in view.actions where !delivered.contains(action.id) {
            if let readable = ClientAction(action, of: self) {
                actions.append(readable)
            } else {
                let response: ClientReport =
                    action.kind == .launchApp
                    ? .launchFailed : .failed(error: "the address may not be handed to a client")
                try await report(response, on: action.id)
            }
        }
        return actions
    }
}
