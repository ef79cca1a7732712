public import EventLog

extension EventType {
    /// An operator added a note.
    public static let noteAdded = EventType("noteAdded") { .noteAdded($0) }
}

/// A note that an operator added.
public struct NoteAdded: Hashable, Sendable {
    /// The operator.
    public var by: String
    /// The note; sealed, because it is free text about a person's payment.
    public var text: Sealed

    /// Creates the data of a `noteAdded` event.
    public init(by: String, text: Sealed) {
        self.by = by
        self.text = text
    }
}

extension NoteAdded: ObjectForm {
    package init(_ members: inout some FormPass, _ value: Given<Self>?) throws(EventDecodingError) {
        by = try members.require("by", value?.by)
        text = try members.require("text", value?.text)
    }
}
