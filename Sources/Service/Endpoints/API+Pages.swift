package import Adapters
package import EventLog
internal import FoundationEssentials
package import HTTPTypes
package import Inspection
package import SwedbankPay
internal import Workflow

/// What pages in the same process read and do: the values behind the endpoints, under the same
/// rights and limits, and with the same record of who did what.
extension PaymentAPI {
    /// The rules, which explain a log.
    package var decider: SessionDecider { engine.decider }

    /// The build of the engine.
    package var build: String { engine.configuration.build }

    /// The time.
    package var now: Instant { clock.now() }

    /// The largest body that is read, in bytes.
    package var bodyLimit: Int { limits.bodyBytes }

    /// Whether what one person found out about unknown money counts only once another confirms it.
    package var requiresSecondPerson: Bool { policies.requiresSecondPerson }

    /// Whether the reason of an intervention has to be given.
    package var requiresReason: Bool { policies.recordsInterventions && policies.requiresReason }

    /// Returns the rows that a query selects, the newest first; the parameters are those of `GET
    /// /v1/sessions`.
    package func sessions(
        _ query: [String: String],
        for caller: Caller
    ) async throws(ServiceProblem) -> ListedSessions {
        try admit(caller, to: .listSessions)
        return try await list(request(query: query, by: caller))
    }

    /// Returns the sessions in which a text stands, the newest first, and whether these are all.
    package func search(
        _ text: String,
        for caller: Caller
    ) async throws(ServiceProblem) -> (sessions: [Found], isComplete: Bool) {
        try admit(caller, to: .search)
        return try await found(by: text)
    }

    /// Returns the money of all payments, and which of it is unknown.
    package func moneyAtRisk(for caller: Caller) async throws(ServiceProblem) -> MoneyAtRisk {
        try admit(caller, to: .moneyAtRisk)
        return try await money(of: SessionQuery(origin: .own))
    }

    /// Returns a session's log, of which no record was altered, with what is known beside it.
    ///
    /// - Throws: The problem; of a log that was altered nothing is told.
    package func evidence(
        of session: SessionID,
        for caller: Caller
    ) async throws(ServiceProblem) -> PaymentEvidence {
        try admit(caller, to: .story)
        let (evidence, isAuthentic) = try await evidence(of: session)
        let isImported = try await standing(of: session).isImported
        return PaymentEvidence(
            log: evidence.log,
            isImported: isImported,
            isErased: !isImported && evidence.stored.wrappedKey == nil,
            isAuthentic: isAuthentic,
            duplicates: try await duplicates(of: evidence.log.state, for: caller)
        )
    }

    /// Returns the proof that the newest checkpoint covers a session's log.
    package func proof(
        of session: SessionID,
        for caller: Caller
    ) async throws(ServiceProblem) -> SessionProof {
        try admit(caller, to: .proof)
        return try await proof(of: session)
    }

    /// Returns the line of a record, without its seals.
    package static func shownLine(of record: StoredRecord) -> [UInt8] { line(of: record) }

    /// How long a page follows a session before its sign-in is checked again.
    private static let longestPageStream = Duration.seconds(120)

    /// Follows a session from a sequence number on, as `GET /v1/sessions/{session}/stream` does.
    ///
    /// The stream ends after some minutes: the page connects again, and its sign-in is checked
    /// again.
    package func changes(
        of session: SessionID,
        after last: SequenceNumber,
        for caller: Caller
    ) throws(ServiceProblem) -> ServiceResponse {
        try admit(caller, to: .sessionStream)
        return .stream(
            try stream(of: session, after: last, for: caller, lasting: Self.longestPageStream),
            type: ServerSentEvent.mediaType
        )
    }

    /// Carries out a request as its endpoint does: with its rights, policies, idempotency key and
    /// expected version, and with the same record of who did it.
    ///
    /// - Parameters:
    ///   - route: The endpoint, of one session.
    ///   - session: The session.
    ///   - body: The members of the body, or `nil` for none.
    ///   - seen: The last sequence number that the caller was shown; with another one, nothing is
    ///     done.
    ///   - key: The key with which the request may be repeated.
    ///   - caller: Who sends it.
    /// - Throws: The problem; nothing was done then.
    package func perform(
        _ route: Route,
        of session: SessionID,
        _ body: JSONValue?,
        seen: SequenceNumber?,
        key: String,
        by caller: Caller
    ) async throws(ServiceProblem) {
        var head = HTTPRequest(
            method: route.method,
            scheme: nil,
            authority: nil,
            path: "/" + route.path.rewriting("*", as: "\(session)")
        )
        head.headerFields[.contentType] = "application/json"
        head.headerFields[.idempotencyKey] = key
        head.headerFields[.prefer] = "wait=\(Self.patienceOfPages)"
        head.headerFields[.ifMatch] = seen.map { "\"\($0)\"" }
        let request = ServiceRequest(
            head: head,
            body: body.map { Array(JSONDocument.text($0).utf8) } ?? [],
            parts: ["\(session)"],
            query: [:],
            caller: caller
        )
        let begin = ContinuousClock.now
        var status = HTTPResponse.Status.ok
        defer { note(head, route, status, caller, requestID(), nil, since: begin) }
        do throws(ServiceProblem) {
            try admit(caller, to: route)
            status = try await respond(request, at: route).head.status
        } catch {
            status = HTTPResponse.Status(code: error.status)
            throw error
        }
    }

    /// How long a page waits for the engine to have done what it was asked for, in seconds.
    private static let patienceOfPages = 3

    /// A new key with which a request may be repeated.
    package func newKey() -> String { "console-" + requestID() }

    /// Writes the line of a request to a page, without its query.
    package func noteRequest(
        for page: String,
        _ head: HTTPRequest,
        _ status: HTTPResponse.Status,
        by caller: Caller?,
        from source: String?,
        since begin: ContinuousClock.Instant
    ) -> String {
        let id = requestID()
        note(head, nil, status, caller, id, source, since: begin, named: page)
        return id
    }

    /// Refuses a caller whose roles do not permit an endpoint, or who sends too many requests.
    private func admit(_ caller: Caller, to route: Route) throws(ServiceProblem) {
        guard route.isOpen(to: caller) else { throw .forbidden }
        try used.count(caller, at: clock.now())
    }

    private func request(query: [String: String], by caller: Caller) -> ServiceRequest {
        let head = HTTPRequest(method: .get, scheme: nil, authority: nil, path: "/")
        return ServiceRequest(head: head, body: [], parts: [], query: query, caller: caller)
    }
}

/// Rows of the index of sessions.
package struct ListedSessions: Sendable {
    /// The rows, the newest first.
    package let rows: [SessionSummary]
    /// After which session the next page begins; `nil` for the last page.
    package let next: SessionID?
    /// When they were read.
    package let asOf: Instant
}

/// A session's log with what is known beside it.
package struct PaymentEvidence: Sendable {
    /// The log, whose records have their hashes.
    package let log: SessionLog
    /// Whether it was opened elsewhere, so that it is only read here.
    package let isImported: Bool
    /// Whether its key was destroyed, so that no sealed value can be read any more.
    package let isErased: Bool
    /// Whether every record is known to be authentic; false where no key shows it.
    package let isAuthentic: Bool
    /// Other paid sessions of its order.
    package let duplicates: [SessionID]
}
