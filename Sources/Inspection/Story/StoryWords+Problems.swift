internal import EventLog
package import SwedbankPay

extension StoryWords {
    /// The name of a problem, from the catalogue.
    static func name(of problem: Problem) -> String {
        let type = problem.type.map { ProblemCatalogue.slug(of: $0) ?? EventWords.slug(of: $0) }
        let parts = [type, problem.status.map { "\($0)" }].compactMap(\.self)
        return Screen.safe(parts.isEmpty ? "no reason given" : parts.joined(separator: ", "))
    }

    /// The name of the problem with which a charge failed.
    static func name(of problem: ProblemDocument) -> String {
        let type = ProblemCatalogue.slug(of: problem.type) ?? EventWords.slug(of: problem.type)
        return Screen.safe(
            [type, problem.status.map { "\($0)" }].compactMap(\.self).joined(separator: ", ")
        )
    }

    /// A description of a failed attempt.
    static func failure(of tried: Story.Tried, _ problem: Problem) -> String {
        let what =
            switch tried {
            case .attempt(let number): "attempt \(number)"
            case .page: "the payment on its page"
            case .elsewhere: "an attempt that was not started here"
            }
        return "The PSP reported that \(what) failed (\(name(of: problem)))."
    }

    /// How a series of failures ended with a problem, to follow the sentence about the failures.
    static func end(of trouble: Story.Trouble, with problem: Problem) -> String {
        let isNamed = problem.type != nil || problem.status != nil
        let reason = isNamed ? " (\(name(of: problem)))" : ""
        guard trouble.ending == .gaveUp else {
            return "The PSP refused it\(reason), so the engine does not repeat it."
        }
        return isNamed
            ? "After the last response\(reason), the engine stopped trying."
            : "The engine stopped trying."
    }

    /// A description of problems of the engine and of the client.
    package static func text(_ problem: Problem) -> String {
        switch problem.kind {
        case .requestFailed where problem.rel == nil:
            return "A request to the PSP failed, and the engine does not repeat it."
        case .requestFailed where problem.code == ProblemCause.heldBack.rawValue:
            return "After the failures only reading goes on by itself: the request "
                + "\((problem.rel ?? .session).purpose) was not sent."
        case .requestFailed:
            let rel = problem.rel ?? .session
            let cause =
                problem.type == nil && problem.status == nil ? "" : " (\(name(of: problem)))"
            return "The request \(rel.purpose) failed\(cause), and the engine does not repeat it."
        case .inconsistency:
            return
                "The PSP's responses contradict each other, so the engine stopped."
        case .endReached:
            return "The session is in a state from which it cannot continue."
        case .threeDSLoadFailed: return "The bank's page could not be shown."
        // Nothing was sent, or the PSP accepted it without effect.
        case .abortNotAllowed where problem.status == nil:
            return Screen.safe(problem.title(disclosing: .masked) ?? "The payment was not aborted")
                + "."
        case .abortNotAllowed:
            return "The PSP refused to abort the payment: it has progressed too far."
        case .configurationFailed:
            return "The order was created without a URL that payments need."
        case .appLaunchFailed: return "The payment app could not be opened."
        case .methodNotAvailable: return "The payment method is not available in this session."
        case .challengeClosed: return "The payer closed the bank's page without finishing."
        case .walletFailed:
            return "The wallet returned no payment, and this could not be reported to the PSP."
        case .menuFailed:
            return "The PSP's page failed or could not be shown."
                + (problem.failure.map { " It reported: \(words(of: $0))." } ?? "")
        case .deadlineExceeded where problem.actor == .psp:
            return "The PSP did not report the outcome in time."
        case .deadlineExceeded: return "The payer did not finish in time."
        case .checkInFailed: return "The check-in failed or could not be shown."
        case .orderMismatch:
            return
                "The order was paid, but not as ordered: with another amount or currency, or after the checkout had ended."
        case .paymentWithdrawn:
            return "The PSP had reported the payment as paid, and no longer does."
        case .notConfirmed where problem.rel == .paymentOrders:
            return
                "The PSP accepted the charge, but the order shows neither a payment nor a failure."
        case .notConfirmed:
            return
                "The payer finished on the PSP's page, but the order is not marked as paid."
        case nil: return "A problem occurred (\(name(of: problem)))."
        }
    }

