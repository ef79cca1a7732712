internal import SwedbankPay

/// Writes a story in plain English, for readers who do not know the protocol.
///
/// ASCII only, so that every terminal can show it. Text from outside is made safe for terminals.
package enum StoryWords {
    /// Returns the text of a sentence of a story.
    ///
    /// - Parameters:
    ///   - fact: The sentence's fact.
    ///   - story: The story that the sentence belongs to.
    ///   - clock: The clock in which times are printed.
    /// - Returns: The sentence.
    package static func text(
        _ fact: Story.Fact,
        in story: Story,
        by clock: DisplayClock = .utc
    ) -> String {
        guard story.state.money.isVerification else { return text(fact, by: clock) }
        switch fact {
        case .ended(let end): return verification(end)
        case .order(.created): return "The order was created to verify the payer's details."
        case .order(.confirmed(_, _, let isRead)):
            return source(isRead)
                + " the payer's details are verified, and nothing was charged."
        case .order(.status(.paid)):
            return "The order's status changed to Paid; the payer's details are verified."
        default: return text(fact, by: clock)
        }
    }

    /// How a verification ended.
    private static func verification(_ end: Story.End) -> String {
        switch end {
        case .paid(.completeURLReached, with: _, isPayerAway: _):
            "The client reported that the details are verified; the order could not be read to confirm it."
        case .paid: "The PSP reported the payer's details as verified; nothing was charged."
        case .canceled: "The verification was canceled; nothing was charged."
        case .expired: "The verification was not finished in time and expired."
        case .closed: "An operator closed the session; no cancellation was sent to the PSP."
        case .failed(let reason, let host, mayBePaid: _): text(reason, host)
        }
    }

    /// Returns the text of a sentence about a payment.
    package static func text(_ fact: Story.Fact, by clock: DisplayClock = .utc) -> String {
        switch fact {
        case .takenIn(let host, let isCheckout, let isHandedOver):
            let place = Screen.safe(host)
            if isHandedOver {
                return "A checkout handed the payment over to this session, at \(place)."
            }
            return "The \(isCheckout ? "checkout" : "payment session") was opened at \(place)."
        case .takenInAgain("engine", _):
            return
                "The session was about to expire, so it was to be read at the PSP once more."
        case .takenInAgain(SessionDecider.closing, _):
            return
                "An operator was about to close the session, so it was to be read at the PSP once more."
        case .takenInAgain(let who, isOrder: true):
            return "\(Screen.safe(who)) requested a new read of the order."
        case .takenInAgain(let who, isOrder: false):
            return
                "\(Screen.safe(who)) requested a new read of the session; the engine continued the same session."
        case .offered(let instruments):
            return "The payer could choose " + list(instruments.map(\.label), "or") + "."
        case .attempt(let number, let choice, let isPreset, let hasBegun):
            let start =
                isPreset
                ? "The engine chose \(choice.words), as preselected"
                : "The payer chose \(choice.words)"
            return start + " (attempt \(number))"
                + (hasBegun ? "; the PSP started the payment." : ".")
        case .begun(let attempt): return "The PSP started the payment of attempt \(attempt)."
        case .page(let mode): return "The payer chose to pay on the PSP's page (\(mode.words))."
        case .trouble(let trouble): return text(trouble, clock)
        case .interrupted(let rel, let gap, let ending, let isRead):
            return interrupted(rel, gap, ending, isRead)
        case .asked(let step, let response, let after): return asked(step, response, after)
        case .reported(let step, let response, let after):
            return reported(step, response) + ", \(after.spoken) after the request."
        case .silence(let awaited, let duration, let polls):
            return silence(awaited, duration.spoken) + Self.polls(polls)
        case .returned(_, let after):
            return "The payer returned through the payment URL"
                + (after.map { ", \($0.spoken) after the app was opened" } ?? "") + "."
        case .calledBack(let isFirst):
            return "The PSP called the merchant's callback URL"
                + (isFirst ? ", before the payer had returned." : ".")
        case .attemptFailed(let tried, let problem, let advice):
            return failure(of: tried, problem) + " " + meaning(of: problem, advice)
        case .problem(let problem, let advice):
            return Self.text(problem) + " " + meaning(of: problem, advice)
        case .notAcknowledged:
            return
                "The PSP did not accept the acknowledgement of the failed attempt; the engine continued without it."
        case .failureTold: return "The engine reported to the PSP that the attempt cannot continue."
        case .retryAsked(let who): return "\(Screen.safe(who)) requested a retry."
        case .abortAsked(let who, let isTaken):
            return (who == "payer" ? "The payer" : Screen.safe(who))
                + " requested an abort of the payment"
                + (isTaken ? "; the PSP accepted the request." : ".")
        case .unreadable(let rel):
            return "The PSP's response to the request \(rel.purpose) could not be read."
        case .ended(let end): return text(end)
        case .order(let fact): return text(fact)
        case .person(let acted, let currency): return text(acted, currency)
        case .note(let who):
            return "\(Screen.safe(who)) added a note (sealed; 'log --reveal' shows it)."
        case .unknown(let type):
            return "An event of a type that this build does not know: \(Screen.safe(type))."
        }
    }

    private static func interrupted(
        _ rel: Rel,
        _ gap: Duration,
        _ ending: Story.Ending?,
        _ isRead: Bool
    ) -> String {
        "The engine stopped while the request \(rel.purpose) was in progress, and continued "
            + "\(gap.spoken) later. The outcome of the request was unknown"
            + (isRead ? ", so the engine read the session first." : ".")
            + (ending.map { text($0, isRead) }
                ?? (isRead ? "" : " The session has not been read since."))
    }

    private static func text(_ acted: OperatorActed, _ currency: String?) -> String {
        let person = Screen.safe(acted.by)
        let reason = acted.reason.map { ": " + Screen.safe($0) } ?? ""
        return switch acted.action {
        case SessionDecider.closing: "\(person) requested to close the session\(reason)."
        case OperatorActed.proposingResolution where acted.resolution != nil:
            "\(person) found this outcome at the PSP: \(finding(of: acted, currency)). It counts "
                + "once another person confirms it."
        case OperatorActed.confirmingResolution where acted.resolution != nil:
            "\(person) confirmed the outcome that "
                + "\(Screen.safe(acted.resolution?.secondPerson ?? "somebody")) found at the PSP: "
                + "\(finding(of: acted, currency))."
        case OperatorActed.resolving where acted.resolution != nil:
            "\(person) recorded the outcome found at the PSP: \(finding(of: acted, currency))"
                + (acted.resolution?.secondPerson.map {
                    ", confirmed by \(Screen.safe($0)), as \(person) said"
                } ?? "")
                + "."
        case OperatorActed.adoptingOrder:
            "\(person) gave the checkout the order that it had lost\(reason)."
        case SessionDecider.adopting:
            "\(person) declared this store the active one\(reason). The engine reads the PSP before it sends anything."
        default: "\(person) performed the action \"\(Screen.safe(acted.action))\"\(reason)."
        }
    }

    private static func finding(of acted: OperatorActed, _ currency: String?) -> String {
        acted.resolution.words + money(acted.resolution?.amount, currency, ", ")
            + (acted.reason.map { " (\(Screen.safe($0)))" } ?? "")
    }

    private static func text(_ trouble: Story.Trouble, _ clock: DisplayClock) -> String {
        let words = [failures(trouble)] + clauses(on: trouble).map(\.words)
        return words.joined(separator: " ") + ending(of: trouble, by: clock)
    }

    /// How often and why a request failed, and whether its outcome was known.
    static func failures(_ trouble: Story.Trouble) -> String {
        let causes = list(trouble.causes.map(\.words))
        var text = "The request \(trouble.rel.purpose) failed"
        if trouble.count > 1 { text += trouble.count == 2 ? " twice" : " \(trouble.count) times" }
        text += ": \(causes)."
        guard trouble.isUncertain else { return text }
        text += " Its outcome was unknown"
        return text + (trouble.isRead ? ", so the engine read the session first." : ".")
    }

    /// The explanation why failures of a request do no harm; empty for a request that changes
    /// something.
    static func clauses(on trouble: Story.Trouble) -> [Clause] {
        guard !trouble.isUncertain, trouble.rel.onlyReads else { return [] }
        return [
            Clause(
                "Reading changes nothing, so the engine can repeat it at any time.",
                again: nil
            )
        ]
    }

    /// How the failures ended, or when the engine continues; begins with a blank.
    static func ending(of trouble: Story.Trouble, by clock: DisplayClock) -> String {
        guard let ending = trouble.ending else {
            return trouble.retryAt.map { " The engine continues at \(clock.clock($0))." } ?? ""
        }
        return text(ending, trouble.isRead)
    }

    /// How the failures ended; mentions what the session showed only if it was read.
    private static func text(_ ending: Story.Ending, _ isRead: Bool) -> String {
        switch ending {
        case .responded: " A later request succeeded."
        case .tookEffect:
            " The session showed that the request had taken effect, so it was not sent again."
        case .sentAgain where isRead:
            " The session showed that the request had had no effect, so it was sent again."
        case .sentAgain: " It was sent again."
        case .movedOn where isRead:
            " The session required a different next step, so it was not sent again."
        case .movedOn: " It was not sent again."
        case .refused: " The PSP refused it, so the engine does not repeat it."
        case .gaveUp: " Then the engine stopped trying."
        }
    }

    private static func polls(_ count: Int) -> String {
        switch count {
        case 0: "."
        case 1: "; the engine polled the PSP once."
        case 2: "; the engine polled the PSP twice."
        default: "; the engine polled the PSP \(count) times."
        }
    }

    private static func silence(_ awaited: Story.Silence, _ time: String) -> String {
        switch awaited {
        case .client(let step):
            "For \(time) the payment waited for the payer, who had to \(step.duty)"
        case .payerElsewhere(let instrument) where instrument.appScheme != nil:
            "For \(time) the payment waited for the payer in \(instrument.label)"
        case .payerElsewhere: "For \(time) the payment waited for the PSP and the bank"
        case .signOfLife: "For \(time) there was no activity from the payer"
        case .choice: "For \(time) the payer chose no payment method"
        case .pageResult: "For \(time) there was no result from the PSP's page"
        case .response(let rel): "For \(time) there was no response to the request \(rel.purpose)"
        case .support:
            "For \(time) nothing happened: the engine had stopped trying and waited for a retry"
        case .psp: "For \(time) the payment waited for the PSP"
        }
    }

    private static func text(_ end: Story.End) -> String {
        switch end {
        case .paid(let evidence, let paidWith, let isAway):
            let word =
                evidence == .completeURLReached
                ? "The client reported that the payment is complete; the order could not be read to confirm it."
                : "The PSP reported the payment as paid."
            let how = paidWith?.explanation.map { " " + $0 } ?? ""
            guard isAway, paidWith != .elsewhere else { return word + how }
            return word + how + " The payer had not returned from the app, and may not know it."
        case .canceled(.client): return "The payment was canceled as requested; it is not paid."
        case .canceled(.psp):
            return
                "The PSP reported the payment as canceled; no cancellation had been requested here."
        case .canceled(.payer):
            return "The payer left the PSP's page through its cancel link; the payment is not paid."
        case .expired(let reason, let mayBePaid):
            let words =
                reason == .goneAtPSP
                ? "The PSP no longer has the session: it expired."
                : "The session reached its maximum lifetime and expired."
            return words + doubt(mayBePaid)
        case .closed(let mayBePaid):
            return "An operator closed the session; no cancellation was sent to the PSP."
                + doubt(mayBePaid)
        case .failed(let reason, let host, let mayBePaid):
            return text(reason, host) + doubt(mayBePaid)
        }
    }

    private static func text(_ reason: Failed.Reason, _ host: String?) -> String {
        switch reason {
        case .configuration: "The session failed: the order lacks a URL that payments need."
        case .endReached:
            host.map {
                "The session failed: the PSP redirects the payer to \(Screen.safe($0)), which is not one of the order's URLs."
            } ?? "The session failed: the PSP offers no operation that can continue it."
        case .pageFailed: "The session failed: the PSP's page failed."
        case .orderFailed: "The session failed, according to the order's status."
        case .orderRefused: "The session failed: the order was not created."
        }
    }

    private static func doubt(_ mayBePaid: Bool) -> String {
        mayBePaid
            ? " The outcome of the payment is unknown: it may have been paid."
            : ""
    }

    private static func text(_ fact: Story.OrderFact) -> String {
        switch fact {
        case .created(let amount, let currency):
            "The order was created" + money(amount, currency, " for ") + "."
        case .status(let status): "The order's status changed to \(Screen.safe(status.rawValue))."
        case .refused(let problem, let advice):
            "The charge was refused (\(name(of: problem)))."
                + (advice.isKnown ? ProblemWords(advice).remark.map { " " + $0 } ?? "" : "")
        case .instrument(let name): "The payer chose \(Screen.safe(name.rawValue))."
        case .handedOver(let session): "The checkout was handed over to native session \(session)."
        case .handedBack(let session, let outcome):
            "Native session \(session) handed the order back"
                + (outcome.map { ": " + $0.rawValue } ?? "")
                + "."
        case .payerIdentified: "The payer was identified."
        case .confirmed(let amount, let currency, let isRead):
            source(isRead) + " it is paid as ordered" + money(amount, currency, ", ") + "."
        case .transactionAsked(let request, _) where request.kind == .cancel:
            "The merchant requested the release of the amount that was not captured."
        case .transactionAsked(let request, let currency):
            "The merchant requested a "
                + (request.kind == .capture ? "capture" : "reversal (refund)")
                + money(request.amount, currency, " of ") + "."
        case .transactionSettled(let settled): "The transaction was \(settled.result.words)."
        }
    }

    /// Where it was shown that an order is paid.
    private static func source(_ isRead: Bool) -> String {
        isRead ? "The engine read the order:" : "The PSP's response shows the order:"
    }

    /// An amount in the usual notation, `649.00 SEK`; in minor units when their number per unit is
    /// unknown.
    static func money(_ amount: Amount?, _ currency: String?, _ before: String) -> String {
        amount.map { before + Screen.safe(MinorUnits.words($0, of: currency)) } ?? ""
    }

    /// Returns the words as a list: `a, b and c`.
    static func list(_ words: [String], _ conjunction: String = "and") -> String {
        guard let last = words.last, words.count > 1 else { return words.first ?? "" }
        return words.dropLast().joined(separator: ", ") + " \(conjunction) " + last
    }
}

extension TransactionResult {
    /// Whether it is done, or the PSP has accepted to do it later.
    package var isDone: Bool { self == .done || self == .accepted }

    /// Returns the result as text.
    var words: String {
        switch self {
        case .done: "completed"
        case .accepted: "accepted; the PSP completes it later"
        case .refused: "refused"
        case .notDone: "not made: long after the last request, the order did not show it"
        }
    }
}

extension MoneyResolution? {
    /// An operator's finding in words.
    var words: String {
        switch self?.verdict {
        case .paid: "paid"
        case .notPaid: "not paid"
        case .refunded: "paid, then refunded"
        case nil: "no result"
        }
    }
}
