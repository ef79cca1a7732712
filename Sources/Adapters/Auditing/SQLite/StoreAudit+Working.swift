internal import EventLog
internal import SwedbankPay

/// Distributes the work: the store's reading threads first read a slice of the store each, then
/// each checks its share of the sessions in all slices.
extension StoreAudit {
    /// Reads the next records, one slice per thread.
    ///
    /// - Returns: The slices in storage order, and the log position that they reach.
    func fill(
        after first: Int64,
        through end: Int64
    ) async throws(EventStoreError) -> (slices: [AuditSlice], through: Int64) {
        var ranges: [(slice: AuditSlice, after: Int64, through: Int64)] = []
        for slice in slices {
            let start = ranges.last?.through ?? first
            guard start < end else { break }
            // A piece is small, but its positions may be near the largest integer.
            let last = end - start > AuditSlice.size ? start + AuditSlice.size : end
            ranges.append((slice, start, last))
        }
        let work = ranges
        try await onThreads(work.count) { index, connection in
            let range = work[index]
            try range.slice.fill(after: range.after, through: range.through, on: connection)
        }
        // After a slice that was cut, records are missing.
        let whole = work.prefix { !$0.slice.isCut }.count
        let read = work.prefix(whole + 1)
        let place = whole < work.count ? work[whole].slice.last?.position : nil
        return (read.map(\.slice), place ?? work.last?.through ?? end)
    }

    /// Checks what was read, one share of the sessions per thread.
    func check(
        _ read: [AuditSlice]
    ) async throws(EventStoreError) -> [SQLiteAuditWorker.Piece] {
        let workers = workers
        return try await onThreads(workers.count) { index, connection in
            try workers[index].check(read.map { $0.shares[index] }, on: connection)
        }
    }

    /// Adds the outcome of a share.
    mutating func add(_ piece: SQLiteAuditWorker.Piece) async throws(EventStoreError) {
        result.sessions += piece.sessions
        result.tally.add(piece.tally)
        suspects += piece.suspects
        for fault in try await open(piece.sealed) {
            // The worker has no keys: it counted the session as intact.
            result.sessions -= 1
            result.add(fault)
        }
    }

    /// Opens the seals of sessions and counts them.
    ///
    /// - Returns: The faults, in the order of the sessions.
    mutating func open(_ sealed: [SealedRecords]) async throws(EventStoreError) -> [StoreFault] {
        guard let vault, !sealed.isEmpty else { return [] }
        let count = min(workers.count, sealed.count)
        let opened = await withTaskGroup(of: [(Int, Opened)].self) { group in
            for share in 0..<count {
                // Opening seals is CPU-bound work, which must not block the loop.
                group.addTask(executorPreference: globalConcurrentExecutor) {
                    var opened: [(Int, Opened)] = []
                    for index in stride(from: share, to: sealed.count, by: count) {
                        opened.append((index, await Self.open(sealed[index], with: vault)))
                    }
                    return opened
                }
            }
            return await group.reduce(into: []) { $0 += $1 }
        }
        var faults: [StoreFault] = []
        for (_, result) in opened.sorted(by: { $0.0 < $1.0 }) {
            let (tally, fault) = try result.get()
            self.result.seals.add(tally)
            if let fault { faults.append(fault) }
        }
        return faults
    }

    private typealias Opened = Result<(tally: SealTally, fault: StoreFault?), EventStoreError>

    private static func open(_ sealed: SealedRecords, with vault: any KeyVault) async -> Opened {
        do throws(KeyVaultError) {
            return .success(try await sealed.open(with: vault))
        } catch {
            return .failure(.unavailable(reason: "\(error)", code: nil))
        }
    }

    /// Runs work on this many of the store's reading threads concurrently.
    ///
    /// - Returns: The results, in order.
    @discardableResult
    private func onThreads<Value: Sendable>(
        _ count: Int,
        _ work: @escaping @Sendable (Int, SQLiteConnection) throws -> Value
    ) async throws(EventStoreError) -> [Value] {
        let readers = store.readers
        let results = await withTaskGroup(
            of: (Int, Result<Value, EventStoreError>).self
        ) { group in
            for index in 0..<count {
                group.addTask {
                    do throws(EventStoreError) {
                        return (index, .success(try await readers.read { try work(index, $0) }))
                    } catch {
                        return (index, .failure(error))
                    }
                }
            }
            return await group.reduce(into: []) { $0.append($1) }
        }
        var values: [Value] = []
        for (_, result) in results.sorted(by: { $0.0 < $1.0 }) { values.append(try result.get()) }
        return values
    }
}
