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
