/// The content of a record that was found sound.
public struct CheckedRecord<Event: LoggedEvent>: Sendable {
    /// The event.
    public let event: Recorded<Event>
    /// The number of sealed values in the record, whether or not their seals are stored with it.
    public let sealedValues: Int
}

/// Counts of what records that were found sound contain.
public struct LogTally: Hashable, Sendable {
    /// A form of event that this build does not know: an unknown type, version or value.
    public struct Form: Hashable, Sendable, Comparable {
        /// The type's name in the log.
        public var type: String
        /// The version of its form.
        public var version: Int

        /// Creates the form of a type and version.
        public init(type: String, version: Int) {
            self.type = type
            self.version = version
        }

        /// By type, then by version.
        public static func < (left: Form, right: Form) -> Bool {
            (left.type, left.version) < (right.type, right.version)
        }
    }

    /// The number of unknown forms that are counted separately; records of further forms count as
    /// ``Form`` `other` of version 0.
    public static let maximumForms = 100

    /// The number of records.
    public var records: Int64 = 0
    /// The number of sealed values in them.
    public var sealedValues: Int64 = 0
    /// The number of sealed values whose seal is stored with them; the others were redacted.
    public var seals: Int64 = 0
    /// The number of records of each form that this build does not know: the records are kept,
    /// their events are skipped.
    public var unknown: [Form: Int64] = [:]

    /// Creates an empty tally.
    public init() {}

    /// Counts a record.
    public mutating func count<Event>(_ checked: CheckedRecord<Event>, sealed seals: Int) {
        count(checked.event.event, sealedValues: checked.sealedValues, seals: seals)
    }

    /// Counts the event of a record.
    package mutating func count(
        _ event: some LoggedEvent,
        sealedValues: Int,
        seals: Int
    ) {
        records += 1
        self.sealedValues += Int64(sealedValues)
        self.seals += Int64(seals)
        guard let event = event.unknownEvent else { return }
        count(Form(type: event.type, version: event.version), 1)
    }

    /// Adds the counts of another tally.
    public mutating func add(_ other: LogTally) {
        records += other.records
        sealedValues += other.sealedValues
        seals += other.seals
        for (form, number) in other.unknown { count(form, number) }
    }

    private mutating func count(_ form: Form, _ number: Int64) {
        let isRoom = unknown[form] != nil || unknown.count < Self.maximumForms
        unknown[isRoom ? form : Form(type: "other", version: 0), default: 0] += number
    }
}
