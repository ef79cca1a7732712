package import EventLog
internal import SwedbankPay

/// Makes logs fit to be shown, record by record, of any number of sessions in any mixture.
///
/// Only sound logs are redacted: behind a mask nobody could see any more that a record was altered.
package struct LogRedaction {
    private struct Session {
        var verifier: LogVerifier<SessionEvent>
        var redactor = Redactor()
    }

    private var sessions: [SessionID: Session] = [:]
    /// What was masked so far.
    package private(set) var masked = MaskedRecords()

    /// A redaction before the first record.
    package init() {}

    /// The next record as it may be shown.
    ///
    /// - Throws: The first record that is not sound.
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
    /// What was masked, in words; nothing when nothing was.
    package var words: String? {
        guard count > 0 else { return nil }
        return "text was masked in \(count) record\(count == 1 ? "" : "s") "
            + "(\(members.joined(separator: ", "))): what they say is not covered by their hashes any more"
    }
}
