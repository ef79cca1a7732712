internal import Adapters
internal import EventLog
internal import HTTPTypes
internal import Inspection
internal import SwedbankPay
internal import Workflow

extension PaymentAPI {
    /// Opens a checkout: its order is created, at the PSP or by a merchant backend.
    func openCheckout(_ request: ServiceRequest) async throws(ServiceProblem) -> ServiceResponse {
        try request.refuseParameters(except: [])
        let checkout = try await checkout(request)
        guard let key = try request.key() else {
            return try await opened(try await open(checkout, nil), request)
        }
        // What is kept in the log is found by the reference.
        guard let reference = checkout.reference, OutsideText.isPlain(reference: reference) else {
            throw ServiceProblem(
                422,
                "request.key-needs-reference",
                "with an Idempotency-Key, a checkout needs a 'reference' without personal data",
                hint: "send the reference by which the merchant knows the order"
            )
        }
        return try await once(key) { () async throws(ServiceProblem) in
            let known = try await earlier(key, among: reference)
            let session = if let known { known } else { try await open(checkout, key) }
            return (try await opened(session, request), known != nil)
        }
    }

    private func open(
        _ checkout: CheckoutRequest,
        _ key: RequestKey?
    ) async throws(ServiceProblem) -> SessionID {
        do throws(EngineError) {
            return try await engine.openCheckout(
                checkout,
                allowsInsecureLoopback: reach.allowsInsecureLoopback,
                key: key
            )
        } catch {
            throw ServiceProblem(error)
        }
    }

    private func opened(
        _ session: SessionID,
        _ request: ServiceRequest
    ) async throws(ServiceProblem) -> ServiceResponse {
        var response = try await followed(session, request)
        response.head.headerFields[.location] = "/v1/sessions/\(session)"
        if response.head.status == .ok { response.head.status = .created }
        return response
    }

    /// Returns the checkout that an earlier request with the key opened, among those with the same
    /// reference; `nil` when there is none.
    ///
    /// - Throws: A problem when another request had the key.
    private func earlier(
        _ key: RequestKey,
        among reference: String
    ) async throws(ServiceProblem) -> SessionID? {
        for row in try await rows(of: reference) {
            let first = try await log(of: row.session).events.prefix(1)
            guard let earlier = key.find(in: first) else { continue }
            guard earlier.isSame else { throw .keyReused }
            return row.session
        }
        return nil
    }

    /// The sessions with a reference among which a key is looked for, the newest first.
    private func rows(
        of reference: String
    ) async throws(ServiceProblem) -> [SessionSummary] {
        let query = SessionQuery(
            reference: reference,
            origin: .own,
            limit: Self.sessionsOfReference
        )
        do throws(EventStoreError) { return try await store.sessions(matching: query) } catch {
            throw ServiceProblem(error)
        }
    }

    /// The maximum number of sessions with one reference among which a key is looked for.
    private static let sessionsOfReference = 100

    /// What became of a request with a key, for a caller that does not know the session but its
    /// reference: the first event that followed from it.
    func requestOfReference(
        _ request: ServiceRequest
    ) async throws(ServiceProblem) -> ServiceResponse {
        try request.refuseParameters(except: ["reference"])
        guard let reference = request.query["reference"], !reference.isEmpty else {
            throw .malformed("the parameter 'reference' is required")
        }
        let key = RequestKey(request.parts[0], of: request.caller.name, content: [])
        for row in try await rows(of: reference) {
            guard let found = key.find(in: try await log(of: row.session).events) else { continue }
            return .json([
                "session": .string("\(row.session)"), "seq": .sequence(found.sequence),
            ])
        }
        throw .unknownKey
    }

    /// Reads what to open; nothing is recorded of what is refused here.
    private func checkout(
        _ request: ServiceRequest
    ) async throws(ServiceProblem) -> CheckoutRequest {
        let content = try request.content(CheckoutContent.self)
        try content.check()
        let (gateway, root) = try gateway(content.backend, content.psp)
        guard let document = try request.member("order") else {
            throw ServiceProblem(422, "request.content", "the body lacks the member 'order'")
        }
        var checkout: CheckoutRequest
        do throws(PaymentOrderError) {
            checkout = try CheckoutRequest(
                reading: document,
                by: gateway,
                at: root,
                checksIn: content.checkIn != nil,
                allowsInsecureLoopback: reach.allowsInsecureLoopback
            )
        } catch {
            throw ServiceProblem(422, error.code, error.description)
        }
        checkout.presents = content.presents ?? true
        if checkout.presents || content.checkIn != nil,
            PaymentOrderPurpose(rawValue: checkout.terms.purpose).chargesToken
        {
            throw ServiceProblem(
                422,
                "usage.order",
                "an order that charges a stored token has no page",
                hint: "send 'presents': false, without 'checkIn'"
            )
        }
        if gateway == .psp { try await requireToken(for: root) }
        checkout.reference = content.reference ?? checkout.reference
        checkout.metadata = try metadata(content.metadata, of: request.caller)
        checkout.generation = try content.generation(of: gateway)
        checkout.consumer = content.checkIn.map { countries in
            ConsumerTerms(
                language: checkout.terms.language ?? "en-US",
                shippingCountries: countries
            )
        }
        checkout.callbackScheme = content.callbackScheme ?? policies.callbackScheme
        checkout.options = try content.options(adding: policies.redirectHosts)
        return checkout
    }

