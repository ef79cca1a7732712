public import EventLog

/// A type of event that this build knows; each is defined in the file of its event.
public struct EventType: LoggedEventType, CustomStringConvertible {
    /// The parts that exist once for each type.
    private final class Form: Sendable {
        let name: String
        let version: Int
        let upcasters: [Upcaster]
        let read: @Sendable (inout CanonicalReader) throws(EventDecodingError) -> SessionEvent
        let sample: @Sendable (inout FormSampler) throws(EventDecodingError) -> SessionEvent

        init(
            _ name: String,
            _ version: Int,
            _ upcasters: [Upcaster],
            _ read:
                @escaping @Sendable (inout CanonicalReader) throws(EventDecodingError) ->
                SessionEvent,
            _ sample:
                @escaping @Sendable (inout FormSampler) throws(EventDecodingError) -> SessionEvent
        ) {
            (self.name, self.version, self.upcasters) = (name, version, upcasters)
            (self.read, self.sample) = (read, sample)
        }
    }

    private let form: Form

    /// Creates a type of event.
    ///
    /// - Parameters:
    ///   - name: Its name in the log: a contract that never changes.
    ///   - payload: The type of its data.
    ///   - version: The version of the data's form.
    ///   - upcasters: How each older version becomes the next one.
    ///   - event: Creates the event from its data.
    init<Payload: ObjectForm>(
        _ name: String,
        of payload: Payload.Type = Payload.self,
        version: Int = 1,
        upcasters: [Upcaster] = [],
        _ event: @escaping @Sendable (Payload) -> SessionEvent
    ) {
        form = Form(name, version, upcasters) { reader throws(EventDecodingError) in
            event(try Payload.read(from: &reader))
        } _: { sampler throws(EventDecodingError) in
            event(try Payload.sample(by: &sampler))
        }
    }

    /// Creates the type with that name; `nil` for an unknown name.
    public init?(name: String) {
        guard let type = Self.byName[name] else { return nil }
        self = type
    }

    private static let byName = Dictionary(uniqueKeysWithValues: allCases.map { ($0.name, $0) })

    /// Its name in the log.
    public var name: String { form.name }

    /// The version of the form in which this build writes events of the type.
    public var version: Int { form.version }

    /// Its name in the log.
    public var description: String { name }

    /// How older forms of all types become current ones.
    static let upcasters = UpcasterRegistry(allCases.flatMap { $0.form.upcasters })

    /// Reads the data of an event of the type.
    func read(from reader: inout CanonicalReader) throws(EventDecodingError) -> SessionEvent {
        try form.read(&reader)
    }

    /// Creates an event of the type whose content the sampler chooses.
    package func sample(by sampler: inout FormSampler) throws(EventDecodingError) -> SessionEvent {
        try form.sample(&sampler)
    }

    /// Whether both are the same type.
    public static func == (left: EventType, right: EventType) -> Bool { left.form === right.form }

    /// Hashes the type's identity.
    public func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(form)) }
}
