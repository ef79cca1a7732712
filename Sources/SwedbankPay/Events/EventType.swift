public import EventLog

/// A type of event that this build knows: what is said of it stands in the file of the event.
public struct EventType: LoggedEventType, CustomStringConvertible {
    /// What there is once of each type.
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

    /// A type of event.
    ///
    /// - Parameters:
    ///   - name: Its name in the log: a contract, never changed.
    ///   - version: The version of the payload's form.
    ///   - upcasters: How each older version becomes the next one.
    ///   - event: The event with a payload.
    init<Payload: ObjectForm>(
        _ name: String,
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

    /// The type of that name; nil for an unknown one.
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

    /// The members in which text of people stands outside seals, and in which secrets may be masked in records without a MAC.
    ///
    /// A member that a rule reads (types, states, relations, kinds, instruments, digests, amounts, times, identities) has no
    /// mask in its form, so a redacted log folds to the same phases. Of the texts that have one rules read at most whether
    /// two are the same, which masking leaves as it was. Of `metadata`, which has names of the host's own, the whole is
    /// named.
    public var maskableMembers: [String: MaskStyle] { Self.masks[name] ?? [:] }

    private static let masks = Dictionary(
        uniqueKeysWithValues: allCases.map { type in
            var sampler = FormSampler(EveryMember())
            _ = try? type.form.sample(&sampler)
            return (type.name, sampler.masks)
        }
    )

    /// How older forms of all types become current ones.
    static let upcasters = UpcasterRegistry(allCases.flatMap { $0.form.upcasters })

    /// Reads the data of an event of the type.
    func read(from reader: inout CanonicalReader) throws(EventDecodingError) -> SessionEvent {
        try form.read(&reader)
    }

    /// An event of the type whose content the sampler chooses.
    package func sample(by sampler: inout FormSampler) throws(EventDecodingError) -> SessionEvent {
        try form.sample(&sampler)
    }

    /// Whether both are the same type.
    public static func == (left: EventType, right: EventType) -> Bool { left.form === right.form }

    /// Hashes which type it is.
    public func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(form)) }
}
