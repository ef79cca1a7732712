internal import Adapters
internal import EventLog
internal import HTTPTypes
internal import Inspection
internal import SwedbankPay

/// Plays the payer's app, browser and issuer, over HTTP.
struct DemoPayer: Sendable {
    let transport: CurlTransport
    let baseURL: String

    /// Performs an action as the payer; returns the client's report, and the URL to which the payer
    /// returns.
    func perform(
        _ action: ActionView
    ) async throws(Failure) -> (responses: [ClientReport], returnURL: String?) {
        switch action.kind {
        case .launchApp: return ([.launched], try await approveInSwish(action))
        case .load3DSMethod:
            try await loadMethod(action)
            return ([.done], nil)
        case .show3DS:
            let cRes = try await answerBank(action)
            return ([.shown, .challengeCompleted(cRes: cRes)], nil)
        case .authorizeWallet, .showMenu, .checkIn: throw Self.unexpected
        }
    }

    /// Makes the issuer's hidden request that identifies the device.
    func loadMethod(_ action: ActionView) async throws(Failure) {
        let form = try form(of: action)
        _ = try await send(.post, form.url, form: form.fields)
    }

    /// Opens the issuer's page, decides (`approve` or `cancel`) and returns the issuer's response.
    func answerBank(
        _ action: ActionView,
        decision: String = "approve"
    ) async throws(Failure) -> String {
        let form = try form(of: action)
        _ = try await send(.post, form.url, form: form.fields)
        let id = form.fields.first { $0.name == "threeDSSessionData" }?.value ?? ""
        let document = try await send(.post, "\(baseURL)/sandbox/acs/\(id)/\(decision)")
        guard case .string(let cRes)? = document?["cres"] else { throw Self.unexpected }
        return cRes
    }

    /// Presses a button of the hosted menu: `pay`, `decline`, `cancel` or `fail`.
    func pressMenu(_ button: String, method: String, of order: String) async throws(Failure) {
        let method = PercentEncoding.encoded(method)
        let place = "\(baseURL)/sandbox/menu/\(order)/\(button)?method=\(method)"
        _ = try await send(.post, place)
    }

    /// Opens the payment request in the simulated Swish app, decides (`approve`, `decline` or
    /// `cancel`) and returns the URL to which the app sends the payer.
    func approveInSwish(
        _ action: ActionView,
        decision: String = "approve"
    ) async throws(Failure) -> String {
        guard case .launchApp(let url?) = action.content else { throw Self.unexpected }
        let query = url.text.pieces(between: "?", maxSplits: 1).last ?? ""
        let items = query.pieces(between: "&")
        guard let token = items.first(where: { $0.hasPrefix("token=") })?.dropFirst(6) else {
            throw Self.unexpected
        }
        let callback = items.first { $0.hasPrefix("callbackurl=") }.map { "&\($0)" } ?? ""
        let document = try await send(
            .get,
            "\(baseURL)/sandbox/swish/\(token)?decision=\(decision)\(callback)"
        )
        guard case .string(let url)? = document?["returnURL"] else { throw Self.unexpected }
        return url
    }

    /// Sends a request, and returns the JSON of the response; `nil` for a page.
    private func send(
        _ method: HTTPRequest.Method,
        _ url: String,
        form: [(name: String, value: String)]? = nil
    ) async throws(Failure) -> JSONValue? {
        var headers: HTTPFields = [:]
        var body: [UInt8]? = method == .post ? [] : nil
        if let form {
            headers[.contentType] = "application/x-www-form-urlencoded"
            let items = form.map { field in
                [field.name, field.value].map(PercentEncoding.encoded).joined(separator: "=")
            }
            body = Array(items.joined(separator: "&").utf8)
        }
        let response: TransportResponse
        do {
            response = try await transport.perform(
                TransportRequest(method: method, url: url, headers: headers, body: body)
            )
        } catch {
            throw Failure(.unavailable, error.code, "the payer cannot reach the sandbox")
        }
        guard response.status == 200 else { throw Self.unexpected }
        return try? JSONValue(parsing: response.body)
    }

    /// Returns the form of a task of 3-D Secure, with its values.
    private func form(
        of action: ActionView
    ) throws(Failure) -> (url: String, fields: [(name: String, value: String)]) {
        switch action.content {
        case .load3DSMethod(let form, _), .show3DS(let form, _):
            (form.url?.text ?? "", form.fields.map { ($0.name, $0.value.text) })
        case .launchApp, .authorizeWallet, .showMenu, .checkIn: throw Self.unexpected
        }
    }

    private static let unexpected = Failure(
        .defect,
        "demo.unexpected",
        "the sandbox sent the payer an unexpected response",
        hint: "please report this"
    )
}
