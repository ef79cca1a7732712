internal import Adapters
internal import EventLog
internal import HTTPTypes
internal import Inspection
internal import SwedbankPay
internal import Workflow

extension PaymentAPI {
    func listSessions(_ request: ServiceRequest) async throws(ServiceProblem) -> ServiceResponse {
        let list = try await list(request)
        let showsFacts = try request.choice("facts", ["true": true, "false": false]) ?? false
        return .json([
            "items": .array(list.rows.map { showsFacts ? $0.jsonWithFacts : $0.json }),
            "next": list.next.map { .string("\($0)") } ?? .null,
            "asOf": .string("\(list.asOf)"),
        ])
    }

    /// The rows that the query of a request selects, the newest first.
    func list(_ request: ServiceRequest) async throws(ServiceProblem) -> ListedSessions {
        let filters: [SessionFilter.Name] = [
            .phase, .outcome, .instrument, .since, .until, .reference, .problem, .money, .turn,
            .host,
        ]
        let others = ["before", "limit", "open", "origin", "orderReference", "ending", "facts"]
        try request.refuseParameters(except: Set(filters.map(\.rawValue) + others))
        let limit = try request.number("limit", in: 1...Self.mostRows, default: 50)
        var filter = SessionFilter()
        do throws(SessionFilterError) {
            for name in filters {
                try filter.set(name, request.query[name.rawValue]) { Self.time($0) != nil }
            }
        } catch {
            throw ServiceProblem(400, "query.value", "a parameter has a value that it cannot have")
        }
        var query = filter.query(
            since: request.query["since"].flatMap(Self.time),
            until: request.query["until"].flatMap(Self.time)
        )
        // Ended sessions are listed, too.
        query.isOpen = try request.choice("open", ["true": true, "false": false])
        if let origin = try request.choice(
            "origin",
            ["own": SessionOrigin.own, "imported": .imported, "any": nil]
        ) {
            query.origin = origin
        }
        query.orderReference = request.query["orderReference"]
        query.ending = request.query["ending"]?.lowercased()
        if let before = request.query["before"] {
            guard let session = SessionID(before) else {
                throw .malformed("the parameter 'before' must be the identifier of a session")
            }
            query.before = session
        }
        var selection = SessionSelection(
            query: query,
            problem: request.query["problem"],
            order: .newest,
            limit: Int(limit)
        )
        var rows: [SessionSummary] = []
        do throws(LogReadingError) {
            try await selection.read(
                from: store,
                by: engine.decider,
                needsFacts: true,
                telling: { _ in },
                each: { rows += $0 }
            )
        } catch {
            throw ServiceProblem(error)
        }
        return ListedSessions(
            rows: try await seen(rows, by: request.caller, \.session),
            next: selection.isCut ? rows.last?.session : nil,
            asOf: clock.now()
        )
    }

    /// The maximum number of rows of one page of a list.
    static let mostRows: Int64 = 1000

    /// The time in a text, with or without the six decimals of logs.
    static func time(_ text: String) -> Instant? {
        let isWhole = text.utf8.count == 20 && text.hasSuffix("Z")
        return Instant(isWhole ? text.dropLast() + ".000000Z" : text[...])
    }

    func showSession(_ request: ServiceRequest) async throws(ServiceProblem) -> ServiceResponse {
        try request.refuseParameters(except: [])
        let session = try request.session()
        let known = request.head.headerFields[.ifNoneMatch]
        let end = ContinuousClock.now + (request.wait ?? .zero)
        while true {
            let mark = await changes.mark
            let (state, standing) = try await seen(session, by: request.caller)
            guard known == Self.tag(of: state) else {
                return try await response(with: state, standing, for: request.caller)
            }
            let left = end - ContinuousClock.now
            guard left > .zero, await changes.wait(for: session, since: mark, atMost: left),
                await !changes.hasEnded
            else { return .empty(.notModified) }
        }
    }

    func story(_ request: ServiceRequest) async throws(ServiceProblem) -> ServiceResponse {
        try request.refuseParameters(except: [])
        let log = try await soundLog(request)
        let story = Story(of: log.session, events: log.events, by: engine.decider)
        let report = StoryReport(
            story,
            program: "workflowctl",
            why: true,
            isImported: try await standing(of: log.session).isImported,
            possibleDuplicates: try await duplicates(of: log.state, for: request.caller)
        )
        return .json(report.json)
    }

    func timeline(_ request: ServiceRequest) async throws(ServiceProblem) -> ServiceResponse {
        try request.refuseParameters(except: ["all"])
        let log = try await soundLog(request)
        let all = request.query["all"] ?? "false"
        guard ["true", "false"].contains(all) else {
            throw .malformed("the parameter 'all' must be true or false")
        }
        return .json(LaneChart(log, everyPoll: all == "true").json)
    }

