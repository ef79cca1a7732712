internal import Adapters
internal import EventLog
internal import HTTPTypes
internal import Inspection
internal import SwedbankPay
internal import Workflow

extension PaymentAPI {
    func openSession(_ request: ServiceRequest) async throws(ServiceProblem) -> ServiceResponse {
        try request.refuseParameters(except: [])
        let content = try request.content(OpeningContent.self)
        let loopback = reach.allowsInsecureLoopback
        let address: SessionAddress
        do throws(SessionAddressError) {
            address = try SessionAddress(content.url, allowsInsecureLoopback: loopback)
        } catch {
            throw ServiceProblem(422, error.code, error.description)
        }
        guard reach.refusal(of: address.text) == nil else { throw .foreignHost }
        try content.check()
        let expected = try content.expected()
        let metadata = try metadata(content.metadata, of: request.caller)
        let opening: SessionOpening
        do throws(EngineError) {
            opening = try await engine.openOrRefetch(
                address.text,
                reference: content.reference,
                metadata: metadata,
                preferences: content.preferences.map { $0.map(\.preference) } ?? [],
                expecting: expected,
                callbackScheme: content.callbackScheme ?? policies.callbackScheme,
                allowsInsecureLoopback: loopback,
                by: request.caller.name
            )
        } catch {
            throw ServiceProblem(error)
        }
        // Whoever knows the address of somebody else's session gets nothing of it here.
        if opening.wasKnown, seesOwnOnly(request.caller),
            try await !hasOpened(opening.session, request.caller)
        {
            throw .forbidden
        }
        var response = try await followed(opening.session, request)
        response.head.headerFields[.location] = "/v1/sessions/\(opening.session)"
        if !opening.wasKnown, response.head.status == .ok { response.head.status = .created }
        return response
    }

    func attempt(_ request: ServiceRequest) async throws(ServiceProblem) -> ServiceResponse {
        let choice = try request.content(AttemptContent.self).attempt
        return try await drive(request) { session, key throws(EngineError) in
            try await engine.attempt(session, with: choice, key: key)
        }
    }

    func menu(_ request: ServiceRequest) async throws(ServiceProblem) -> ServiceResponse {
        let mode = try request.body.isEmpty ? .menu : request.content(MenuContent.self).mode
        return try await drive(request) { session, key throws(EngineError) in
            try await engine.menu(session, showing: mode, key: key)
        }
    }

    func report(_ request: ServiceRequest) async throws(ServiceProblem) -> ServiceResponse {
        let (action, report) = (
            ActionID(rawValue: request.parts[1]), try request.content(ClientReport.self)
        )
        return try await drive(request, asksPSP: false) { session, key throws(EngineError) in
            try await engine.report(session, action: action, report, key: key)
        }
    }

    func returned(_ request: ServiceRequest) async throws(ServiceProblem) -> ServiceResponse {
        let address = try request.content(ReturnContent.self).url
        return try await drive(request, asksPSP: false) { session, key throws(EngineError) in
            try await engine.returned(session, with: address, key: key)
        }
    }

    /// Retries, aborts or reads again, as somebody wants it who is not the payer.
    func intervene(
        _ request: ServiceRequest,
        _ route: Route
    ) async throws(ServiceProblem) -> ServiceResponse {
        let who = request.caller.name
        guard route != .refetch else {
            return try await drive(request) { session, key in
                try await engine.refetch(session, by: who, key: key)
            }
        }
        let given = try request.body.isEmpty ? nil : request.content(ReasonContent.self).reason
        let intervention = try intervention(route.rawValue, given, request)
        return try await drive(request, as: intervention) { session, key in
            if route == .retry {
                try await engine.retry(session, by: who, key: key)
            } else {
                try await engine.abort(session, by: who, key: key)
            }
        }
    }

    func close(_ request: ServiceRequest) async throws(ServiceProblem) -> ServiceResponse {
        let content = try request.content(CloseContent.self)
        return try await drive(request) { session, key throws(EngineError) in
            let acted = OperatorActed(
                by: request.caller.name,
                action: SessionDecider.closing,
                reason: content.reason
            )
            try await engine.close(session, by: acted, key: key)
        }
    }