    /// The gateway that has the order or the tokens, and its address, which must be at an allowed
    /// host: the merchant's credentials are sent there.
    func gateway(
        _ backend: String?,
        _ psp: String?
    ) throws(ServiceProblem) -> (OrderGateway, root: String) {
        let (gateway, text): (OrderGateway, String)
        switch (backend, psp) {
        case (let backend?, nil): (gateway, text) = (.merchantBackend, backend)
        case (nil, let psp?): (gateway, text) = (.psp, psp)
        default:
            throw ServiceProblem(
                422,
                "usage.gateway",
                "either 'backend' or 'psp' is required",
                hint: "'backend' is the root of a merchant backend, 'psp' the base of the PSP's API"
            )
        }
        guard
            let address = try? SessionAddress(
                text,
                allowsInsecureLoopback: reach.allowsInsecureLoopback
            )
        else {
            throw ServiceProblem(
                422,
                "usage.gateway",
                "the gateway's address cannot be used",
                hint: "use https://HOST/PATH without user, password, query or fragment"
            )
        }
        guard reach.refusal(of: address.text) == nil else { throw .foreignHost }
        return (gateway, address.text)
    }

    /// Refuses what needs the PSP's access token when the service has none.
    func requireToken(for root: String) async throws(ServiceProblem) {
        guard let orders = policies.orders, ((try? await orders.accessToken(root)) ?? nil) == nil
        else { return }
        throw ServiceProblem(
            500,
            "configuration.token",
            "the service does not have the merchant's access token for the PSP",
            hint: "start it with --token-file"
        )
    }

    // MARK: One checkout

    func chooseInstrument(
        _ request: ServiceRequest
    ) async throws(ServiceProblem) -> ServiceResponse {
        let name = try request.content(InstrumentContent.self).name
        return try await drive(request) { session, key in
            try await engine.chooseInstrument(session, name, key: key)
        }
    }

    /// Hands the order over to a native session, and responds with that session.
    func handOver(_ request: ServiceRequest) async throws(ServiceProblem) -> ServiceResponse {
        let native = { @Sendable (checkout: SessionState) in
            checkout.checkout?.nativeSession ?? checkout.checkout?.nativeSessions.last
        }
        return try await drive(request, responding: native) { session, key in
            _ = try await engine.handOver(
                session,
                allowsInsecureLoopback: reach.allowsInsecureLoopback,
                key: key
            )
        }
    }

    func handBack(_ request: ServiceRequest) async throws(ServiceProblem) -> ServiceResponse {
        try await drive(request) { session, key in
            try await engine.handBack(session, key: key)
        }
    }

    /// Accepts a callback that the PSP sent to the merchant; it proves nothing, and the order is
    /// read.
    func callback(_ request: ServiceRequest) async throws(ServiceProblem) -> ServiceResponse {
        guard request.body.count <= Self.callbackBytes else { throw .tooLarge }
        return try await drive(request, asksPSP: false) { session, key in
            try await engine.callback(
                session,
                body: request.body,
                by: request.caller.name,
                key: key
            )
        }
    }

    /// Accepts a callback about the order with a reference, which the merchant put into the order's
    /// callback URL; it proves nothing, and the order is read.
    ///
    /// Only a body that names the order has an effect. Whether there is one is not told.
    func orderCallback(_ request: ServiceRequest) async throws(ServiceProblem) -> ServiceResponse {
        try request.refuseParameters(except: [])
        guard request.body.count <= Self.callbackBytes else { throw .tooLarge }
        let rows = try await rows(of: request.parts[0])
        for row in try await seen(rows, by: request.caller, \.session) {
            guard try await standing(of: row.session).isReachable else { continue }
            do throws(EngineError) {
                try await engine.callback(
                    row.session,
                    body: request.body,
                    by: request.caller.isPSP ? nil : request.caller.name
                )
            } catch .rejected, .erased, .imported, .unknownSession {
                continue
            } catch {
                throw ServiceProblem(error)
            }
        }
        return .empty(.ok)
    }

    /// The maximum size of a callback's body, in bytes.
    private static let callbackBytes = 1 << 16
}
