internal import EventLog
package import SwedbankPay

/// The short texts of problems. Those of the PSP are recorded; the engine's own are made here, from
/// the kind, the code, the subject and the request.
extension Problem {
    /// A short text; `nil` when nothing is known but the type.
    package func title(disclosing disclosure: Disclosure) -> String? {
        disclosure.text(title) ?? ownTitle
    }

    /// The explanation, or the code of a failed request; `nil` when there is neither.
    package func detail(disclosing disclosure: Disclosure) -> String? {
        disclosure.text(detail) ?? ownDetail
    }

    private var cause: ProblemCause? { code.flatMap(ProblemCause.init) }

    private var ownTitle: String? {
        if let words = cause.flatMap({ words(of: $0) }) { return words }
        return switch kind {
        case .requestFailed: failureWords
        case .inconsistency: "The PSP's responses contradict each other"
        case .endReached: "The session can't be continued"
        case .threeDSLoadFailed: "The bank's page could not be shown"
        case .abortNotAllowed: "The PSP refused to abort the payment"
        case .configurationFailed:
            "A link from the merchant backend leads to a domain that is not allowed"
        case .appLaunchFailed: "The payment app could not be opened"
        case .methodNotAvailable: failureWords
        case .challengeClosed: "The payer closed the bank's page"
        case .walletFailed: "The wallet could not be used"
        case .menuFailed: "The payment page failed or could not be shown"
        case .deadlineExceeded:
            self.actor == .payer
                ? "The payer did not finish in time" : "The PSP did not report the outcome in time"
        case .checkInFailed: "The check-in failed or could not be shown"
        case .orderMismatch: "The order was paid with another amount or currency than ordered"
        case .notConfirmed:
            rel == .paymentOrders
                ? "The PSP accepted the charge, but the order shows neither a payment nor a failure"
                : "The payer finished, but the payment order is not paid"
        case .paymentWithdrawn: "The PSP no longer reports the payment as paid"
        case nil: nil
        }
    }

    private var failureWords: String {
        let rel = rel?.rawValue ?? "the PSP"
        return switch code {
        case "engine.secret-missing": "The address of \(rel) can't be opened"
        case "session.secret-missing": "A value that \(rel) sends can't be opened"
        case Contradiction.payment.rawValue: "The response to \(rel) is about another payment"
        case Contradiction.currency.rawValue:
            "The response to \(rel) names another currency than this payment's"
        default: "The request \(rel) failed"
        }
    }

    private func words(of cause: ProblemCause) -> String {
        switch cause {
        case .unusableResponses: "The PSP's responses can't be read"
        case .unacknowledged: "The PSP still expects an acknowledgement of the failed attempt"
        case .chargedBefore: "An earlier charge got no response and may have succeeded"
        case .heldBack: "The request \(rel?.rawValue ?? "") waits for somebody to retry it"
        case .tooManyActions: "The PSP keeps requesting client actions"
        case .requestedAgain: "\(about) is requested again and again"
        case .noAddress: "\(about) has no address"
        case .unknownMethod: "\(about) has an unknown HTTP method"
        case .noNotificationURL: "create-authentication lacks NotificationUrl"
        case .noChallengeAddress: "The challenge has no address"
        case .closedAppAddress: "The app's address can't be opened"
        case .noPage: "The session offers no payment page"
        case .notShown: "\(subject ?? "All methods") can't be shown in this session"
        case .notOffered: "The payment method chosen in advance is not offered"
        case .notUsable: "\(about) can't be used in this session"
        case .noStart: "\(about) offers no operation that starts an attempt"
        case .fixedMethod: "The order's payment method can't be changed"
        case .noAbort:
            rel == .abortPayment
                ? "The payment can't be aborted now" : "The order can't be aborted now"
        case .abortWithoutEnd: "The PSP accepted the abort but did not end the payment"
        case .mayBeCharged: "The charge may have been made, so it can't be aborted"
        case .missingURL: "The payment order lacks \(about)"
        case .missingLink: "The merchant backend offers no link to \(about)"
        case .unknownRedirect: "The session redirects the payer to an unknown address"
        case .noOperation: "The session offers no operation that continues the payment"
        case .paidAfterTheEnd:
            rel == .session
                ? "The payment was made after the session had ended unpaid"
                : "The order was paid after the checkout had ended unpaid"
        case .walletClosed: "The payer closed the wallet"
        }
    }

    private var about: String { subject ?? "A part" }

    private var ownDetail: String? {
        switch (kind, cause) {
        case (_, .chargedBefore?):
            "Find the order with this reference at the PSP; do not charge again."
        case (_, .paidAfterTheEnd?): "Deliver the order, or refund the payment."
        case (_, .missingURL?): "Create the order with a \(about)."
        case (_, .missingLink?): "Check what the merchant backend returns for new orders."
        case (.requestFailed?, _), (.configurationFailed?, _): code
        case (.endReached?, _):
            "Read the payment order's status before telling the payer anything."
        case (.orderMismatch?, _): "Compare the payment order with the order that was sent."
        case (.notConfirmed?, _):
            rel == .paymentOrders
                ? "Do not charge again until the order shows whether the charge succeeded."
                : "Do not deliver until the payment order shows that it is paid."
        case (.paymentWithdrawn?, _): subject.map { "The PSP's newest response: \($0)." }
        default: nil
        }
    }
}