    /// Records what a person found out about money that is unknown; where it takes two people, the
    /// first request proposes it, and the same by another person confirms it.
    func resolve(_ request: ServiceRequest) async throws(ServiceProblem) -> ServiceResponse {
        let content = try request.content(ResolutionContent.self)
        guard let verdict = content.found else {
            throw ServiceProblem(422, "request.content", "the verdict is none of the known ones")
        }
        let resolution = MoneyResolution(
            verdict: verdict,
            amount: content.amount.map { Amount($0) }
        )
        let found = OperatorActed(
            by: request.caller.name,
            action: OperatorActed.resolving,
            reason: content.evidence,
            resolution: resolution
        )
        guard policies.requiresSecondPerson else {
            return try await drive(request) { session, key throws(EngineError) in
                try await engine.record(found, in: session, key: key)
            }
        }
        var response = try await drive(request) { session, key throws(EngineError) in
            let proposed = try await engine.state(of: session).proposedResolution
            var acted = found
            acted.action = OperatorActed.proposingResolution
            if let proposed, proposed.resolution == resolution {
                acted.action = OperatorActed.confirmingResolution
                acted.resolution?.secondPerson = proposed.by
            }
            try await engine.record(acted, in: session, key: key)
        }
        if try await state(of: request.session()).proposedResolution != nil {
            response.head.status = .accepted
        }
        return response
    }

    func addNote(_ request: ServiceRequest) async throws(ServiceProblem) -> ServiceResponse {
        let content = try request.content(NoteContent.self)
        guard let note = OperatorText.note(content.text) else {
            throw ServiceProblem(
                422,
                "usage.note",
                "a note must have 1 to \(OperatorText.noteLimit) bytes"
            )
        }
        let session = try request.session()
        guard let key = try request.key() else {
            return noted(session, try await write(note, to: session, request, nil))
        }
        return try await once(key) { () async throws(ServiceProblem) in
            let earlier = try await earlier(key, session)?.sequence
            if let earlier { return (noted(session, earlier), true) }
            return (noted(session, try await write(note, to: session, request, key)), false)
        }
    }

    private func noted(_ session: SessionID, _ sequence: SequenceNumber) -> ServiceResponse {
        .json(
            ["session": .string("\(session)"), "seq": .sequence(sequence)],
            status: .created
        )
    }

    private func write(
        _ note: String,
        to session: SessionID,
        _ request: ServiceRequest,
        _ key: RequestKey?
    ) async throws(ServiceProblem) -> SequenceNumber {
        do throws(AuditTrailError) {
            return try await trail.addNote(note, by: request.caller.name, to: session, key: key)
        } catch {
            throw ServiceProblem(error)
        }
    }

    func createPayerToken(
        _ request: ServiceRequest
    ) async throws(ServiceProblem) -> ServiceResponse {
        let session = try request.session()
        let wanted = try request.body.isEmpty ? nil : request.content(TokenContent.self).seconds
        let longest = PayerTokens.longest.components.seconds
        guard (1...longest).contains(wanted ?? 1) else {
            throw ServiceProblem(
                422,
                "request.content",
                "a payer's token is valid for 1 to \(longest) seconds"
            )
        }
        do throws(EngineError) { _ = try await engine.state(of: session) } catch {
            throw ServiceProblem(error)
        }
        let end = clock.now() + (wanted.map { .seconds($0) } ?? PayerTokens.usual)
        return .json(
            [
                "token": .string(try await payers.token(for: session, until: end)),
                "expires": .string("\(end)"),
            ],
            status: .created
        )
    }

