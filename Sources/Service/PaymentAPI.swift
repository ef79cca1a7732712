public import Adapters
public import EventLog
public import HTTPTypes
internal import Inspection
public import Logging
public import SwedbankPay
public import Workflow

/// The engine's API over HTTP, from request to response: for clients in any language.
///
/// It is not a server: a server passes it each request, and sends the response that it returns. It
/// decides nothing about payments: the engine's rules do, and the words are those of `Inspection`.
///
/// - Note: Isolation: any; requests may be concurrent.
public struct PaymentAPI: Sendable {
    /// The limits of the service.
    public struct Limits: Hashable, Sendable {
        /// The maximum size of a request's body, in bytes.
        public var bodyBytes = 256 * 1024
        /// The maximum number of streams at the same time.
        public var streams = 15_000
        /// The maximum number of streams of one caller.
        public var streamsOfCaller = 64
        /// The maximum number of requests that a driver sends in a second.
        public var requestsOfDriver = 1000
        /// The maximum number of requests that another caller sends in a second.
        public var requestsOfReader = 100
        /// The maximum number of requests that a payer sends in a second.
        public var requestsOfPayer = 20
        /// The maximum number of requests in a second from one address, or one network of IPv6, at
        /// a listener for payers.
        public var requestsOfAddress = 100

        /// Creates the default limits.
        public init() {}

        func requestsPerSecond(of caller: Caller) -> Int {
            if caller.session != nil { return requestsOfPayer }
            return caller.roles.contains(.driver) ? requestsOfDriver : requestsOfReader
        }
    }

    /// What a listener of the server offers.
    public enum Listener: Sendable {
        /// All endpoints, to callers with a role for them.
        case everything
        /// What payers and the PSP need, and what may face the internet: a payer's own session,
        /// callbacks, and what is mounted. No token of a caller with a role is accepted.
        case payers
    }

    let engine: PaymentEngine
    let store: any PersistentStore
    let reach: TransportConfiguration
    let tokens: AccessTokens
    let payers: PayerTokens
    /// Records what operators do.
    package let trail: AuditTrail
    let policies: Policies
    let limits: Limits
    /// What callers have used of them.
    let used: CallerLimits
    let documents: ServiceDocuments
    let changes: ChangeWatch
    let underWay = RequestsUnderWay()
    let clock: any EngineClock
    let random: any RandomSource
    let log: Logger
    /// Measures the requests.
    private(set) var measured = ServiceMetrics(into: MetricReadings(counting: true))
    /// What `/metrics` has beside the gauges of the store: what the requests of this API and
    /// everything else in the process measure.
    package var readings: MetricReadings {
        get { measured.readings }
        set { measured = ServiceMetrics(into: newValue) }
    }

    /// How long a response waits for a session to settle, unless the caller says otherwise.
    static let usualWait = Duration.seconds(10)
    /// How long a response waits at most.
    static let longestWait = Duration.seconds(60)

    /// Creates the API of an engine and its store.
    ///
    /// - Parameters:
    ///   - engine: The engine, which somebody else runs.
    ///   - store: Its store.
    ///   - vault: The keys of the store.
    ///   - reach: Which hosts the engine may contact; a session of another one is not opened.
    ///   - tokens: The tokens of callers.
    ///   - documents: The published description and the pages of errors.
    ///   - policies: What the merchant requires of operators and orders.
    ///   - limits: The limits.
    ///   - clock: The source of the time.
    ///   - random: The source of tokens.
    ///   - log: Receives a line for each request, without secrets.
    public init(
        engine: PaymentEngine,
        store: any PersistentStore,
        vault: any KeyVault,
        reach: TransportConfiguration,
        tokens: AccessTokens,
        documents: ServiceDocuments = ServiceDocuments(),
        policies: Policies = Policies(),
        limits: Limits = Limits(),
        clock: any EngineClock,
        random: any RandomSource = SystemRandom(),
        log: Logger = Logger(label: "payment-workflow.service")
    ) {
        (self.engine, self.store, self.reach, self.tokens) = (engine, store, reach, tokens)
        (self.documents, self.policies, self.limits) = (documents, policies, limits)
        (self.clock, self.random, self.log) = (clock, random, log)
        used = CallerLimits(limits)
        payers = PayerTokens(vault: vault)
        trail = AuditTrail(
            of: store,
            by: engine.decider,
            build: engine.configuration.build,
            node: engine.configuration.node,
            now: { clock.now() },
            vault: { vault }
        )
        changes = ChangeWatch(of: store)
    }