    func sessionEvents(_ request: ServiceRequest) async throws(ServiceProblem) -> ServiceResponse {
        try request.refuseParameters(except: ["from", "limit"])
        let session = try request.session()
        let first = try request.number("from", in: 1...Int64.max, default: 1)
        let limit = try request.number("limit", in: 1...1000, default: 200)
        let records: [StoredRecord]
        do throws(EventStoreError) {
            records = try await store.read(
                session,
                from: SequenceNumber(Int(first)),
                limit: Int(limit)
            )
        } catch {
            throw ServiceProblem(error)
        }
        // An unknown session is a problem, and the end of a known one is not.
        if records.isEmpty { _ = try await log(of: session) }
        var response = ServiceResponse.text("", type: "application/x-ndjson")
        response.body = .whole(records.flatMap { Self.line(of: $0) + [UInt8(ascii: "\n")] })
        return response
    }

    func sessionStream(_ request: ServiceRequest) async throws(ServiceProblem) -> ServiceResponse {
        try request.refuseParameters(except: ["after"])
        let session = try request.session()
        _ = try await seen(session, by: request.caller)
        // The header counts before the parameter, with which a client began.
        var after = try request.number("after", in: 0...Int64.max, default: 0)
        if let text = request.head.headerFields[.lastEventID], !text.isEmpty {
            guard let last = Int64(text), last >= 0 else {
                throw .malformed("the last event's id must be a sequence number")
            }
            after = last
        }
        return .stream(
            try stream(of: session, after: SequenceNumber(Int(after)), for: request.caller),
            type: ServerSentEvent.mediaType
        )
    }

    // MARK: All sessions

    func events(_ request: ServiceRequest) async throws(ServiceProblem) -> ServiceResponse {
        try request.refuseParameters(except: ["after", "limit", "positions"])
        let limit = try request.number("limit", in: 1...1000, default: 200)
        let isPlaced = try request.choice("positions", ["true": true, "false": false]) ?? false
        guard request.query["after"] != "newest" else { return try await newestPosition() }
        let cursor = try Self.cursor(request.query["after"])
        let end = ContinuousClock.now + (request.wait ?? .zero)
        var (mark, found) = (await changes.mark, [PositionedRecord]())
        while true {
            found = try await records(after: cursor, limit: Int(limit))
            let left = end - ContinuousClock.now
            guard found.isEmpty, left > .zero, await !changes.hasEnded,
                await changes.wait(for: nil, since: mark, atMost: left)
            else { break }
            mark = await changes.mark
        }
        var response = ServiceResponse.text("", type: "application/x-ndjson")
        response.body = .whole(
            found.flatMap { found in
                (isPlaced ? Self.placedLine(of: found) : Self.line(of: found.record))
                    + [UInt8(ascii: "\n")]
            }
        )
        let reached = found.last?.cursor ?? cursor
        response.head.headerFields[.lastEventID] = reached.map { "\($0)" }
        return response
    }

    /// No records, and the log position from which only later ones come.
    private func newestPosition() async throws(ServiceProblem) -> ServiceResponse {
        var response = ServiceResponse.text("", type: "application/x-ndjson")
        do throws(EventStoreError) {
            let newest = try await store.changes(after: nil, limit: 1)?.cursor
            response.head.headerFields[.lastEventID] = newest.map { "\($0)" }
        } catch {
            throw ServiceProblem(error)
        }
        return response
    }

    /// A record with the log position after it.
    private static func placedLine(of found: PositionedRecord) -> [UInt8] {
        Array("{\"cursor\":\"\(found.cursor)\",\"record\":".utf8) + line(of: found.record)
            + Array("}".utf8)
    }

    func eventStream(_ request: ServiceRequest) throws(ServiceProblem) -> ServiceResponse {
        try request.refuseParameters(except: ["after"])
        let begin = try Self.cursor(request.query["after"])
        let last = try Self.cursor(request.head.headerFields[.lastEventID])
        return .stream(
            try stream(after: last ?? begin, for: request.caller),
            type: ServerSentEvent.mediaType
        )
    }

    private func records(
        after cursor: LogCursor?,
        limit: Int
    ) async throws(ServiceProblem) -> [PositionedRecord] {
        do throws(EventStoreError) {
            return try await store.records(after: cursor, limit: limit)
        } catch {
            throw ServiceProblem(error)
        }
    }

    private static func cursor(_ text: String?) throws(ServiceProblem) -> LogCursor? {
        guard let text, !text.isEmpty else { return nil }
        guard let cursor = LogCursor(text) else { throw .malformed("this is no log position") }
        return cursor
    }

    // MARK: Views

    /// The tag of a version of a session: its last sequence number.
    static func tag(of state: SessionState) -> String { "\"\(state.sequence)\"" }

    /// The response with the view of a state, as the caller may see it.
    func response(
        with state: SessionState,
        _ standing: Standing? = nil,
        for caller: Caller
    ) async throws(ServiceProblem) -> ServiceResponse {
        var response = ServiceResponse.json(try await view(of: state, standing, for: caller).json)
        response.head.headerFields[.eTag] = Self.tag(of: state)
        return response
    }

    func view(
        of session: SessionID,
        for caller: Caller
    ) async throws(ServiceProblem) -> SessionView {
        let (state, standing) = try await seen(session, by: caller)
        return try await view(of: state, standing, for: caller)
    }

