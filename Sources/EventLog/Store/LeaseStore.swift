/// The exclusive rights to run the effects of sessions: an engine acts for a session only while it holds its lease.
public protocol LeaseStore: Sendable {
    /// Takes the sole right to run a session's effects, until released or until this process ends.
    ///
    /// A store of several machines can't see a process end: there the right also ends when the store has not heard of
    /// the process for a while, and each time that it changes hands it has another token, which goes with every append
    /// that relies on it.
    ///
    /// - Returns: False when another engine holds it.
    func acquireLease(on stream: SessionID) async throws(EventStoreError) -> Bool

    /// Whether the right to run a session's effects is still ours, as far as can be told without asking anybody.
    ///
    /// To be looked at right before acting: a process that stood still may have lost it without hearing of it.
    func holdsLease(on stream: SessionID) -> Bool

    /// Gives back the right to run a session's effects.
    func releaseLease(on stream: SessionID) async

    /// Gives back the right to run the effects of many sessions, those included that were not held.
    func releaseLeases(on streams: [SessionID]) async

    /// How many of the sessions that are held here other engines should have, so that each has its share.
    ///
    /// Whoever asks says with it that it takes up sessions that something is due for.
    ///
    /// - Parameter instant: What is due at this time or before, and held by nobody, is everybody's to take.
    func surplusLeases(dueBy instant: Instant) async throws(EventStoreError) -> Int

    /// Gives the right to run the effects of sessions to engines that have fewer; nothing of them may be under way.
    func handOverLeases(on streams: [SessionID]) async
}

extension LeaseStore {
    /// Yes: what was taken lasts until it is given back.
    public func holdsLease(on stream: SessionID) -> Bool { true }

    /// One after the other.
    public func releaseLeases(on streams: [SessionID]) async {
        for stream in streams { await releaseLease(on: stream) }
    }

    /// None: the engines of one machine share it anyway.
    public func surplusLeases(dueBy instant: Instant) async throws(EventStoreError) -> Int { 0 }

    /// Gives them back, for whoever comes first.
    public func handOverLeases(on streams: [SessionID]) async {
        await releaseLeases(on: streams)
    }
}
