/// The operations of a merchant on an order.
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

    /// The name under which an order of a version offers it; `nil` when it never does.
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

    /// The changes that a `PATCH` of the order can request.
    static let changes = allCases.filter { $0.wireOperation != nil }
}

/// A merchant's request that concerns one order.
enum MerchantRequest: Sendable, Equatable {
    /// Creates an order; the response expands some of its parts.
    case create(SandboxOrder, expanding: Set<OrderPart>)
    /// Reads the order and expands some of its parts.
    case read(expanding: Set<OrderPart>)
    /// Reads one part.
    case readPart(OrderPart)
    /// Changes the order; `nil` when the body names no known change.
    case change(MerchantRel?)
    /// Captures, cancels or reverses.
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