    /// The page of a client action, for a browser.
    func page(_ request: ServiceRequest) async throws(ServiceProblem) -> ServiceResponse {
        let session = try request.session()
        let state = try await state(of: session)
        let view = try await view(of: state, for: request.caller)
        guard let action = view.actions.first(where: { $0.id.rawValue == request.parts[1] }) else {
            throw ServiceProblem(404, "page.no-action", "no open action has this id")
        }
        let page: Page
        do throws(PageError) {
            page = try Page.showing(
                action,
                callbackScheme: state.callbackScheme,
                allowsInsecureLoopback: reach.allowsInsecureLoopback
            )
        } catch {
            throw ServiceProblem(409, error.code, error.description)
        }
        return ServiceResponse(
            head: HTTPResponse(status: .ok, headerFields: page.headers),
            body: .whole(Array(page.html.utf8))
        )
    }

    // MARK: Driving

    /// What carries out a request: it throws an ``EngineError`` or a ``ServiceProblem``.
    typealias Command = (SessionID, RequestKey?) async throws -> Void

    /// Performs a command on the session that the path names, and responds with its view once it
    /// has settled or the wait is over.
    ///
    /// - Parameters:
    ///   - request: The request.
    ///   - intervention: What is recorded once it was carried out.
    ///   - asksPSP: Whether it exists to send a request to the PSP, which takes the merchant's
    ///     access token for an order.
    ///   - responding: The session whose view is the response, if that is another one.
    ///   - command: The command.
    /// - Returns: The response.
    /// - Throws: The problem; nothing was recorded then, unless it came after the command.
    func drive(
        _ request: ServiceRequest,
        as intervention: Intervention? = nil,
        asksPSP: Bool = true,
        responding: (SessionState) -> SessionID? = { $0.session },
        _ command: Command
    ) async throws(ServiceProblem) -> ServiceResponse {
        try request.refuseParameters(except: [])
        let session = try request.session()
        guard let key = try request.key() else {
            try await perform(command, request, session, nil, asksPSP)
            try await record(intervention, by: request, in: session, nil)
            return try await followed(session, request, responding)
        }
        return try await once(key) { () async throws(ServiceProblem) in
            var isRepeated = try await earlier(key, session) != nil
            if !isRepeated {
                do throws(ServiceProblem) {
                    try await perform(command, request, session, key, asksPSP)
                    try await record(intervention, by: request, in: session, key)
                } catch {
                    // The same request at another node may have been carried out in between.
                    guard try await earlier(key, session) != nil else { throw error }
                    isRepeated = true
                }
            }
            if isRepeated {
                try await recordMissing(intervention, by: request, in: session, key)
            }
            return (try await followed(session, request, responding), isRepeated)
        }
    }

    /// Responds to a request with a key, unless another one with the key is being carried out.
    ///
    /// - Parameters:
    ///   - key: The key.
    ///   - carryOut: Returns the response, and whether the request had been carried out before.
    /// - Returns: The response.
    /// - Throws: The problem.
    func once(
        _ key: RequestKey,
        _ carryOut: () async throws(ServiceProblem) -> (ServiceResponse, isRepeated: Bool)
    ) async throws(ServiceProblem) -> ServiceResponse {
        guard await underWay.begin(key) else { throw .requestUnderWay }
        let result: Result<(ServiceResponse, isRepeated: Bool), ServiceProblem>
        do throws(ServiceProblem) { result = .success(try await carryOut()) } catch {
            result = .failure(error)
        }
        await underWay.end(key)
        var (response, isRepeated) = try result.get()
        if isRepeated { response.head.headerFields[.idempotencyReplayed] = "true" }
        measured.count(isRepeated ? .replayed : .first)
        return response
    }

    /// Returns the request that was carried out before with the key; `nil` when there was none.
    ///
    /// - Throws: A problem when another request had its key.
    private func earlier(
        _ key: RequestKey,
        _ session: SessionID
    ) async throws(ServiceProblem) -> RequestKey.Earlier? {
        guard let earlier = key.find(in: try await log(of: session).events) else { return nil }
        guard earlier.isSame else { throw .keyReused }
        return earlier
    }

