public import EventLog

/// An error of a call to the engine.
@nonexhaustive
public enum EngineFailure<Rejection: WorkflowRejection>: Error, Sendable {
    /// The session's rules rejected the input: nothing was changed.
    case rejected(Rejection)
    /// The session does not exist.
    case unknownSession(SessionID)
    /// The session's data key was destroyed: its log can be read, but the session can't be driven.
    case erased(SessionID)
    /// The store failed.
    case store(EventStoreError)
    /// The keys are not available.
    case vault(KeyVaultError)
    /// A stored log can't be read.
    case damaged(SessionID, sequence: SequenceNumber?, reason: String)
    /// A stored record was not written by a holder of the session's keys, or one is missing at the
    /// end.
    ///
    /// The session is not driven.
    case notAuthentic(SessionID, sequence: SequenceNumber)
    /// The store's index found the session by an address or name that its own log does not have.
    ///
    /// Nothing was done with either session.
    case misfiled(SessionID)
    /// The session was imported: it can be read, but never driven.
    case imported(SessionID)
    /// The address is not valid for a session; the reason never quotes it.
    case badAddress(reason: String)
    /// A limit of the engine was reached: nothing was changed, and the same call may be repeated
    /// later.
    case overloaded(EngineBound)
    /// The engine is shutting down: nothing was changed.
    case stopping

    /// The error's code, for example `engine.unknown-session`.
    public var code: String {
        switch self {
        case .rejected(let rejection): rejection.code
        case .unknownSession: "engine.unknown-session"
        case .erased: "engine.erased"
        case .store(let error): error.code
        case .vault(let error): error.code
        case .damaged: "store.corrupt"
        case .notAuthentic, .misfiled: "log.not-authentic"
        case .imported: "session.imported"
        case .badAddress: "engine.bad-address"
        case .overloaded: "engine.overloaded"
        case .stopping: "engine.stopping"
        }
    }
}

/// A limit of the engine that callers can exceed, named as in ``EngineLimits``.
@nonexhaustive
public enum EngineBound: String, Hashable, Sendable {
    /// The number of inputs that wait for one session.
    case queuedInputs
    /// The number of sessions in memory, including those being loaded.
    case sessions
    /// The number of listeners of one session.
    case listeners

    /// The limit that was reached.
    fileprivate var explanation: String {
        switch self {
        case .queuedInputs: "too many inputs are waiting for this session (queuedInputs)"
        case .sessions: "too many sessions are in memory (sessions)"
        case .listeners: "this session has too many listeners (listeners)"
        }
    }
}

extension EngineFailure: CustomStringConvertible {
    /// A description for people, without personal data.
    public var description: String {
        switch self {
        case .rejected(let rejection): rejection.description
        case .unknownSession(let session): "there is no session \(session)"
        case .erased(let session): "the keys of session \(session) were destroyed"
        case .store(let error): error.description
        case .vault(let error): "the keys are not available: \(error.code)"
        case .damaged(let session, let sequence, let reason):
            "the log of session \(session) is damaged"
                + (sequence.map { " at record \($0)" } ?? "") + ": \(reason)"
        case .notAuthentic(let session, let sequence):
            "record \(sequence) of session \(session) is not authentic: it was written or removed by somebody without the "
                + "session's keys"
        case .misfiled(let session):
            "the store's index names session \(session), but its log does not have this address or "
                + "reference: the index was changed by somebody without the store's keys"
        case .imported(let session):
            "session \(session) was imported: it can be read, but the engine does not process it"
        case .badAddress(let reason): "this session address is not valid: \(reason)"
        case .overloaded(let bound): "the engine is overloaded: \(bound.explanation)"
        case .stopping: "the engine is shutting down"
        }
    }
}
