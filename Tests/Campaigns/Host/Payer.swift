import Adapters
import EventLog
import HTTPTypes
import Inspection
import SwedbankPay

/// Plays the payer outside of the host: in the Swish app, at the issuer, on the PSP's page.
struct Payer: Sendable {
    let transport: CurlTransport
    let job: Job

    /// Performs an action as the payer; returns the client's report, and the URL to which the payer
    /// returns.
    func perform(
        _ action: ActionView,
        checkoutOrder: String?
    ) async throws -> (responses: [ClientReport], returnURL: String?) {
        switch action.content {
        case .launchApp(let url): return ([.launched], try await approveInSwish(url?.clear ?? ""))
        case .load3DSMethod(let form, _):
            let fields = form.fields.map { ($0.name, $0.value.text) }
            _ = try await send(.post, form.url?.clear ?? "", form: fields)
            return ([.done], nil)
        case .show3DS(let form, _):
            let id = form.fields.first { $0.name == "threeDSSessionData" }?.value.text ?? ""
            let response = try await send(.post, "\(job.provider)/sandbox/acs/\(id)/approve")
            guard case .string(let cRes)? = response?["cres"] else { throw Unexpected() }
            return ([.shown, .challengeCompleted(cRes: cRes)], nil)
        case .authorizeWallet:
            return ([.authorized(payload: #"{"data":"opaque","version":"EC_v1"}"#)], nil)
        case .showMenu:
            if let checkoutOrder {
                let address = "\(job.provider)/sandbox/orders/\(checkoutOrder)/outcome"
                _ = try? await send(.post, address + "?as=paid&method=CreditCard")
            } else {
                let address = "\(job.provider)/sandbox/menu/\(job.order ?? "")/pay"
                _ = try await send(.post, address + "?method=CreditCard")
            }
            return ([.shown, .completed], nil)
        case .checkIn: throw Unexpected()
        }
    }

    /// The PSP's response to the payer was unexpected.
    struct Unexpected: Error {}

    private func approveInSwish(_ url: String) async throws -> String? {
        let query = url.split(separator: "?", maxSplits: 1).last ?? ""
        guard let token = query.split(separator: "&").first(where: { $0.hasPrefix("token=") })
        else {
            throw Unexpected()
        }
        let response = try await send(
            .get,
            "\(job.provider)/sandbox/swish/\(token.dropFirst(6))?decision=approve"
        )
        guard case .string(let url)? = response?["returnURL"] else { throw Unexpected() }
        return url
    }

    private func send(
        _ method: HTTPRequest.Method,
        _ url: String,
        form: [(name: String, value: String)]? = nil
    ) async throws -> JSONValue? {
        var headers: HTTPFields = [:]
        var body: [UInt8]? = method == .post ? [] : nil
        if let form {
            headers[.contentType] = "application/x-www-form-urlencoded"
            body = Array(form.map { "\($0.name)=\($0.value)" }.joined(separator: "&").utf8)
        }
        let response = try await transport.perform(
            TransportRequest(method: method, url: url, headers: headers, body: body)
        )
        guard response.status == 200 else { throw Unexpected() }
        return try? JSONValue(parsing: response.body)
    }
}
