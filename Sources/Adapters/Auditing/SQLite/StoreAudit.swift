public import EventLog
public import SwedbankPay

/// Checks a whole store: chains, form, folds, seals and the session index.
///
/// The records are read once, in storage order, on the store's reading threads: each thread reads a
/// slice (``AuditSlice``), then each follows a share of the sessions through all slices and keeps
/// only those that have begun and not ended (``SQLiteAuditWorker``). Sessions with a mismatch, and
/// those still being written, are examined again at the end, each in its own transaction. So the
/// store may be in use meanwhile, and neither it nor a log is ever in memory as a whole.
///
/// An audit can be interrupted and resumed from its ``mark``.
///
/// - Note: Isolation: one task at a time.
public struct StoreAudit: Sendable {
    /// The number of log positions per piece, after which progress is visible; digests depend on
    /// it.
    public static let pieceSize: Int64 = 8192
    /// The maximum number of faults kept; all are counted.
    public static let maximumFaults = 10_000
    /// The maximum number of threads that check concurrently.
    public static let maximumWorkers = 8

    let store: SQLiteEventStore
    private let rules: SQLiteAuditRules
    let vault: (any KeyVault)?
    let workers: [SQLiteAuditWorker]
    let slices: [AuditSlice]
    var suspects: [SQLiteSuspect]
    /// The result so far.
    public internal(set) var result: StoreAuditResult
    /// How far the audit has come.
    private var position: StoreAuditPosition

    /// Starts an audit, or resumes one.
    ///
    /// - Parameters:
    ///   - store: The store; its reading threads do the work.
    ///   - decider: The rules of this build, for the session index.
    ///   - build: The name of this build, as recorded in the records that it writes.
    ///   - vault: The keys, to open every seal; `nil` to count seals only.
    ///   - mark: Where an earlier audit of the same store was interrupted.
    /// - Throws: ``EventStoreError/foreign(reason:)`` when the mark belongs to another store, or to
    ///   another state of this one.
    public init(
        of store: SQLiteEventStore,
        by decider: SessionDecider,
        build: String?,
        vault: (any KeyVault)? = nil,
        from mark: StoreAuditMark? = nil
    ) async throws(EventStoreError) {
        self.store = store
        self.vault = vault
        rules = SQLiteAuditRules(decider: decider, build: build, opensSeals: vault != nil)
        position = try await store.auditPosition(from: mark?.position)
        let known = (mark?.suspects ?? []).map { SQLiteSuspect(key: $0.key, position: $0.position) }
        let (rules, count) = (rules, min(store.readerCount, Self.maximumWorkers))
        suspects = known
        workers = (0..<count).map {
            SQLiteAuditWorker(share: $0, of: count, rules: rules, suspects: known)
        }
        slices = (0..<count).map { _ in AuditSlice(shares: count) }
        result = mark?.result ?? StoreAuditResult()
    }

    /// The progress in log positions.
    public var progress: (done: Int64, of: Int64) { (position.done, position.end) }

    /// The state from which another process can resume.
    public var mark: StoreAuditMark {
        let left = suspects + workers.flatMap(\.unfinished)
        return StoreAuditMark(
            position: position,
            suspects: left.sorted { $0.position < $1.position }.map {
                StoreAuditMark.Suspect(key: $0.key, position: $0.position)
            },
            result: result
        )
    }

    /// Checks the next piece.
    ///
    /// - Returns: `false` at the end; then call ``finish()``.
    public mutating func advance() async throws(EventStoreError) -> Bool {
        guard position.done < position.end else { return false }
        let end = Self.end(ofPieceAfter: position.done, before: position.end)
        var (done, hashes) = (position.done, [UInt8]())
        var newest: StoreAuditPosition.Place?
        while done < end {
            let (read, through) = try await fill(after: done, through: end)
            for slice in read {
                hashes += slice.hashes
                newest = slice.last ?? newest
            }
            for piece in try await check(read) { try await add(piece) }
            done = through
        }
        if let newest {
            position.digest = HashChain.hash(position.digest, hashes)
            position.last = newest
            position.done = end
        } else {
            position.done = try await store.auditStep(after: end, before: position.end)
        }
        return true
    }

    /// The end of the piece that begins after a log position; positions come from the file, so they
    /// may be any numbers.
    private static func end(ofPieceAfter first: Int64, before end: Int64) -> Int64 {
        let (last, isBeyond) = (first / pieceSize + 1).multipliedReportingOverflow(by: pieceSize)
        return isBeyond ? end : min(last, end)
    }

    /// Examines the sessions that were left for the end.
    public mutating func finish() async throws(EventStoreError) {
        let left = (suspects + workers.flatMap(\.unfinished)).sorted { $0.position < $1.position }
        for suspect in left {
            let rules = rules
            let check = try await store.readers.read {
                try SQLiteCloseCheck.at(.key(suspect.key), by: rules, on: $0)
            }
            guard let check else { continue }
            if suspect.wasCounted { result.sessions -= 1 }
            try await add(check, suspect.fault, wasCounted: suspect.wasCounted)
        }
        for session in try await store.sessionsWithoutRecords(limit: Self.maximumFaults) {
            result.add(session)
        }
        result.count(copies: try await store.listFaults(limit: Self.maximumFaults, of: nil))
        suspects = []
    }

    /// Checks one session only.
    ///
    /// - Returns: `false` when there is no such session.
    public mutating func check(_ session: SessionID) async throws(EventStoreError) -> Bool {
        let rules = rules
        let check = try await store.readers.read {
            try SQLiteCloseCheck.at(.session(session), by: rules, on: $0)
        }
        guard let check else { return false }
        try await add(check, nil, wasCounted: false)
        result.count(copies: try await store.listFaults(limit: 1, of: session))
        return true
    }

    private mutating func add(
        _ check: SQLiteCloseCheck,
        _ noticed: StoreFault?,
        wasCounted: Bool
    ) async throws(EventStoreError) {
        var fault = check.fault ?? noticed
        if !wasCounted {
            result.tally.add(check.tally)
            if let sealed = check.sealed, let wrong = try await open([sealed]).first {
                fault = wrong.weighed(against: fault)
            }
        }
        if let fault { result.add(fault) } else { result.sessions += 1 }
    }
}
