/// What a record says of itself: that text in these members was masked.
///
/// A record whose text was masked can't be hashed any more, so what it claims is looked at closely: only members that may be
/// masked, only where a mask stands, and never beside seals. Whoever alters a record and calls it masked can't do it
/// unnoticed: such records are counted and named wherever a log is verified.
enum MaskClaim {
    /// What is wrong with a record's claim; nothing when it is sound, or claims nothing.
    static func fault<Event: LoggedEvent>(
        in record: StoredRecord,
        of events: Event.Type
    ) throws(EventDecodingError) -> LogDamage.Kind? {
        guard record.isMasked else { return nil }
        guard record.seals.isEmpty else { return .wrongSeals }
        // In a record with a MAC nothing has to be masked.
        guard record.mac == nil else { return .wrongMask(member: nil) }
        let text = try RecordText(of: record, in: events)
        for member in record.masked {
            guard let style = text.members[member] else {
                return .wrongMask(
                    member: MaskableMembers<Event>.all.contains(member) ? member : nil
                )
            }
            var isMasked = false
            var copy = text.value
            _ = copy.change(member) { text in
                if Mask.occurs(in: text, style: style) { isMasked = true }
                return nil
            }
            guard isMasked else { return .wrongMask(member: member) }
        }
        return nil
    }
}

extension StoredRecord {
    /// Checks what the record says was masked in it.
    ///
    /// - Parameter events: The events of the log, which tell what may be masked.
    /// - Throws: ``LogDamage`` when that can't be so.
    public func checkMasks<Event: LoggedEvent>(of events: Event.Type) throws(LogDamage) {
        let fault: LogDamage.Kind?
        do {
            fault = try MaskClaim.fault(in: self, of: events)
        } catch {
            throw LogDamage(stream: stream, sequence: sequence, kind: .unreadable(error))
        }
        if let fault { throw LogDamage(stream: stream, sequence: sequence, kind: fault) }
    }
}

/// How many records of a log were masked, and where.
public struct MaskedRecords: Hashable, Sendable {
    /// How many records have masked text: what they say is not covered by their hash.
    public private(set) var count = 0
    /// The members in which it stands, in order.
    public private(set) var members: [String] = []

    /// Nothing was masked.
    public init() {}

    /// Notes a record, should it be masked.
    public mutating func note(_ record: StoredRecord) { note(record.masked) }

    /// Notes a record in which these members are masked; nothing when there are none.
    mutating func note(_ masked: [String]) {
        guard !masked.isEmpty else { return }
        count += 1
        guard !masked.allSatisfy(members.contains) else { return }
        members = Set(members + masked).sorted { CanonicalOrder.precedes($0, $1) }
    }

    /// Adds those of another log.
    public mutating func add(_ other: MaskedRecords) {
        guard other.count > 0 else { return }
        count += other.count
        members = Set(members + other.members).sorted { CanonicalOrder.precedes($0, $1) }
    }
}
