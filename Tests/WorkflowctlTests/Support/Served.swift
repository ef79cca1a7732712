import Foundation
import FoundationNetworking
import TestSupport
import Testing

/// A service that runs, and the token of its run.
struct Served {
    let running: TestProcess
    let url: String
    let token: String

    /// Starts a service of a world's store, which may do everything with the token.
    static func start(
        in world: World,
        _ more: [String] = [],
        at address: String? = "127.0.0.1:0"
    ) async throws -> Served {
        let running = try world.tool.start(
            Tool.path,
            ["--allow-insecure-loopback", "--json", "serve", "--dev"]
                + (address.map { ["--listen", $0] } ?? []) + more,
            input: nil
        )
        for _ in 0..<600 where !running.outputSoFar.contains("\n") {
            try await Task.sleep(for: .milliseconds(50))
        }
        try await SchemaCheck.expect(running.outputSoFar, fits: "cli/serve", in: world)
        let json = try JSON(parsing: running.outputSoFar)
        return Served(
            running: running,
            url: try #require(json["url"].text),
            token: try #require(json["token"].text)
        )
    }

    /// Sends a request, and returns the status and the document.
    func send(
        _ method: String,
        _ path: String,
        _ body: String? = nil,
        _ fields: [String: String] = [:]
    ) async throws -> (status: Int, json: JSON) {
        var request = URLRequest(url: try #require(URL(string: url + path)))
        request.httpMethod = method
        request.setValue("Bearer \(token)", forHTTPHeaderField: "Authorization")
        for (name, value) in fields { request.setValue(value, forHTTPHeaderField: name) }
        if let body {
            request.httpBody = Data(body.utf8)
            request.setValue("application/json", forHTTPHeaderField: "Content-Type")
        }
        let (data, response) = try await URLSession.shared.data(for: request)
        let status = (response as? HTTPURLResponse)?.statusCode ?? 0
        let text = String(decoding: data, as: UTF8.self)
        return (status, text.isEmpty ? try JSON(parsing: "null") : try JSON(parsing: text))
    }
}
