public import EventLog

extension EventType {
    /// A person wrote something down.
    public static let noteAdded = EventType("noteAdded") { .noteAdded($0) }
}

/// A person wrote something down.
public struct NoteAdded: Hashable, Sendable {
    /// Who.
    public var by: String
    /// What; sealed, since it is free text about a person's payment.
    public var text: Sealed

    /// The content of a `noteAdded` event.
    public init(by: String, text: Sealed) {
        self.by = by
        self.text = text
    }
}

extension NoteAdded: ObjectForm {
    package init(_ members: inout some FormPass, _ value: Self?) throws(EventDecodingError) {
        by = try members.require("by", value?.by, mask: .text)
        text = try members.require("text", value?.text)
    }
}
