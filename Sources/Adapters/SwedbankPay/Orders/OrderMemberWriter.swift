internal import SwedbankPay

/// Collects the members of one object of an order.
struct OrderMemberWriter {
    private var members: [String: ProviderJSON]

    /// Begins with the members that the model does not know; a known one of the same name takes their place.
    init(_ others: [String: FreeFormValue]) { members = others.mapValues(\.json) }

    var json: ProviderJSON { .object(members) }

    mutating func remove(_ name: String) { members[name] = nil }

    mutating func set(_ name: String, _ value: ProviderJSON?) {
        if let value { members[name] = value }
    }

    mutating func set(_ name: String, _ value: String?) { set(name, value.map { .string($0) }) }

    mutating func set(_ name: String, _ value: Int64?) { set(name, value.map { .integer($0) }) }

    mutating func set(_ name: String, _ value: Bool?) { set(name, value.map { .bool($0) }) }

    mutating func set(_ name: String, _ value: [String]?) {
        set(name, value.map { .array($0.map { .string($0) }) })
    }

    mutating func set(_ name: String, _ value: Quantity) {
        let (whole, rest) = value.tenThousandths.quotientAndRemainder(dividingBy: 10_000)
        // The nearest floating-point number; its shortest form has the same decimals.
        set(name, rest == 0 ? .integer(whole) : .number(Double(value.tenThousandths) / 10_000))
    }
}
