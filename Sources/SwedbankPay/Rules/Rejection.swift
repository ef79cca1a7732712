public import Workflow

/// Why a command or report was rejected: nothing was changed.
@nonexhaustive
public enum Rejection: WorkflowRejection {
    /// A session with this identifier already exists.
    case alreadyOpen
    /// The session was never opened.
    case notOpen
    /// The session has ended.
    case sessionEnded(Outcome)
    /// The methods are not known yet.
    case stillOpening
    /// Another attempt is in progress.
    case attemptRunning(number: Int, Instrument)
    /// The session does not offer the method.
    case methodNotOffered(Instrument, offered: [Instrument])
    /// The session offers no saved card of that rank.
    case prefillNotOffered(rank: Int, offered: [Int])
    /// The saved card at that rank differs from the one in the list that the client saw.
    case prefillChanged(rank: Int)
    /// The session does not offer the requested saved card.
    case cardNotOffered
    /// Several saved cards match the requested one.
    case cardAmbiguous(ranks: [Int])
    /// The PSP's page can show only methods that the session offers.
    case menuMethodNotOffered(offered: [PaymentMethodName])
    /// The payer finished on the PSP's page, and the PSP has not reported the result yet.
    case menuResultAwaited
    /// The session never requested such an action.
    case unknownAction(ActionID)
    /// The action already has a different report.
    case actionAlreadyReported(ActionID)
    /// The action is no longer needed.
    case actionWithdrawn(ActionID)
    /// The action can't have this outcome.
    case outcomeNotPossible(ActionID, allowed: [String])
    /// The address is not the session's payment URL.
    case notThisPaymentURL
    /// There is no failed request to retry.
    case nothingToRetry
    /// Work is still in progress: no request has failed permanently.
    case stillGoing
    /// An operator's decision against the usual course requires a reason.
    case reasonMissing
    /// The money's standing is not unknown, so an operator can't resolve it.
    case nothingUnknown
    /// An operator's statement that can't be recorded.
    case malformedStatement(OperatorActed.Flaw)
    /// The session pays natively and is not a checkout.
    case notACheckout
    /// The checkout is paid on the PSP's page and is not a native session.
    case notANativeSession
    /// The PSP's callback does not concern this session's order.
    case foreignCallback
    /// The order is not locked to one method.
    case notInInstrumentMode
    /// The order is at another host than the one that the session's order was created at.
    case foreignOrder
    /// The purpose of the order is not supported; its name.
    case purposeNotSupported(String)
    /// The order is known, or none was created, so there is none to adopt.
    case orderNotLost
    /// Only a service that holds the access token can capture, cancel or reverse.
    case transactionsNotPossible
    /// The order is not paid.
    case orderNotPaid
    /// Another capture, cancellation or reversal has not ended.
    case transactionRunning(TransactionKind)
    /// The order has a transaction that this engine requested and the log lacks, and no person has
    /// recorded what happened.
    case transactionLost
    /// The merchant's reference was already used for something else.
    case referenceUsed
    /// A capture, cancellation or reversal that the PSP would refuse; the invalid members.
    case malformedTransaction([FieldProblem])
    /// The amount is in another currency than the order; the order's currency.
    case currencyDiffers(ordered: String)
    /// The amount exceeds what is left to capture or reverse, in minor units.
    case amountTooLarge(remaining: Amount, currency: String?)
    /// The PSP refused the last transactions of that kind, and their number; another one has to be
    /// requested with ``NewTransaction/again``.
    case refusedInARow(TransactionKind, Int)
    /// A limit of the session was reached; its name.
    case limitReached(String)

    /// The rejection's code, for example `session.attempt-running`.
    public var code: String {
        switch self {
        case .alreadyOpen: "session.already-open"
        case .notOpen: "session.not-open"
        case .sessionEnded: "session.ended"
        case .stillOpening: "session.still-opening"
        case .attemptRunning: "session.attempt-running"
        case .methodNotOffered: "session.method-not-offered"
        case .prefillNotOffered: "session.prefill-not-offered"
        case .prefillChanged: "session.prefill-changed"
        case .cardNotOffered: "session.card-not-offered"
        case .cardAmbiguous: "session.card-ambiguous"
        case .menuMethodNotOffered: "session.menu-method-not-offered"
        case .menuResultAwaited: "session.menu-result-awaited"
        case .unknownAction: "session.unknown-action"
        case .actionAlreadyReported: "session.action-answered"
        case .actionWithdrawn: "session.action-withdrawn"
        case .outcomeNotPossible: "session.outcome-not-possible"
        case .notThisPaymentURL: "session.not-this-payment-url"
        case .nothingToRetry: "session.nothing-to-retry"
        case .stillGoing: "session.still-going"
        case .reasonMissing: "session.reason-missing"
        case .nothingUnknown: "session.nothing-unknown"
        case .malformedStatement: "session.malformed-statement"
        case .notACheckout: "session.not-a-checkout"
        case .notANativeSession: "session.not-a-native-session"
        case .foreignCallback: "order.foreign-callback"
        case .notInInstrumentMode: "order.not-in-instrument-mode"
        case .foreignOrder: "order.foreign"
        case .purposeNotSupported: "order.purpose-not-supported"
        case .orderNotLost: "order.not-lost"
        case .transactionsNotPossible: "order.transactions-not-possible"
        case .orderNotPaid: "order.not-paid"
        case .transactionRunning: "order.transaction-running"
        case .transactionLost: "order.transaction-lost"
        case .referenceUsed: "order.reference-used"
        case .malformedTransaction: "order.malformed-transaction"
        case .currencyDiffers: "order.currency-differs"
        case .amountTooLarge: "order.amount-too-large"
        case .refusedInARow: "order.refused-in-a-row"
        case .limitReached: "session.limit-reached"
        }
    }
}