    /// The error message of the PSP's page: its name, its origin, and the explanation.
    static func words(of failure: PageFailure) -> String {
        func text(_ text: OutsideText?) -> String? {
            Disclosure.masked.text(text).map { Screen.safe($0) }
        }
        let place = text(failure.origin).map { "from \($0)" }
        let parts = [text(failure.messageID), place, text(failure.details)].compactMap(\.self)
        return parts.isEmpty ? "no details" : parts.joined(separator: ", ")
    }

    /// The meaning of a problem, who must act, and whether trying again makes sense.
    static func meaning(of problem: Problem, _ advice: ProblemAdvice) -> String {
        clauses(on: problem, advice).map(\.words).joined(separator: " ")
    }

    /// A sentence of an explanation.
    struct Clause: Hashable {
        /// The whole sentence.
        var words: String
        /// What is left of it once the story has given it; `nil` when nothing is.
        var again: String?

        /// Creates a sentence that a story gives in full only once.
        init(_ words: String, again: String?) { (self.words, self.again) = (words, again) }

        /// Creates a sentence that is short, or so important that a story always gives it.
        init(_ words: String) { self.init(words, again: words) }
    }

    /// The meaning of a problem, sentence by sentence.
    static func clauses(on problem: Problem, _ advice: ProblemAdvice) -> [Clause] {
        if problem.kind == .abortNotAllowed { return [Clause("The payment continues.")] }
        var clauses: [Clause] = []
        // The catalogue explains the PSP's problems; the engine's own kinds are explained by their
        // text.
        if problem.kind == nil, advice.isKnown, let remark = ProblemWords(advice).remark {
            clauses.append(Clause(remark, again: nil))
        }
        switch problem.actor {
        case _ where problem.lacksAccess:
            clauses.append(
                Clause("The operator has to fix the source of the access token or headers.")
            )
        case _ where problem.lacksTrust:
            clauses.append(
                Clause(
                    "The operator has to check the configuration ('authorityFile', 'pinnedKeys') and the connection; 'doctor --psp' tests it."
                )
            )
        case .payer: break
        case .merchant: clauses.append(Clause("The merchant has to fix the cause."))
        case .psp:
            clauses.append(
                Clause(
                    "The PSP has to fix the cause; waiting may help.",
                    again: "The PSP has to fix the cause."
                )
            )
        }
        if problem.origin != .session, problem.isRetryable {
            clauses.append(
                Clause(
                    "While the session is open, 'retry' makes the engine read it and continue.",
                    again: nil
                )
            )
        } else {
            clauses.append(newAttempt(advice.newAttempt))
        }
        return clauses
    }

    /// Whether the payer can pay again; where nothing else is said, the payer is the one to act.
    private static func newAttempt(_ attempt: ProblemAdvice.NewAttempt) -> Clause {
        switch attempt {
        case .any:
            Clause(
                "The payer can try again, with the same payment method or another one.",
                again: "The payer can try again."
            )
        case .other: Clause("The payer can try again, but only with another card or method.")
        case .never: Clause("The payer should not start another attempt.")
        }
    }
}

extension Problem {
    /// Whether a request was never sent because this installation could not obtain the access token
    /// or headers for it.
    var lacksAccess: Bool {
        kind == .requestFailed && type == nil && status == nil
            && code == OperationFailed.accessUnavailable
    }

