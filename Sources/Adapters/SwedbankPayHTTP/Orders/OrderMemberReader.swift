internal import EventLog
internal import SwedbankPay

/// Reads the members of one object of an order, and tracks which ones it has not read.
struct OrderMemberReader {
    private var rest: [String: ForeignJSON]
    private let path: String
    private let limit: Int
    /// The problems found so far.
    private(set) var problems: [FieldProblem] = []

    /// Creates a reader for the members of an object.
    ///
    /// - Parameters:
    ///   - members: The members.
    ///   - path: Where the object is in the document; empty for the outermost.
    ///   - limit: The maximum number of problems to report.
    init(_ members: [String: ForeignJSON], path: String, limit: Int) {
        rest = members
        self.path = path
        self.limit = limit
    }

    /// Reads a whole number.
    mutating func integer(_ name: String, _ advice: String) -> Int64? {
        read(name, advice) { value in
            guard case .integer(let integer) = value else { return nil }
            return integer
        }
    }

    mutating func object<Value>(
        _ name: String,
        _ body: (inout OrderMemberReader) -> Value
    ) -> Value? {
        guard let members = read(name, "must be an object", { $0.object }) else { return nil }
        return nested(members, at: place(name), body)
    }

    mutating func objects<Value>(
        _ name: String,
        _ body: (inout OrderMemberReader) -> Value
    ) -> [Value]? {
        guard let elements = read(name, "must be a list of objects", { $0.array }) else {
            return nil
        }
        var values: [Value] = []
        for (index, element) in elements.enumerated() {
            let place = "\(place(name))[\(index)]"
            guard case .object(let members) = element else {
                refuse(at: place, "must be an object")
                continue
            }
            values.append(nested(members, at: place, body))
        }
        return values
    }

    /// Reads members that the merchant has defined.
    mutating func freeForm(_ name: String) -> [String: FreeFormValue]? {
        guard let members = read(name, "must be an object", { $0.object }) else { return nil }
        return freeForm(members, at: place(name))
    }

    /// The members that were not read.
    mutating func others() -> [String: FreeFormValue] {
        defer { rest = [:] }
        return freeForm(rest, at: path)
    }

    /// Records that a member is missing, unless it was present with a wrong type.
    mutating func missing<Value>(_ name: String, or placeholder: Value) -> Value {
        refuse(name, "is required")
        return placeholder
    }

    /// Removes a member and converts it; an explicit `null` counts as absent.
    mutating func read<Value>(
        _ name: String,
        _ advice: String,
        _ convert: (ForeignJSON) -> Value?
    ) -> Value? {
        guard let value = rest.removeValue(forKey: name), value != .null else { return nil }
        guard let result = convert(value) else {
            refuse(name, advice)
            return nil
        }
        return result
    }

    private mutating func nested<Value>(
        _ members: [String: ForeignJSON],
        at place: String,
        _ body: (inout OrderMemberReader) -> Value
    ) -> Value {
        var reader = OrderMemberReader(members, path: place, limit: limit)
        let value = body(&reader)
        for problem in reader.problems where problems.count < limit { problems.append(problem) }
        return value
    }

    /// Records what is wrong with a member, once for each member.
    mutating func refuse(_ name: String, _ advice: String) { refuse(at: place(name), advice) }

    private mutating func refuse(at place: String, _ advice: String) {
        guard problems.count < limit, !problems.contains(where: { $0.path == place }) else {
            return
        }
        problems.append(FieldProblem(place, advice))
    }

    private func place(_ name: String) -> String { path.isEmpty ? name : "\(path).\(name)" }

    private mutating func freeForm(
        _ members: [String: ForeignJSON],
        at place: String
    ) -> [String: FreeFormValue] {
        var values: [String: FreeFormValue] = [:]
        for name in members.keys.sorted() {
            guard let value = members[name] else { continue }
            guard let kept = FreeFormValue(value) else {
                // A name from the document is shown only when it is a plain name.
                let shown = OutsideTextScreen.isName(name) ? name : "(a member)"
                refuse(
                    at: place.isEmpty ? shown : "\(place).\(shown)",
                    "must not contain numbers that cannot be represented exactly; write them as strings"
                )
                continue
            }
            values[name] = kept
        }
        return values
    }
}
