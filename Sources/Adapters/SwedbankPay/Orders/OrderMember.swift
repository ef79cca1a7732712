internal import SwedbankPay

/// One member of an object of an order, said once: by it, it is read and written.
struct OrderMember<Object>: Sendable {
    typealias Property<Value> = WritableKeyPath<Object, Value> & Sendable

    /// Reads it from a document.
    let read: @Sendable (inout OrderMemberReader, inout Object) -> Void
    /// Writes it into a document; what is nil is left out.
    let write: @Sendable (Object, inout [String: ProviderJSON]) -> Void

    static func optional<Value: OrderValue>(
        _ name: String,
        _ property: any Property<Value?>
    ) -> Self {
        Self {
            $1[keyPath: property] = Value.read(name, by: &$0)
        } write: { object, members in
            if let value = object[keyPath: property] { members[name] = value.json }
        }
    }

    static func required<Value: OrderValue>(
        _ name: String,
        _ property: any Property<Value>
    ) -> Self {
        Self {
            $1[keyPath: property] =
                Value.read(name, by: &$0) ?? $0.missing(name, or: $1[keyPath: property])
        } write: {
            $1[name] = $0[keyPath: property].json
        }
    }
}

/// A value that a member can have.
protocol OrderValue: Sendable {
    /// Reads the member of that name; nil where there is none, or one that is wrong.
    static func read(_ name: String, by reader: inout OrderMemberReader) -> Self?

    var json: ProviderJSON { get }
}

/// A value that also stands in lists.
protocol OrderElement: OrderValue {
    /// Reads the list of that name.
    static func readAll(_ name: String, by reader: inout OrderMemberReader) -> [Self]?
}

/// A part of an order that has members.
protocol OrderObject: OrderElement {
    /// The object before anything of it is read.
    static var blank: Self { get }
    /// Its members, in the order in which what is wrong with them is told.
    static var members: [OrderMember<Self>] { get }
    /// Members that the model does not know.
    var others: [String: FreeFormValue] { get set }
}

extension OrderObject {
    /// Reads an object.
    ///
    /// - Parameter members: Its members, where they depend on what it is part of.
    init(reading reader: inout OrderMemberReader, members: [OrderMember<Self>] = Self.members) {
        self = .blank
        for member in members { member.read(&reader, &self) }
        others = reader.others()
    }

    static func read(_ name: String, by reader: inout OrderMemberReader) -> Self? {
        reader.object(name) { Self(reading: &$0) }
    }

    static func readAll(_ name: String, by reader: inout OrderMemberReader) -> [Self]? {
        reader.objects(name) { Self(reading: &$0) }
    }

    var json: ProviderJSON {
        // A known member takes the place of one of the same name.
        var members = others.mapValues(\.json)
        for member in Self.members { member.write(self, &members) }
        return .object(members)
    }
}
