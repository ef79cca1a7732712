internal import EventLog
internal import Inspection
internal import SwedbankPay

extension LogRedaction {
    /// Returns the next record in redacted form.
    ///
    /// - Throws: A failure with the first record that is not valid.
    mutating func redacted(_ record: StoredRecord) throws(Failure) -> StoredRecord {
        do {
            return try redact(record)
        } catch {
            throw Failure(error)
        }
    }
}

extension StoredRecord {
    /// Refuses a record whose text was masked, because a store holds the bytes that were hashed.
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

    /// Refuses to export a record with masked text as an event: an event has no member for masks,
    /// and would appear altered.
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
