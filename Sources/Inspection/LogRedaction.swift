package import EventLog
internal import SwedbankPay

/// Redacts logs, record by record, for any number of interleaved sessions: removes the seals, and
/// nothing else.
///
/// The hash and the MAC do not cover the seals, so that a redacted log can be verified, replayed
/// and imported. Redacting it again changes nothing. Only intact logs are redacted: who receives
/// one may rely on its events.
package struct LogRedaction {
    private var verifiers: [SessionID: LogVerifier<SessionEvent>] = [:]

    /// Creates a redaction before the first record.
    package init() {}

    /// Redacts the next record.
    ///
    /// - Throws: ``LogDamage`` for the first record that is not intact.
    package mutating func redact(_ record: StoredRecord) throws(LogDamage) -> StoredRecord {
        try verifiers[record.stream, default: LogVerifier(stream: record.stream)].check(record)
        var redacted = record
        redacted.seals = []
        return redacted
    }
}
