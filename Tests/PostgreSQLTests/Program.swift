import Foundation
import TestSupport
import Testing

@testable import Sandbox

/// `workflowctl` as processes of their own, on a database and with a simulated PSP.
struct Program: Sendable {
    let place: Place
    let sandbox: SandboxServer
    /// The folder of the key file.
    let folder: String

    /// The result of running the program.
    struct Outcome: Sendable {
        var status: Int32
        var output: String
        var diagnostics: String

        /// Returns a member of the JSON object on standard output.
        func member(_ path: Any...) throws -> String {
            var value: Any = try JSONSerialization.jsonObject(with: Data(output.utf8))
            for step in path {
                let next: Any? =
                    if let name = step as? String {
                        (value as? [String: Any])?[name]
                    } else if let index = step as? Int, let list = value as? [Any] {
                        list.indices.contains(index) ? list[index] : nil
                    } else { nil }
                value = try #require(next, "\(path) in \(output)\(diagnostics)")
            }
            return "\(value)"
        }
    }

    /// Runs a test with a database, a sandbox and a folder.
    static func with(
        on database: Database? = nil,
        lanes: Int? = nil,
        swishTakes approvalDelay: Duration? = .zero,
        _ body: @escaping @Sendable (Program) async throws -> Void
    ) async throws {
        let folder = NSTemporaryDirectory() + "workflowctl-server-\(UUID().uuidString)"
        try FileManager.default.createDirectory(
            atPath: folder,
            withIntermediateDirectories: true,
            attributes: [.posixPermissions: 0o700]
        )
        defer { try? FileManager.default.removeItem(atPath: folder) }
        var configuration = SandboxConfiguration()
        configuration.swishAppApprovalDelay = nil
        configuration.swishApprovalDelay = approvalDelay
        let sandbox = try await SandboxServer.start(configuration)
        let result = await Result {
            try await OnServer.run(on: database, lanes: lanes) { place in
                try await body(Program(place: place, sandbox: sandbox, folder: folder))
            }
        }
        await sandbox.shutdown()
        try result.get()
    }

    /// The path of the binary, which is built beside the tests.
    static let path = TestProcess.path(of: "workflowctl")

    /// The folder with the programs of an earlier build: `UPGRADE_FROM`.
    static let earlier = ProcessInfo.processInfo.environment["UPGRADE_FROM"]

    /// Runs the program on the database, or on another given store.
    func run(_ arguments: String..., store: String? = nil) async throws -> Outcome {
        try await run(arguments, store: store)
    }

    /// Runs the program, or that of another build, whose programs are in a folder.
    func run(
        _ arguments: [String],
        store: String? = nil,
        from build: String? = nil
    ) async throws -> Outcome {
        try await finish(
            build.map { $0 + "/workflowctl" } ?? Self.path,
            ["--allow-insecure-loopback"] + arguments,
            store ?? place.database.url()
        )
    }

    /// Runs a process to its end.
    private func finish(
        _ path: String,
        _ arguments: [String],
        _ store: String
    ) async throws -> Outcome {
        let process = try TestProcess(
            path,
            arguments,
            in: folder,
            environment: environment(of: store)
        )
        let ending = await process.ending()
        return Outcome(
            status: ending.status,
            output: ending.output,
            diagnostics: ending.words
        )
    }

    /// Returns the variables with which the program runs on a store.
    private func environment(of store: String) -> [String: String] {
        [
            "WORKFLOWCTL_STORE": store, "HOME": folder,
            "WORKFLOWCTL_KEY_FILE": folder + "/master.key",
        ]
    }

    /// Starts the program on a store, and does not wait for its end.
    func start(_ arguments: [String], store: String) throws -> TestProcess {
        try TestProcess(
            Self.path,
            ["--allow-insecure-loopback"] + arguments,
            in: folder,
            environment: environment(of: store)
        )
    }

    /// Opens a session for a new order.
    func open(store: String? = nil) async throws -> String {
        let created = try await sandbox.createOrder(SandboxOrder(payerReference: "payer-1"))
        let opened = try await run("--json", "open", created.sessionURL, store: store)
        try #require(opened.status == 0, "\(opened.diagnostics)")
        return try opened.member("session")
    }

    /// Pays with Swish from end to end, each step in a process of its own.
    func pay(_ session: String) async throws {
        let started = try await run("--json", "attempt", session, "swish")
        try #require(started.status == 0, "\(started.diagnostics)")
        let action = try started.member("actions", 0, "id")
        let launch = try started.member("actions", 0, "url")
        let launched = try await run(
            "--json",
            "--wait",
            "0s",
            "report",
            session,
            action,
            "launched"
        )
        try #require(launched.status == 0, "\(launched.diagnostics)")
        let token = try #require(launch.firstMatch(of: /token=([^&]+)/)?.1)
        let response = try await finish(
            "/usr/bin/curl",
            ["-sS", "\(sandbox.baseURL)/sandbox/swish/\(token)?decision=approve"],
            ""
        )
        let returned = try await run(
            "--json",
            "--until",
            "ended",
            "return",
            session,
            try response.member("returnURL")
        )
        try #require(returned.status == 0, "\(returned.diagnostics)")
        #expect(try returned.member("outcome") == "completed")
    }
}
