/// An event that a log can hold: something that happened in a session of a workflow, with its
/// stored form.
///
/// The log keeps events of any such type. It knows only the name of their type, the version of
/// their form, and how to write and read them.
public protocol LoggedEvent: Hashable, Sendable {
    /// The types of events that this build knows.
    associatedtype EventType: LoggedEventType

    /// The event's type; `nil` for one that this build does not know.
    var eventType: EventType? { get }

    /// The event as it was found, if this build does not know its type or version.
    var unknownEvent: UnknownEvent? { get }

    /// Writes the event's `data`, a JSON object, in the newest version of its form; never called
    /// for unknown events.
    func writeData(to writer: inout CanonicalWriter)

    /// Reads the `data` of an event of a known type, in the newest version of its form.
    ///
    /// - Throws: ``EventDecodingError/unknownValue(_:)`` for a value that this build does not know;
    ///   the event is then kept as an unknown one.
    static func read(
        _ type: EventType,
        from reader: inout CanonicalReader
    ) throws(EventDecodingError) -> Self

    /// Creates an event that this build does not know, to be kept as it is.
    static func unknown(_ event: UnknownEvent) -> Self

    /// How older forms of events become current ones.
    static var upcasters: UpcasterRegistry { get }
}

extension LoggedEvent {
    /// No upcasters: every type is in its first version.
    public static var upcasters: UpcasterRegistry { UpcasterRegistry([]) }

    /// The name of the event's type in the log.
    public var typeName: String { unknownEvent?.type ?? eventType?.name ?? "" }
}

/// A type of event that a build knows.
public protocol LoggedEventType: Hashable, Sendable, CaseIterable {
    /// Creates the type with that name; `nil` for an unknown name.
    init?(name: String)

    /// The type's name in the log: a contract that never changes.
    var name: String { get }

    /// The version of the form in which this build writes events of the type.
    var version: Int { get }
}

extension LoggedEventType where Self: RawRepresentable, RawValue == String {
    /// Creates the type with that name.
    public init?(name: String) { self.init(rawValue: name) }

    /// The name of the case.
    public var name: String { rawValue }
}

extension LoggedEventType {
    /// Version 1, the first one.
    public var version: Int { 1 }
}

/// An event of a type that this build does not know.
public struct UnknownEvent: Hashable, Sendable {
    /// The type's name in the log.
    public var type: String
    /// The version of its form.
    public var version: Int
    /// The canonical bytes of its `data`, including the markers of sealed values.
    public var data: [UInt8]

    /// Creates an event of that type.
    public init(type: String, version: Int, data: [UInt8]) {
        self.type = type
        self.version = version
        self.data = data
    }
}
