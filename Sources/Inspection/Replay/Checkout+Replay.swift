internal import SwedbankPay
internal import Workflow

extension CheckoutEvent {
    /// The input whose first event this is; `nil` for events that no input of the rules leads to.
    func input(in state: SessionState) -> SessionInput? {
        switch self {
        case .orderFetched(let fetched) where state.checkout == nil:
            return .command(.checkout(.report(fetched)))
        case .endpointsDiscovered, .orderFetched:
            guard let outcome = respond(200, in: state) else { return nil }
            var duration: Int64 = 0
            if case .orderFetched(let fetched) = self {
                duration = fetched.durationMilliseconds ?? 0
            }
            return .requestEnded(
                state.requests.nextReading,
                outcome,
                durationMilliseconds: duration,
                retryAt: state.lastAt
            )
        case .orderConfirmed(let confirmed):
            return state.checkout == nil ? .command(.checkout(.confirm(confirmed))) : .resumed
        default: return EventDescription(self, currency: nil).input
        }
    }

    /// The successful response that this event records.
    func respond(_ status: Int, in state: SessionState) -> ProviderResponse.Outcome? {
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
}