    /// What became of a request with a key: the first event that followed from it.
    func requestWithKey(_ request: ServiceRequest) async throws(ServiceProblem) -> ServiceResponse {
        let session = try request.session()
        let key = RequestKey(request.parts[1], of: request.caller.name, content: [])
        guard let earlier = key.find(in: try await log(of: session).events) else {
            throw .unknownKey
        }
        return .json(["session": .string("\(session)"), "seq": .sequence(earlier.sequence)])
    }

    private func perform(
        _ command: Command,
        _ request: ServiceRequest,
        _ session: SessionID,
        _ key: RequestKey?,
        _ asksPSP: Bool
    ) async throws(ServiceProblem) {
        try await refuseOutdated(request, session)
        // A host that is not allowed is no part of the payment's story.
        guard try await standing(of: session).isReachable else { throw .foreignHost }
        if asksPSP { try await requireToken(of: session) }
        do {
            try await command(session, key)
        } catch let problem as ServiceProblem {
            throw problem
        } catch let error as EngineError {
            var problem = ServiceProblem(error)
            if case .rejected = error, let state = try? await engine.state(of: session) {
                problem.allowed = Self.names(of: engine.decider.acceptedCommands(in: state))
            }
            if case .rejected(.refusedInARow) = error {
                problem.hint = "find out why, and send it again with 'again': true"
            }
            throw problem
        } catch {
            throw .defect
        }
    }

    /// Refuses to drive an order of the PSP without the merchant's access token, before anything is
    /// recorded.
    private func requireToken(of session: SessionID) async throws(ServiceProblem) {
        guard policies.orders != nil else { return }
        let state = try await state(of: session)
        guard let opening = state.checkout?.opening, opening.gateway == .psp else { return }
        let secrets: SecretTable
        do throws(EngineError) { secrets = try await engine.secrets(of: session) } catch {
            throw ServiceProblem(error)
        }
        try await requireToken(for: secrets[opening.root] ?? "")
    }

    private static func names(of accepted: AcceptedCommands) -> [String] {
        [
            (accepted.retry, "retry"), (accepted.abort, "abort"), (accepted.close, "close"),
            (accepted.resolve, "resolve"),
        ].filter(\.0).map(\.1)
    }

    /// Refuses a command of somebody who has seen another version of the session (`If-Match`).
    ///
    /// The engine decides on the state that it has then; a change between both is not noticed.
    private func refuseOutdated(
        _ request: ServiceRequest,
        _ session: SessionID
    ) async throws(ServiceProblem) {
        guard let wanted = request.head.headerFields[.ifMatch], wanted != "*" else { return }
        let state = try await state(of: session)
        guard wanted == Self.tag(of: state) else { throw .changed }
    }

    /// Responds with the view of a session once it has settled or the wait is over.
    func followed(
        _ session: SessionID,
        _ request: ServiceRequest,
        _ responding: (SessionState) -> SessionID? = { $0.session }
    ) async throws(ServiceProblem) -> ServiceResponse {
        let session = responding(try await state(of: session)) ?? session
        let wait = request.wait ?? Self.usualWait
        let state = try await settled(session, within: wait) { state in
            engine.decider.isSettled(state)
        }
        var response = try await response(with: state, for: request.caller)
        if wait == .zero { response.head.status = .accepted }
        return response
    }

    /// Returns the state of a session once it meets a condition or has ended, or when the time is
    /// over.
    func settled(
        _ session: SessionID,
        within wait: Duration,
        when isMet: @escaping @Sendable (SessionState) -> Bool
    ) async throws(ServiceProblem) -> SessionState {
        let first = try await state(of: session)
        guard wait > .zero, !isMet(first) else { return first }
        let updates: AsyncStream<SessionUpdate>
        do throws(EngineError) { updates = try await engine.updates(of: session) } catch {
            throw ServiceProblem(error)
        }
        let watching = Task {
            for await update in updates where isMet(update.state) { break }
        }
        let timer = Task {
            try? await Task.sleep(for: wait)
            watching.cancel()
        }
        await withTaskCancellationHandler {
            await watching.value
        } onCancel: {
            watching.cancel()
        }
        timer.cancel()
        return try await state(of: session)
    }
}
