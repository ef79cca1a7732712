public import EventLog
internal import SwedbankPay

/// What the PSP's own books say of one payment: the oracle that what is told of money is compared with.
public struct SimulatedBooks: Hashable, Sendable {
    /// What was authorised or paid, in minor units; 0 while nothing was.
    public var paid: Int64 = 0
    /// What is left of it: less what was released and given back.
    public var net: Int64 = 0
    /// Whether an attempt is under way, whoever began it.
    public var isRunning = false
    /// Whether nothing can be paid any more.
    public var isOver = false

    /// Whether money was taken.
    public var isTaken: Bool { paid > 0 }
}

extension SimulatedProvider {
    /// What the books say of a session's payment now.
    public func books(of session: SessionID) -> SimulatedBooks {
        if let checkout = checkouts[session] { return checkout.books }
        return orders[session]?.books ?? SimulatedBooks()
    }
}

extension SimulatedProvider.Order {
    /// How much each native session is for.
    static let amount: Int64 = 10_000

    var books: SimulatedBooks {
        var books = SimulatedBooks()
        books.paid = Int64(payments) * Self.amount
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
        books.isOver = stage == .paid || stage == .aborted
        guard payments > 0 else { return books }
        books.paid = paidAmount
        books.net = paidAmount - sum(of: .reversal)
        if transactions.contains(where: { $0.kind == .cancel }) {
            books.net -= paidAmount - sum(of: .capture)
        }
        return books
    }
}

extension OperationCall {
    /// Whether it may take money when it reaches the PSP.
    var mayTakeMoney: Bool { rel == .startPaymentAttempt || isMidway }

    /// Whether it carries on an attempt that is under way.
    var isMidway: Bool {
        rel == .createAuthentication || rel == .completeAuthentication || rel == .attemptPayload
    }
}
