import EventLog
import Foundation
import FoundationNetworking
import Sandbox
import SwedbankPay

/// The payer's actions outside of the client: in the Swish app, and on the issuer's page.
extension SandboxServer {
    /// Approves in the app that a link opens.
    func approveSwish(_ link: String) async throws {
        let token = URLComponents(string: link)?.queryItems?.first { $0.name == "token" }?.value
        let url = URL(string: "\(baseURL)/sandbox/swish/\(token ?? "")?decision=approve")
        _ = try await URLSession.shared.data(from: url ?? URL(fileURLWithPath: "/"))
    }

    /// Completes the issuer's challenge.
    func passChallenge(
        _ action: ClientAction,
        _ secrets: SecretTable,
        decision: String
    ) async throws -> String {
        guard case .show3DS(let task, _) = action.kind else { return "" }
        let data = task.expects.first { $0.name == "threeDSSessionData" }
        guard case .sealed(let sealed) = data?.value, let id = secrets[sealed],
            let url = URL(string: "\(baseURL)/sandbox/acs/\(id)/\(decision)")
        else { return "" }
        var request = URLRequest(url: url)
        request.httpMethod = "POST"
        let (body, _) = try await URLSession.shared.data(for: request)
        let response = try JSONSerialization.jsonObject(with: body) as? [String: Any]
        return response?["cres"] as? String ?? ""
    }
}

extension ClientAction {
    /// Returns the link of an app to launch.
    func link(from secrets: SecretTable) -> String? {
        guard case .launchApp(let task, _) = kind else { return nil }
        return task.href.flatMap { secrets[$0] }
    }
}
