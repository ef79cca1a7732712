internal import EventLog
internal import Workflow

/// The timers, expiry and notes of a checkout.
extension CheckoutRules {
    func ownTimers(in checkout: CheckoutState) -> [(timer: SessionTimer, until: Instant)] { [] }

    /// An order that may have been paid is not declared expired before it has been read.
    func mayExpire(_ checkout: CheckoutState) -> Bool {
        !(checkout.isStalled && checkout.mayHaveBeenPaid)
    }

    func phase(of checkout: CheckoutState, _ next: Step) -> Phase {
        guard checkout.order != nil else { return .opening }
        guard checkout.running == nil, !checkout.isStalled else { return .attempting }
        switch next {
        case .request, .record: return checkout.left == nil ? .attempting : .awaitingPSP
        case .rest: return .ready
        }
    }

    /// The events for a report about the order's page that does not complete the action; `nil` for
    /// a report that does.
    func notes(
        of outcome: ReportOutcome,
        to action: ClientAction,
        in checkout: CheckoutState
    ) throws(Rejection) -> [SessionEvent]? {
        let options = checkout.opening.options
        func step(_ destination: String?, _ place: Navigated.Place, _ url: Sealed?) -> Navigated {
            Navigated(
                action: action.id,
                destination: destination,
                place: place,
                url: options.recordsAddresses ? url : nil
            )
        }
        let event: CheckoutEvent
        switch outcome {
        case .navigated(let destination, let place, let url):
            guard options.recordsNavigation else { return [] }
            event = .navigated(step(destination, place, url))
        case .leftForExternalContent(let destination, let place, let url):
            event = .externalContentOpened(step(destination, place, url))
        case .openedTermsOfService:
            event = .termsOfServiceOpened(ActionReported(action: action.id))
        default: return nil
        }
        // A late report about a page that was left has no effect any more.
        guard action.isOpen, checkout.outcome == nil, checkout.notes < limits.notes else {
            return []
        }
        return [.checkout(event)]
    }
}
