internal import SwedbankPay
internal import Workflow

extension CheckoutEvent {
    /// The input that leads to this event as its first; nothing for events that no input of the rules leads to.
    func input(in state: SessionState) -> SessionInput? {
        switch self {
        case .checkoutOpened(let opened): return .command(.checkout(.open(opened)))
        case .endpointsDiscovered, .orderFetched:
            guard let outcome = answer(200, in: state) else { return nil }
            var duration: Int64 = 0
            if case .orderFetched(let fetched) = self {
                duration = fetched.durationMilliseconds ?? 0
            }
            return .answered(
                state.requests.nextReading,
                outcome,
                durationMilliseconds: duration,
                retryAt: state.lastAt
            )
        case .checkInShown(let answer): return report(answer.action, .shown)
        case .payerCheckedIn(let checkedIn):
            return report(
                checkedIn.action,
                .checkedIn(consumerProfileRef: checkedIn.consumerProfileRef)
            )
        case .checkInClosed(let answer): return report(answer.action, .canceled)
        case .checkInFailed(let failure):
            return report(failure.action, .failed(error: failure.error))
        case .instrumentChosen(let chosen):
            return .command(.checkout(.instrument(chosen.instrument)))
        case .externalContentOpened(let left):
            return report(
                left.action,
                .leftForExternalContent(destination: left.destination, left.place, url: left.url)
            )
        case .navigated(let step):
            return report(
                step.action,
                .navigated(destination: step.destination, step.place, url: step.url)
            )
        case .termsOfServiceOpened(let answer): return report(answer.action, .openedTermsOfService)
        case .handedOver(let handed): return .command(.checkout(.handOver(handed.session)))
        case .handedBack(let handed): return .command(.checkout(.handBack(handed)))
        case .orderConfirmed(let confirmed):
            return state.checkout == nil ? .command(.checkout(.confirm(confirmed))) : .resumed
        case .transactionRequested(let request): return .command(.checkout(.transact(request)))
        case .checkInOffered, .checkInRequested, .transactionSettled: return .resumed
        }
    }

    /// The answer of success that this event keeps.
    func answer(_ status: Int, in state: SessionState) -> ProviderAnswer.Outcome? {
        switch self {
        case .endpointsDiscovered(let discovered):
            return .endpoints(discovered.endpoints, status: status)
        case .checkInOffered(let offered):
            return .consumer(
                view: Operation(rel: .viewConsumer, href: offered.script),
                status: status
            )
        case .orderFetched(let fetched):
            return (fetched.order ?? state.checkout?.newest).map { .order($0, status: status) }
        default: return nil
        }
    }

    private func report(_ action: ActionID, _ outcome: ReportOutcome) -> SessionInput {
        .report(ClientReport(action: action, outcome: outcome))
    }
}
