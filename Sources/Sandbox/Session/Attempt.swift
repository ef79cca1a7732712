import FoundationEssentials

/// One try to pay.
struct Attempt: Sendable {
    /// Where the attempt stands.
    enum Stage: Sendable {
        /// The Swish stand-in has the request.
        case swish(SwishPayment)
        /// The client must open the authentication, after the hidden call when there is one.
        case authentication(Challenge)
        /// The payer is at the issuer's page.
        case challenge(Challenge)
        /// The client must hand in the wallet's payload.
        case wallet
        /// The acquirer has the payment and decides at this time; nil means when somebody asks for it.
        case acquirer(endsAt: ContinuousClock.Instant?)
        case paid
        case failed(ProblemDetail)
        /// The session was aborted while it ran.
        case aborted
    }

    /// From 1 within the order.
    let number: Int
    /// Who started it.
    let startedBy: LedgerAttempt.Starter
    /// What it pays, in minor units: the order's amount when it started.
    let amount: Int
    /// The part of the amount that is value-added tax.
    let vatAmount: Int
    /// The payment method's wire name.
    let method: String
    /// The PSP's number of the transaction.
    let transaction: Int
    let started: Date
    /// What the issuer will ask for.
    let authentication: CardAuthentication
    /// The card that is paid with, when it is one.
    var card: TestCard?
    var stage: Stage

    /// Whether the attempt is still under way.
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

    /// The Swish request that the attempt waits for.
    var swish: SwishPayment? {
        guard case .swish(let payment) = stage else { return nil }
        return payment
    }

    /// The authentication that the attempt waits for.
    var authenticationUnderWay: Challenge? {
        switch stage {
        case .authentication(let challenge), .challenge(let challenge): challenge
        case .swish, .wallet, .acquirer, .paid, .failed, .aborted: nil
        }
    }
}