    /// Whether a request was never sent because this installation does not trust the host: by its
    /// certificate authorities or its pinned keys.
    var lacksTrust: Bool {
        guard kind == .requestFailed, type == nil, status == nil, let code else { return false }
        return ["http.tls-untrusted", "http.tls-pin", "http.tls-authorities"].contains(code)
    }

    /// Who has to act, in words.
    var duty: String { lacksAccess || lacksTrust ? "the operator has to act" : actor.duty }
}

extension Rel {
    /// The purpose of a request, to follow the words "the request".
    package var purpose: String {
        switch self {
        case .preparePayment: "to send the payer's device details"
        case .expandMethod: "to select the payment method"
        case .startPaymentAttempt: "to start the payment"
        case .createAuthentication: "to start the bank's authentication (3-D Secure)"
        case .completeAuthentication: "to submit the bank's result (3-D Secure)"
        case .attemptPayload: "to submit the wallet's payment data"
        case .failPaymentAttempt: "to report that the attempt cannot continue"
        case .customizePayment: "to change which methods are shown"
        case .acknowledgeFailedAttempt: "to acknowledge the failed attempt"
        case .abortPayment: "to abort the payment"
        case .session, .getPayment, .order, .root: "to read the payment's state"
        case .consumers: "to start the payer's check-in"
        case .paymentOrders: "to create the order"
        case .setInstrument, .updateInstrument, .backendInstrument:
            "to change the order's payment method"
        case .abortOrder, .updateAbort: "to abort the order"
        case .capture, .createCapture: "to capture the authorized amount"
        case .cancelOrder, .createCancel: "to release the authorized amount"
        case .reversal, .createReversal: "to refund the payment"
        default: "\"" + Screen.safe(rawValue) + "\""
        }
    }
}

extension Story.Cause {
    /// A description of a request's failure.
    package var words: String {
        if let status {
            let said = self.reason.map { ": \"\(Screen.safe($0))\"" } ?? ""
            switch status {
            case 500...: return "the PSP returned a server error (HTTP \(status))"
            case 429: return "the PSP limited the request rate (HTTP 429)\(said)"
            case 409: return "the PSP did not allow it at that time (HTTP 409)\(said)"
            default: return "the PSP returned HTTP \(status)\(said)"
            }
        }
        let reason = " (\(Screen.safe(code)))"
        switch reach {
        case .notSent: return unsent + reason
        case .maybeSent where code == "http.timeout":
            return "there was no response within \(duration.spoken)" + reason
        case .maybeSent: return "the connection was lost before a response arrived" + reason
        case .responded: return "the response could not be used" + reason
        }
    }

    /// Why a request was never sent; the PSP has nothing to do with most of the reasons.
    private var unsent: String {
        switch code {
        case OperationFailed.accessUnavailable:
            "it was not sent, because this installation could not obtain the access token or headers for it"
        case "engine.secret-missing", "session.secret-missing":
            "it was not sent, because a sealed value that it needs could not be opened"
        case "http.refused-url", "order.foreign-domain":
            "this installation does not allow requests to that address"
        case "http.circuit-open", "http.retry-budget":
            "it was held back, because many requests to the PSP had failed"
        case "http.queue-full": "it was not sent, because too many requests were waiting"
        case "http.canceled", "http.shutdown": "it was not sent, because the engine was stopping"
        case "http.refused-request": "it was not sent, because this installation could not build it"
        case "http.tls-untrusted":
            "it was not sent, because no authority that this installation trusts has signed the host's certificate"
        case "http.tls-expired":
            "it was not sent, because the host's certificate is expired or not yet valid"
        case "http.tls-wrong-host": "it was not sent, because the certificate is for another host"
        case "http.tls-pin":
            "it was not sent, because the host's key is not among this installation's pinned keys"
        case "http.tls-authorities":
            "it was not sent, because this installation's file of certificate authorities cannot be read"
        case _ where code.hasPrefix("http."): "the PSP could not be reached"
        default: "it was not sent, because this installation could not build it"
        }
    }
}
