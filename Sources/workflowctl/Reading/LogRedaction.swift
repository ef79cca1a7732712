internal import Inspection
internal import SwedbankPay

/// Makes logs fit to be shown, record by record, of any number of sessions in any mixture.
///
/// Only sound logs are redacted: behind a mask nobody could see any more that a record was altered.
struct LogRedaction {
    private struct Session {
        var verifier: LogVerifier
        var redactor = Redactor()
    }

    private var sessions: [SessionID: Session] = [:]
    /// What was masked so far.
    private(set) var masked = MaskedRecords()

    /// The next record as it may be shown.
    ///
    /// - Throws: A failure with the first record that is not sound.
    mutating func redacted(_ record: StoredRecord) throws(Failure) -> StoredRecord {
        var session =
            sessions[record.stream] ?? Session(verifier: LogVerifier(stream: record.stream))
        do {
            _ = try session.verifier.check(record)
        } catch {
            throw Failure(error)
        }
        let redacted: StoredRecord
        do {
            redacted = try session.redactor.redact(record)
        } catch {
            throw Failure(
                LogDamage(
                    stream: record.stream,
                    sequence: record.sequence,
                    kind: .unreadable(error)
                )
            )
        }
        sessions[record.stream] = session
        masked.note(redacted)
        return redacted
    }
}

extension MaskedRecords {
    /// What was masked, in words; nothing when nothing was.
    var words: String? {
        guard count > 0 else { return nil }
        return "text was masked in \(count) record\(count == 1 ? "" : "s") "
            + "(\(members.joined(separator: ", "))): what they say is not covered by their hashes any more"
    }
}

extension StoredRecord {
    /// Refuses a record whose text was masked: a store holds what is hashed.
    func refuseMasked() throws(Failure) {
        guard isMasked else { return }
        throw Failure(
            .refused,
            "import.masked",
            "record \(sequence) of session \(stream) was redacted: text in it is masked, and its hash is that of the "
                + "text before",
            hint:
                "import the log that it was made from; a redacted one is for 'verify' and 'replay'"
        )
    }
    /// Refuses a record whose text was masked as an event: an event has no place to say so, and would look altered.
    func refuseMaskedEvent() throws(Failure) {
        guard isMasked else { return }
        throw .usage(
            "masked-event",
            "text in record \(sequence) of session \(stream) has to be masked, which an event cannot say",
            hint: "use --format ndjson, or leave that session out"
        )
    }
}
