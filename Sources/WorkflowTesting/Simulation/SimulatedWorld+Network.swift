import Workflow

/// The way to the PSP and back, and the payer's device.
extension SimulatedWorld {
    mutating func arrive(
        _ call: OperationCall,
        of session: SessionID,
        from node: Int,
        _ isAwaited: Bool
    ) {
        guard isAwaited else {
            // Sent by an engine that died: it takes effect, and nobody hears of it.
            _ = provider.process(call, of: session)
            return
        }
        if chance(faults.requestLost) {
            let lost = ProviderAnswer.Outcome.failed(
                reach: .maybeSent,
                code: "http.timeout",
                isTransient: true
            )
            return answer(lost, call, session, node)
        }
        if chance(faults.unavailable) { return answer(.unavailable(503), call, session, node) }
        let outcome = provider.process(call, of: session)
        if chance(faults.answerLost) {
            let lost = ProviderAnswer.Outcome.failed(
                reach: .maybeSent,
                code: "http.reset",
                isTransient: true
            )
            return answer(lost, call, session, node)
        }
        if chance(faults.failsAfterProcessing) {
            return answer(.unavailable(500), call, session, node)
        }
        if chance(faults.unusableAnswer), case .snapshot(_, let status) = outcome {
            let unusable: ProviderAnswer.Outcome =
                chance(500) ? .empty(status: 204) : .undecodable(status: status, raw: nil)
            return answer(unusable, call, session, node)
        }
        answer(outcome, call, session, node)
    }

    private mutating func answer(
        _ outcome: ProviderAnswer.Outcome,
        _ call: OperationCall,
        _ session: SessionID,
        _ node: Int
    ) {
        schedule(.answer(session, call.id, outcome), for: node, within: 1...300)
        if chance(faults.answerTwice) {
            schedule(.answer(session, call.id, outcome), for: node, within: 1...3000)
        }
    }

    // MARK: The payer's device

    mutating func clientActs(on action: ActionID, of session: SessionID) {
        guard let open = state(of: session).actions.last(where: { $0.id == action }), open.isOpen
        else { return }
        var outcome: ReportOutcome
        switch open.kind {
        case .launchApp: outcome = chance(faults.clumsyClient) ? .launchFailed : .launched
        case .load3DSMethod:
            // Now and then nobody answers: the time limit has to.
            if chance(faults.clumsyClient) { return }
            outcome = .done
        case .show3DS:
            outcome =
                chance(faults.clumsyClient)
                ? .failed(error: nil) : .challengeCompleted(cRes: Sealed(named: "cres"))
        case .authorizeWallet, .showMenu, .checkIn: return
        }
        let report = SessionInput.report(ClientReport(action: action, outcome: outcome))
        if chance(faults.otherWriter) {
            writeElsewhere(report, of: session)
        } else {
            reach(session, with: report)
        }
        if chance(faults.clumsyClient) { reach(session, with: report) }
        if case .failed = outcome { reach(session, with: .command(.retry(by: "payer"))) }
    }

    /// The client reaches any of the engines.
    private mutating func reach(_ session: SessionID, with input: SessionInput) {
        let node = anyNode()
        if nodes[node].core.state(of: session) == nil { load(session, at: node) }
        give(.watched(session, true), to: node)
        request(input, of: session, at: node)
    }
}

extension ProviderAnswer.Outcome {
    fileprivate static func unavailable(_ status: Int) -> ProviderAnswer.Outcome {
        .refused(
            status: status,
            document: ProblemDocument(type: "about:blank", status: status),
            retryAfter: nil
        )
    }
}
