import Foundation
import Testing

@testable import Sandbox
@testable import workflowctl

/// At which event two builds part.
@Suite struct BisectTests {
    /// A log of which another build decided the second half, and did not offer the methods.
    private func twoBuilds(_ world: World) async throws -> String {
        let (session, _) = try await world.open()
        let log = try await world.run("log", session, "--json").output
        let forged = try Forge.rechained(log, without: "methodsOffered")
        return try world.write(try Forge.rechained(forged, by: "0.0.9"), to: "other.ndjson")
    }

    @Test func `the event and the build are named at which this one would go otherwise`()
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
            #expect(words.output.contains("parts"))
            #expect(words.output.contains("build 0.0.9"))
        }
    }

    @Test func `builds that decide alike are told so`() async throws {
        try await World.with { world in
            let (session, _) = try await world.open()
            let own = try await world.run("bisect", session)
            #expect(own.status == 0 && own.output.contains("alike"))
            let other = try await world.run("bisect", session, "--with", Tool.path, "--json")
            #expect(other.status == 0, "\(other.diagnostics)")
            try await SchemaCheck.expect(other.output, fits: "cli/bisect", in: world)
            #expect(try other.json["other"].text == "workflowctl \(Build.version)")
            #expect(try other.json["partsAt"].isNull)
        }
    }

    @Test func `another program is asked, told no secret, and named where it parts`() async throws {
        try await World.with { world in
            let (session, created) = try await world.open()
            let token = try #require(created.sessionURL.split(separator: "/").last)
            // A build that wants something else at event 3.
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
            #expect(words.output.contains("the other wants   problem (w)"))
        }
    }

    @Test func `both part from the log and want the same: they do not part there`() async throws {
        try await World.with { world in
            let path = try await twoBuilds(world)
            let same = try await world.run("bisect", path, "--with", Tool.path)
            #expect(same.status == 0, "\(same.output)\(same.diagnostics)")
            #expect(same.output.contains("past it the log has no answer"))
        }
    }

    @Test(arguments: ["/bin/true", "no-such-program", "/bin/cat"])
    func `a program that does not answer is no answer`(program: String) async throws {
        try await World.with { world in
            let (session, _) = try await world.open()
            let refused = try await world.run("bisect", session, "--with", program)
            #expect(refused.status == 1)
            #expect(refused.diagnostics.contains("[bisect.no-answer]"))
        }
    }
}
