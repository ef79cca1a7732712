internal import EventLog
internal import Inspection

/// The notices of records in the order of a feed.
///
/// It keeps the sessions that were published last, so that a log is not read again for each of its
/// records.
struct OutboxNotices: Sendable {
    /// The maximum number of sessions that are kept.
    static let sessionLimit = 1_000

    private let source: ProvenNotices
    private let report: @Sendable (OutboxFailure) -> Void
    private var known: [SessionID: ProvenSession] = [:]
    private var leftOut: Set<SessionID> = []

    init(from source: ProvenNotices, report: @escaping @Sendable (OutboxFailure) -> Void) {
        (self.source, self.report) = (source, report)
    }

    /// Returns the notices of a record: none unless it is proven.
    ///
    /// - Throws: ``OutboxFailure`` when the log or the keys cannot be read now.
    mutating func next(_ record: StoredRecord) async throws(OutboxFailure) -> [PaymentNotice] {
        let (session, sequence, decider) = (record.stream, record.sequence, source.decider)
        guard !leftOut.contains(session) else { return [] }
        if let notices = known[session]?.next(record, by: decider) { return notices }
        if known.count + leftOut.count >= Self.sessionLimit { (known, leftOut) = ([:], []) }
        switch await source.read(session, from: sequence, through: sequence) {
        case .later(let failure): throw failure
        case .proven(let notices, let proven):
            known[session] = proven
            return notices.flatMap(\.self)
        case .leftOut(let code):
            known[session] = nil
            leftOut.insert(session)
            if let code { report(.unreadable(session, code: code)) }
            return []
        }
    }
}

extension PaymentNotice {
    /// It as a CloudEvent whose data is the message of a webhook, without a line ending.
    var cloudEvent: [UInt8] {
        let event: JSONValue = [
            "data": json,
            "datacontenttype": .string("application/json"),
            "dataschema": .string("urn:payment-workflow:schema:notice"),
            "id": .string(id),
            "source": .string(CloudEventLine.source),
            "specversion": .string("1.0"),
            "subject": .string("\(row.session)"),
            "time": .string("\(row.lastAt)"),
            // No record has this type.
            "type": .string(CloudEventLine.typePrefix + kind.rawValue),
        ]
        return Array(JSONDocument.text(event).utf8)
    }
}
