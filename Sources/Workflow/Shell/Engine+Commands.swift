public import EventLog

/// What a session's address led to.
public struct AddressOpening: Hashable, Sendable {
    /// The session of the address.
    public var session: SessionID
    /// Whether the store had a session of this address before: then it is that one, and nothing was changed.
    public var wasKnown: Bool
}

extension Engine {
    /// Opens a session: its first input is decided and what comes of it is durable when this returns.
    ///
    /// Of several engines that open a session of the same address at the same time one makes it, and the others get it:
    /// the store decides that together with the first event.
    ///
    /// - Parameters:
    ///   - address: By what the session is found again; nil for a session that has no address.
    ///   - cause: The cause that the log records.
    ///   - input: Makes the first input, with what it seals.
    /// - Throws: The failure; nothing was recorded then, unless the store's error says otherwise.
    public func open(
        address: String?,
        cause: String,
        _ input: @Sendable (inout SecretTable, SessionKeys) -> Rules.Input
    ) async throws(Failure) -> AddressOpening {
        guard !isStopping else { throw .stopping }
        try checkRoom()
        try await Failure.stored { () throws(EventStoreError) in try await store.confirmLiving() }
        let session = SessionID(at: clock.now(), random: (random.next(), random.next()))
        let made: (keys: SessionKeys, wrapped: [UInt8])
        var fingerprint: Digest256?
        do {
            made = try await vault.makeKeys(for: session)
            if let address { fingerprint = try await vault.addressFingerprint(of: address) }
        } catch {
            throw .vault(error)
        }
        // While a master key is being replaced, known addresses may have the fingerprint of the one before.
        if let address, let known = try await sessionOfFormerAddress(address) {
            return AddressOpening(session: known, wasKnown: true)
        }
        // Others may have come while the keys were made.
        try checkRoom()
        var secrets = SecretTable()
        let first = input(&secrets, made.keys)
        sessions[session] = SessionResources(
            head: .empty,
            keys: made.keys,
            secrets: secrets,
            wrappedKey: made.wrapped,
            addressFingerprint: fingerprint,
            watchers: 1
        )
        handle(.loaded(Rules.State(session: session), isWatched: true))
        defer { unwatch(session) }
        do throws(Failure) {
            _ = try await request(first, of: session, cause: cause)
            return AddressOpening(session: session, wasKnown: false)
        } catch .store(.addressTaken(let known)) {
            return AddressOpening(session: known, wasKnown: true)
        }
    }

    private func sessionOfFormerAddress(_ address: String) async throws(Failure) -> SessionID? {
        let former: [Digest256]
        do {
            former = try await vault.formerAddressFingerprints(of: address)
        } catch {
            throw .vault(error)
        }
        for fingerprint in former {
            let known = try await Failure.stored { () throws(EventStoreError) in
                try await store.session(ofAddress: fingerprint)
            }
            if let known { return known }
        }
        return nil
    }

    /// Runs an input of a session through its rules and waits until what it led to is durable.
    ///
    /// - Parameters:
    ///   - session: The session.
    ///   - cause: The cause that the log records.
    ///   - input: Makes the input of the state as it is, with what it seals.
    @discardableResult
    public func drive(
        _ session: SessionID,
        cause: String,
        _ input: @Sendable (inout SecretTable, SessionKeys, Rules.State) -> Rules.Input
    ) async throws(Failure) -> Rules.State {
        try await watch(session)
        defer { unwatch(session) }
        guard let keys = sessions[session]?.keys, let held = core.held(session) else {
            throw .unknownSession(session)
        }
        var secrets = SecretTable()
        let input = input(&secrets, keys, held.state)
        sessions[session]?.secrets.merge(secrets)
        return try await request(input, of: session, cause: cause)
    }

    /// Takes a session up again: whatever is due is caught up.
    package func wake(_ session: SessionID) async throws(Failure) -> Rules.State {
        try await drive(session, cause: "command.resume") { _, _, _ in .resumed }
    }

    private func request(
        _ input: Rules.Input,
        of session: SessionID,
        cause: String
    ) async throws(Failure) -> Rules.State {
        requestCount += 1
        let number = requestCount
        let result = await withCheckedContinuation { continuation in
            replies[number] = continuation
            handle(.request(session, input, number: number, cause: cause))
        }
        switch result {
        case .accepted(let state): return state
        case .rejected(let rejection): throw .rejected(rejection)
        case .failed(let error): throw .store(error)
        case .overloaded: throw .overloaded(.queuedInputs)
        case .stopping: throw .stopping
        }
    }
}
