internal import EventLog
internal import SwedbankPay

/// An object of a response; members that do not have the expected form count as absent.
struct ResponseObject {
    let members: [String: ForeignJSON]
    /// The parsing limits.
    let limits: ResponseLimits

    /// Wraps an object; `nil` when the value is not an object.
    init?(_ json: ForeignJSON?, limits: ResponseLimits) {
        guard let members = json?.object else { return nil }
        self.members = members
        self.limits = limits
    }

    /// Parses a body that consists of an object.
    init(parsing body: [UInt8], limits: ResponseLimits) throws(SnapshotRefusal) {
        let json = try ForeignJSON(response: body, limits)
        guard let object = ResponseObject(json, limits: limits) else { throw .notJSON }
        self = object
    }

    /// A non-empty text within the length limit.
    func text(_ name: String) -> String? {
        guard let text = members[name]?.string, !text.isEmpty,
            text.utf8.count <= limits.textBytes
        else { return nil }
        return text
    }

    /// A whole number that an event can contain, also when written as text.
    func number(_ name: String) -> Int64? {
        members[name].flatMap { json in
            json.string.map { Int64($0).flatMap { ForeignJSON.integer($0).recordable } }
                ?? json.recordable
        }
    }

    /// A number of minor units.
    ///
    /// - Throws: ``SnapshotRefusal/number`` for a number that is not whole, or that an event cannot
    ///   contain: without it, the order would be shown with another amount.
    func amount(_ name: String) throws(SnapshotRefusal) -> Amount? {
        if let number = number(name) { return Amount(number) }
        switch members[name] {
        case .integer, .number: throw .number
        case .string(let text): if Double(text) != nil { throw .number }
        case .null, .bool, .array, .object, nil: break
        }
        return nil
    }

    /// A Boolean.
    func truth(_ name: String) -> Bool? { members[name]?.lenientBool }

    /// A nested object.
    func object(_ name: String) -> ResponseObject? { ResponseObject(members[name], limits: limits) }

    /// The objects of a list.
    ///
    /// - Throws: When there are more than the limit of that name.
    func objects(
        _ name: String,
        limit: Int,
        called limitName: String
    ) throws(SnapshotRefusal) -> [ResponseObject] {
        try list(name, limit: limit, called: limitName).compactMap {
            ResponseObject($0, limits: limits)
        }
    }

    /// The texts of a list.
    func texts(_ name: String) throws(SnapshotRefusal) -> [String] {
        try list(name, limit: limits.elements, called: name).compactMap {
            $0.string.flatMap { $0.utf8.count <= limits.textBytes ? $0 : nil }
        }
    }

    private func list(
        _ name: String,
        limit: Int,
        called limitName: String
    ) throws(SnapshotRefusal) -> [ForeignJSON] {
        let list = members[name]?.array ?? []
        guard list.count <= limit else { throw .tooMany(limitName) }
        return list
    }
}
