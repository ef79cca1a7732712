internal import Adapters
internal import EventLog
internal import Inspection
internal import SwedbankPay
internal import Workflow

/// A store that is open for reading, for the duration of one command.
struct Reader: Sendable {
    let store: any PersistentStore
    let location: StoreLocation
    let invocation: Invocation
    /// The configuration.
    let configuration: Configuration
    /// The operator and the reason; the program itself unless an operator is named.
    var person = Operator(name: "workflowctl", reason: nil, isNamed: false)

    /// The rules of this build; not every command needs them, and their catalogue is slow to read.
    var decider: SessionDecider {
        var decider = SessionDecider(
            catalogue: configuration.catalogue,
            limits: configuration.session
        )
        decider.addresses = configuration.clientAddresses
        return decider
    }

    /// Opens a command's store for reading, and always closes it.
    ///
    /// `readers` is the number of reading threads; `nil` for the default.
    static func withStore<Value: Sendable>(
        for command: some Command,
        in invocation: Invocation,
        session: SessionID? = nil,
        readers: Int? = nil,
        _ body: (Reader) async throws(Failure) -> Value
    ) async throws(Failure) -> Value {
        let configuration = try Configuration.read(
            command.global,
            environment: invocation.environment
        )
        let person = try Operator.read(command.global, environment: invocation.environment)
        let service = try ServiceAddress.read(
            command.global,
            environment: invocation.environment
        )
        let (location, store): (StoreLocation, any PersistentStore)
        if let service {
            location = StoreLocation(served: service)
            store = RemoteStore(ServiceClient(service, configuration, on: invocation.loop))
        } else {
            location = try StoreLocation.read(
                command.global,
                environment: invocation.environment,
                configuration: configuration
            )
            store = try await location.open(
                .reading,
                for: session,
                on: invocation.loop,
                readers: readers
            )
        }
        let reader = Reader(
            store: store,
            location: location,
            invocation: invocation,
            configuration: configuration,
            person: person
        )
        let result: Result<Value, Failure>
        do throws(Failure) {
            result = .success(try await body(reader))
        } catch {
            result = .failure(service == nil ? error : error.ofService)
        }
        await store.close()
        return try result.get()
    }

    /// Returns some of a session's records, in order.
    func records(
        of session: SessionID,
        from first: SequenceNumber,
        limit: Int
    ) async throws(Failure) -> [StoredRecord] {
        do {
            return try await store.read(session, from: first, limit: limit)
        } catch {
            throw Failure(error)
        }
    }

    /// Brings the store's sums up to date, and prints a note when they are of an earlier moment,
    /// which this process cannot change.
    ///
    /// - Returns: The moment up to which they contain everything.
    func sumsAsOf(_ now: Instant) async -> Instant {
        let records = await store.catchUp()
        guard records > 0 else { return now }
        invocation.note(
            "note: the sums lack the latest \(records) records, and could not be brought up to date"
        )
        invocation.note(
            "hint: any command that may write the store, and any engine, brings them up to date"
        )
        return await store.asOf(now)
    }

    /// Prints a note when the session came from elsewhere and can only be read here.
    ///
    /// - Returns: Whether it came from elsewhere.
    @discardableResult
    func noteOrigin(of session: SessionID) async throws(Failure) -> Bool {
        guard try await store.listedRow(of: session)?.origin == .imported else { return false }
        invocation.note(
            "note: session \(session.short) was imported; it can be read but not driven"
        )
        return true
    }

    /// Returns the other paid sessions of a session's order; logs that cannot be read are left out.
    func possibleDuplicates(of log: SessionLog) async throws(Failure) -> [SessionID] {
        try await DuplicatePayments.others(than: log.state, in: store)
    }

    /// Returns how much of a session's sealed values is shown: none, unless revealing was requested
    /// and the keys are available.
    func disclosure(
        of log: SessionLog,
        revealing: Bool
    ) async throws(Failure) -> Disclosure {
        guard revealing else { return .masked }
        return .clear(log.secrets(with: try await keys(of: log.session)))
    }

    /// Returns a session's keys for an operator who will see the opened values.
    ///
    /// The access is recorded when recording is configured; `action` names the operator action.
    func keys(
        of session: SessionID,
        for action: String = "reveal"
    ) async throws(Failure) -> SessionKeys {
        let keys = try await unrecordedKeys(of: session)
        try await recordAccess(action, to: session)
        return keys
    }

    /// Returns a session's keys, for a purpose that shows no one the opened values.
    func unrecordedKeys(of session: SessionID) async throws(Failure) -> SessionKeys {
        let vault = try location.existingVault(environment: invocation.environment)
        do {
            guard let wrapped = try await store.wrappedKey(of: session) else {
                throw EngineError.erased(session)
            }
            return try await vault.keys(unwrapping: wrapped, for: session)
        } catch let error as EventStoreError {
            throw Failure(error)
        } catch let error as KeyVaultError {
            throw Failure(error)
        } catch {
            throw Failure(
                .refused,
                "engine.erased",
                "the keys of session \(session) are not in this store",
                hint: "leave out --reveal to read the log without them"
            )
        }
    }
}

extension DuplicatePayments {
    /// Returns the other paid sessions of a session's order; logs that cannot be read are left out.
    static func others(
        than state: SessionState,
        in store: any PersistentStore
    ) async throws(Failure) -> [SessionID] {
        var found = DuplicatePayments(in: store)
        do {
            return try await found.others(than: state) { _ in }
        } catch {
            throw Failure(error)
        }
    }
}
