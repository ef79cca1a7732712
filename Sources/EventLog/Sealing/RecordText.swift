/// The maskable texts of a record, as members of its JSON.
package struct RecordText {
    /// The record's content.
    package var value: JSONValue
    /// The members whose text may be masked, and how.
    package let members: [String: MaskStyle]

    /// Reads the texts of a record.
    ///
    /// - Parameters:
    ///   - record: The record.
    ///   - events: The events of the log, which define what may be masked.
    /// - Throws: ``EventDecodingError`` when the record can't be read.
    package init<Event: LoggedEvent>(
        of record: StoredRecord,
        in events: Event.Type
    ) throws(EventDecodingError) {
        let envelope = try RecordEnvelope(of: record.canonical)
        value = try CanonicalReader.read(record.canonical) { reader throws(EventDecodingError) in
            let value = try JSONValue.read(from: &reader)
            try reader.finish()
            return value
        }
        members = MaskableMembers<Event>.paths(of: envelope.type, version: envelope.version)
    }
}

extension JSONValue {
    /// Replaces the texts at a path of member names, in every element of lists along the path.
    ///
    /// If the path ends at an object, all texts in it are meant, including names, but not sealed
    /// values.
    ///
    /// - Parameters:
    ///   - path: The member names, separated by dots.
    ///   - body: Returns the replacement for a text, or `nil` to keep it.
    /// - Returns: Whether any text was changed.
    package mutating func change(_ path: String, _ body: (String) -> String?) -> Bool {
        change(path.pieces(between: ".")[...], body)
    }

    private mutating func change(
        _ path: ArraySlice<Substring>,
        _ body: (String) -> String?
    ) -> Bool {
        var isChanged = false
        switch self {
        case .string(let text):
            guard path.isEmpty, let other = body(text) else { return false }
            self = .string(other)
            return true
        case .array(var values):
            for index in values.indices where values[index].change(path, body) { isChanged = true }
            if isChanged { self = .array(values) }
        case .object(var members):
            guard !isSealedValue else { return false }
            for index in members.indices {
                guard let name = path.first else {
                    if let other = body(members[index].name) {
                        members[index].name = other
                        isChanged = true
                    }
                    if members[index].value.change(path, body) { isChanged = true }
                    continue
                }
                guard members[index].name == name else { continue }
                if members[index].value.change(path.dropFirst(), body) { isChanged = true }
            }
            if isChanged { self = .object(members) }
        case .null, .bool, .integer: break
        }
        return isChanged
    }

    private var isSealedValue: Bool { self["$sealed"] != nil && self["fp"] != nil }
}
