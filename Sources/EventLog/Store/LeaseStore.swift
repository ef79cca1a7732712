/// The leases of sessions: an engine performs a session's effects only while it holds the session's
/// lease.
public protocol LeaseStore: Sendable {
    /// Acquires the exclusive lease on a session, until it is released or this process ends.
    ///
    /// A store shared by several machines can't see a process end. There the lease also expires
    /// when the store has not heard from the process for a while, and each time it changes hands it
    /// has a new fencing token, which accompanies every append that relies on it.
    ///
    /// - Returns: False when another engine holds the lease.
    func acquireLease(on stream: SessionID) async throws(EventStoreError) -> Bool

    /// Acquires the lease for work that sends nothing, such as an erasure: also in a copy of a
    /// store, from which nothing may be sent.
    ///
    /// - Returns: False when an engine holds the lease.
    func acquireQuietLease(on stream: SessionID) async throws(EventStoreError) -> Bool

    /// Whether this process still holds the lease, as far as is known without contacting the
    /// store.
    ///
    /// Check it immediately before acting: a process that was suspended may have lost the lease
    /// without noticing.
    func holdsLease(on stream: SessionID) -> Bool

    /// Releases the lease on a session.
    func releaseLease(on stream: SessionID) async

    /// Releases the leases on many sessions, including sessions that are not held.
    func releaseLeases(on streams: [SessionID]) async

    /// The number of held leases that other engines should have, so that each has its share.
    ///
    /// By calling it, an engine also announces that it accepts sessions with something due.
    ///
    /// - Parameter instant: Unheld sessions that are due at this time or earlier count as available
    ///   to every engine.
    /// - Returns: The number of leases to hand over.
    /// - Throws: ``EventStoreError`` when the store can't be read.
    func surplusLeases(dueBy instant: Instant) async throws(EventStoreError) -> Int

    /// Hands leases over to engines that have fewer; no effect of these sessions may be running.
    func handOverLeases(on streams: [SessionID]) async
}

extension LeaseStore {
    /// Acquires the lease like any other: by default, a store does not know whether it is a copy.
    public func acquireQuietLease(on stream: SessionID) async throws(EventStoreError) -> Bool {
        try await acquireLease(on: stream)
    }

    /// True: an acquired lease lasts until it is released.
    public func holdsLease(on stream: SessionID) -> Bool { true }

    /// Releases them one after the other.
    public func releaseLeases(on streams: [SessionID]) async {
        for stream in streams { await releaseLease(on: stream) }
    }

    /// Zero: the engines of one machine share it anyway.
    public func surplusLeases(dueBy instant: Instant) async throws(EventStoreError) -> Int { 0 }

    /// Releases the leases, so that any engine can acquire them.
    public func handOverLeases(on streams: [SessionID]) async {
        await releaseLeases(on: streams)
    }
}
