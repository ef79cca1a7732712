internal import EventLog
internal import SwedbankPay

/// Reads the members of one object of an order, and remembers what it has not read.
struct OrderMemberReader {
    private var rest: [String: ProviderJSON]
    private let path: String
    private let limit: Int
    /// What was wrong so far.
    private(set) var problems: [FieldProblem] = []

    /// - Parameters:
    ///   - path: Where the object is in the document; empty for the outermost.
    ///   - limit: How many problems are told.
    init(_ members: [String: ProviderJSON], path: String, limit: Int) {
        rest = members
        self.path = path
        self.limit = limit
    }

    mutating func string(_ name: String) -> String? {
        read(name, "must be a text") { $0.string }
    }

    mutating func requiredString(_ name: String) -> String {
        string(name) ?? missing(name, or: "")
    }

    mutating func bool(_ name: String) -> Bool? {
        read(name, "must be true or false") { value in
            guard case .bool(let bool) = value else { return nil }
            return bool
        }
    }

    /// A number of minor units; one with decimals is refused even when they are zeros, since who writes
    /// `100.00` most likely means something else than 1.00.
    mutating func integer(
        _ name: String,
        _ advice: String = "must be a whole number of minor units, 10000 for 100.00"
    ) -> Int64? {
        read(name, advice) { value in
            guard case .integer(let integer) = value else { return nil }
            return integer
        }
    }

    mutating func requiredInteger(_ name: String) -> Int64 {
        integer(name) ?? missing(name, or: 0)
    }

    mutating func requiredPercentage(_ name: String) -> Int64 {
        integer(name, "must be a whole number, the percentage times 100: 2500 for 25 %")
            ?? missing(name, or: 0)
    }

    mutating func requiredQuantity(_ name: String) -> Quantity {
        let decimals = Quantity.decimals
        return read(name, "must be a number with up to \(decimals) decimals") { value in
            switch value {
            case .integer(let integer): Quantity(String(integer))
            case .number(let number): Quantity(Self.plain(number))
            case .null, .bool, .string, .array, .object: nil
            }
        } ?? missing(name, or: 1)
    }

    mutating func choice<Choice>(_ name: String, as: Choice.Type) -> Choice?
    where Choice: RawRepresentable & CaseIterable, Choice.RawValue == String {
        let words = Choice.allCases.map(\.rawValue).joined(separator: ", ")
        return read(name, "must be one of \(words)") { $0.string.flatMap(Choice.init(rawValue:)) }
    }

    mutating func requiredChoice<Choice>(_ name: String, or placeholder: Choice) -> Choice
    where Choice: RawRepresentable & CaseIterable, Choice.RawValue == String {
        choice(name, as: Choice.self) ?? missing(name, or: placeholder)
    }

    mutating func strings(_ name: String) -> [String]? {
        read(name, "must be a list of texts") { value in
            guard let elements = value.array else { return nil }
            let texts = elements.compactMap(\.string)
            return texts.count == elements.count ? texts : nil
        }
    }

    mutating func instruments(_ name: String) -> [PaymentMethodName]? {
        strings(name).map { $0.map(PaymentMethodName.init(rawValue:)) }
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

    /// Members of the merchant's own.
    mutating func freeForm(_ name: String) -> [String: FreeFormValue]? {
        guard let members = read(name, "must be an object", { $0.object }) else { return nil }
        return freeForm(members, at: place(name))
    }

    /// The members that nobody has read.
    mutating func others() -> [String: FreeFormValue] {
        defer { rest = [:] }
        return freeForm(rest, at: path)
    }

    /// Notes that a member is missing, unless it was there with a wrong type.
    mutating func missing<Value>(_ name: String, or placeholder: Value) -> Value {
        refuse(name, "is required")
        return placeholder
    }

    /// Takes a member out and converts it; an explicit `null` counts as absent.
    private mutating func read<Value>(
        _ name: String,
        _ advice: String,
        _ convert: (ProviderJSON) -> Value?
    ) -> Value? {
        guard let value = rest.removeValue(forKey: name), value != .null else { return nil }
        guard let result = convert(value) else {
            refuse(name, advice)
            return nil
        }
        return result
    }

    private mutating func nested<Value>(
        _ members: [String: ProviderJSON],
        at place: String,
        _ body: (inout OrderMemberReader) -> Value
    ) -> Value {
        var reader = OrderMemberReader(members, path: place, limit: limit)
        let value = body(&reader)
        for problem in reader.problems where problems.count < limit { problems.append(problem) }
        return value
    }

    /// Notes what is wrong with a member; once for each.
    mutating func refuse(_ name: String, _ advice: String) { refuse(at: place(name), advice) }

    private mutating func refuse(at place: String, _ advice: String) {
        guard problems.count < limit, !problems.contains(where: { $0.path == place }) else {
            return
        }
        problems.append(FieldProblem(place, advice))
    }

    private func place(_ name: String) -> String { path.isEmpty ? name : "\(path).\(name)" }

    private mutating func freeForm(
        _ members: [String: ProviderJSON],
        at place: String
    ) -> [String: FreeFormValue] {
        var values: [String: FreeFormValue] = [:]
        for name in members.keys.sorted() {
            guard let value = members[name] else { continue }
            guard let kept = FreeFormValue(value) else {
                // A name of the document's own is shown only when nothing can hide in it.
                let shown = OutsideTextScreen.isName(name) ? name : "(a member)"
                refuse(
                    at: place.isEmpty ? shown : "\(place).\(shown)",
                    "must not hold numbers that a reader could not keep exactly: write them as texts"
                )
                continue
            }
            values[name] = kept
        }
        return values
    }

    /// A number without exponent, as short as it can be written.
    private static func plain(_ number: Double) -> String {
        number == number.rounded() && number.magnitude < 1e15
            ? String(Int64(number)) : number.description
    }
}