    /// The state of a session and what the index says of it; for a caller who does not drive it, as
    /// the log has it, without the engine, which also reads what cannot be driven.
    private func seen(
        _ session: SessionID,
        by caller: Caller
    ) async throws(ServiceProblem) -> (state: SessionState, standing: Standing) {
        let standing = try await standing(of: session)
        guard caller.acts, standing.isReachable else {
            return (try await log(of: session).state, standing)
        }
        do throws(EngineError) { return (try await engine.state(of: session), standing) } catch {
            switch error {
            // The engine does not drive it, but it can be read.
            case .erased, .imported: return (try await log(of: session).state, standing)
            default: throw ServiceProblem(error)
            }
        }
    }

    /// What the index says of a session beyond its log.
    struct Standing {
        /// Whether the session was written elsewhere, so that it is only read here.
        var isImported = false
        /// Whether an engine may contact the session's host, or does not have to any more.
        var isReachable = true
    }

    func standing(of session: SessionID) async throws(ServiceProblem) -> Standing {
        let row: SessionSummary?
        do throws(EventStoreError) { row = try await store.row(of: session) } catch {
            throw ServiceProblem(error)
        }
        guard let row else { return Standing() }
        return Standing(
            isImported: row.origin == .imported,
            isReachable: row.isOver || row.facts?.host.map(reach.allows) ?? true
        )
    }

    /// Other paid sessions of the order of a session that the caller may see: it may have been paid
    /// twice.
    func duplicates(
        of state: SessionState,
        for caller: Caller
    ) async throws(ServiceProblem) -> [SessionID] {
        var found = DuplicatePayments(in: store)
        let others: [SessionID]
        do throws(LogReadingError) {
            others = try await found.others(than: state, telling: { _ in })
        } catch {
            throw ServiceProblem(error)
        }
        return try await seen(others, by: caller, \.self)
    }

    /// The view of a state; who performs the client's actions gets what they need in the clear.
    func view(
        of state: SessionState,
        _ known: Standing? = nil,
        for caller: Caller
    ) async throws(ServiceProblem) -> SessionView {
        var disclosure = Disclosure.masked
        var standing = Standing()
        if let known {
            standing = known
        } else {
            standing = try await self.standing(of: state.session)
        }
        if caller.acts, standing.isReachable, state.outcome == nil,
            state.actions.contains(where: \.isOpen)
        {
            do throws(EngineError) {
                disclosure = .clear(try await engine.secrets(of: state.session))
            } catch {
                throw ServiceProblem(error)
            }
        }
        var view = SessionView(
            state,
            by: engine.decider,
            disclosing: .masked,
            actions: disclosure
        )
        view.isImported = standing.isImported
        // A payer sees nothing of other sessions.
        if caller.session == nil {
            view.possibleDuplicates = try await duplicates(of: state, for: caller)
        }
        view.addPaymentRequests()
        return view
    }

    func state(of session: SessionID) async throws(ServiceProblem) -> SessionState {
        do throws(EngineError) { return try await engine.state(of: session) } catch {
            throw ServiceProblem(error)
        }
    }

    /// The log that the path names, of which no record was altered: of another one nothing is
    /// told.
    func soundLog(_ request: ServiceRequest) async throws(ServiceProblem) -> SessionLog {
        try await log(of: try request.session())
    }

    /// The log of a session, of which no record was altered, and whose records are authentic if the
    /// session's key is here.
    func log(of session: SessionID) async throws(ServiceProblem) -> SessionLog {
        try await evidence(of: session).log.log
    }

    /// The same with what it was stored with, and whether its records are known to be authentic.
    func evidence(
        of session: SessionID
    ) async throws(ServiceProblem) -> (log: EvidentLog, isAuthentic: Bool) {
        let evidence: EvidentLog
        do throws(LogReadingError) {
            evidence = try await EvidentLog(of: session, in: store)
        } catch {
            throw ServiceProblem(error)
        }
        let finding = await evidence.stored.finding(in: session, with: payers.vault)
        if case .forged(let sequence) = finding {
            throw ServiceProblem(EngineError.notAuthentic(session, sequence: sequence))
        }
        return (evidence, finding == .authentic)
    }
}

extension ServiceProblem {
    /// Creates the problem for a log that could not be read.
    init(_ error: LogReadingError) {
        switch error {
        case .unknownSession(let session): self.init(EngineError.unknownSession(session))
        case .damaged(let damage): self.init(500, damage.code, "the log was altered or is damaged")
        case .store(let failure): self.init(failure)
        }
    }

    /// Creates the problem for what could not be recorded.
    init(_ error: AuditTrailError) {
        switch error {
        case .reading(let failure): self.init(failure)
        case .store(let failure): self.init(failure)
        case .vault(let failure): self.init(503, failure.code, "the keys are not available")
        case .engine(let failure): self.init(failure)
        case .keys, .refused, .unwritable: self = .defect
        case .malformedNote: self.init(422, "usage.note", "the note is empty or too long")
        case .crowded:
            self.init(503, "store.busy", "others keep appending to the session")
            retryAfterSeconds = 1
        }
    }
}
