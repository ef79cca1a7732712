import Foundation
import Testing

@testable import Sandbox

/// A sandbox PSP, a directory and a store: everything that one test needs.
struct World: Sendable {
    let sandbox: SandboxServer
    var tool: Tool

    var folder: String { tool.folder }
    var storePath: String { folder + "/payments.db" }

    /// Runs a test in a world of its own, which is removed afterwards.
    static func with(
        _ body: (World) async throws -> Void
    ) async throws {
        try await with(SandboxConfiguration(), body)
    }

    /// The same with a sandbox of a given configuration.
    static func with(
        _ kind: SandboxConfiguration,
        _ body: (World) async throws -> Void
    ) async throws {
        let folder = NSTemporaryDirectory() + "workflowctl-test-\(UUID().uuidString)"
        try FileManager.default.createDirectory(
            atPath: folder,
            withIntermediateDirectories: true,
            attributes: [.posixPermissions: 0o700]
        )
        var configuration = kind
        configuration.swishAppApprovalDelay = nil
        configuration.swishApprovalDelay = .zero
        let sandbox = try await SandboxServer.start(configuration)
        let tool = Tool(
            environment: ["WORKFLOWCTL_STORE": "sqlite:\(folder)/payments.db"],
            folder: folder
        )
        let result: Swift.Result<Void, any Error>
        do {
            result = .success(try await body(World(sandbox: sandbox, tool: tool)))
        } catch {
            result = .failure(error)
        }
        tool.started.end()
        await sandbox.shutdown()
        try? FileManager.default.removeItem(atPath: folder)
        try result.get()
    }

    /// Runs the program with permission to call the sandbox.
    func run(
        _ arguments: String...,
        input: String? = nil,
        store: String? = nil
    ) async throws -> Tool.Result {
        let chosen = store.map { ["--store", "sqlite:" + $0] } ?? []
        return try await tool.run(
            ["--allow-insecure-loopback"] + chosen + arguments,
            input: input
        )
    }

    /// Opens a session for a new order and expects it to be ready.
    func open(
        _ order: SandboxOrder = SandboxOrder(payerReference: "payer-1"),
        _ more: String...
    ) async throws -> (session: String, order: CreatedOrder) {
        let created = try await sandbox.createOrder(order)
        let opened = try await tool.run(
            ["--allow-insecure-loopback", "--json", "open", created.sessionURL] + more
        )
        try #require(opened.status == 0, "\(opened.diagnostics)")
        return (try #require(try opened.json["session"].text), created)
    }

    /// Returns the issuer's response for a value of `threeDSSessionData`.
    func bankAnswer(_ action: JSON, _ decision: String = "approve") async throws -> String {
        let id = try #require(action["fields"]["threeDSSessionData"].text)
        let response = try await tool.shell(
            "curl -sS -X POST \(sandbox.baseURL)/sandbox/acs/\(id)/\(decision)"
        )
        return try #require(try response.json["cres"].text)
    }

    /// Approves in Swish as the payer, and returns the URL to which the payer returns.
    func approveInSwish(_ action: JSON) async throws -> String {
        let url = try #require(action["url"].text)
        let token = try #require(url.firstMatch(of: /token=([^&]+)/)?.1)
        let response = try await tool.shell(
            "curl -sS '\(sandbox.baseURL)/sandbox/swish/\(token)?decision=approve'"
        )
        return try #require(try response.json["returnURL"].text)
    }

    func mode(of path: String) throws -> Int {
        let attributes = try FileManager.default.attributesOfItem(atPath: path)
        return try #require(attributes[.posixPermissions] as? Int)
    }

    func write(_ text: String, to name: String) throws -> String {
        let path = folder + "/" + name
        try Data(text.utf8).write(to: URL(fileURLWithPath: path))
        return path
    }
}
