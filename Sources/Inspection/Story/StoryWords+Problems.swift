internal import EventLog
package import SwedbankPay

extension StoryWords {
    /// The name of a problem, from the catalogue.
    static func name(of problem: Problem) -> String {
        let type = problem.type.map { ProblemCatalogue.slug(of: $0) ?? EventWords.slug(of: $0) }
        let parts = [type, problem.status.map { "\($0)" }].compactMap(\.self)
        return Screen.safe(parts.isEmpty ? "without a reason" : parts.joined(separator: ", "))
    }

    /// The name of the problem with which a charge failed.
    static func name(of problem: ProblemDocument) -> String {
        let type = ProblemCatalogue.slug(of: problem.type) ?? EventWords.slug(of: problem.type)
        return Screen.safe(
            [type, problem.status.map { "\($0)" }].compactMap(\.self).joined(separator: ", ")
        )
    }

    /// A description of problems of the engine and of the client.
    package static func text(_ problem: Problem) -> String {
        switch problem.kind {
        case .requestFailed where problem.rel == nil:
            return "A request to the PSP failed, and was not or is no longer repeated."
        case .requestFailed:
            let rel = problem.rel ?? .session
            let cause =
                problem.type == nil && problem.status == nil ? "" : " (\(name(of: problem)))"
            return "The request \(rel.purpose) failed for good\(cause)."
        case .inconsistency:
            return
                "The PSP's answers do not fit together, and the engine waits to be told to try again."
        case .endReached:
            return "The session is in a state that nothing can continue."
        case .threeDSLoadFailed: return "The bank's page could not be shown."
        case .abortNotAllowed: return "The PSP refused to give up the payment: it is too far on."
        case .configurationFailed:
            return "The order was created without an address that paying needs."
        case .appLaunchFailed: return "The app to pay with could not be opened."
        case .methodNotAvailable: return "The method cannot be used in this session."
        case .challengeClosed: return "The payer closed the bank's page without finishing."
        case .walletFailed:
            return "The wallet gave nothing to pay with, and the PSP could not be told."
        case .menuFailed:
            return "The PSP's page could not be shown, or gave up."
                + (problem.failure.map { " It said: \(words(of: $0))." } ?? "")
        case .deadlineExceeded: return "The payer did not finish in time."
        case .checkInFailed: return "The check-in could not be shown, or gave up."
        case .orderMismatch: return "The order was paid otherwise than it was ordered."
        case .notConfirmed where problem.rel == .paymentOrders:
            return
                "The charge was taken, and the order says neither that it is paid nor that it failed."
        case .notConfirmed:
            return
                "The payer finished on the PSP's page, and the order does not say that it is paid."
        case nil: return "Something went wrong (\(name(of: problem)))."
        }
    }

    /// The error message of the PSP's page: its name, its origin, and the explanation.
    static func words(of failure: PageFailure) -> String {
        func text(_ text: OutsideText?) -> String? {
            Disclosure.masked.text(text).map { Screen.safe($0) }
        }
        let place = text(failure.origin).map { "from \($0)" }
        let parts = [text(failure.messageID), place, text(failure.details)].compactMap(\.self)
        return parts.isEmpty ? "nothing" : parts.joined(separator: ", ")
    }

    /// The meaning of a problem, who must act, and whether trying again makes sense.
    static func meaning(of problem: Problem, _ advice: ProblemAdvice) -> String {
        if problem.kind == .abortNotAllowed { return "The payment goes on as if nobody had asked." }
        var words: [String] = []
        // The catalogue explains the PSP's problems; the engine's own kinds are explained by their
        // text.
        if problem.kind == nil, advice.isKnown, let remark = ProblemWords(advice).remark {
            words.append(remark)
        }
        words.append(actor(problem.actor))
        if problem.origin != .session, problem.isRetryable {
            words.append("The engine can be told to try again (retry).")
        } else {
            words.append(newAttempt(advice.newAttempt))
        }
        return words.joined(separator: " ")
    }

    private static func actor(_ actor: Actor) -> String {
        switch actor {
        case .payer: "It is for the payer to do something."
        case .merchant: "It is for the merchant to do something."
        case .psp: "It is for the PSP to do something; waiting may help."
        }
    }

    private static func newAttempt(_ attempt: ProblemAdvice.NewAttempt) -> String {
        switch attempt {
        case .any: "Another try makes sense, in the same way or another one."
        case .other: "Another try makes sense only with another card or method."
        case .never: "Another try makes no sense."
        }
    }
}

extension Rel {
    /// The purpose of a request, to follow the words "the request".
    package var purpose: String {
        switch self {
        case .preparePayment: "to announce the payer's device"
        case .expandMethod: "to open the payment method"
        case .startPaymentAttempt: "to start the payment"
        case .createAuthentication: "to begin the bank's check (3-D Secure)"
        case .completeAuthentication: "to hand in the bank's answer (3-D Secure)"
        case .attemptPayload: "to hand in what the wallet gave"
        case .failPaymentAttempt: "to report that the payer cannot go on"
        case .customizePayment: "to change which methods are shown"
        case .acknowledgeFailedAttempt: "to say that the failed attempt was seen"
        case .abortPayment: "to give up the payment"
        case .session, .getPayment, .order, .root: "to see how the payment stands"
        case .consumers: "to let the payer check in"
        case .paymentOrders: "to create the order"
        case .setInstrument, .updateInstrument, .backendInstrument:
            "to choose the order's method"
        case .abortOrder, .updateAbort: "to give up the order"
        case .capture, .createCapture: "to take the authorised money"
        case .cancelOrder, .createCancel: "to release the authorised money"
        case .reversal, .createReversal: "to give the money back"
        default: "\"" + Screen.safe(rawValue) + "\""
        }
    }
}

extension Story.Cause {
    /// A description of a request's failure.
    package var words: String {
        if let status {
            switch status {
            case 500...: return "the PSP answered that it failed (HTTP \(status))"
            case 429: return "the PSP asked to slow down (HTTP 429)"
            case 409: return "the PSP said that this is not possible now (HTTP 409)"
            default: return "the PSP answered with HTTP \(status)"
            }
        }
        let reason = " (\(Screen.safe(code)))"
        switch reach {
        case .notSent where code == "http.refused-url":
            return "this installation does not let that address be called" + reason
        case .notSent: return "the PSP could not be reached" + reason
        case .maybeSent where code == "http.timeout":
            return "no answer came within \(duration.spoken)" + reason
        case .maybeSent: return "the connection ended before an answer had come" + reason
        case .answered: return "the answer could not be used" + reason
        }
    }
}
