public import EventLog
public import HTTPTypes
internal import Inspection
public import Service
internal import SwedbankPay

/// The operators' pages: what support, operators and auditors see of the payments, from request to
/// response.
///
/// It is not a server: a server passes it each request whose path is below `/console`, and sends
/// the response that it returns. Every page is complete without scripts. It decides nothing, and
/// computes nothing about payments: it lays out what `Inspection` says, and does what people want
/// through the endpoints of the API, with the same rights and the same record of who did it.
///
/// - Note: Isolation: any; requests may be concurrent.
public struct Console: Sendable {
    let api: PaymentAPI
    let clock: DisplayClock

    /// Creates the pages of an API.
    ///
    /// - Parameters:
    ///   - api: The API, which somebody else runs.
    ///   - offset: The offset from UTC of the time that pages show, at an instant.
    public init(
        of api: PaymentAPI,
        offset: @escaping @Sendable (Instant) -> Duration = { _ in .zero }
    ) {
        (self.api, clock) = (api, DisplayClock(offset: offset))
    }

    /// The path below which the pages are.
    public static let path = "/console"

    /// Responds to a request; `nil` for a path that is not one of the console.
    ///
    /// - Parameters:
    ///   - head: The head, with path and query as requested.
    ///   - body: The whole body.
    ///   - source: The address that the request came from, as known to the server.
    /// - Returns: The response.
    public func respond(
        to head: HTTPRequest,
        body: [UInt8] = [],
        from source: String? = nil
    ) async -> ServiceResponse? {
        guard let parts = BrowserInput.parts(of: head.path ?? "/"), parts.first == "console"
        else { return nil }
        let begin = ContinuousClock.now
        if parts.count > 1, parts[1] == "assets" {
            let address = "/" + parts.joined(separator: "/")
            return Asset.response(at: address) ?? .console(.notFound, [], type: "text/plain")
        }
        var caller: Caller?
        let words = words(for: head)
        var response: ServiceResponse
        do throws(ServiceProblem) {
            response = try await respond(
                to: head,
                Array(parts.dropFirst()),
                body,
                from: source,
                words,
                &caller
            )
        } catch {
            let page = Page(showing: error, at: head.path ?? "/", in: words)
            response = self.response(with: page, to: head, for: caller, words)
        }
        let first = parts.count > 1 ? parts[1] : "home"
        let name = "console." + (Self.names.contains(first) ? first : "other")
        response.head.headerFields[.requestID] = api.noteRequest(
            for: name,
            head,
            response.head.status,
            by: caller,
            from: source,
            since: begin
        )
        return response
    }

    /// The first parts of the paths of pages, by which logs name them.
    private static let names: Set = [
        "home", "payments", "search", "at-risk", "sign-in", "sign-out", "language",
    ]

    /// The words of the language that the reader chose, or that the browser prefers.
    private func words(for head: HTTPRequest) -> Words {
        let chosen = BrowserInput.cookie(Self.languageCookie, in: head)
        let language = chosen.flatMap { Language(rawValue: $0) }
        return Words(
            language: language ?? Language(preferred: head.headerFields[.acceptLanguage])
        )
    }

    static let languageCookie = "console-language"

    private func respond(
        to head: HTTPRequest,
        _ parts: [String],
        _ body: [UInt8],
        from source: String?,
        _ words: Words,
        _ known: inout Caller?
    ) async throws(ServiceProblem) -> ServiceResponse {
        guard [.get, .post].contains(head.method) else {
            throw ServiceProblem(405, "request.wrong-method", "pages accept GET and POST only")
        }
        guard body.count <= api.bodyLimit else {
            throw ServiceProblem(413, "request.too-large", "the body is too large")
        }
        if head.method == .post {
            guard BrowserInput.isOwnForm(head) else {
                throw ServiceProblem(
                    403,
                    "request.other-site",
                    "the form was not sent by a page of the console"
                )
            }
        }
        let form = head.method == .post ? BrowserInput.fields(in: body) : [:]
        if let response = try await respondToAnybody(head, parts, form, source, words) {
            return response
        }
        let (caller, session) = try await sender(of: head, from: source)
        guard let caller else { return comeIn(head, words) }
        known = caller
        let request = PageRequest(
            head: head,
            parts: parts,
            query: BrowserInput.query(of: head.path ?? "/"),
            form: form,
            caller: caller,
            words: words,
            clock: clock
        )
        var response = try await respond(request)
        if let session, session.isRenewed {
            response.head.headerFields.append(Self.cookie(of: session))
        }
        return response
    }

    /// The response of a page to somebody who is known.
    private func respond(_ request: PageRequest) async throws(ServiceProblem) -> ServiceResponse {
        let page: Page
        switch (request.head.method, request.parts.first ?? "", request.parts.count) {
        case (.get, "", 0): page = try await home(request)
        case (.get, "payments", 1): page = try await payments(request)
        case (.get, "payments", 2...3): return try await payment(request)
        case (.post, "payments", 3):
            guard let act = Act(rawValue: request.parts[2]) else {
                throw ServiceProblem(404, "request.no-address", "the path leads nowhere")
            }
            return try await perform(act, request)
        case (.get, "search", 1): page = SearchPage.empty(request.words)
        case (.post, "search", 1):
            switch try await search(request) {
            case .page(let found): page = found
            case .only(let session): return .redirect(to: "/console/payments/\(session)")
            }
        case (.get, "at-risk", 1): page = try await atRisk(request)
        default:
            throw ServiceProblem(404, "request.no-address", "the path leads nowhere")
        }
        return response(with: page, to: request.head, for: request.caller, request.words)
    }

    /// The response with a page.
    func response(
        with page: Page,
        to head: HTTPRequest,
        for caller: Caller?,
        _ words: Words
    ) -> ServiceResponse {
        let target = head.method == .post ? "/console/" : head.path ?? "/console/"
        return .console(
            page.status,
            page.document(for: caller, at: target, in: words).utf8,
            type: "text/html; charset=utf-8"
        )
    }
}
