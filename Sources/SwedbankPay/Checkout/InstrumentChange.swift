/// The change of the method that an order is locked to.
enum InstrumentChange: Hashable, Sendable {
    /// The order is locked to the method that the payer chose, or to none.
    case none
    /// The payer chose a method; no request for it is in flight.
    case wanted(PaymentMethodName)
    /// A request for a method is in flight, and the payer may have chosen another one since.
    case sent(PaymentMethodName, newer: PaymentMethodName?)

    /// The method that the payer chose, while the order is not locked to it yet.
    var wanted: PaymentMethodName? {
        switch self {
        case .none: nil
        case .wanted(let name): name
        case .sent(let name, let newer): newer ?? name
        }
    }

    /// The method that the request in flight names.
    var requested: PaymentMethodName? { if case .sent(let name, _) = self { name } else { nil } }

    /// Records the payer's choice.
    mutating func choose(_ name: PaymentMethodName) {
        switch self {
        case .none, .wanted: self = .wanted(name)
        case .sent(let sent, _): self = .sent(sent, newer: name == sent ? nil : name)
        }
    }

    /// Records the start of the request.
    mutating func start() {
        if case .wanted(let name) = self { self = .sent(name, newer: nil) }
    }

    /// Records the end of the request; a newer choice remains, and so does the choice itself when
    /// the request is to be sent again.
    mutating func finish(isRepeated: Bool = false) {
        guard case .sent(let sent, let newer) = self else { return }
        let next = newer ?? (isRepeated ? sent : nil)
        self = next.map { .wanted($0) } ?? .none
    }
}
