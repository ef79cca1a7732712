internal import EventLog

extension StreamAppend {
    /// Checks that the records continue the expected version without gaps and are not too long.
    func check(recordBytesLimit: Int) throws(EventStoreError) {
        var sequence = expectedVersion
        for record in records {
            sequence += 1
            guard record.stream == stream, record.sequence == sequence else {
                throw .corrupt(
                    stream: stream,
                    sequence: record.sequence,
                    reason: "the records to append do not follow each other"
                )
            }
            let sealsBytes = record.seals.reduce(0) { $0 + $1.count + 4 }
            guard record.canonical.count <= recordBytesLimit, sealsBytes <= recordBytesLimit else {
                throw .limit(name: "recordBytes")
            }
        }
        guard expectedVersion >= 0, !records.isEmpty, summary.session == stream,
            summary.lastSequence == sequence
        else {
            throw .corrupt(
                stream: stream,
                sequence: sequence,
                reason: "the append has no records, or its summary is not of the last one"
            )
        }
    }
}
