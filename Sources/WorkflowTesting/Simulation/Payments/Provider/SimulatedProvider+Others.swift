import EventLog
public import SwedbankPay

/// An action of another party: another device, the merchant's staff, the PSP itself.
public enum OtherActor: Hashable, Sendable {
    /// Another device starts to pay with a method.
    case begins(PaymentMethodName)
    /// The payment in progress is approved, or declined.
    case finishes(pays: Bool)
    /// The staff abort the order.
    case aborts
    /// The staff change the amount before anything is paid.
    case changesAmount
    /// The staff capture, cancel or reverse, or the method itself reverses.
    case transacts(TransactionKind, thousandths: Int64)
    /// A bank performs or refuses the transaction that the PSP accepted.
    case settles(performs: Bool)
    /// The PSP changes its mind: it shows the paid order in another way.
    case changesMind(SimulatedProvider.Checkout.Mood)
}

extension SimulatedProvider {
    /// Applies another party's action to a session's payment, if the PSP allows it.
    ///
    /// - Returns: Whether anything changed.
    mutating func act(_ actor: OtherActor, on session: SessionID) -> Bool {
        if checkouts[session] != nil { return checkouts[session]?.act(actor) ?? false }
        return orders[session]?.act(actor) ?? false
    }
}

extension SimulatedProvider.Order {
    fileprivate mutating func act(_ actor: OtherActor) -> Bool {
        switch (actor, stage) {
        case (.begins(let method), .prepared), (.begins(let method), .expanded):
            stage = method == .creditCard ? .authenticating : .started(method)
            polls = 0
        case (.finishes(let pays), .started), (.finishes(let pays), .authenticating),
            (.finishes(let pays), .challenged):
            if pays { pay() } else { decline() }
        case (.aborts, .prepared), (.aborts, .expanded): stage = .aborted
        default: return false
        }
        return true
    }
}

extension SimulatedProvider.Checkout {
    fileprivate mutating func act(_ actor: OtherActor) -> Bool {
        switch (actor, stage) {
        case (.finishes(let pays), .open) where isCharge: finishCharge(pays: pays)
        case (.finishes(pays: true), .open):
            stage = .paid
            payments += 1
        case (.aborts, .open) where !isCharge: stage = .aborted
        case (.changesAmount, .open) where !isCharge: paidAmount += 2_500
        case (.transacts(let kind, let part), .paid):
            let left = left(for: kind)
            guard left > 0, pending == nil else { return false }
            let amount = max(1, Amount(left.minorUnits * part / 1000))
            transactions.append(
                Transaction(
                    kind: kind,
                    reference: "PORTAL\(transactions.count)",
                    amount: amount
                )
            )
        case (.settles(let performs), .paid): return settle(performs: performs)
        case (.changesMind(let newest), .paid):
            guard newest != mood else { return false }
            mood = newest
        default: return false
        }
        return true
    }
}
