public import EventLog

extension PaymentEngine {
    /// The session's updates, beginning with how it stands now; the engine keeps the session in memory meanwhile.
    ///
    /// The stream ends when the engine stops, when the session is erased, or when the loop over it is left.
    ///
    /// - Throws: ``EngineError`` when there is no such session or it can't be loaded, ``EngineError/overloaded(_:)`` when as
    ///   many listen to it as may (``EngineLimits/listeners``).
    public func updates(
        of session: SessionID
    ) async throws(EngineError) -> AsyncStream<SessionUpdate> {
        try await watch(session)
        guard let listeners = sessions[session]?.listeners.count,
            listeners < configuration.engineLimits.listeners
        else {
            unwatch(session)
            throw .overloaded(.listeners)
        }
        requestCount += 1
        let number = requestCount
        let (stream, continuation) = AsyncStream.makeStream(
            of: SessionUpdate.self,
            bufferingPolicy: .bufferingNewest(Self.updateBuffer)
        )
        sessions[session]?.listeners[number] = continuation
        if let state = core.state(of: session) {
            continuation.yield(
                SessionUpdate(
                    state: state,
                    isSettled: decider.isSettled(state),
                    events: [],
                    storeFailure: nil
                )
            )
        }
        continuation.onTermination = { [weak self] _ in
            guard let self else { return }
            Task(executorPreference: self.executor) {
                await self.stopListening(number, to: session)
            }
        }
        return stream
    }

    /// How many updates wait for a slow listener; older ones are dropped, the newest state is never lost.
    public static let updateBuffer = 1024

    /// Lets a worker tell the PSP of this engine's sessions as they go on; it is never waited for.
    public func tell(_ logger: EventLogger) { eventLogger = logger }

    private func stopListening(_ number: Int, to session: SessionID) {
        guard sessions[session]?.listeners.removeValue(forKey: number) != nil else { return }
        unwatch(session)
    }

    /// The plaintext of a session's sealed values, for those that the client needs in order to act.
    ///
    /// - Throws: ``EngineError`` when there is no such session or its keys are not at hand.
    public func secrets(of session: SessionID) async throws(EngineError) -> SecretTable {
        try await watch(session)
        defer { unwatch(session) }
        return sessions[session]?.secrets ?? SecretTable()
    }

    /// How a session stands.
    public func state(of session: SessionID) async throws(EngineError) -> SessionState {
        try await watch(session)
        defer { unwatch(session) }
        guard let state = core.state(of: session) else { throw .unknownSession(session) }
        return state
    }
}
