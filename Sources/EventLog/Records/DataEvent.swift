/// An event whose stored form consists of named values: the short way to implement ``LoggedEvent``.
///
/// Conform an enum with a case for each type of event, and one case `unknown(UnknownEvent)`.
public protocol DataEvent: LoggedEvent {
    /// The type and the data; `nil` for an event that this build does not know.
    var form: (type: EventType, data: EventData)? { get }

    /// Creates an event of a known type from its data.
    init(_ type: EventType, from data: EventData) throws(EventDecodingError)
}

extension DataEvent {
    /// The type in ``form``.
    public var eventType: EventType? { form?.type }

    /// Writes the data in ``form``.
    public func writeData(to writer: inout CanonicalWriter) {
        (form?.data ?? EventData()).write(to: &writer)
    }

    /// Reads the data.
    public static func read(
        _ type: EventType,
        from reader: inout CanonicalReader
    ) throws(EventDecodingError) -> Self {
        try Self(type, from: try EventData(from: &reader))
    }
}
