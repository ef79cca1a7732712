/// The members of a response by which a client can recognize the order.
public enum ForeignMember: String, Sendable, Hashable, CaseIterable {
    /// The `id` of the session's order, or of the order.
    case id
    /// The session's address for payers who have paid, also as the target of its redirect.
    case completeURL = "completeUrl"
    /// The PSP's `number` of the order.
    case number
    /// The merchant's reference in the part `paid`.
    case payeeReference
    /// The merchant's order number in the part `paid`.
    case orderReference
}

extension JSON {
    /// The document with some of its members replaced by another order's.
    func naming(another members: Set<ForeignMember>) -> JSON {
        var document = self
        func set(_ path: [Substring], to value: JSON) {
            guard document.value(at: path.joined(separator: ".")) != nil else { return }
            document = document.replacing(path, by: value)
        }
        if members.contains(.id) {
            let another: JSON = "/psp/paymentorders/00000000-0000-4000-8000-000000000000"
            set(["paymentSession", "id"], to: another)
            set(["paymentOrder", "id"], to: another)
        }
        if members.contains(.completeURL) {
            let own = document.value(at: "paymentSession.urls.completeUrl")
            let another: JSON = "https://another-shop.example/complete"
            set(["paymentSession", "urls", "completeUrl"], to: another)
            if case .array(let operations)? = document["operations"], let own {
                for index in operations.indices where operations[index]["href"] == own {
                    set(["operations", "\(index)", "href"], to: another)
                }
            }
        }
        if members.contains(.number) { set(["paymentOrder", "number"], to: 40_999_999_999) }
        for (member, name) in [
            (ForeignMember.payeeReference, "payeeReference" as Substring),
            (.orderReference, "orderReference"),
        ] where members.contains(member) {
            set(["paymentOrder", "paid", name], to: "another-order")
            set(["paid", name], to: "another-order")
        }
        return document
    }

    /// The document with another value at a path of member names and array indices; missing members
    /// are created.
    func replacing(_ path: some Collection<Substring>, by value: JSON) -> JSON {
        guard let step = path.first else { return value }
        let rest = path.dropFirst()
        switch self {
        case .array(var elements):
            guard let index = Int(step), elements.indices.contains(index) else { return self }
            elements[index] = elements[index].replacing(rest, by: value)
            return .array(elements)
        case .object(var members):
            members[String(step)] = (members[String(step)] ?? [:]).replacing(rest, by: value)
            return .object(members)
        case .null, .bool, .integer, .number, .string: return self
        }
    }
}
