internal import Adapters
internal import EventLog
internal import HTTPTypes
internal import Inspection
internal import SwedbankPay
internal import Workflow

extension PaymentAPI {
    /// What is known about the money of all payments, and which of it is unknown.
    func moneyAtRisk(_ request: ServiceRequest) async throws(ServiceProblem) -> ServiceResponse {
        .json(try await money(of: try period(request)).json)
    }

    /// The same as a value.
    func money(of query: SessionQuery) async throws(ServiceProblem) -> MoneyAtRisk {
        let asOf = await store.asOf(clock.now())
        var sums = MoneySums(of: store, by: engine.decider)
        do throws(LogReadingError) {
            try await sums.addIndex(query, telling: { _ in })
        } catch {
            throw ServiceProblem(error)
        }
        return MoneyAtRisk(
            sums.totals,
            duplicates: sums.duplicates,
            unreadable: sums.unreadable,
            imported: sums.imported,
            at: clock.now(),
            asOf: asOf
        )
    }

    /// The sessions in which a text stands: what a payer or a merchant can say of a payment.
    ///
    /// It comes by `POST`, since it may be personal; it is not logged.
    func search(_ request: ServiceRequest) async throws(ServiceProblem) -> ServiceResponse {
        try request.refuseParameters(except: [])
        let (found, isComplete) = try await found(by: request.content(SearchContent.self).text)
        return .json(["items": FoundList(found).json, "complete": .bool(isComplete)])
    }

    /// The sessions in which a text stands, the newest first, and whether these are all.
    func found(
        by text: String
    ) async throws(ServiceProblem) -> (sessions: [Found], isComplete: Bool) {
        let wanted: Wanted
        do { wanted = try Wanted(text) } catch {
            throw ServiceProblem(422, "usage.find", error.description, hint: error.hint)
        }
        let isComplete = await updateSearchIndex()
        let vault = payers.vault
        var search = SessionSearch(
            wanted,
            limit: Self.mostFound,
            query: SessionQuery(origin: .own),
            in: store,
            by: vault
        )
        do throws(LogReadingError) {
            let isSmall = try await search.isSmall()
            do throws(SessionSearch.IndexFailure) {
                try await search.read(
                    by: SearchIndex(of: store, by: vault),
                    isSmall: isSmall,
                    telling: { _ in }
                )
            } catch {
                switch error {
                case .reading(let error): throw error
                case .index(.store(let error)): throw .store(error)
                // Without the index, what the names of sessions have was found.
                case .index: break
                }
            }
        } catch {
            throw ServiceProblem(error)
        }
        let ordered = search.found.sorted { $0.row.session > $1.row.session }
        return (ordered, isComplete && !search.isCut)
    }

    /// The maximum number of sessions that a search returns.
    private static let mostFound = 50
    /// How long a search waits for the index to be brought up to date.
    private static let patience = Duration.seconds(2)

    /// Adds to the search index what it lacks, for a while; returns whether it is up to date.
    private func updateSearchIndex() async -> Bool {
        let (store, vault) = (store, payers.vault)
        let updating = Task {
            var index = SearchIndex(of: store, by: vault)
            return try await index.update(reached: { _, _ in }).isComplete
        }
        let timer = Task {
            try? await Task.sleep(for: Self.patience)
            updating.cancel()
        }
        defer { timer.cancel() }
        return (try? await updating.value) == true
    }

    /// How many sessions ended how.
    func statistics(_ request: ServiceRequest) async throws(ServiceProblem) -> ServiceResponse {
        let query = try period(request)
        let asOf = await store.asOf(clock.now())
        do throws(LogReadingError) {
            var counts = try await StatisticsCounts(
                query,
                in: store,
                by: engine.decider,
                at: clock.now(),
                telling: { _ in }
            )
            counts.asOf = asOf
            return .json(counts.json)
        } catch {
            throw ServiceProblem(error)
        }
    }

    /// The store's own sessions that were opened in the period of the query.
    private func period(_ request: ServiceRequest) throws(ServiceProblem) -> SessionQuery {
        try request.refuseParameters(except: ["since", "until"])
        return SessionQuery(
            since: try time("since", of: request),
            until: try time("until", of: request),
            origin: .own
        )
    }

    private func time(
        _ name: String,
        of request: ServiceRequest
    ) throws(ServiceProblem) -> Instant? {
        guard let text = request.query[name] else { return nil }
        guard let time = Self.time(text) else {
            throw ServiceProblem(400, "query.value", "a parameter has a value that it cannot have")
        }
        return time
    }

    // MARK: Drawings of one session

    func diagram(_ request: ServiceRequest) async throws(ServiceProblem) -> ServiceResponse {
        try request.refuseParameters(except: [])
        let drawing = SVGDrawing(SequenceDiagram(try await soundLog(request)))
        return .text(drawing.document, type: "image/svg+xml; charset=utf-8")
    }

    func reportPage(_ request: ServiceRequest) async throws(ServiceProblem) -> ServiceResponse {
        try request.refuseParameters(except: [])
        let page = ReportPage(
            try await soundLog(request),
            by: engine.decider,
            madeBy: "workflowctl \(engine.configuration.build)",
            clock: .utc
        )
        var response = ServiceResponse.text(page.html, type: "text/html; charset=utf-8")
        // The page names its own scripts; only what a page cannot say itself is said here.
        response.head.headerFields[.contentSecurityPolicy] = "frame-ancestors 'none'"
        return response
    }
}
