import Foundation
import TestSupport

extension Shopper {
    /// Performs an action as the payer, and reports it as the client.
    mutating func respond(
        _ action: [String: Any],
        of payment: Plan.Payment,
        _ session: String
    ) async throws -> [String: Any]? {
        let id = action["id"] as? String ?? ""
        let url = action["url"] as? String ?? ""
        let fields = action["fields"] as? [String: String] ?? [:]
        switch action["kind"] as? String {
        case "launchApp":
            let token = URLComponents(string: url)?.queryItems?.first { $0.name == "token" }?.value
            let reply = try await place.call("/sandbox/swish/\(token ?? "")?decision=approve")
            let members = try JSONSerialization.jsonObject(with: reply) as? [String: Any]
            let view = try await run(["report", session, id, "launched"], session)
            guard view?["outcome"] is NSNull, let back = members?["returnURL"] as? String else {
                return view
            }
            return try await run(["return", session, back], session)
        case "load3DSMethod":
            return try await run(["report", session, id, "done"], session)
        case "show3DS":
            let name = fields["threeDSSessionData"] ?? ""
            let reply = try await place.call("/sandbox/acs/\(name)/approve", [:])
            let members = try JSONSerialization.jsonObject(with: reply) as? [String: Any]
            let response = members?["cres"] as? String ?? ""
            return try await run(["report", session, id, "completed", "--cres", response], session)
        case "authorizeWallet":
            let path = try place.write(#"{"data":"opaque"}"#, to: "payload-\(payment.number)")
            return try await run(["report", session, id, "authorized", "--payload", path], session)
        default:
            try await payOnPage(payment, session)
            return try await run(["report", session, id, "completed"], session)
        }
    }

    /// Pays on the PSP's page; has no effect if that was done before.
    private func payOnPage(_ payment: Plan.Payment, _ session: String) async throws {
        if let order = payment.order {
            _ = try await place.call("/sandbox/menu/\(order)/pay?method=CreditCard", [:])
            return
        }
        let shown = try await place.tool(["--json", "show", session])
        let checkout = (shown.json as? [String: Any])?["checkout"] as? [String: Any]
        let order = checkout?["order"] as? [String: Any]
        let id = (order?["id"] as? String)?.split(separator: "/").last ?? ""
        let path = "/sandbox/orders/\(id)/outcome?as=paid&method=CreditCard"
        _ = try? await place.call(path, [:])
    }
}
