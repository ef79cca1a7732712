/// Checks a record's claim that text in certain members was masked.
///
/// The hash of a masked record can no longer be computed, so the claim is checked strictly: only
/// maskable members, only where a mask is present, and never beside seals. An altered record can't
/// be passed off as masked unnoticed, because masked records are counted and named wherever a log
/// is verified.
enum MaskClaim {
    /// The defect in a record's claim; `nil` when the claim is sound or there is none.
    static func fault<Event: LoggedEvent>(
        in record: StoredRecord,
        of events: Event.Type
    ) throws(EventDecodingError) -> LogDamage.Kind? {
        guard record.isMasked else { return nil }
        guard record.seals.isEmpty else { return .wrongSeals }
        // A record with a MAC never needs masking.
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
    /// Checks which members the record says were masked.
    ///
    /// - Parameter events: The events of the log, which define what may be masked.
    /// - Throws: ``LogDamage`` when the claim is invalid.
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

/// The number of masked records of a log, and their masked members.
public struct MaskedRecords: Hashable, Sendable {
    /// The number of records with masked text, which their hash does not cover.
    public private(set) var count = 0
    /// The members that contain masked text, in order.
    public private(set) var members: [String] = []

    /// Creates a count without masked records.
    public init() {}

    /// Counts a record if it is masked.
    public mutating func note(_ record: StoredRecord) { note(record.masked) }

    /// Counts a record in which these members are masked; an empty list has no effect.
    mutating func note(_ masked: [String]) {
        guard !masked.isEmpty else { return }
        count += 1
        guard !masked.allSatisfy(members.contains) else { return }
        members = Set(members + masked).sorted { CanonicalOrder.precedes($0, $1) }
    }

    /// Adds the counts of another log.
    public mutating func add(_ other: MaskedRecords) {
        guard other.count > 0 else { return }
        count += other.count
        members = Set(members + other.members).sorted { CanonicalOrder.precedes($0, $1) }
    }
}
