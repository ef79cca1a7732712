/// A value that can be stored in the log: how it is written and how it is read.
package protocol CanonicalForm {
    /// Writes the value.
    func write(to writer: inout CanonicalWriter)

    /// Reads a value at the reader's current position.
    static func read(
        from reader: inout CanonicalReader
    ) throws(EventDecodingError) -> Self
}

extension CanonicalWriter {
    /// Writes a member.
    @inline(__always)
    package mutating func member<Value: CanonicalForm>(_ label: StaticString, _ value: Value) {
        name(label)
        value.write(to: &self)
    }

    /// Writes a member, or omits it when the value is `nil`.
    @inline(__always)
    package mutating func member<Value: CanonicalForm>(_ label: StaticString, _ value: Value?) {
        guard let value else { return }
        member(label, value)
    }

    /// Writes a list as a member, even when the list is empty.
    @inline(__always)
    package mutating func members<Value: CanonicalForm>(_ label: StaticString, _ values: [Value]) {
        name(label)
        list(values)
    }

    /// Writes texts keyed by name as a member, or omits the member when there are none.
    package mutating func texts(_ label: StaticString, _ texts: [String: OutsideText]) {
        guard !texts.isEmpty else { return }
        name(label)
        object { writer in
            for (name, text) in texts.sorted(by: { CanonicalOrder.precedes($0.key, $1.key) }) {
                writer.name(name)
                text.write(to: &writer)
            }
        }
    }
}

extension CanonicalReader {
    /// Reads a member that must be present.
    @inline(__always)
    package mutating func require<Value: CanonicalForm>(
        _ label: StaticString,
        in object: inout ObjectCursor
    ) throws(EventDecodingError) -> Value {
        guard try advance(to: label, in: &object) else {
            throw .missing(member: label.description)
        }
        return try Value.read(from: &self)
    }

    /// Reads a member that may be absent.
    @inline(__always)
    package mutating func find<Value: CanonicalForm>(
        _ label: StaticString,
        in object: inout ObjectCursor
    ) throws(EventDecodingError) -> Value? {
        guard try advance(to: label, in: &object) else { return nil }
        return try Value.read(from: &self)
    }

    /// Reads a list that must be present.
    @inline(__always)
    package mutating func requireList<Value: CanonicalForm>(
        _ label: StaticString,
        in object: inout ObjectCursor
    ) throws(EventDecodingError) -> [Value] {
        guard let values: [Value] = try findList(label, in: &object) else {
            throw .missing(member: label.description)
        }
        return values
    }

    /// Reads a list that may be absent.
    @inline(__always)
    package mutating func findList<Value: CanonicalForm>(
        _ label: StaticString,
        in object: inout ObjectCursor
    ) throws(EventDecodingError) -> [Value]? {
        guard try advance(to: label, in: &object) else { return nil }
        return try list()
    }

    /// Reads texts keyed by name; empty when the member is absent.
    package mutating func texts(
        _ label: StaticString,
        in object: inout ObjectCursor
    ) throws(EventDecodingError) -> [String: OutsideText] {
        var texts: [String: OutsideText] = [:]
        guard try advance(to: label, in: &object) else { return texts }
        var entries = try beginObject()
        while let name = try nextMember(in: &entries) { texts[name] = try .read(from: &self) }
        try endObject(&entries)
        return texts
    }

    /// Reads a list.
    package mutating func list<Value: CanonicalForm>() throws(EventDecodingError) -> [Value] {
        var values: [Value] = []
        try beginList()
        while try advanceInList(isFirst: values.isEmpty) {
            values.append(try Value.read(from: &self))
        }
        return values
    }
}
