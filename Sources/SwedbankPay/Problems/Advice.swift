extension SessionDecider {
    /// The meaning of the current problem, regardless of the state of the money.
    ///
    /// The engine's and the client's own kinds of problem have their own texts, unless the PSP gave
    /// more detail.
    package func catalogueAdvice(onStandingProblemOf state: SessionState) -> ProblemAdvice? {
        state.problem.map { standing in
            catalogueAdvice(
                on: standing.problem,
                instrument: state.payment?.lastChoice?.instrument
            )
        }
    }

    /// The meaning of a problem according to the catalogue and our own kinds.
    package func catalogueAdvice(on problem: Problem, instrument: Instrument?) -> ProblemAdvice {
        var advice = catalogue.advice(
            type: problem.type,
            status: problem.status,
            instrument: instrument
        )
        problem.kind?.refine(&advice, of: problem)
        return advice
    }
}

extension EngineProblemKind {
    /// Replaces the catalogue's advice with that of this kind, unless the catalogue knows what the
    /// PSP reported.
    func refine(_ advice: inout ProblemAdvice, of problem: Problem) {
        guard !advice.isKnown || self == .abortNotAllowed else { return }
        advice.newAttempt = newAttempt ?? advice.newAttempt
        let lacksResponse = problem.type == nil && problem.status == nil
        advice.payerMessage = payerMessage(lacksResponse: lacksResponse) ?? advice.payerMessage
    }

    /// Whether another try to pay makes sense; `nil` when that depends on what the PSP reported.
    fileprivate var newAttempt: ProblemAdvice.NewAttempt? {
        switch self {
        case .endReached, .configurationFailed, .orderMismatch, .notConfirmed,
            .paymentWithdrawn:
            .never
        case .methodNotAvailable: .other
        case .inconsistency, .threeDSLoadFailed, .abortNotAllowed, .appLaunchFailed,
            .challengeClosed, .walletFailed, .menuFailed, .deadlineExceeded, .checkInFailed:
            .any
        case .requestFailed: nil
        }
    }

    /// The text that the payer may be shown; `nil` when that depends on what the PSP reported.
    ///
    /// - Note: Source: problem catalogue, local problems.
    fileprivate func payerMessage(lacksResponse: Bool) -> String? {
        switch self {
        case .requestFailed:
            lacksResponse ? "There is a connection problem. Please try again in a moment." : nil
        case .inconsistency: "Something went wrong. Please start again."
        case .endReached: "This payment cannot continue here. Please start again."
        case .threeDSLoadFailed: "The bank's page could not be opened. Please try again."
        case .abortNotAllowed: "The payment is being processed and cannot be canceled now."
        case .configurationFailed: "Something went wrong. Please contact the shop."
        case .appLaunchFailed:
            "We could not open the payment app. Install it or choose another way to pay."
        case .methodNotAvailable:
            "This payment method is not available right now. Please choose another one."
        case .challengeClosed:
            "The authentication was not finished. Try again or choose another way to pay."
        case .walletFailed:
            "The wallet could not be used. Try again or choose another way to pay."
        case .menuFailed: "The payment page could not be shown. Please try again."
        case .checkInFailed: "Your details could not be fetched. Please try again."
        case .orderMismatch, .paymentWithdrawn: "Something went wrong. Please contact the shop."
        case .notConfirmed: "The payment is being checked. Please do not pay again yet."
        case .deadlineExceeded: "The payment took too long. Please try again."
        }
    }
}
