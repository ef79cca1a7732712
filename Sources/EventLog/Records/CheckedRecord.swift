/// What was read in a record that is sound.
public struct CheckedRecord<Event: LoggedEvent>: Sendable {
    /// The event.
    public let event: Recorded<Event>
    /// How many sealed values the record has, with or without seals beside them.
    public let sealedValues: Int
    /// The members whose text was masked: what they say is not covered by the record's hash.
    public let masked: [String]
}

/// What stands in records that were found sound, in numbers.
public struct LogTally: Hashable, Sendable {
    /// A form of event that this build does not know: a type, or a version or value of one.
    public struct Form: Hashable, Sendable, Comparable {
        /// The type's name in the log.
        public var type: String
        /// The version of its form.
        public var version: Int

        /// The form of that type and version.
        public init(type: String, version: Int) {
            self.type = type
            self.version = version
        }

        /// By type, then by version.
        public static func < (left: Form, right: Form) -> Bool {
            (left.type, left.version) < (right.type, right.version)
        }
    }

    /// How many unknown forms are told apart; records of further ones count as ``Form`` `other` of version 0.
    public static let maximumForms = 100

    /// How many records.
    public var records: Int64 = 0
    /// How many sealed values they have.
    public var sealedValues: Int64 = 0
    /// How many of those values have their seal beside them; the others were redacted.
    public var seals: Int64 = 0
    /// How many records there are of each form that this build does not know: they are kept, and their events are skipped.
    public var unknown: [Form: Int64] = [:]
    /// The records whose text was masked: what they say is not covered by their hashes.
    public var masked = MaskedRecords()

    /// Nothing yet.
    public init() {}

    /// Counts a record.
    public mutating func count<Event>(_ checked: CheckedRecord<Event>, sealed seals: Int) {
        masked.note(checked.masked)
        count(checked.event.event, sealedValues: checked.sealedValues, seals: seals)
    }

    /// Counts the event of a record in which nothing is masked.
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

    /// Counts what another tally has counted.
    public mutating func add(_ other: LogTally) {
        masked.add(other.masked)
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
