import FoundationEssentials

/// One attempt to pay.
struct Attempt: Sendable {
    /// The stage of an attempt.
    enum Stage: Sendable {
        /// The simulated Swish has the request.
        case swish(SwishPayment)
        /// The client must start the authentication, after the 3-D Secure method if there is one.
        case authentication(Challenge)
        /// The payer is at the issuer's page.
        case challenge(Challenge)
        /// The client must submit the wallet's payload.
        case wallet
        /// The acquirer has the payment and decides at this time; `nil` when another party has to
        /// decide.
        case acquirer(endsAt: ContinuousClock.Instant?)
        case paid
        case failed(ProblemDetail)
        /// The session was aborted while it ran.
        case aborted
    }

    /// The number within the order, from 1.
    let number: Int
    /// The party that started the attempt.
    let startedBy: LedgerAttempt.Starter
    /// The amount in minor units: the order's amount when the attempt started.
    let amount: Int
    /// The value-added tax in the amount.
    let vatAmount: Int
    /// The payment method's wire name.
    let method: String
    /// The PSP's number of the transaction.
    let transaction: Int
    let started: Date
    /// The issuer's requirements.
    let authentication: CardAuthentication
    /// The card, if it is a card payment.
    var card: TestCard?
    var stage: Stage

    /// Whether the attempt is still in progress.
    var isRunning: Bool {
        switch stage {
        case .swish, .authentication, .challenge, .wallet, .acquirer: true
        case .paid, .failed, .aborted: false
        }
    }

    /// Why the attempt failed.
    var problem: ProblemDetail? {
        guard case .failed(let problem) = stage else { return nil }
        return problem
    }

    /// The Swish request for which the attempt waits.
    var swish: SwishPayment? {
        guard case .swish(let payment) = stage else { return nil }
        return payment
    }

    /// The authentication for which the attempt waits.
    var authenticationUnderWay: Challenge? {
        switch stage {
        case .authentication(let challenge), .challenge(let challenge): challenge
        case .swish, .wallet, .acquirer, .paid, .failed, .aborted: nil
        }
    }
}
