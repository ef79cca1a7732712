internal import SwedbankPay
internal import Workflow

/// The end of a story in words: the standing, who has to act, and what to do next.
package struct StoryEnd {
    private let standing: Story.Standing
    private let state: SessionState
    /// How the payment ended.
    private let end: Story.End?
    private let clock: ToldTime

    /// The end of a story.
    ///
    /// - Parameters:
    ///   - story: The story.
    ///   - clock: The clock in which times are printed.
    package init(_ story: Story, by clock: ToldTime = .utc) {
        self.clock = clock
        end =
            story.sentences.lazy.compactMap { sentence in
                guard case .ended(let end) = sentence.fact else { return nil }
                return end
            }.first
        standing = story.standing
        state = story.state
    }

    /// The whole story in one sentence.
    package var summary: String {
        if standing.money.isVerification { return verification }
        switch (standing.outcome, standing.money.standing) {
        case (_, .confirmed): return paid
        case (.completed, _) where standing.money.taken != nil:
            return "Paid, and nobody here knows what came of what was done with it since."
        case (.completed, _):
            return "Probably paid: the client says so, and the PSP has not been heard."
        case (.some, .unknown): return "Over, and nobody here knows whether it is paid."
        case (.canceled, _): return "Not paid: it was given up."
        case (.expired, _): return "Not paid: it expired."
        case (.failed, _):
            if case .closed = end { return "Not paid: it was closed by hand." }
            if standing.charge?.refusal != nil { return "Not paid: the charge was refused." }
            return "Not paid: it failed."
        case (nil, .unknown): return "Open, and nobody here knows whether money was taken."
        case (nil, .underWay): return "Open: a payment is under way."
        case (nil, _):
            guard let problem = state.problem?.problem else { return "Open, and not paid." }
            let subject =
                problem.origin == .session ? "the last attempt failed" : "there is a problem"
            return "Open, and not paid: \(subject)."
        }
    }

    /// The whole story of a verification, which charges nothing.
    private var verification: String {
        switch (standing.outcome, standing.money.standing) {
        case (_, .confirmed): "Verified: nothing was charged."
        case (_, _) where standing.money.taken != nil: "Verified: nothing was charged."
        case (.completed, _):
            "Probably verified, and nothing charged: the client says so, and the PSP has not been heard."
        case (.some, .unknown):
            "Over, and nobody here knows whether the details are verified; nothing was charged."
        case (.some, _): "Not verified, and nothing charged: it is over."
        case (nil, .unknown): "Open, and nobody here knows whether the details are verified."
        case (nil, .underWay): "Open: a verification is under way."
        case (nil, _): "Open, and not verified yet."
        }
    }

    /// What was paid, in one sentence.
    private var paid: String {
        guard let taken = standing.money.taken else { return "Paid." }
        if taken.evidence == .person { return "Paid, as a person found out at the PSP." }
        if let net = taken.net, let amount = taken.amount, net != amount {
            let isReleased = taken.canceled ?? 0 > 0 && taken.reversed ?? 0 == 0
            let how = isReleased ? "released" : "given back"
            return net == 0 ? "Paid, and \(how) in full." : "Paid, and \(how) in part."
        }
        if let outcome = standing.outcome, outcome != .completed {
            return "Paid, after it had ended here as \(outcome.rawValue)."
        }
        if case .paid(_, isElsewhere: true, isPayerAway: _) = end {
            return "Paid, though not by this session."
        }
        let choice = state.payment?.lastChoice
        return "Paid" + (choice.map { ", with \($0.instrument.label)" } ?? "") + "."
    }

    /// The standing of the money.
    package var money: String {
        MoneyWords(standing.money, hasPayer: standing.charge == nil, by: clock).sentences + " "
            + requests
    }

    private var requests: String {
        guard standing.charge == nil else { return ChargeWords.requests(standing.starts.count) }
        let attempts = standing.attempts == 1 ? "1 attempt" : "\(standing.attempts) attempts"
        switch standing.starts.count {
        case 0 where state.checkout != nil:
            return "No request of this session starts a payment: the payer pays on the PSP's page."
        case 0:
            return standing.attempts == 0
                ? "No request that starts a payment was sent."
                : "For \(attempts), no request that starts a payment was sent."
        case 1: return "1 request that starts a payment was sent, for \(attempts)."
        default:
            return
                "\(standing.starts.count) requests that start a payment were sent, for \(attempts)."
        }
    }

    /// Who has to act, and how.
    package var turn: String {
        switch standing.turn {
        case .payer(let step?): "The payer has to \(step.duty)."
        case .payer(nil): "The payer has to choose how to pay."
        case .merchant where state.problem?.problem.kind == .orderMismatch:
            "The merchant has to compare what is paid with what was ordered, and deliver or give it back."
        case .merchant where standing.charge != nil && standing.money.standing != .confirmed:
            charge.map { standing.money.standing == .unknown ? $0.unknown : $0.again } ?? ""
        case .merchant:
            standing.money.standing != .unknown
                ? "The merchant has to put something right: see the problem."
                : "The merchant has to read the order's status at the PSP before telling the payer anything."
        case .psp: "The PSP has to say what came of the payment; the engine asks it."
        case .engine: "The engine has to go on; it does so by itself while it runs."
        case .support: "Somebody has to tell the engine to try again, or to give up."
        case .nobody:
            switch end {
            case .paid(_, isElsewhere: _, isPayerAway: true):
                "Nobody has to do anything but to tell the payer, who had not come back, that it is paid."
            default: idle
            }
        }
    }

    private var charge: ChargeWords? { standing.charge.map { ChargeWords($0) } }

    /// Why no one has to do anything.
    private var idle: String {
        guard standing.money.standing == .confirmed, let taken = standing.money.taken else {
            return "Nobody has to do anything; to pay, the payer has to start again."
        }
        if standing.money.isVerification {
            return "Nobody has to do anything: the details are verified."
        }
        if let capturable = taken.capturable, capturable > 0 {
            return "The merchant has "
                + StoryWords.money(capturable, standing.money.currency, "")
                + " to capture before the authorisation runs out."
        }
        return taken.net == 0
            ? "Nobody has to do anything: nothing of it is left."
            : "Nobody has to do anything: it is paid."
    }

    /// The message for the payer; `nil` when there is nothing to say.
    package var payerMessage: String? { standing.guidance.message }

    /// Returns what to do next, the best option first.
    ///
    /// - Parameter program: The program's name in commands.
    /// - Returns: The steps.
    package func steps(_ program: String) -> [NextStep] {
        let session = "\(state.session)"
        func step(_ words: String, _ command: String) -> NextStep {
            NextStep(words: words, command: "\(program) \(command) \(session)")
        }
        switch standing.turn {
        case .payer(.some):
            return [step("look whether the payment has moved", "resume"), step("give up", "abort")]
        case .payer(nil):
            return [step("see what the payer can choose", "show"), step("give up", "abort")]
        case .psp, .engine:
            return [step("let the engine go on now", "resume"), step("see how it stands", "show")]
        case .support: return [step("try again", "retry"), step("give up", "abort")]
        case .merchant where standing.money.standing == .unknown:
            return [orderStep(program)] + found(program) + proof(step)
        case .merchant where standing.charge != nil && standing.outcome != nil:
            return (charge?.steps(program) ?? []) + [step("see what the PSP said", "show")]
                + proof(step)
        case .merchant:
            return (charge?.steps(program) ?? []) + [
                step("see what the PSP said", "show"),
                NextStep(
                    words: "close the session if nothing can be put right",
                    command: "\(program) close \(session) --reason TEXT"
                ),
            ]
        case .nobody: return proof(step)
        }
    }

    /// What to record once the outcome was found out.
    private func found(_ program: String) -> [NextStep] {
        [
            NextStep(
                words: "write down what was found out there",
                command:
                    "\(program) resolve \(state.session) --not-paid --evidence 'admin: no payment'"
            )
        ]
    }

    private func proof(_ step: (String, String) -> NextStep) -> [NextStep] {
        [step("show that nothing was altered or left out", "verify")]
    }

    private func orderStep(_ program: String) -> NextStep {
        if let charge = standing.charge, !charge.isOrderKnown {
            let name = charge.reference.map { " with the reference " + Screen.safe($0) } ?? ""
            return NextStep(
                words: "look in the PSP's admin for the order\(name): is it paid?",
                command: nil
            )
        }
        if state.checkout != nil {
            return NextStep(
                words: "read the order",
                command: "\(program) order show \(state.session)"
            )
        }
        if let checkout = standing.checkout {
            return NextStep(words: "read the order", command: "\(program) order show \(checkout)")
        }
        let name = state.reference.map { Screen.safe($0) } ?? "the order"
        return NextStep(
            words: "look in the PSP's admin or API for \(name): is it paid?",
            command: nil
        )
    }
}
