internal import EventLog
internal import Inspection
internal import SwedbankPay

extension LogRedaction {
    /// Returns the next record as it may be shown.
    ///
    /// - Throws: A failure with the first record that is damaged.
    mutating func redacted(_ record: StoredRecord) throws(Failure) -> StoredRecord {
        do {
            return try redact(record)
        } catch {
            throw Failure(error)
        }
    }
}

extension StoredRecord {
    /// Refuses a record whose text was masked: a store contains what was hashed.
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

    /// Refuses a record whose text was masked as an event: an event has no member that says so, and
    /// would appear altered.
    func refuseMaskedEvent() throws(Failure) {
        guard isMasked else { return }
        throw .usage(
            "masked-event",
            "text in record \(sequence) of session \(stream) has to be masked, which an event cannot say",
            hint: "use --format ndjson, or leave that session out"
        )
    }
}
