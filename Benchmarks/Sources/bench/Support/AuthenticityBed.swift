internal import Adapters
internal import EventLog
internal import Measuring
internal import SwedbankPay

/// A store of sessions with their own keys.
final class AuthenticityBed {
    /// The number of events of a session.
    static let events = 30

    private let store: SQLiteEventStore
    private let loop: UVLoop
    private let vault: SampleVault
    private let decider: SessionDecider
    private let sessions: [SessionID]
    private let keys: SessionKeys

    /// A log was not read to its end, or was not found authentic.
    struct NotSound: Error {
        /// What was wrong.
        var what: String
    }

    /// Creates the sessions, each with the sample's log.
    init(sessions count: Int, sample: SessionSample, path: String) async throws {
        let loop = try UVLoop(name: "bench")
        let store = try await SQLiteEventStore(
            path: path,
            loop: loop,
            options: SQLiteOptions(readers: StoreAudit.usefulReaders)
        )
        let keys = sample.keys
        let vault = SampleVault(keys: keys, file: try KeyFileVault(path: path + ".key"))
        // The polling interval with which the sample was recorded.
        var limits = SessionLimits()
        limits.pollInterval = .milliseconds(5)
        let decider = SessionDecider(catalogue: .bundled, limits: limits)
        let kept = sample.events
        let start = kept[0].at
        let events = (0..<Self.events).map { number in
            var event = kept[number % kept.count]
            event.at = start + .milliseconds(number)
            return event
        }
        let sessions = (0..<count).map { _ in SessionID.fresh() }
        for session in sessions {
            let records = try sample.records(
                Self.events,
                of: events,
                for: session,
                with: keys
            )
            var append = StreamAppend(records[0])
            append.records = records
            append.summary = decider.summary(of: .folding(events, of: session))
            append.summary.headMAC = records.last.map {
                keys.mac(of: StreamHead(sequence: $0.sequence, hash: $0.hash))
            }
            append.wrappedKey = try await vault.makeKeys(for: session).wrapped
            try await store.append(append)
        }
        (self.store, self.loop, self.vault, self.decider) = (store, loop, vault, decider)
        (self.sessions, self.keys) = (sessions, keys)
    }

    /// Reads and folds one session after the other.
    ///
    /// - Parameter authenticates: Whether the MAC of each record is verified.
    /// - Returns: Events per processor second.
    /// - Throws: ``NotSound`` when a log is not authentic or not complete.
    func replay(authenticates: Bool) async throws -> Double {
        let (store, sessions, keys) = (store, sessions, keys)
        let start = Machine.processorSeconds()
        try await sharing(sessions.count, among: 8, on: loop) { number in
            let records = try await store.read(sessions[number], from: 1, limit: 512)
            var state = SessionState(session: sessions[number])
            var proof = LogAuthentication(keys: keys, end: nil)
            for record in records {
                if authenticates, !proof.accepts(record) { throw NotSound(what: "a MAC") }
                let event = try RecordReader.event(in: record)
                state.apply(event.event, at: event.at)
            }
            guard state.sequence == SequenceNumber(Self.events) else {
                throw NotSound(what: "a log's length")
            }
        }
        return Double(sessions.count * Self.events) / (Machine.processorSeconds() - start)
    }

    /// Checks the whole store.
    ///
    /// - Parameter hasKeys: Whether each record's MAC is verified and each seal opened.
    /// - Returns: Events per processor second.
    /// - Throws: An error when the store cannot be checked or is damaged.
    func verify(hasKeys: Bool) async throws -> Double {
        let (store, decider, vault) = (store, decider, vault)
        let start = Machine.processorSeconds()
        try await onLoop(loop) {
            var audit = try await StoreAudit(
                of: store,
                by: decider,
                build: nil,
                vault: hasKeys ? vault : nil
            )
            while try await audit.advance() {}
            try await audit.finish()
            // All sessions have the sample's address, whose fingerprint a store contains only once.
            let fault = audit.result.faults.first {
                if case .projection(["address_fp"]) = $0.kind { false } else { true }
            }
            if let fault { throw NotSound(what: "\(fault)") }
        }
        return Double(sessions.count * Self.events) / (Machine.processorSeconds() - start)
    }

    func close() async {
        await store.close()
        loop.shutdown()
    }
}

/// Unwraps a data key of each session, as a vault does, and returns the sample's keys, which its
/// fingerprints need.
private struct SampleVault: KeyVault {
    let keys: SessionKeys
    let file: KeyFileVault

    func makeKeys(
        for session: SessionID
    ) async throws(KeyVaultError) -> (keys: SessionKeys, wrapped: [UInt8]) {
        (keys, try await file.makeKeys(for: session).wrapped)
    }

    func keys(
        unwrapping wrapped: [UInt8],
        for session: SessionID
    ) async throws(KeyVaultError) -> SessionKeys {
        _ = try await file.keys(unwrapping: wrapped, for: session)
        return keys
    }

    func addressFingerprint(of address: String) async throws(KeyVaultError) -> Digest256 {
        try await file.addressFingerprint(of: address)
    }

    func rewrap(
        _ wrapped: [UInt8],
        for session: SessionID
    ) async throws(KeyVaultError) -> [UInt8]? {
        try await file.rewrap(wrapped, for: session)
    }
}
