import Foundation
import FoundationNetworking
import Sandbox
import Testing

/// Runs a test with a temporary folder, and a sandbox whose payers do nothing by themselves.
func withSandbox(
    _ configuration: SandboxConfiguration = .patient,
    _ body: (SandboxServer, URL) async throws -> Void
) async throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let sandbox = try await SandboxServer.start(configuration)
    let result: Result<Void, any Error>
    do {
        result = .success(try await body(sandbox, folder))
    } catch {
        result = .failure(error)
    }
    await sandbox.shutdown()
    try result.get()
}

extension SandboxConfiguration {
    /// The token that the PSP of these tests requires.
    static let token = "merchant-access"

    /// No payment is approved automatically.
    static var patient: SandboxConfiguration {
        var configuration = SandboxConfiguration(
            swishApprovalDelay: nil,
            swishAppApprovalDelay: nil
        )
        configuration.accessToken = token
        return configuration
    }
}

extension SandboxServer {
    /// Approves as the payer in the app that a link opens.
    func approve(_ link: String) async throws {
        let token = URLComponents(string: link)?.queryItems?.first { $0.name == "token" }?.value
        try await play("GET", "/sandbox/swish/\(token ?? "")?decision=approve")
    }

    /// Pays as the payer on the PSP's page.
    func payOnPage(_ order: String) async throws {
        try await play("POST", "/sandbox/menu/\(order)/pay?method=CreditCard")
    }

    /// Performs another party's act, and returns the sandbox's response.
    @discardableResult
    func play(_ method: String, _ path: String) async throws -> [String: Any] {
        var request = URLRequest(url: try #require(URL(string: baseURL + path)))
        request.httpMethod = method
        let (data, response) = try await URLSession.shared.data(for: request)
        try #require((response as? HTTPURLResponse)?.statusCode == 200)
        return try JSONSerialization.jsonObject(with: data) as? [String: Any] ?? [:]
    }
}
