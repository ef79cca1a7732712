/// What a merchant may ask of an order.
///
/// - Note: Source: payment order API, operations; the first name is the newer generation's.
enum MerchantRel: String, Sendable, Hashable, CaseIterable {
    case create = "paymentorders"
    case read = "order"
    case updateOrder = "update-order"
    case abort
    case abortPaymentAttempt = "abort-paymentattempt"
    case setInstrument = "set-instrument"
    case expandInstrument = "expand-instrument"
    case capture
    case cancel
    case reversal

    /// The name under which an order of a version offers it; nil when it never does.
    func name(in version: APIVersion) -> String? {
        let isTwo = version == .v2
        switch self {
        case .create, .read: return nil
        case .updateOrder: return isTwo ? "update-paymentorder-updateorder" : rawValue
        case .abort: return isTwo ? "update-paymentorder-abort" : rawValue
        case .abortPaymentAttempt: return isTwo ? nil : rawValue
        case .setInstrument: return isTwo ? "update-paymentorder-setinstrument" : rawValue
        case .expandInstrument: return isTwo ? "update-paymentorder-expandinstrument" : nil
        case .capture, .cancel, .reversal:
            return isTwo ? "create-paymentorder-\(rawValue)" : rawValue
        }
    }

    /// The value of `operation` in the body of a change.
    var wireOperation: String? {
        switch self {
        case .updateOrder: "UpdateOrder"
        case .abort: "Abort"
        case .abortPaymentAttempt: "PaymentAttemptAborted"
        case .setInstrument: "SetInstrument"
        case .expandInstrument: "ExpandInstrument"
        case .create, .read, .capture, .cancel, .reversal: nil
        }
    }

    /// The changes that a `PATCH` of the order can ask for.
    static let changes = allCases.filter { $0.wireOperation != nil }
}

/// A call of a merchant that concerns one order.
enum MerchantCall: Sendable, Equatable {
    /// Creating an order, answered with some of its parts.
    case create(SandboxOrder, expanding: Set<OrderPart>)
    /// Reading the order with some of its parts.
    case read(expanding: Set<OrderPart>)
    /// Reading one part.
    case readPart(OrderPart)
    /// Changing the order; nil when the body names no change that there is.
    case change(MerchantRel?)
    /// Capturing, cancelling or giving back.
    case transact(TransactionKind)

    /// The operation's name, for faults and the ledger.
    var rel: MerchantRel {
        switch self {
        case .create: .create
        case .read, .readPart: .read
        case .change(let rel): rel ?? .read
        case .transact(.capture): .capture
        case .transact(.cancellation): .cancel
        case .transact(.reversal): .reversal
        }
    }
}
