internal import EventLog

/// What the shell keeps of a session in memory, beside its state.
struct SessionResources<Rules: WorkflowRules> {
    var head: StreamHead
    var keys: SessionKeys
    var secrets: SecretTable
    /// The wrapped data key, until the next append has taken it along: of a new session, and of one whose records had no MACs.
    var wrappedKey: [UInt8]?
    var addressFingerprint: Digest256?
    /// The records of the append under way, and where the stream ends after it.
    var appending: (records: [Recorded<Rules.Event>], head: StreamHead)?
    /// Durable events that listeners have not been told of.
    var unpublished: [Recorded<Rules.Event>] = []
    var listeners: [Int: AsyncStream<EngineUpdate<Rules>>.Continuation] = [:]
    var watchers = 0

    func finishListeners() {
        for listener in listeners.values { listener.finish() }
    }
}
