import Foundation
import Testing

@testable import Sandbox

/// Operations on logs after the payments.
extension Hunt {
    /// Erases, rotates keys, applies retention, redacts and creates checkpoints.
    ///
    /// The sealed values of an erased log cannot be read afterwards, so they are collected before.
    func protect() async throws {
        let card = secret("4111 1111 1111 1111")
        let person = secret("marked.payer@example.com")
        let sessions = try await endedPayments(card, person)
        try await gather()
        try await keys()
        try await gather()
        try await checkpoints(of: sessions)
        try await redacted(card, person)
        try await erased(sessions)
    }

    /// Completed payments with secrets in all sealed values.
    private func endedPayments(_ card: String, _ person: String) async throws -> [String] {
        var sessions: [String] = []
        for number in 0..<5 {
            let msisdn = secret("+4670123498\(number)")
            let (session, _) = try await open(
                SandboxOrder(payerReference: "payer-1"),
                "--reference",
                "order-\(number)"
            )
            try await done("attempt", session, "swish", "--msisdn", msisdn, "--until", "ended")
            sessions.append(session)
        }
        // The one with secrets in its text has a store of its own, since its host wrote them in the
        // clear.
        let created = try await world.sandbox.createOrder()
        secret(String(created.sessionURL.split(separator: "/").last?.prefix { $0 != "?" } ?? ""))
        let other = ["--store", "sqlite:\(given)/texts.db"]
        let opened = try await world.tool.run(
            ["--allow-insecure-loopback", "open", created.sessionURL]
                + ["--reference", "Lamp \(card)", "--metadata", "of=\(person)"] + other
        )
        #expect(opened.status == 0, "\(opened.diagnostics)")
        for name in ["plain.ndjson", "plain.zst"] {
            let exported = try await world.tool.run(["export", "-o", "\(given)/\(name)"] + other)
            #expect(exported.status == 0, "\(exported.diagnostics)")
        }
        return sessions
    }

    /// Uses other master keys: in the file, and from a command.
    private func keys() async throws {
        try await done("keys", "list", "--json", "-v")
        // A reader holds the log, so that traces remain for now.
        let rotated = try await run(["keys", "rotate", "--json", "-v"])
        #expect(rotated.status == 75, "\(rotated.diagnostics)")
        letGo()
        try await gather()
        try await done("keys", "rotate", "--json", "-v")
        let key = secret((0..<32).map { String(format: "%02x", 200 - $0) }.joined())
        let file = try file("other.key", key + "\n")
        let store = [
            "--store", "sqlite:\(folder)/store/by-command.db", "--key-command", "cat \(file)",
        ]
        let (_, created) = try await open(SandboxOrder())
        for arguments in [
            ["open", created.sessionURL], ["keys", "list", "--json"], ["keys", "rotate"],
            ["export", "--redact"], ["verify", "-v"],
        ] {
            let result = try await run(arguments + store)
            #expect(result.status == 0 || arguments[0] == "keys", "\(result.diagnostics)")
        }
        let wrong = try await run(
            ["show", try #require(try await sessions().first), "--reveal"]
                + ["--key-command", "echo \(key)"]
        )
        #expect(wrong.status != 0)
        let broken = try await run(["keys", "list", "--key-command", "echo marked-\(key); exit 3"])
        #expect(broken.status != 0)
        try await done("keys", "forget", "--json", "-v")
    }

    private func checkpoints(of sessions: [String]) async throws {
        let exports = folder + "/exports"
        try FileManager.default.createDirectory(atPath: exports, withIntermediateDirectories: true)
        try await done("checkpoint", "create", "--json", "-v")
        try await done("checkpoint", "list")
        try await done("checkpoint", "export", "--leaves", "-o", exports + "/leaves.json")
        try await done("checkpoint", "export")
        try await done("checkpoint", "prove", sessions[0], "-o", exports + "/proof.json")
        try await done("checkpoint", "verify", exports + "/leaves.json", "--json")
    }

    /// The sealed values are nowhere, in no encoding.
    private func redacted(_ card: String, _ person: String) async throws {
        let exports = folder + "/exports"
        for (from, to) in [
            ("plain.ndjson", "a.zst"), ("plain.zst", "b.gz"), ("plain.zst", "c.ndjson"),
        ] {
            try await done("redact", "\(given)/\(from)", "-o", "\(exports)/\(to)", "-v")
        }
        try await done("redact", given + "/plain.ndjson")
        try await done("verify", exports + "/a.zst", "--json", "--all")
        try await done("verify", exports + "/b.gz")
        try await done("import", exports + "/c.ndjson", "--store", "sqlite:\(exports)/other.db")
        // Compressed output is decompressed before the search.
        let unfolded = try await world.tool.shell(
            "cd '\(exports)' && zstd -qdc a.zst > a.unfolded && gzip -dc b.gz > b.unfolded"
        )
        #expect(unfolded.status == 0, "\(unfolded.diagnostics)")
    }

    private func erased(_ sessions: [String]) async throws {
        let number = secret("+46701112223")
        try await refused("erase", sessions[0], "--reason", "call \(number)", "-v")
        try await done("erase", sessions[0], "--reason", "asked for", "--json", "-v")
        try await refused("log", sessions[0], "--reveal")
        try await done("retention", "--older-than", "0s")
        try await done("retention", "--older-than", "0s", "--apply", "--limit", "2", "--json", "-v")
        try await done("keys", "rotate", "--json")
        try await gather()
        try await done("keys", "forget", "--json", "-v")
        try await done("verify", "--json", "-v")
        try await done("export", "-o", folder + "/exports/after.ndjson")
        for session in sessions { try await done("show", session, "--json") }
    }
}
