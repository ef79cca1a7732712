import Foundation
import LogFixtures
import Testing

@testable import Sandbox
@testable import workflowctl

/// The first event at which two builds decide differently.
@Suite struct BisectTests {
    /// A log whose second half another build decided, which did not offer the methods.
    private func twoBuilds(_ world: World) async throws -> String {
        let (session, _) = try await world.open()
        let log = try await world.run("log", session, "--json").output
        let forged = try Forge.rechained(log, without: "methodsOffered")
        return try world.write(try Forge.rechained(forged, by: "0.0.9"), to: "other.ndjson")
    }

    @Test func `bisect names the event and the build at which this build decides differently`()
        async throws
    {
        try await World.with { world in
            let path = try await twoBuilds(world)
            let found = try await world.run("bisect", path, "--json")
            #expect(found.status == 1, "\(found.diagnostics)")
            try await SchemaCheck.expect(found.output, fits: "cli/bisect", in: world)
            let events = try #require(try found.json["events"].number)
            #expect(try found.json["partsAt"].number == events + 1)
            #expect(try found.json["partsFrom"].text?.hasPrefix("build 0.0.9, catalogue ") == true)
            #expect(try found.json["divergence"]["decided"]["type"].text == "methodsOffered")
            #expect(try found.json["decidedBy"][0]["build"].text == "0.0.9")
            let words = try await world.run("bisect", path)
            #expect(words.output.contains("differs"))
            #expect(words.output.contains("build 0.0.9"))
        }
    }

    @Test func `bisect reports that builds make the same decisions`() async throws {
        try await World.with { world in
            let (session, _) = try await world.open()
            let own = try await world.run("bisect", session)
            #expect(own.status == 0 && own.output.contains("same  "))
            let other = try await world.run("bisect", session, "--with", Tool.path, "--json")
            #expect(other.status == 0, "\(other.diagnostics)")
            try await SchemaCheck.expect(other.output, fits: "cli/bisect", in: world)
            #expect(try other.json["other"].text == "workflowctl \(Build.version)")
            #expect(try other.json["partsAt"].isNull)
        }
    }

    @Test func `another program receives no secret, and the event at which it differs is named`()
        async throws
    {
        try await World.with { world in
            let (session, created) = try await world.open()
            let token = try #require(created.sessionURL.split(separator: "/").last)
            // A build that makes another decision at event 3.
            let script = """
                #!/bin/sh
                if [ "$1" = --version ]; then echo 'workflowctl 7.7.7'; exit 0; fi
                cat > asked.ndjson
                echo '{"session":"x","events":9,"agrees":false,"divergence":{"seq":3,'
                echo '"recorded":null,"decided":{"type":"problem","words":"w"},"rejection":null}}'
                exit 1
                """
            let path = try world.write(script, to: "other.sh")
            _ = try await world.tool.shell("chmod +x other.sh")
            let parted = try await world.run("bisect", session, "--with", path, "--json")
            #expect(parted.status == 1, "\(parted.diagnostics)")
            try await SchemaCheck.expect(parted.output, fits: "cli/bisect", in: world)
            #expect(try parted.json["partsAt"].number == 3)
            #expect(try parted.json["partsFrom"].text == "workflowctl 7.7.7")
            #expect(try parted.json["otherDivergence"]["type"].text == "problem")
            let asked = try String(contentsOfFile: world.folder + "/asked.ndjson", encoding: .utf8)
            #expect(asked.contains(session) && !asked.contains(token))
            #expect(asked.split(separator: "\n").allSatisfy { $0.hasSuffix(#""seals":[]}"#) })
            let words = try await world.run("bisect", session, "--with", path)
            #expect(words.output.contains("the other build   problem (w)"))
        }
    }

    @Test func `two builds that differ from the log in the same way are reported as the same`()
        async throws
    {
        try await World.with { world in
            let path = try await twoBuilds(world)
            let same = try await world.run("bisect", path, "--with", Tool.path)
            #expect(same.status == 0, "\(same.output)\(same.diagnostics)")
            #expect(same.output.contains("later events cannot be compared"))
        }
    }

    @Test(arguments: ["/bin/true", "no-such-program", "/bin/cat"])
    func `a program that returns no result is refused`(program: String) async throws {
        try await World.with { world in
            let (session, _) = try await world.open()
            let refused = try await world.run("bisect", session, "--with", program)
            #expect(refused.status == 1)
            #expect(refused.diagnostics.contains("[bisect.no-answer]"))
        }
    }

    /// Creates a file with four logs: two that 0.0.9 decided, the later one first, one that 0.0.8
    /// decided, and one of this build.
    private func manyBuilds(_ world: World) async throws -> (path: String, sessions: [String]) {
        var (sessions, logs) = ([String](), [String]())
        for build in ["0.0.9", "0.0.9", "0.0.8", nil] {
            let (session, _) = try await world.open()
            var log = try await world.run("log", session, "--json").output
            if let build {
                log = try Forge.rechained(log, without: "methodsOffered")
                log = try Forge.rechained(log, by: build)
            }
            sessions.append(session)
            logs.append(log)
        }
        logs.swapAt(0, 1)
        return (try world.write(logs.joined(), to: "many.ndjson"), sessions)
    }

