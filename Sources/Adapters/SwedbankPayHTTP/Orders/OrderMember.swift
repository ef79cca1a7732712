internal import EventLog
internal import SwedbankPay

/// One member of an object of an order, declared once for both reading and writing.
struct OrderMember<Object>: Sendable {
    typealias Property<Value> = WritableKeyPath<Object, Value> & Sendable

    /// Reads the member from a document.
    let read: @Sendable (inout OrderMemberReader, inout Object) -> Void
    /// Writes the member to a document; `nil` is omitted.
    let write: @Sendable (Object, inout [String: ForeignJSON]) -> Void

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

/// A type of value that a member can have.
protocol OrderValue: Sendable {
    /// Reads the member of that name; `nil` when it is absent or invalid.
    static func read(_ name: String, by reader: inout OrderMemberReader) -> Self?

    var json: ForeignJSON { get }
}

/// A value that can be an element of a list.
protocol OrderElement: OrderValue {
    /// Reads the list of that name.
    static func readAll(_ name: String, by reader: inout OrderMemberReader) -> [Self]?
}

/// An object of an order with members.
protocol OrderObject: OrderElement {
    /// The object before any member is read.
    static var blank: Self { get }
    /// The members, in the order in which problems with them are reported.
    static var members: [OrderMember<Self>] { get }
    /// Members that the model does not know.
    var others: [String: FreeFormValue] { get set }
}

extension OrderObject {
    /// Reads an object.
    ///
    /// - Parameters:
    ///   - reader: The reader of the object's members.
    ///   - members: The members, if they depend on the enclosing object.
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

    var json: ForeignJSON {
        // A known member replaces an unknown one of the same name.
        var members = others.mapValues(\.json)
        for member in Self.members { member.write(self, &members) }
        return .object(members)
    }
}
