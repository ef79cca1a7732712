public import EventLog

extension Engine {
    /// The session's updates, beginning with how it stands now; the engine keeps the session in memory meanwhile.
    ///
    /// The stream ends when the engine stops, when the session is erased, or when the loop over it is left.
    ///
    /// - Throws: ``EngineFailure`` when there is no such session or it can't be loaded, ``EngineFailure/overloaded(_:)`` when as
    ///   many listen to it as may (``EngineLimits/listeners``).
    public func updates(
        of session: SessionID
    ) async throws(Failure) -> AsyncStream<EngineUpdate<Rules>> {
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
            of: EngineUpdate<Rules>.self,
            bufferingPolicy: .bufferingNewest(Self.updateBuffer)
        )
        sessions[session]?.listeners[number] = continuation
        if let state = core.state(of: session) {
            continuation.yield(
                EngineUpdate<Rules>(
                    state: state,
                    isSettled: isSettled(state),
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
    public static var updateBuffer: Int { 1024 }

    /// Calls an observer with each of this engine's sessions that goes on; nobody waits for it.
    public func notify(_ observer: @escaping @Sendable (SessionID) async -> Void) {
        observers.append(observer)
    }

    /// Whether nothing is pending on the engine's side.
    func isSettled(_ state: Rules.State) -> Bool {
        rules.isSettled(state, next: rules.next(in: state))
    }

    private func stopListening(_ number: Int, to session: SessionID) {
        guard sessions[session]?.listeners.removeValue(forKey: number) != nil else { return }
        unwatch(session)
    }

    /// The plaintext of a session's sealed values, for those that the client needs in order to act.
    ///
    /// - Throws: ``EngineFailure`` when there is no such session or its keys are not at hand.
    public func secrets(of session: SessionID) async throws(Failure) -> SecretTable {
        try await watch(session)
        defer { unwatch(session) }
        return sessions[session]?.secrets ?? SecretTable()
    }

    /// How a session stands.
    public func state(of session: SessionID) async throws(Failure) -> Rules.State {
        try await watch(session)
        defer { unwatch(session) }
        guard let state = core.state(of: session) else { throw .unknownSession(session) }
        return state
    }
}
