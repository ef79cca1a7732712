internal import Adapters
internal import EventLog
internal import SwedbankPay
internal import Workflow

extension PaymentAPI {
    /// The metadata key, in the first event of a session, that names the caller who opened it.
    static let opener = "openedBy"

    /// The metadata of a session that a caller opens; it names the caller where drivers see only
    /// their own sessions.
    func metadata(
        _ given: [String: String]?,
        of caller: Caller
    ) throws(ServiceProblem) -> [String: String] {
        var metadata = given ?? [:]
        guard metadata[Self.opener] == nil else {
            throw ServiceProblem(
                422,
                "request.content",
                "the member 'metadata' has '\(Self.opener)', which names who opened the session"
            )
        }
        if policies.limitsDrivers { metadata[Self.opener] = caller.name }
        return metadata
    }

    /// Returns the caller of a request as far as its rights go: where drivers see only their own
    /// sessions, it is no driver of another one.
    ///
    /// - Throws: The problem of an unknown session, when only a driver could do it: whether the
    ///   session exists is not told.
    func callerWithin(
        _ request: ServiceRequest,
        at route: Route
    ) async throws(ServiceProblem) -> Caller {
        var caller = request.caller
        guard policies.limitsDrivers, caller.roles.contains(.driver), route.namesSession,
            let roles = route.roles
        else { return caller }
        let session = try request.session()
        guard try await !hasOpened(session, caller) else { return caller }
        caller.roles.remove(.driver)
        guard !roles.isDisjoint(with: caller.roles) else {
            throw ServiceProblem(EngineError.unknownSession(session))
        }
        return caller
    }

    /// Whether a caller sees only the sessions that it opened.
    func seesOwnOnly(_ caller: Caller) -> Bool {
        policies.limitsDrivers && caller.roles.intersection(Role.readers) == [.driver]
    }

    /// Returns those of some sessions that a caller may see.
    func seen<Item>(
        _ items: [Item],
        by caller: Caller,
        _ session: (Item) -> SessionID
    ) async throws(ServiceProblem) -> [Item] {
        guard seesOwnOnly(caller) else { return items }
        var own: [Item] = []
        for item in items where try await hasOpened(session(item), caller) { own.append(item) }
        return own
    }

    /// Whether a caller has opened a session, as its first event says; false for an unknown one.
    func hasOpened(_ session: SessionID, _ caller: Caller) async throws(ServiceProblem) -> Bool {
        let first: StoredRecord?
        do throws(EventStoreError) {
            first = try await store.read(session, from: 1, limit: 1).first
        } catch {
            throw ServiceProblem(error)
        }
        guard let first, let event = try? RecordReader.event(in: first).event else { return false }
        let opener =
            switch event {
            case .opened(let opened): opened.metadata[Self.opener]
            case .checkout(.checkoutOpened(let opened)): opened.metadata[Self.opener]
            default: nil as OutsideText?
            }
        guard let opener else { return false }
        // A name that could be an address is sealed.
        guard opener.isSealed else { return opener.shown == caller.name }
        guard let secrets = try? await engine.secrets(of: session) else { return false }
        return secrets.clear(opener) == caller.name
    }
}
