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
        by clock: ToldTime = .utc
    ) -> String {
        guard story.state.money.isVerification else { return text(fact, by: clock) }
        switch fact {
        case .ended(let end): return verification(end)
        case .order(.created): return "The order was created; it verifies the payer's details."
        case .order(.confirmed):
            return
                "The order was read and says that the payer's details are verified; nothing was charged."
        case .order(.status(.paid)):
            return "The order says that the payer's details are verified (its status became Paid)."
        default: return text(fact, by: clock)
        }
    }

    /// How a verification ended.
    private static func verification(_ end: Story.End) -> String {
        switch end {
        case .paid(.completeURLReached, isElsewhere: _, isPayerAway: _):
            "By the client's account the details are verified; the order could not be read to be sure."
        case .paid: "The PSP said that the payer's details are verified; nothing was charged."
        case .canceled: "The verification was given up; nothing was charged."
        case .expired: "The verification was not finished in time, and expired."
        case .closed: "The session was closed by hand; the PSP was not asked to give it up."
        case .failed(let reason, let host, mayBePaid: _): text(reason, host)
        }
    }

    /// Returns the text of a sentence about a payment.
    package static func text(_ fact: Story.Fact, by clock: ToldTime = .utc) -> String {
        switch fact {
        case .takenIn(let host, let isCheckout, let isHandedOver):
            let what = isCheckout ? "The order" : "The payment"
            let origin = isHandedOver ? " from its checkout" : ""
            return "\(what) was taken in\(origin), at \(Screen.safe(host))."
        case .takenInAgain("engine", _):
            return "Before it expires, the engine looked at the PSP a last time."
        case .takenInAgain(SessionDecider.closing, _):
            return "Before it was closed, the engine looked at the PSP a last time."
        case .takenInAgain(let who, isOrder: true):
            return "\(Screen.safe(who)) asked to read the order anew."
        case .takenInAgain(let who, isOrder: false):
            return
                "Its address was handed in again (\(Screen.safe(who))): the engine went on with the same session."
        case .offered(let instruments):
            return "The payer was offered " + list(instruments.map(\.label)) + "."
        case .attempt(let number, let choice, let isPreset, let hasBegun):
            let time = isPreset ? ", as was wished beforehand" : ""
            return "The payer chose \(choice.words)\(time) (attempt \(number))"
                + (hasBegun ? "; the PSP began the payment." : ".")
        case .begun(let attempt): return "The PSP began the payment of attempt \(attempt)."
        case .page(let mode): return "The payer chose the PSP's page: \(mode.words)."
        case .trouble(let trouble): return text(trouble, clock)
        case .interrupted(let rel, let gap, let ending, let isRead):
            return interrupted(rel, gap, ending, isRead)
        case .asked(let step, let answer, let after): return asked(step, answer, after)
        case .answered(let step, let answer, let after):
            return answered(step, answer) + ", \(after.spoken) after it was asked for."
        case .silence(let awaited, let duration, let looks):
            return silence(awaited, duration.spoken) + Self.looks(looks)
        case .returned(_, let after):
            return "The payer came back through the payment URL"
                + (after.map { ", \($0.spoken) after the app was opened" } ?? "") + "."
        case .calledBack(let isFirst):
            return "The PSP called the merchant's callback address"
                + (isFirst ? ", before the payer had come back." : ".")
        case .attemptFailed(let number, let problem, let advice):
            return "The PSP said that attempt \(number) failed (\(name(of: problem))). "
                + meaning(of: problem, advice)
        case .problem(let problem, let advice):
            return Self.text(problem) + " " + meaning(of: problem, advice)
        case .notAcknowledged:
            return
                "The PSP would not be told that the failed attempt was seen; the engine went on without."
        case .failureTold: return "The PSP was told that the payer could not or would not go on."
        case .retryAsked(let who): return "\(Screen.safe(who)) asked to try again."
        case .abortAsked(let who, let isTaken):
            return (who == "payer" ? "The payer" : Screen.safe(who))
                + " asked to give up the payment"
                + (isTaken ? "; the PSP took that." : ".")
        case .unreadable(let rel):
            return "The PSP's answer to the request \(rel.purpose) could not be read."
        case .ended(let end): return text(end)
        case .order(let fact): return text(fact)
        case .person(let acted): return text(acted)
        case .note(let who):
            return "\(Screen.safe(who)) wrote a note (sealed; 'log --reveal' shows it)."
        case .unknown(let type):
            return "Something that this build does not know: \(Screen.safe(type))."
        }
    }

    private static func interrupted(
        _ rel: Rel,
        _ gap: Duration,
        _ ending: Story.Ending?,
        _ isRead: Bool
    ) -> String {
        "The engine stopped while the request \(rel.purpose) was under way, and went on "
            + "\(gap.spoken) later. Nobody knew whether that request had taken effect"
            + (isRead ? ", so the engine read the session first." : ".")
            + (ending.map { text($0, isRead) }
                ?? (isRead ? "" : " The session has not been read since."))
    }

    private static func words(of resolution: MoneyResolution?) -> String {
        switch resolution?.verdict {
        case .paid: "it is paid"
        case .notPaid: "it is not paid"
        case .refunded: "it was paid, and given back"
        case nil: "nothing"
        }
    }

    private static func text(_ acted: OperatorActed) -> String {
        let person = Screen.safe(acted.by)
        let reason = acted.reason.map { ": " + Screen.safe($0) } ?? ""
        return switch acted.action {
        case SessionDecider.closing: "\(person) decided to close the session\(reason)."
        case OperatorActed.resolving where acted.resolution != nil:
            "\(person) wrote down what was found out at the PSP: \(words(of: acted.resolution))"
                + (acted.reason.map { " (\(Screen.safe($0)))" } ?? "") + "."
        case SessionDecider.adopting:
            "\(person) declared that this store is the one that lives\(reason): the PSP is asked before anything is sent."
        default: "\(person) did \"\(Screen.safe(acted.action))\"\(reason)."
        }
    }

    private static func text(_ trouble: Story.Trouble, _ clock: ToldTime) -> String {
        let causes = list(trouble.causes.map(\.words))
        var text = "The request \(trouble.rel.purpose) failed"
        if trouble.count > 1 { text += " \(trouble.count) times" }
        text += ": \(causes)."
        if trouble.isUncertain {
            text += " Nobody knew whether it had taken effect"
            text += trouble.isRead ? ", so the engine read how things stood." : "."
        } else if trouble.rel.onlyReads {
            text += " Looking changes nothing, so the engine looked again."
        }
        guard let ending = trouble.ending else {
            return trouble.retryAt.map { text + " It goes on at \(clock.clock($0))." } ?? text
        }
        return text + Self.text(ending, trouble.isRead)
    }

    /// How the failures ended; mentions what the session showed only if it was read.
    private static func text(_ ending: Story.Ending, _ isRead: Bool) -> String {
        switch ending {
        case .answered: " Then it was answered."
        case .tookEffect: " The session showed that it had; it was not sent again."
        case .sentAgain where isRead:
            " The session showed that it had had no effect; only then was it sent again."
        case .sentAgain: " It was sent again."
        case .movedOn where isRead: " The session showed that something else was to be done."
        case .movedOn: " It was not sent again."
        case .refused: " The PSP refused it, so it is not repeated."
        case .gaveUp: " Then the engine gave up."
        }
    }

    private static func looks(_ count: Int) -> String {
        switch count {
        case 0: "."
        case 1: "; the engine looked at the PSP once."
        default: "; the engine looked at the PSP \(count) times."
        }
    }

    private static func silence(_ awaited: Story.Silence, _ time: String) -> String {
        switch awaited {
        case .client(let step):
            "For \(time) there was no word from the payer, who had to \(step.duty)"
        case .payerElsewhere(.swish): "For \(time) the payment waited for the payer in Swish"
        case .payerElsewhere: "For \(time) the payment waited for the PSP and the bank"
        case .signOfLife: "For \(time) there was no sign of life from the payer"
        case .choice: "For \(time) the payer chose nothing"
        case .pageResult: "For \(time) nothing was known of what the payer did on the PSP's page"
        case .answer(let rel): "For \(time) there was no answer to the request \(rel.purpose)"
        case .support:
            "For \(time) nothing happened: the engine had given up and waited to be told to try again"
        case .psp: "For \(time) there was no news from the PSP"
        }
    }

    private static func text(_ end: Story.End) -> String {
        switch end {
        case .paid(let evidence, let isElsewhere, let isAway):
            let word =
                evidence == .completeURLReached
                ? "By the client's account it is paid; the order could not be read to be sure."
                : "The PSP said that it is paid."
            if isElsewhere {
                return word
                    + " Nothing of this session was under way: the order was paid elsewhere, on another device or page."
            }
            return isAway
                ? word + " The payer had not come back from the app, and may not have seen that."
                : word
        case .canceled(.client): return "The payment was given up, as asked; it is not paid."
        case .canceled(.psp):
            return "The PSP said that the payment was given up; nobody had asked for that here."
        case .canceled(.payer):
            return "The payer left the PSP's page by its cancel link; it is not paid."
        case .expired(let reason, let mayBePaid):
            let words =
                reason == .goneAtPSP
                ? "The PSP does not know the session any more: it expired."
                : "The session was open for as long as sessions may be, and expired."
            return words + doubt(mayBePaid)
        case .closed(let mayBePaid):
            return "The session was closed by hand; the PSP was not asked to give it up."
                + doubt(mayBePaid)
        case .failed(let reason, let host, let mayBePaid):
            return text(reason, host) + doubt(mayBePaid)
        }
    }

    private static func text(_ reason: Failed.Reason, _ host: String?) -> String {
        switch reason {
        case .configuration: "The session failed: the order lacks an address that paying needs."
        case .endReached:
            host.map {
                "The session failed: the PSP sends the payer to \(Screen.safe($0)), which is none of the order's addresses."
            } ?? "The session failed: the PSP offers nothing that can continue it."
        case .pageFailed: "The session failed: the PSP's page gave up."
        case .orderFailed: "The session failed: the order's status says so."
        }
    }

    private static func doubt(_ mayBePaid: Bool) -> String {
        mayBePaid
            ? " A payment was under way whose outcome nobody has told: it may be paid all the same."
            : ""
    }

    private static func text(_ fact: Story.OrderFact) -> String {
        switch fact {
        case .created(let amount, let currency):
            "The order was created" + money(amount, currency, " over ") + "."
        case .status(let status): "The order's status became \(Screen.safe(status.rawValue))."
        case .refused(let problem, let advice):
            "The charge was refused (\(name(of: problem)))."
                + (advice.isKnown ? ProblemWords(advice).remark.map { " " + $0 } ?? "" : "")
        case .instrument(let name): "The payer wanted to pay with \(Screen.safe(name.rawValue))."
        case .handedOver(let session): "Native session \(session) took over."
        case .handedBack(let session, let outcome):
            "Native session \(session) gave back" + (outcome.map { ": " + $0.rawValue } ?? "") + "."
        case .payerIdentified: "The payer was identified."
        case .confirmed(let amount, let currency):
            "The order was read and says that it is paid as it was ordered"
                + money(amount, currency, ": ") + "."
        case .transactionAsked(let request, _) where request.kind == .cancel:
            "The merchant asked to release what was not captured."
        case .transactionAsked(let request, let currency):
            (request.kind == .capture ? "A capture" : "A reversal (refund)")
                + money(request.amount, currency, " of ") + " was asked for."
        case .transactionSettled(let settled): "The transaction was \(settled.result.words)."
        }
    }

    /// An amount in the usual notation, `649.00 SEK`; in minor units when their number per unit is
    /// unknown.
    static func money(_ amount: Int64?, _ currency: String?, _ before: String) -> String {
        guard let amount else { return "" }
        guard let currency, let text = MinorUnits.text(amount, of: currency) else {
            return before + "\(amount) minor units"
                + (currency.map { " of " + Screen.safe($0) } ?? "")
        }
        return before + "\(text) \(currency)"
    }

    /// Returns the words as a list: `a, b and c`.
    static func list(_ words: [String]) -> String {
        guard let last = words.last, words.count > 1 else { return words.first ?? "" }
        return words.dropLast().joined(separator: ", ") + " and " + last
    }
}

extension TransactionResult {
    /// Whether it is done, or the PSP has accepted to do it later.
    package var isDone: Bool { self == .done || self == .accepted }

    /// Returns the result as text.
    var words: String {
        switch self {
        case .done: "done"
        case .accepted: "accepted: the PSP does it later"
        case .refused: "refused"
        case .notDone: "not done, as the order showed long after its last request"
        }
    }
}
