public import EventLog
public import SwedbankPay

/// The PSP's own books for one payment: the oracle with which statements about money are compared.
public struct SimulatedBooks: Hashable, Sendable {
    /// The authorized or paid amount in minor units; 0 before the payment.
    public var paid: Amount = 0
    /// The remaining amount: less what was canceled and reversed.
    public var net: Amount = 0
    /// Whether an attempt is under way, whoever started it.
    public var isRunning = false
    /// Whether a payment is no longer possible.
    public var isOver = false
    /// Whether the view contradicts itself, or has a transaction of an unknown type: nobody can say
    /// what is paid.
    public var isUnclear = false
    /// The transaction that was accepted, and is performed or refused later.
    public var pending: SimulatedProvider.Checkout.Transaction?

    /// Whether money was taken.
    public var isTaken: Bool { paid > 0 }
}

extension SimulatedProvider {
    /// The current books of a session's payment.
    public func books(of session: SessionID) -> SimulatedBooks {
        if let checkout = checkouts[session] { return checkout.books }
        return orders[session]?.books ?? SimulatedBooks()
    }
}

extension SimulatedProvider.Order {
    /// The amount of each native session.
    static let amount: Amount = 10_000

    var books: SimulatedBooks {
        var books = SimulatedBooks()
        books.paid = Amount(Int64(payments) * Self.amount.minorUnits)
        books.net = books.paid
        switch stage {
        case .started, .authenticating, .challenged: books.isRunning = true
        case .paid, .aborted: books.isOver = true
        case .created, .prepared, .expanded, .problem: break
        }
        return books
    }
}

extension SimulatedProvider.Checkout {
    var books: SimulatedBooks {
        var books = SimulatedBooks()
        books.isOver = stage == .paid || stage == .aborted || stage == .declined
        books.isRunning = isCharge && stage == .open
        books.pending = pending
        books.isUnclear = mood == .contradictory || mood == .unknownType
        guard payments > 0, mood != .takesBack else { return books }
        books.paid = paidAmount
        books.net = paidAmount - sum(of: .reversal) - sum(of: .cancel)
        // An order that failed, and of which nothing is left, says one thing.
        if mood == .contradictory, books.net == 0 { (books.paid, books.isUnclear) = (0, false) }
        return books
    }
}

extension OperationRequest {
    /// Whether it may take money when it reaches the PSP.
    var mayTakeMoney: Bool { rel == .startPaymentAttempt || isMidway }

    /// Whether it continues an attempt that is under way.
    var isMidway: Bool {
        rel == .createAuthentication || rel == .completeAuthentication || rel == .attemptPayload
    }
}
