package import EventLog
internal import SwedbankPay

/// Redacts logs for display, record by record, for any number of interleaved sessions.
///
/// Only intact logs are redacted: a mask would hide that a record was altered.
package struct LogRedaction {
    private struct Session {
        var verifier: LogVerifier<SessionEvent>
        var redactor = Redactor()
    }

    private var sessions: [SessionID: Session] = [:]
    /// The records masked so far.
    package private(set) var masked = MaskedRecords()

    /// Creates a redaction before the first record.
    package init() {}

    /// Redacts the next record.
    ///
    /// - Throws: ``LogDamage`` for the first record that is not intact.
    package mutating func redact(_ record: StoredRecord) throws(LogDamage) -> StoredRecord {
        var session =
            sessions[record.stream]
            ?? Session(verifier: LogVerifier<SessionEvent>(stream: record.stream))
        _ = try session.verifier.check(record)
        let redacted: StoredRecord
        do {
            redacted = try session.redactor.redact(record)
        } catch {
            throw LogDamage(
                stream: record.stream,
                sequence: record.sequence,
                kind: .unreadable(error)
            )
        }
        sessions[record.stream] = session
        masked.note(redacted)
        return redacted
    }
}

extension MaskedRecords {
    /// What was masked, in words; `nil` when nothing was.
    package var words: String? {
        guard count > 0 else { return nil }
        return "text was masked in \(count) record\(count == 1 ? "" : "s") "
            + "(\(members.joined(separator: ", "))): their hashes no longer cover the original text"
    }
}