    /// Serves streams until the task is canceled; then they end.
    public func run() async {
        let changes = changes
        await engine.notify { await changes.note($0) }
        await changes.run()
    }

    /// Responds to a request; there is always a response.
    ///
    /// - Parameters:
    ///   - head: The head, with path and query as requested.
    ///   - body: The whole body; a server need not read more than ``Limits/bodyBytes`` plus one.
    ///   - source: The address that the request came from, as known to the server. Trusted proxies
    ///     are known by it, so it must not come from a field of the request.
    ///   - listener: What the listener offers on which the request came.
    /// - Returns: The response.
    public func respond(
        to head: HTTPRequest,
        body: [UInt8] = [],
        from source: String? = nil,
        at listener: Listener = .everything
    ) async -> ServiceResponse {
        let begin = ContinuousClock.now
        let id = requestID()
        var (caller, route): (Caller?, Route?)
        var response: ServiceResponse
        do throws(ServiceProblem) {
            response = try await respond(
                to: head,
                body,
                from: source,
                at: listener,
                &route,
                &caller
            )
        } catch {
            response = error.response(for: session(in: head))
            measured.count(error)
        }
        response.head.headerFields[.requestID] = id
        note(head, route, response.head.status, caller, id, source, since: begin)
        return response
    }

    /// An identifier for a request.
    func requestID() -> String {
        random.bytes(8).map { String(UInt16($0) | 0x100, radix: 16).dropFirst() }.joined()
    }

    /// Counts a request, and writes its line.
    func note(
        _ head: HTTPRequest,
        _ route: Route?,
        _ status: HTTPResponse.Status,
        _ caller: Caller?,
        _ id: String,
        _ source: String?,
        since begin: ContinuousClock.Instant,
        named name: String? = nil
    ) {
        let duration = ContinuousClock.now - begin
        measured.count(route, status, after: duration)
        log.info(
            "request",
            metadata: [
                "request": "\(id)", "route": "\(name ?? route?.rawValue ?? "none")",
                "method": "\(head.method.rawValue)", "status": "\(status.code)",
                "caller": "\(caller?.name ?? "none")",
                "session": "\(session(in: head)?.description ?? "none")",
                "from": "\(source ?? "unknown")",
                "milliseconds":
                    "\(duration.components.seconds * 1000 + duration.components.attoseconds / 1_000_000_000_000_000)",
            ]
        )
    }

    /// The session that the path names, if it names one.
    private func session(in head: HTTPRequest) -> SessionID? {
        let path = head.path.map { String($0.unicodeScalars.prefix { $0 != "?" }) }
        guard let path else { return nil }
        // Whoever looked at a payment on a page is in the log as well.
        for prefix in ["/v1/sessions/", "/console/payments/"] where path.hasPrefix(prefix) {
            return path.dropFirst(prefix.count).pieces(between: "/").first
                .flatMap { SessionID(String($0)) }
        }
        return nil
    }

    private func respond(
        to head: HTTPRequest,
        _ body: [UInt8],
        from source: String?,
        at listener: Listener,
        _ found: inout Route?,
        _ known: inout Caller?
    ) async throws(ServiceProblem) -> ServiceResponse {
        let target = head.path ?? "/"
        let path = String(target.unicodeScalars.prefix { $0 != "?" })
        let (route, parts): (Route, [String])
        do throws(ServiceProblem) {
            (route, parts) = try Route.find(head.method, path, at: listener)
        } catch {
            guard error == .noAddress, listener == .payers else { throw error }
            return try await mounted(head, body, from: source)
        }
        found = route
        guard body.count <= limits.bodyBytes else { throw .tooLarge }
        var caller = Caller(name: "none", roles: [])
        if let roles = route.roles {
            switch listener {
            case .everything: caller = try await self.caller(of: head, from: source)
            case .payers: caller = try await self.payer(of: head, from: source, at: route)
            }
            known = caller
            guard
                !roles.isDisjoint(with: caller.roles)
                    || caller.session != nil && route.isForPayer || caller.isPSP
            else { throw .forbidden }
            // Anybody may claim to be the PSP: its address was counted.
            if !caller.isPSP { try used.count(caller, at: clock.now()) }
        }
        var request = ServiceRequest(
            head: head,
            body: body,
            parts: parts,
            query: try Self.query(of: target),
            caller: caller
        )
        // Whether another session exists is not told.
        if let own = caller.session, try request.session() != own { throw .forbidden }
        request.caller = try await callerWithin(request, at: route)
        return try await respond(request, at: route)
    }

