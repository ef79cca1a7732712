internal import Adapters
internal import ArgumentParser
internal import EventLog
internal import Inspection
internal import SwedbankPay

/// `store compress`: keeps the records of a store compressed from now on.
struct StoreCompressCommand: Command {
    static let configuration = CommandConfiguration(
        commandName: "compress",
        abstract: "Compress the store's records, and all later ones.",
        discussion: """
            Trains a compression dictionary with the newest payments and keeps it in the store; \
            engines compress every new record with it within a minute, and the records that are \
            already stored are compressed in small batches while engines keep running. Records \
            usually take a quarter of their space afterwards. Everything that reads the store \
            shows the same as before: hashes, exports and proofs do not change. If interrupted, \
            run it again, without --retrain, to continue. The file of a SQLite store does not \
            become smaller, but new records fill the free space. On PostgreSQL, run it as the \
            owner of the tables.

            Examples:
              workflowctl store compress
              workflowctl store compress --new-only
              workflowctl store compress --retrain --json
            """
    )

    /// The number of records that are compressed in one transaction.
    private static let batch = 500
    /// The number of the newest sessions whose records train the dictionary.
    private static let sampledSessions = 1_000
    /// The maximum size in bytes of a record that trains the dictionary: of such records, there is
    /// room for enough.
    private static let sampledRecordBytes =
        RecordDictionary.maximumSampleBytes / RecordDictionary.minimumSamples

    @Flag(help: "Compress only new records, and leave the stored ones as they are.")
    var newOnly = false

    @Flag(help: "Train a new dictionary although the store has one, and compress again with it.")
    var retrain = false

    @OptionGroup var global: GlobalOptions

    func perform(in invocation: Invocation) async throws(Failure) -> ExitStatus {
        try await Reader.withStore(for: self, in: invocation) { reader throws(Failure) in
            let opened = try await reader.location.open(.existing, on: invocation.loop)
            let outcome: Result<(dictionary: UInt32, total: CompressedPiece)?, Failure>
            do throws(Failure) {
                guard let store = opened as? any CompressibleStore else {
                    throw .usage("store", "this kind of store cannot compress its records")
                }
                if let dictionary = try await dictionary(of: store) {
                    outcome = .success((dictionary, try await compress(store, invocation)))
                } else {
                    outcome = .success(nil)
                }
            } catch {
                outcome = .failure(error)
            }
            await opened.close()
            guard let (dictionary, total) = try outcome.get() else { return .interrupted }
            show(dictionary, total, invocation)
            return Task.isCancelled ? .interrupted : .done
        }
    }

    /// The number of the store's dictionary, which is trained if there is none; `nil` when the
    /// command was interrupted before.
    private func dictionary(of store: any CompressibleStore) async throws(Failure) -> UInt32? {
        if !retrain {
            let known = try await translating { () async throws(EventStoreError) in
                try await store.recordDictionary()
            }
            if let known { return known }
        }
        var samples: [[UInt8]] = []
        var bytes = 0
        let newest = try await translating { () async throws(EventStoreError) in
            try await store.sessions(matching: SessionQuery(limit: Self.sampledSessions))
        }
        for row in newest where bytes < RecordDictionary.maximumSampleBytes && !Task.isCancelled {
            let records = try await translating { () async throws(EventStoreError) in
                try await store.read(row.session, from: 1, limit: 200)
            }
            for record in records where record.canonical.count <= Self.sampledRecordBytes {
                samples.append(record.canonical)
                bytes += record.canonical.count
            }
        }
        guard !Task.isCancelled else { return nil }
        guard let content = RecordDictionary.train(with: samples) else {
            let least = RecordDictionary.minimumSamples
            throw Failure(
                .refused,
                "store.too-few-records",
                samples.count < least
                    ? "the store has too few records to train a compression dictionary "
                        + "(\(samples.count) of at least \(least))"
                    : "the \(samples.count) newest records have too little in common to train a "
                        + "compression dictionary",
                hint: "run this again when there are more payments; until then, nothing changes"
            )
        }
        guard !Task.isCancelled else { return nil }
        return try await translating { () async throws(EventStoreError) in
            try await store.addRecordDictionary(content)
        }
    }

    private func compress(
        _ store: any CompressibleStore,
        _ invocation: Invocation
    ) async throws(Failure) -> CompressedPiece {
        var total = CompressedPiece(position: 0)
        guard !newOnly else { return total }
        var progress = ProgressLine(on: invocation.diagnostics)
        defer { progress.clear() }
        while !Task.isCancelled {
            let position = total.position
            let piece = try await translating { () async throws(EventStoreError) in
                try await store.compressRecords(after: position, limit: Self.batch)
            }
            guard let piece else { break }
            total.add(piece)
            progress.reached(
                total.records,
                of: 0,
                "\(total.records) records read",
                at: invocation.now()
            )
        }
        return total
    }

    private func show(_ dictionary: UInt32, _ total: CompressedPiece, _ invocation: Invocation) {
        if global.json {
            return invocation.print([
                "dictionary": .integer(Int64(dictionary)),
                "records": .integer(total.records),
                "changed": .integer(total.changed),
                "bytesBefore": .integer(total.canonicalBytes),
                "bytesNow": .integer(total.storedBytes),
            ])
        }
        invocation.print("New records are compressed with dictionary \(dictionary).")
        guard !newOnly else { return }
        invocation.print(
            "records: \(total.records), compressed now: \(total.changed), "
                + "bytes: \(total.canonicalBytes), bytes stored: \(total.storedBytes)"
        )
    }

    private func translating<Value>(
        _ body: () async throws(EventStoreError) -> Value
    ) async throws(Failure) -> Value {
        do throws(EventStoreError) { return try await body() } catch { throw Failure(error) }
    }
}

extension CompressedPiece {
    /// Adds what became of the records behind these.
    fileprivate mutating func add(_ next: CompressedPiece) {
        position = next.position
        records += next.records
        changed += next.changed
        canonicalBytes += next.canonicalBytes
        storedBytes += next.storedBytes
    }
}
