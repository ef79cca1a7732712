import Foundation
import TestSupport
import Testing

@testable import Sandbox

@Suite(.duty("C-08")) struct RotationTests {
    private let first = String(repeating: "ab", count: 32)
    private let second = String(repeating: "cd", count: 32)

    @Test func `after keys rotate, the old master key is not needed and can be forgotten`()
        async throws
    {
        try await World.with { world in
            let (session, order) = try await world.open()
            let (other, _) = try await world.open()
            let plain = try await world.run("show", session, "--json", "--reveal").output
            let lines = try await world.run("export").output
            let listed = try await world.run("keys", "list", "--json")
            try await SchemaCheck.expect(listed.output, fits: "cli/keys-list", in: world)
            let old = try #require(try listed.json[0]["identity"].text)
            #expect(try listed.json[0]["sessions"].number == 2)

            let terms =
                "python3 -c \"import sqlite3; [print(*r) for r in sqlite3.connect('payments.db').execute("
                + "'SELECT term FROM search_terms WHERE term >= char(98) AND term < char(99) ORDER BY 1')]\""
            _ = try await world.run("find", "order-")
            let blinded = try await world.tool.shell(terms).output
            #expect(!blinded.isEmpty)

            let rotated = try await world.run("keys", "rotate", "--json")
            #expect(rotated.status == 0, "\(rotated.diagnostics)")
            try await SchemaCheck.expect(rotated.output, fits: "cli/keys-rotate", in: world)
            #expect(try rotated.json["rewrapped"].number == 2)
            #expect(try rotated.json["unneeded"][0].text == old)
            #expect(try rotated.json["tracesRemoved"].flag == true)
            #expect(try world.mode(of: world.storePath + ".key") == 0o600)
            #expect(try await world.run("export").output == lines)

            let forgotten = try await world.run("keys", "forget", "--json")
            #expect(forgotten.status == 0, "\(forgotten.diagnostics)")
            try await SchemaCheck.expect(forgotten.output, fits: "cli/keys-forget", in: world)
            #expect(try forgotten.json["forgotten"][0].text == old)
            // What the search index blinded with the old key does not outlive it.
            #expect(try await world.tool.shell(terms).output == "")
            _ = try await world.run("find", "order-")
            let blindedAgain = try await world.tool.shell(terms).output.split(separator: "\\n")
            #expect(blindedAgain.count == blinded.split(separator: "\\n").count)
            #expect(Set(blindedAgain).isDisjoint(with: blinded.split(separator: "\\n")))
            let text = try String(contentsOfFile: world.storePath + ".key", encoding: .utf8)
            #expect(text.split(separator: "\n").count == 1)
            let now = try await world.run("keys", "list", "--json")
            #expect(try now.json[0]["identity"].text != old)
            #expect(try now.json[0]["sessions"].number == 2)
            #expect(try now.json[1]["identity"].text == nil)

            #expect(try await world.run("show", session, "--json", "--reveal").output == plain)
            let again = try await world.run("open", order.sessionURL, "--json")
            #expect(try again.json["session"].text == session)
            #expect(try await world.run("abort", other).status == 0)
            #expect(try await world.run("verify").status == 0)
            // The files contain nothing that the old key wrapped.
            let digits = Array(old)
            let prefix =
                Data([1])
                + Data(
                    stride(from: 0, to: digits.count, by: 2).compactMap {
                        UInt8(String(digits[$0...($0 + 1)]), radix: 16)
                    }
                )
            for file in try FileManager.default.contentsOfDirectory(atPath: world.folder) {
                let bytes = try Data(contentsOf: URL(fileURLWithPath: world.folder + "/" + file))
                #expect(bytes.range(of: prefix) == nil, "\(file)")
            }
        }
    }

    @Test func `while a master key is replaced, session URLs of both keys are known`() async throws
    {
        try await World.with { world in
            var tool = world.tool
            tool.environment["WORKFLOWCTL_MASTER_KEY"] = first
            let order = try await world.sandbox.createOrder()
            let open = ["--allow-insecure-loopback", "--json", "open", order.sessionURL]
            let session = try await tool.run(open).json["session"].text
            tool.environment["WORKFLOWCTL_MASTER_KEY"] = second + " " + first
            #expect(try await tool.run(open).json["session"].text == session)
            let rotated = try await tool.run(["keys", "rotate", "--json"])
            #expect(rotated.status == 0, "\(rotated.diagnostics)")
            #expect(try rotated.json["rewrapped"].number == 1)
            #expect(try await tool.run(open).json["session"].text == session)
            let again = try await tool.run(["keys", "rotate", "--json"])
            #expect(try again.json["rewrapped"].number == 0)
            tool.environment["WORKFLOWCTL_MASTER_KEY"] = second
            #expect(try await tool.run(open).json["session"].text == session)
            let none = try await tool.run(["keys", "rotate"])
            #expect(none.status == 78)
            #expect(none.diagnostics.contains("[vault.no-other-key]"))
            let forget = try await tool.run(["keys", "forget"])
            #expect(forget.status == 78)
            #expect(forget.diagnostics.contains("[vault.not-in-file]"))
        }
    }

    @Test func `keys move from a file to a command`() async throws {
        try await World.with { world in
            let (session, _) = try await world.open()
            let command = ["--key-command", "echo \(second)"]
            let refused = try await world.tool.run(
                ["--allow-insecure-loopback", "abort", session] + command
            )
            #expect(refused.status == 77)
            let blind = try await world.tool.run(["keys", "rotate"] + command)
            #expect(blind.status == 78)
            let from = ["--from", "payments.db.key"]
            let moved = try await world.tool.run(["keys", "rotate"] + command + from)
            #expect(moved.status == 0, "\(moved.diagnostics)")
            _ = try await world.tool.shell("rm payments.db.key")
            let shown = try await world.tool.run(["show", session, "--reveal"] + command)
            #expect(shown.status == 0, "\(shown.diagnostics)")
            #expect(try await world.run("show", session, "--reveal").status == 78)
            var tool = world.tool
            tool.environment["WORKFLOWCTL_KEY_COMMAND"] = "echo \(second)"
            #expect(try await tool.run(["show", session, "--reveal"]).status == 0)
            let path = try world.write(#"{"keys":{"command":"echo \#(second)"}}"#, to: "c.json")
            #expect(
                try await world.tool.run(["show", session, "--reveal", "--config", path]).status
                    == 0
            )
            let failing = try await world.tool.run(
                ["show", session, "--reveal", "--key-command", "echo \(second); false"]
            )
            #expect(failing.status == 78)
            #expect(!failing.diagnostics.contains(second))
        }
    }

    @Test func `a keys rotate that was killed at any moment is completed by repeating it`()
        async throws
    {
        try await World.with { world in
            var sessions: [String] = []
            for _ in 0..<3 { sessions.append(try await world.open().session) }
            for delay in ["0.02", "0.05", "0.08", "0.12", "0.2"] {
                _ = try await world.tool.shell("timeout -s KILL \(delay) workflowctl keys rotate")
                #expect(try await world.run("show", sessions[0], "--reveal").status == 0)
            }
            #expect(try await world.run("keys", "rotate").status == 0)
            #expect(try await world.run("keys", "forget").status == 0)
            for session in sessions {
                #expect(try await world.run("show", session, "--reveal").status == 0)
            }
            #expect(try await world.run("verify").status == 0)
        }
    }

    @Test
    func `after keys rotate, open fails with the old key alone; keys forget accepts the new one`()
        async throws
    {
        try await World.with { world in
            _ = try await world.open()
            #expect(try await world.run("keys", "rotate").status == 0)
            _ = try await world.tool.shell(
                "cp payments.db.key both; sed -n 2p both > payments.db.key"
            )
            let session = try await world.run(
                "open",
                world.sandbox.createOrder().sessionURL,
                "--json"
            )
            // The newest session's key is not available.
            #expect(session.status == 77)
            _ = try await world.tool.shell("sed -n 1p both > payments.db.key")
            #expect(try await world.run("keys", "forget").status == 0)
        }
    }

    @Test func `keys forget rewraps a session that was opened with the old key since the rotation`()
        async throws
    {
        try await World.with { world in
            _ = try await world.open()
            #expect(try await world.run("keys", "rotate").status == 0)
            // As an engine does that has not yet read the new key.
            _ = try await world.tool.shell(
                "cp payments.db.key both; (sed -n 2p both; sed -n 1p both) > payments.db.key"
            )
            let (session, order) = try await world.open()
            _ = try await world.tool.shell("cat both > payments.db.key")
            let listed = try await world.run("keys", "list", "--json")
            #expect(try listed.json.list.map { $0["sessions"].number } == [1, 1])
            let forgotten = try await world.run("keys", "forget", "--json")
            #expect(forgotten.status == 0, "\(forgotten.diagnostics)")
            #expect(try forgotten.json["forgotten"].list.count == 1)
            let text = try String(contentsOfFile: world.storePath + ".key", encoding: .utf8)
            #expect(text.split(separator: "\n").count == 1)
            let shown = try await world.run("log", session, "--json", "--reveal")
            #expect(shown.status == 0, "\(shown.diagnostics)")
            #expect(shown.output.contains(order.sessionURL))
        }
    }

    @Test func `keys forget refuses while the old key wraps a data key that cannot be rewrapped`()
        async throws
    {
        try await World.with { world in
            _ = try await world.open()
            _ = try await world.open()
            // A data key is bound to its session, so that it opens for no other one.
            try await world.alter(
                "UPDATE session_keys SET wrapped = (SELECT wrapped FROM session_keys "
                    + "WHERE session = 2) WHERE session = 1"
            )
            let old = try await world.run("keys", "list", "--json").json[0]["identity"].text
            let identity = try #require(old)
            let rotated = try await world.run("keys", "rotate", "--json")
            #expect(rotated.status == 1)
            #expect(try rotated.json["unopened"].number == 1)
            #expect(try rotated.json["unneeded"].list.isEmpty)
            let keys = try String(contentsOfFile: world.storePath + ".key", encoding: .utf8)
            #expect(keys.split(separator: "\n").count == 2)
            let refused = try await world.run("keys", "forget", "--json")
            #expect(refused.status == 1 && refused.output.isEmpty)
            #expect(refused.diagnostics.contains("[vault.key-in-use]"))
            #expect(refused.diagnostics.contains(identity))
            let kept = try String(contentsOfFile: world.storePath + ".key", encoding: .utf8)
            #expect(kept == keys)
        }
    }
}