extension Rejection {
    /// The rejected command and the reason, without personal data.
    public var description: String {
        switch self {
        case .alreadyOpen: "the session is already open"
        case .notOpen: "the session was not opened"
        case .sessionEnded(let outcome): "the session has ended: \(outcome.rawValue)"
        case .stillOpening: "the payment methods are not known yet"
        case .attemptRunning(let number, let instrument):
            "attempt \(number) (\(instrument.rawValue)) is still in progress"
        case .methodNotOffered(let instrument, let offered):
            "\(instrument.rawValue) is not offered; offered: "
                + (offered.isEmpty ? "nothing" : offered.map(\.rawValue).joined(separator: ", "))
        case .prefillNotOffered(let rank, let offered):
            "no saved card has the rank \(rank); offered: "
                + (offered.isEmpty ? "none" : offered.map(String.init).joined(separator: ", "))
        case .prefillChanged(let rank):
            "the saved card of rank \(rank) is not the one that was shown before"
        case .cardNotOffered: "the requested saved card is not offered"
        case .cardAmbiguous(let ranks):
            "several saved cards match: ranks "
                + ranks.map(String.init).joined(separator: ", ")
        case .menuMethodNotOffered(let offered):
            "the page can show only the offered methods: "
                + (offered.isEmpty ? "nothing" : offered.map(\.rawValue).joined(separator: ", "))
        case .menuResultAwaited:
            "the payer finished on the payment page, and the PSP has not reported the result yet"
        case .unknownAction(let action): "there is no action \(action.rawValue)"
        case .actionAlreadyReported(let action):
            "action \(action.rawValue) was already reported with another result"
        case .actionWithdrawn(let action): "action \(action.rawValue) is no longer needed"
        case .outcomeNotPossible(let action, let allowed):
            "action \(action.rawValue) does not accept this result; possible: "
                + allowed.joined(separator: ", ")
        case .notThisPaymentURL: "the URL is not this session's payment URL"
        case .nothingToRetry: "there is nothing to retry"
        case .reasonMissing: "a reason is required"
        case .stillGoing: "the session is still in progress, and nothing has failed permanently"
        case .nothingUnknown: "there is no unknown outcome to resolve"
        case .malformedStatement(let flaw): flaw.description
        case .notACheckout: "the session is not a checkout"
        case .notANativeSession:
            "the checkout is paid on the PSP's page; hand it over to a native session first"
        case .foreignCallback: "the callback is not about this session's order"
        case .notInInstrumentMode: "the order is not in instrument mode"
        case .foreignOrder: "the order is at another host than the session's"
        case .purposeNotSupported: "orders of this purpose are not supported"
        case .orderNotLost:
            "the session has not lost its order: a response showed it, or none was created"
        case .transactionsNotPossible:
            "captures, cancellations and reversals are made by the merchant backend, not by the engine"
        case .orderNotPaid: "the order is not paid"
        case .transactionRunning(let kind): "another \(kind.rawValue) is still in progress"
        case .transactionLost:
            "the order has a transaction that this engine requested, and the session's log does not "
                + "contain it"
        case .referenceUsed: "the reference was already used for another transaction"
        case .malformedTransaction(let problems):
            "the transaction is not valid: "
                + problems.map(\.description).joined(separator: "; ")
        case .currencyDiffers(let ordered):
            "the order is in \(ordered), and the amount is in another currency"
        case .amountTooLarge(let remaining, let currency):
            "only \(MinorUnits.words(remaining, of: currency)) is left for this transaction"
        case .refusedInARow(let kind, let count): kind.warning(after: count)
        case .limitReached(let name): "the limit \(name) was reached"
        }
    }
}