    /// The response at an address beside those of the API.
    private func mounted(
        _ head: HTTPRequest,
        _ body: [UInt8],
        from source: String?
    ) async throws(ServiceProblem) -> ServiceResponse {
        guard let mounted = policies.mounted else { throw .noAddress }
        try countAddress(source)
        guard body.count <= limits.bodyBytes else { throw .tooLarge }
        guard let response = await mounted(head, body, source) else { throw .noAddress }
        return response
    }

    func respond(
        _ request: ServiceRequest,
        at route: Route
    ) async throws(ServiceProblem) -> ServiceResponse {
        switch route {
        case .openSession: try await openSession(request)
        case .listSessions: try await listSessions(request)
        case .showSession: try await showSession(request)
        case .sessionEvents: try await sessionEvents(request)
        case .sessionStream: try await sessionStream(request)
        case .story: try await story(request)
        case .timeline: try await timeline(request)
        case .diagram: try await diagram(request)
        case .reportPage: try await reportPage(request)
        case .states: try await states(request)
        case .state: try await state(request)
        case .proof: try await proof(request)
        case .search: try await search(request)
        case .moneyAtRisk: try await moneyAtRisk(request)
        case .statistics: try await statistics(request)
        case .listStoredTokens: try await listStoredTokens(request)
        case .deleteStoredToken: try await deleteStoredToken(request)
        case .resolve: try await resolve(request)
        case .attempt: try await attempt(request)
        case .menu: try await menu(request)
        case .report: try await report(request)
        case .page: try await page(request)
        case .returned: try await returned(request)
        case .retry, .abort, .refetch: try await intervene(request, route)
        case .close: try await close(request)
        case .openCheckout: try await openCheckout(request)
        case .chooseInstrument: try await chooseInstrument(request)
        case .handOver: try await handOver(request)
        case .handBack: try await handBack(request)
        case .callback: try await callback(request)
        case .orderCallback: try await orderCallback(request)
        case .adoptOrder: try await adoptOrder(request)
        case .transact: try await transact(request)
        case .addNote: try await addNote(request)
        case .requestWithKey: try await requestWithKey(request)
        case .requestOfReference: try await requestOfReference(request)
        case .createPayerToken: try await createPayerToken(request)
        case .events: try await events(request)
        case .eventStream: try eventStream(request)
        case .myself: myself(request)
        case .health: .empty(.ok)
        case .readiness: try await readiness()
        case .metrics: await metrics()
        case .description: try description()
        case .errorPage: try errorPage(request)
        }
    }

    private static func query(of target: String) throws(ServiceProblem) -> [String: String] {
        guard let mark = target.utf8.firstIndex(of: UInt8(ascii: "?")) else { return [:] }
        var query: [String: String] = [:]
        for pair in target.utf8[mark...].dropFirst().split(separator: UInt8(ascii: "&")) {
            let parts = pair.split(
                separator: UInt8(ascii: "="),
                maxSplits: 1,
                omittingEmptySubsequences: false
            )
            let texts = parts.map { part in
                String(
                    validating: PercentEncoding.decoded(part.map { $0 == 0x2B ? 0x20 : $0 }),
                    as: UTF8.self
                )
            }
            guard let name = texts.first ?? nil, let value = texts.count > 1 ? texts[1] : "" else {
                throw .malformed("the query is not text")
            }
            guard query.updateValue(value, forKey: name) == nil else {
                throw .malformed("the query has a parameter twice")
            }
        }
        return query
    }
}
