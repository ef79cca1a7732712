import Foundation
import TestSupport
import Testing

@testable import Sandbox

/// Worlds in which checkouts are forked.
enum Forking {
    /// Returns a world whose sandbox accepts only a sandbox's own token, and the original's PSP,
    /// which requires the merchant's.
    static func worlds(
        _ body: (World, SandboxServer) async throws -> Void
    ) async throws {
        var kind = SandboxConfiguration()
        kind.accessToken = "sandbox"
        try await World.with(kind) { world in
            _ = try world.write(Checkout.accessToken + "\n", to: "token")
            var original = SandboxConfiguration()
            original.accessToken = Checkout.accessToken
            let first = try await SandboxServer.start(original)
            let result: Swift.Result<Void, any Error>
            do {
                result = .success(try await body(world, first))
            } catch {
                result = .failure(error)
            }
            await first.shutdown()
            try result.get()
        }
    }
}

extension World {
    /// Starts a checkout at the original's PSP.
    func start(
        at psp: SandboxServer,
        _ order: String = Checkout.order()
    ) async throws -> Order {
        let path = try write(order, to: "order.json")
        let started = try await merchant("checkout", "start", path, "--psp", psp.baseURL)
        try #require(started.status == 0, "\(started.output)\(started.diagnostics)")
        return try Order(started.json, at: psp.baseURL)
    }

    /// Expects that every log of the scratch store is valid, opens with its keys, and replays.
    func expectSoundForks() async throws {
        let verified = try await scratch("verify", "--keys")
        #expect(verified.status == 0, "\(verified.output)")
        let alike = try await scratch("replay", "--check")
        #expect(alike.status == 0, "\(alike.output)")
    }

    /// Forks a session of the store, or a log.
    func tryFork(
        _ source: String,
        at place: Int,
        _ sandbox: String
    ) async throws -> Tool.Result {
        try await tool.run(["--json", "fork", source, "--at", "\(place)", "--sandbox", sandbox])
    }

    /// Forks, expects success, and returns the fork's identifier.
    func fork(
        _ source: String,
        at place: Int,
        _ sandbox: String
    ) async throws -> String {
        let forked = try await tryFork(source, at: place, sandbox)
        try #require(forked.status == 0, "\(forked.diagnostics)")
        return try #require(try forked.json["session"].text)
    }

    /// Runs the program on the scratch store, with the secrets of the original available.
    func scratch(_ arguments: String...) async throws -> Tool.Result {
        var options = ["--allow-insecure-loopback", "--store", "sqlite:scratch.db"]
        if !arguments.contains("--reveal") { options.append("--json") }
        for (option, file) in [("--token-file", "token"), ("--headers-file", "headers")]
        where FileManager.default.fileExists(atPath: folder + "/" + file) {
            options += [option, file]
        }
        return try await tool.run(options + arguments)
    }

    /// Checks the payer in on the page of an action, and returns the file with the payer's profile.
    func identify(_ action: JSON, at psp: String) async throws -> String {
        let script = try #require(action["url"].text)
        let token = try #require(script.split(separator: "/").dropLast().last)
        let played = try await tool.shell(
            "curl -sS --fail -X POST '\(psp)/sandbox/consumers/\(token)/identify'"
        )
        let profile = try #require(try played.json["consumerProfileRef"].text)
        return try write(profile + "\n", to: "profile-\(token).txt")
    }
}

/// Listens at the former address of a PSP and records connections.
struct Ear {
    private let running: TestProcess
    private let address: String
    private let world: World

    /// Starts listening.
    static func listen(at address: String, in world: World) async throws -> Ear {
        let port = try #require(address.split(separator: ":").last)
        let script = """
            import socket
            server = socket.socket()
            server.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            server.bind(("127.0.0.1", \(port)))
            server.listen()
            print("listening", flush=True)
            while True:
                caller, _ = server.accept()
                caller.settimeout(5)
                try:
                    words = caller.recv(4096).decode().split()
                except OSError:
                    words = []
                print(words[1] if len(words) > 1 else "?", flush=True)
                caller.close()
            """
        let running = try world.tool.start("/usr/bin/python3", ["-c", script], input: nil)
        let ear = Ear(running: running, address: address, world: world)
        try await ear.wait(for: "listening")
        return ear
    }

    /// Returns the requests so far, after one of our own, and stops listening.
    func calls() async throws -> [String] {
        _ = try await world.tool.shell("curl -sS -m 5 \(address)/last")
        try await wait(for: "/last")
        let lines = running.outputSoFar.split(separator: "\n").map(String.init)
        kill(running.id, SIGKILL)
        _ = try await world.tool.finish(running)
        return Array(lines.dropFirst())
    }

    private func wait(for line: String) async throws {
        for _ in 1...400 where !running.outputSoFar.contains(line) {
            try await Task.sleep(for: .milliseconds(25))
        }
        #expect(running.outputSoFar.contains(line))
    }
}