    @Test
    func `for many logs, each build is listed with the earliest event at which it differs`()
        async throws
    {
        try await World.with { world in
            let (path, sessions) = try await manyBuilds(world)
            let imported = try await world.run("import", path, store: "other.db")
            #expect(imported.status == 0, "\(imported.diagnostics)")
            for found in [
                try await world.run("bisect", path, "--json"),
                try await world.run("bisect", "--json", store: "other.db"),
            ] {
                #expect(found.status == 1, "\(found.diagnostics)")
                try await SchemaCheck.expect(found.output, fits: "cli/bisect-all", in: world)
                let json = try found.json
                #expect(json["sessions"].number == 4 && json["parting"].number == 3)
                #expect(json["alike"].flag == false && json["other"].isNull)
                let pairs = json["pairs"].list
                #expect(pairs.map(\.["build"].text) == ["0.0.9", "0.0.8", Build.version])
                #expect(pairs.map(\.["sessions"].number) == [2, 1, 1])
                #expect(pairs.map(\.["parting"].number) == [2, 1, 0])
                // The earlier one, although the later one precedes it in the file.
                #expect(pairs[0]["first"]["session"].text == sessions[0])
                #expect(pairs[1]["first"]["session"].text == sessions[2])
                #expect(pairs[2]["first"].isNull)
                let decided = pairs[0]["first"]["divergence"]["decided"]
                #expect(decided["type"].text == "methodsOffered")
                let named = Set(json["partings"].list.compactMap(\.["session"].text))
                #expect(named == Set(sessions.dropLast()))
            }
            let words = try await world.run("bisect", path).output
            #expect(words.hasPrefix("differs  sessions: 4"), "\(words)")
            #expect(words.contains("differs  \(sessions[0])  at event"), "\(words)")
            #expect(!words.contains("differs  \(sessions[1])"), "\(words)")
            let chosen = try await world.run("bisect", path, "--session", sessions[2], "--json")
            try await SchemaCheck.expect(chosen.output, fits: "cli/bisect", in: world)
            #expect(try chosen.json["session"].text == sessions[2])
            let asked = try await world.run("bisect", "--with", Tool.path, store: "other.db")
            #expect(asked.status == 0, "\(asked.output)\(asked.diagnostics)")
            #expect(asked.output.contains("sessions: 4") && asked.output.contains("same"))
        }
    }

    @Test func `another program checks every log of a store`() async throws {
        try await World.with { world in
            let sessions = [try await world.open().session, try await world.open().session]
            // A build that makes another decision at event 2 of the second one.
            let script = """
                #!/bin/sh
                if [ "$1" = --version ]; then echo 'workflowctl 7.7.7'; exit 0; fi
                if grep -q '\(sessions[1])'; then
                echo '{"agrees":false,"divergence":{"seq":2,"decided":null,"rejection":"session.x"}}'
                exit 1
                fi
                echo '{"agrees":true}'
                """
            let path = try world.write(script, to: "other.sh")
            _ = try await world.tool.shell("chmod +x other.sh")
            let parted = try await world.run("bisect", "--with", path, "--json")
            #expect(parted.status == 1, "\(parted.diagnostics)")
            try await SchemaCheck.expect(parted.output, fits: "cli/bisect-all", in: world)
            let pair = try parted.json["pairs"][0]
            #expect(pair["build"].text == "workflowctl 7.7.7" && pair["catalogue"].isNull)
            #expect(pair["sessions"].number == 2 && pair["parting"].number == 1)
            #expect(pair["first"]["session"].text == sessions[1])
            #expect(pair["first"]["seq"].number == 2)
            #expect(pair["first"]["otherDivergence"]["rejection"].text == "session.x")
            let silent = try await world.run("bisect", "--with", "/bin/true")
            #expect(silent.status == 1 && silent.output.isEmpty)
            #expect(silent.diagnostics.contains("[bisect.no-answer]"))
        }
    }

    @Test func `unreadable logs do not stop the others and are never reported as the same`()
        async throws
    {
        try await World.with { world in
            _ = try await world.open()
            let alike = try await world.run("bisect", "--json")
            #expect(alike.status == 0, "\(alike.diagnostics)")
            #expect(try alike.json["alike"].flag == true)
            let (path, sessions) = try await manyBuilds(world)
            let text = try String(contentsOfFile: path, encoding: .utf8)
            var lines = text.split(separator: "\n").map(String.init)
            let place = try #require(lines.lastIndex { $0.contains(sessions[3]) })
            lines[place] = lines[place].replacing(#""node":""#, with: #""node":"x"#)
            let damaged = try world.write(lines.joined(separator: "\n") + "\n", to: "bad.ndjson")
            let found = try await world.run("bisect", damaged, "--json")
            #expect(found.status == 65, "\(found.diagnostics)")
            try await SchemaCheck.expect(found.output, fits: "cli/bisect-all", in: world)
            #expect(try found.json["unreadable"].number == 1)
            #expect(try found.json["sessions"].number == 3)
            let own = try world.write(
                lines.filter { $0.contains(sessions[3]) }.joined(separator: "\n") + "\n",
                to: "one.ndjson"
            )
            let one = try await world.run("bisect", own)
            #expect(one.status == 65 && !one.output.contains("same decision"), "\(one.output)")
            let usage = try await world.run("bisect", "--session", sessions[0])
            #expect(usage.status == 64)
        }
    }
}
