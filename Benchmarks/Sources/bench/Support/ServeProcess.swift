internal import Adapters
internal import Foundation
internal import HTTPTypes
internal import Measuring

/// The service, as `workflowctl serve` runs it, in a process of its own.
final class ServeProcess {
    /// Its address.
    let url: String
    /// A token that may do everything.
    let token: String
    /// The number of the process.
    let id: Int32
    private let process: ChildProcess

    /// Starts the service on a store in a directory, with limits that no measurement reaches.
    init(_ program: String, in directory: String) throws {
        let configuration = """
            {"serve":{"requestsOfDriver":1000000,"requestsOfReader":1000000,"requestsOfPayer":1000000,\
            "streams":100000,"streamsOfCaller":100000},\
            "recovery":{"tries":0}}
            """
        let file = directory + "/serve.json"
        try configuration.write(toFile: file, atomically: false, encoding: .utf8)
        // Each request is a line on standard error.
        process = try ChildProcess(
            "/bin/sh",
            [
                "-c", "exec \"$@\" 2>/dev/null", "sh", program, "--store",
                "sqlite:\(directory)/payments.db", "--config", file, "--allow-insecure-loopback",
                "--json", "serve", "--dev", "--listen", "127.0.0.1:0",
            ]
        )
        let line = try process.line()
        let told = try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: String]
        guard let url = told?["url"], let token = told?["token"] else {
            throw ChildProcess.Failure(description: "the service did not start: \(line)")
        }
        (self.url, self.token, id) = (url, token, process.id)
    }

    func stop() { process.stop() }

    /// Its resident memory, in megabytes.
    var residentMegabytes: Double {
        let status = (try? String(contentsOfFile: "/proc/\(id)/status", encoding: .utf8)) ?? ""
        let line = status.split(separator: "\n").first { $0.hasPrefix("VmRSS:") }
        return line?.split(separator: " ").dropFirst().first.flatMap { Double($0) }
            .map { $0 / 1024 } ?? .nan
    }
}

/// A client of the service.
struct ServeClient: Sendable {
    let url: String
    let token: String
    let http: CurlTransport

    /// Sends a request, and returns the members of the response.
    func send(
        _ path: String,
        _ content: [String: any Sendable]? = nil
    ) async throws -> [String: Any] {
        let body = try await body(path, content)
        guard let members = try JSONSerialization.jsonObject(with: Data(body)) as? [String: Any]
        else { throw ChildProcess.Failure(description: "\(path): no object") }
        return members
    }

    /// Sends a request, and returns the body of the response.
    func body(
        _ path: String,
        _ content: [String: any Sendable]? = nil
    ) async throws -> [UInt8] {
        let response = try await http.perform(
            TransportRequest(
                method: content == nil ? .get : .post,
                url: url + path,
                headers: [
                    .authorization: "Bearer " + token, .contentType: "application/json",
                ],
                body: try content.map { Array(try JSONSerialization.data(withJSONObject: $0)) },
                overallDeadline: .seconds(60)
            )
        )
        guard (200...299).contains(response.status) else {
            throw ChildProcess.Failure(
                description: "\(path): \(response.status) "
                    + String(decoding: response.body.prefix(300), as: UTF8.self)
            )
        }
        return response.body
    }

    /// Opens a session, and pays it with Swish on the same device, as ``SwishPayer`` does.
    @discardableResult
    func pay(_ address: String) async throws -> String {
        var view = try await send(
            "/v1/sessions",
            ["url": address, "reference": "bench", "preferences": [["instrument": "swish"]]]
        )
        guard let session = view["session"] as? String else {
            throw ChildProcess.Failure(description: "no session was opened: \(view)")
        }
        let path = "/v1/sessions/\(session)"
        // A payer who approves at once may be faster than the response.
        if let action = (view["actions"] as? [[String: Any]])?.first?["id"] as? String {
            _ = try await send("\(path)/actions/\(action)/report", ["outcome": "launched"])
            view = try await send("\(path)/return", ["url": "https://shop.example/pay"])
        }
        for _ in 0..<1000 where view["outcome"] as? String != "completed" {
            view = try await send(path)
        }
        guard view["outcome"] as? String == "completed" else {
            throw ChildProcess.Failure(description: "it was not paid: \(view)")
        }
        return session
    }
}
