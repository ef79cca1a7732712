import EventLog
import SwedbankPay

extension SimulatedProvider {
    /// A payer approves an attempt that has started; returns whether there was one.
    mutating func approve(_ session: SessionID) -> Bool {
        guard case .started = orders[session]?.stage else { return false }
        orders[session]?.pay()
        return true
    }
}

/// The progress of a native session's order: attempts, authentication, the payer's decision.
extension SimulatedProvider.Order {
    /// Applies a request.
    ///
    /// - Returns: `false` when the order's stage does not allow it.
    mutating func apply(_ request: OperationRequest) -> Bool {
        switch request.rel {
        case .session: return true
        case .getPayment:
            polls += 1
            if polls >= 3 { payerActs() }
            return true
        case .preparePayment:
            guard stage == .created else { return false }
            stage = .prepared
            return true
        case .expandMethod:
            guard case .method(let method) = request.body else { return false }
            switch stage {
            case .prepared, .expanded:
                stage = .expanded(method)
                return true
            default: return false
            }
        case .startPaymentAttempt: return start()
        case .createAuthentication:
            guard stage == .authenticating else { return false }
            if authentication == .method { pay() } else { stage = .challenged }
            return true
        case .completeAuthentication:
            guard stage == .challenged else { return false }
            if payer == .declines { decline() } else { pay() }
            return true
        case .failPaymentAttempt:
            guard case .started = stage else { return false }
            decline()
            return true
        case .acknowledgeFailedAttempt:
            guard stage == .problem else { return false }
            stage = .prepared
            payer = .approves
            return true
        case .abortPayment:
            guard stage != .paid, stage != .aborted else { return false }
            stage = .aborted
            return true
        default: return false
        }
    }

    private mutating func start() -> Bool {
        guard case .expanded(let method) = stage else { return false }
        attempts += 1
        polls = 0
        if method == .creditCard {
            if authentication == .frictionless {
                if payer == .declines { decline() } else { pay() }
            } else {
                stage = .authenticating
            }
        } else {
            stage = .started(method)
        }
        return true
    }

    /// Accepts a second request to start an attempt: the payer pays once more.
    mutating func startAgain(_ request: OperationRequest) -> Bool {
        guard request.rel == .startPaymentAttempt else { return false }
        switch stage {
        case .created, .prepared, .expanded, .problem, .aborted: return false
        case .started, .authenticating, .challenged: attempts += 1
        case .paid:
            attempts += 1
            payments += 1
        }
        return true
    }

    private mutating func payerActs() {
        guard case .started = stage else { return }
        switch payer {
        case .approves: pay()
        case .declines: decline()
        case .hesitates: break
        }
    }

    mutating func pay() {
        payments += 1
        stage = .paid
    }

    mutating func decline() {
        problems += 1
        stage = .problem
    }
}
