internal import EventLog
internal import Inspection
internal import SwedbankPay

extension LogRedaction {
    /// The next record as it may be shown.
    ///
    /// - Throws: A failure with the first record that is not sound.
    mutating func redacted(_ record: StoredRecord) throws(Failure) -> StoredRecord {
        do {
            return try redact(record)
        } catch {
            throw Failure(error)
        }
    }
}

extension StoredRecord {
    /// Refuses a record whose text was masked: a store holds what is hashed.
    func refuseMasked() throws(Failure) {
        guard isMasked else { return }
        throw Failure(
            .refused,
            "import.masked",
            "record \(sequence) of session \(stream) was redacted: its text is masked, but its "
                + "hash is that of the original text",
            hint:
                "import the original log; a redacted one can only be verified and replayed"
        )
    }

    /// Refuses a record whose text was masked as an event: an event has no member that says so, and
    /// would appear altered.
    func refuseMaskedEvent() throws(Failure) {
        guard isMasked else { return }
        throw .usage(
            "masked-event",
            "text in record \(sequence) of session \(stream) must be masked, which a CloudEvent "
                + "cannot express",
            hint: "use --format ndjson, or leave that session out"
        )
    }
}
