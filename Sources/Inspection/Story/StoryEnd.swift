internal import SwedbankPay
internal import Workflow

/// The end of a story as text: the state, the party that has to act, and the next step.
package struct StoryEnd {
    private let standing: Story.Standing
    private let state: SessionState
    /// How the payment ended.
    private let end: Story.End?
    private let clock: DisplayClock

    /// The end of a story.
    ///
    /// - Parameters:
    ///   - story: The story.
    ///   - clock: The clock in which times are printed.
    package init(_ story: Story, by clock: DisplayClock = .utc) {
        self.clock = clock
        end =
            story.sentences.lazy.compactMap { sentence in
                guard case .ended(let end) = sentence.fact else { return nil }
                return end
            }.first
        standing = story.standing
        state = story.state
    }

    /// The whole story in a line.
    package var summary: String {
        if standing.money.isVerification { return verification }
        switch (standing.outcome, standing.money.standing) {
        case (_, .confirmed): return paid
        case (_, .none) where isWithdrawn:
            return "No longer paid: the PSP had reported the payment, and then took that back."
        case (_, .unknown) where standing.money.isContradicted:
            return "It is not known whether it is paid: the PSP's responses contradict each other."
        case (_, .unknown) where standing.money.isSetBack:
            return "The log lacks a transaction that was made: it was put back to an earlier state."
        case (.completed, _) where hasUnknownTransaction:
            return "Paid, and the PSP reports a transaction whose meaning is not known."
        case (.completed, _) where standing.money.taken != nil:
            return "Paid, but the outcome of a later transaction is unknown."
        case (.completed, _):
            return "Probably paid: the client reported it, but the PSP has not confirmed it."
        case (.some, .unknown): return "Ended, but it is not known whether it was paid."
        case (.canceled, _): return "Not paid: it was canceled."
        case (.expired, _): return "Not paid: it expired."
        case (.failed, _):
            if case .closed = end { return "Not paid: an operator closed it." }
            if standing.charge?.refusal != nil { return "Not paid: the charge was refused." }
            return "Not paid: it failed."
        case (nil, .unknown): return "Open, and it is not known whether money was taken."
        case (nil, .underWay): return "Open: a payment is in progress."
        case (nil, _):
            guard let problem = state.problem?.problem else { return "Open, not paid." }
            guard problem.origin == .session else { return "Open, not paid: there is a problem." }
            return state.payment?.isOnlyPaidElsewhere == true
                ? "Open, not paid: an attempt that was not started here failed."
                : "Open, not paid: the last attempt failed."
        }
    }

    /// The whole story of a verification, which never includes a charge.
    private var verification: String {
        switch (standing.outcome, standing.money.standing) {
        case (_, .confirmed): "Verified: nothing was charged."
        case (_, _) where standing.money.taken != nil: "Verified: nothing was charged."
        case (.completed, _):
            "Probably verified, and nothing was charged: the client reported it, but the PSP has not confirmed it."
        case (.some, .unknown):
            "Ended, but it is not known whether the details were verified. Nothing was charged."
        case (.some, _): "Ended, not verified. Nothing was charged."
        case (nil, .unknown): "Open, and it is not known whether the details were verified."
        case (nil, .underWay): "Open: a verification is in progress."
        case (nil, _): "Open, not verified yet."
        }
    }

    /// The paid amounts, in one sentence.
    private var paid: String {
        guard let taken = standing.money.taken else { return "Paid." }
        let source = taken.evidence == .person ? ", as an operator found at the PSP" : ""
        if let net = taken.net, let amount = taken.amount, net != amount {
            let isReleased = taken.canceled ?? 0 > 0 && taken.reversed ?? 0 == 0
            let how = isReleased ? "released" : "refunded"
            return "Paid, then \(how) in \(net == 0 ? "full" : "part")\(source)."
        }
        if !source.isEmpty { return "Paid\(source)." }
        if let outcome = standing.outcome, outcome != .completed {
            return "Paid, although this session had ended as \(outcome.rawValue)."
        }
        return standing.money.paidWith?.summary ?? "Paid."
    }

    /// The standing of the money.
    package var money: String {
        let money = MoneyWords(standing.money, hasPayer: standing.charge == nil, by: clock)
            .sentences
        return requests.isEmpty ? money : money + " " + requests
    }

    /// How many requests started a payment; empty in the usual case of one in one attempt.
    private var requests: String {
        guard standing.charge == nil else { return ChargeWords.requests(standing.starts.count) }
        let attempts = standing.attempts == 1 ? "1 attempt" : "\(standing.attempts) attempts"
        switch standing.starts.count {
        case 0 where state.checkout != nil:
            return
                "The payer pays on the PSP's page, so the engine sends no request to start a payment."
        case 0:
            return standing.attempts == 0
                ? "The engine sent no request to start a payment."
                : "In \(attempts), the engine sent no request to start a payment."
        case 1 where standing.attempts == 1: return ""
        case 1: return "The engine sent 1 request to start a payment, in \(attempts)."
        default:
            return
                "The engine sent \(standing.starts.count) requests to start a payment, in \(attempts)."
        }
    }

    /// The party that has to act, and how.
    package var turn: String {
        switch standing.turn {
        case .payer(let step?): "The payer has to \(step.duty)."
        case .support where isResolved, .merchant where isResolved:
            "An operator has to close the session. The outcome is recorded: there is nothing to retry."
        case .payer(nil) where isResolved: idle
        case .payer(nil): "The payer has to choose how to pay."
        case .merchant where state.problem?.problem.kind == .orderMismatch:
            "The merchant has to compare what was paid with what was ordered, and then deliver or refund."
        case .merchant where isLeftToMerchant: idle
        case .merchant where isWithdrawn:
            "The merchant has to find out at the PSP why it no longer reports the payment, and must not deliver until then."
        case .merchant where latest?.failedLater == true:
            "The merchant has to decide whether to request it again: \(latestWords), which the PSP had accepted, failed."
        case .merchant where isPending:
            "The merchant has to ask the PSP: it accepted \(latestWords), and has not reported the result for days."
        case .psp where isPending:
            "The PSP has to perform \(latestWords), which it accepted; the engine polls for the result."
        case .merchant where standing.charge != nil && standing.money.standing != .confirmed:
            charge.map { standing.money.standing == .unknown ? $0.unknown : $0.again } ?? ""
        case .merchant:
            standing.money.standing != .unknown
                ? "The merchant has to fix the cause of the problem."
                : question
        case .psp: "The PSP has to report the outcome of the payment; the engine polls for it."
        case .engine: "The engine continues by itself whenever it is running."
        case .support where standing.outcome != nil:
            "An operator has to decide whether the engine retries what failed after the end."
        case .support:
            "An operator has to decide whether the engine retries or aborts the payment."
        case .nobody:
            switch end {
            case .paid(_, with: _, isPayerAway: true):
                "Tell the payer, who had not returned, that it is paid. Nothing else has to be done."
            default: idle
            }
        }
    }

    /// Whether this payment by itself leaves nobody anything to do.
    package var isForNobody: Bool { standing.turn == .nobody }

    /// What the merchant has to find out while the outcome is unknown.
    private var question: String {
        let what =
            if standing.money.isContradicted {
                "the order is paid"
            } else if standing.money.isSetBack {
                "the transactions that are missing here were meant"
            } else if hasUnknownTransaction {
                "the transaction of an unknown type changed the money"
            } else if standing.money.taken != nil {
                "the last capture, cancellation or refund took place"
            } else {
                standing.money.isVerification ? "the details were verified" : "the order is paid"
            }
        return "The merchant has to check at the PSP whether \(what)."
            + (payerMessage == nil
                ? "" : " Until then, tell the payer only the message given here.")
    }

    /// Whether the money is confirmed, and the merchant has to capture the rest, or to find out why
    /// the PSP refused a transaction.
    private var isLeftToMerchant: Bool {
        standing.turn == .merchant && standing.outcome != nil
            && standing.money.standing == .confirmed && latest?.failedLater != true && !isPending
            && state.problem?.problem.kind != .orderMismatch
    }

    /// Whether the PSP took back a payment that it had reported.
    private var isWithdrawn: Bool { state.problem?.problem.kind == .paymentWithdrawn }

    /// Whether the PSP reports a transaction of an unknown type.
    private var hasUnknownTransaction: Bool {
        standing.money.doubts.contains {
            if case .unknownTransaction = $0.cause { true } else { false }
        }
    }

    /// The newest capture, cancellation or reversal.
    private var latest: OrderTransaction? {
        standing.money.standing == .unknown ? nil : state.checkout?.transactions.last
    }

    /// Whether the PSP accepted it, and has not reported its result.
    private var isPending: Bool { latest?.result == .accepted }

    private var latestWords: String {
        latest.map { latest in
            "the \(latest.request.kind.words)"
                + StoryWords.money(latest.request.amount, standing.money.currency, " of ")
        } ?? ""
    }

    /// Whether an operator has recorded that the money was taken, while the session is still open.
    private var isResolved: Bool {
        standing.outcome == nil && standing.money.standing == .confirmed
            && standing.money.taken?.evidence == .person
    }

    private var charge: ChargeWords? { standing.charge.map { ChargeWords($0) } }

    /// The reason why no action is required.
    private var idle: String {
        guard standing.money.standing == .confirmed, let taken = standing.money.taken else {
            return state.problem?.problem.actor == .merchant
                ? "The merchant has to fix the cause of the problem before the payer starts a new payment."
                : "Nothing has to be done. To pay, the payer has to start a new payment."
        }
        if standing.money.isVerification {
            return "Nothing has to be done: the details are verified."
        }
        let warning = refusals.map { $0 + " The merchant has to find out why first." }
        if let capturable = taken.capturable, capturable > 0 {
            return "The merchant has to capture "
                + StoryWords.money(capturable, standing.money.currency, "")
                + " before the authorization expires."
                + (warning.map { " " + $0 } ?? "")
        }
        if let warning { return warning }
        if standing.money.isFoundPaidInPart {
            let (paid, due) = (taken.amount, standing.money.amount)
            return "The merchant has to decide what becomes of the rest: "
                + StoryWords.money(paid, standing.money.currency, "") + " of "
                + StoryWords.money(due, standing.money.currency, "") + " was paid."
        }
        return taken.net == 0
            ? "Nothing has to be done: the full amount was released or refunded."
            : "Nothing has to be done: the payment is complete."
    }

    /// What the PSP's refusals of captures or refunds lead to; `nil` when it refused none since the
    /// last success.
    private var refusals: String? {
        let counts = [TransactionKind.capture, .reversal].map { kind in
            (kind, state.checkout?.refusedInARow(kind) ?? 0)
        }
        guard let (kind, count) = counts.first(where: { $0.1 > 0 }) else { return nil }
        let words = kind.warning(after: count)
        return words.prefix(1).uppercased() + words.dropFirst() + "."
    }

    /// The message for the payer; `nil` when there is none.
    package var payerMessage: String? { standing.guidance.message }

    /// Returns what to do next, the best option first; empty when nobody has to act.
    ///
    /// - Parameter program: The program's name in commands.
    /// - Returns: The steps.
    package func steps(_ program: String) -> [NextStep] {
        let session = "\(state.session)"
        let accepts = standing.accepts
        func step(_ words: String, _ command: String) -> NextStep {
            NextStep(words: words, command: "\(program) \(command) \(session)")
        }
        let abort = accepts.abort ? [step("abort the payment", "abort")] : []
        let retry = accepts.retry ? [step("retry what failed", "retry")] : []
        func close(_ words: String) -> [NextStep] {
            guard accepts.close else { return [] }
            return [step(words, "close")].map {
                NextStep(words: $0.words, command: $0.command.map { $0 + " --reason TEXT" })
            }
        }
        switch standing.turn {
        case .payer(.some): return [step("check for progress", "resume")] + abort
        case .payer(nil) where isResolved: return []
        case .payer(nil): return [step("see what the payer can choose", "show")] + abort
        case .psp, .engine:
            return [
                step("let the engine continue now", "resume"),
                step("see the current state", "show"),
            ]
        case .support where isResolved, .merchant where isResolved:
            return close("close the session") + proof(step)
        case .support where standing.outcome != nil: return retry + proof(step)
        case .support:
            let isUnknown = standing.money.standing == .unknown
            return retry + (isUnknown ? found(program, after: retry.first) : []) + abort
        case .merchant where isLeftToMerchant: return transactions(step)
        case .merchant where standing.money.standing == .unknown:
            let check = orderStep(program)
            return [check] + found(program, after: check) + proof(step)
        case .merchant where standing.charge != nil && standing.outcome != nil:
            return (charge?.steps(program) ?? []) + [step("see the PSP's response", "show")]
                + proof(step)
        case .merchant where standing.outcome != nil: return [orderStep(program)] + proof(step)
        case .merchant:
            return (charge?.steps(program) ?? []) + [step("see the PSP's response", "show")]
                + close("close the session if the cause cannot be fixed")
        // The text of the turn says what is left to do, if anything.
        case .nobody: return []
        }
    }

    /// What the merchant can request now that the order is paid.
    private func transactions(_ step: (String, String) -> NextStep) -> [NextStep] {
        let taken = standing.money.taken
        func proposed(
            _ kind: TransactionKind,
            _ left: Amount?,
            _ words: String,
            _ command: String
        ) -> [NextStep] {
            guard left ?? 0 > 0 else { return [] }
            if standing.accepts.transactions.contains(kind) { return [step(words, command)] }
            guard standing.accepts.transactionsAgain.contains(kind) else { return [] }
            var again = step("after its refusals were understood, " + words, command)
            again.command = again.command.map { $0 + " --again" }
            return [again]
        }
        let capture = proposed(.capture, taken?.capturable, "capture the money", "order capture")
        guard state.checkout?.refusedInARow(.reversal) ?? 0 > 0 else { return capture }
        return capture
            + proposed(.reversal, taken?.reversible, "refund the money", "order reverse")
    }

    /// The command to record the outcome once it was found out; reading the order may have settled
    /// it.
    private func found(_ program: String, after check: NextStep?) -> [NextStep] {
        guard standing.accepts.resolve else { return [] }
        return [
            NextStep(
                words: (check?.command == nil ? "" : "if it is still unknown, ")
                    + "record the outcome; VERDICT is --paid, --not-paid or --refunded",
                command: "\(program) resolve \(state.session) VERDICT --evidence TEXT",
                .sequel
            )
        ]
    }

    private func proof(_ step: (String, String) -> NextStep) -> [NextStep] {
        var proof = step("verify that the log is complete and unaltered", "verify")
        proof.relation = .addition
        return [proof]
    }

    private func orderStep(_ program: String) -> NextStep {
        if let charge = standing.charge, !charge.isOrderKnown {
            let name = charge.reference.map { " with the reference " + Screen.safe($0) } ?? ""
            return NextStep(
                words: "check in the PSP's admin portal whether the order\(name) is paid",
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
            words: "check in the PSP's admin portal or API whether \(name) is paid",
            command: nil
        )
    }
}
