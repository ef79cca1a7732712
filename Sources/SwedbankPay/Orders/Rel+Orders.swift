/// Operations of payment orders, with the names of both generations.
///
/// - Note: Source: payment order API, payment order operations; merchant backend API, endpoints.
extension Rel {
    /// Not an operation of the PSP: reading a merchant backend's root document.
    public static let root = Rel(rawValue: "root")
    /// Not an operation: beginning a check-in.
    public static let consumers = Rel(rawValue: "consumers")
    /// Not an operation: creating a payment order.
    public static let paymentOrders = Rel(rawValue: "paymentorders")
    /// Not an operation: reading a payment order.
    public static let order = Rel(rawValue: "order")
    /// The check-in's script.
    public static let viewConsumer = Rel(rawValue: "view-consumer-identification")
    /// The script of the hosted checkout.
    public static let viewCheckout = Rel(rawValue: "view-checkout")
    /// The script of the earlier generation's payment menu.
    public static let viewPaymentOrder = Rel(rawValue: "view-paymentorder")
    /// The address of the order's payment session: a bearer capability.
    public static let viewPaymentSession = Rel(rawValue: "view-paymentsession")
    /// Locks the order to another method.
    public static let setInstrument = Rel(rawValue: "set-instrument")
    /// The earlier generation's name for locking the order to another method.
    public static let updateInstrument = Rel(rawValue: "update-paymentorder-setinstrument")
    /// A merchant backend's own link for locking the order to another method.
    public static let backendInstrument = Rel(rawValue: "mobilesdk-set-instrument")
    /// Aborts the order.
    public static let abortOrder = Rel(rawValue: "abort")
    /// The earlier generation's name for aborting the order.
    public static let updateAbort = Rel(rawValue: "update-paymentorder-abort")
    /// Aborts an attempt that is in progress; the order stays open.
    static let abortAttempt = Rel(rawValue: "abort-paymentattempt")
    /// Captures authorized money.
    public static let capture = Rel(rawValue: "capture")
    /// The earlier generation's name for a capture.
    public static let createCapture = Rel(rawValue: "create-paymentorder-capture")
    /// Releases authorized money.
    public static let cancelOrder = Rel(rawValue: "cancel")
    /// The earlier generation's name for a cancellation.
    public static let createCancel = Rel(rawValue: "create-paymentorder-cancel")
    /// Pays money back.
    public static let reversal = Rel(rawValue: "reversal")
    /// The earlier generation's name for a reversal.
    public static let createReversal = Rel(rawValue: "create-paymentorder-reversal")

    /// Whether the operation changes an order's money.
    var isTransaction: Bool { Self.transactions.contains(self) }

    private static let transactions = TransactionKind.allCases.flatMap(names(of:))

    /// The names of operations that change an order's money.
    static func names(of kind: TransactionKind) -> [Rel] {
        switch kind {
        case .capture: [.capture, .createCapture]
        case .cancel: [.cancelOrder, .createCancel]
        case .reversal: [.reversal, .createReversal]
        }
    }
}
