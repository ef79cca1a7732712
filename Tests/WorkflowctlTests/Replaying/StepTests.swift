import Foundation
import Testing

@testable import Sandbox

/// Stepping through a payment with the keyboard, on a real pseudo-terminal.
@Suite struct StepTests {
    /// The screen contents, and the final state of the terminal.
    private struct Seen {
        let json: JSON

        func lines(_ snap: String) -> [String] { json["snaps"][snap].list.compactMap(\.text) }
        var screen: [String] { json["screen"].list.compactMap(\.text) }
        var raw: String { json["raw"].text ?? "" }
        var status: Int? { json["status"].number }
        var isRestored: Bool { json["restored"].flag == true && json["cursor"].flag == true }
    }

    /// Runs `step` on the log of a card that the issuer declines.
    private func play(
        _ steps: String,
        _ arguments: String = "--step --at 7",
        environment: [String: String] = [:],
        input: String? = nil
    ) async throws -> Seen {
        let root = URL(fileURLWithPath: SchemaCheck.folder).deletingLastPathComponent().path
        let folder = NSTemporaryDirectory() + "step-\(UUID().uuidString)"
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let tool = Tool(
            environment: ["TERM": "xterm"].merging(environment) { $1 },
            folder: folder
        )
        let log = "\(root)/Tests/Fixtures/Cases/issuer-declined.ndjson"
        let source = input ?? "workflowctl replay \(log) \(arguments)"
        let played = try await tool.shell(
            "python3 \(root)/Tests/Tools/terminal.py bash -c '\(source)'",
            input: steps
        )
        try #require(played.status == 0, "\(played.diagnostics)")
        return Seen(json: try played.json)
    }

    @Test func `stepping forward, back and to an event shows the state, changes and pending work`()
        async throws
    {
        let seen = try await play(
            """
            [{"see":"event 7 of 20"},{"snap":"started"},{"type":"\\u001b[C"},{"see":"event 8 of"},
             {"type":"h"},{"see":"event 7 of"},{"type":"12\\r"},{"see":"event 12 of"},{"snap":"jumped"},
             {"type":"G"},{"see":"event 20 of"},{"type":"\\u001b[H"},{"see":"before the first"},
             {"snap":"nothing"},{"type":"q"}]
            """,
            environment: ["NO_COLOR": "1"]
        )
        #expect(seen.status == 0 && seen.isRestored)
        let started = seen.lines("started")
        #expect(started.count == 24)
        #expect(started.allSatisfy { $0.count <= 100 })
        #expect(started.contains { $0.hasPrefix("▶   7  attemptStarted") })
        #expect(started.contains { $0.contains("│ * phase: attempting") })
        #expect(started.contains { $0.contains("│ + attempt.number: 1") })
        #expect(started.contains("  send expand-method (e-2)"))
        #expect(started.contains { $0.hasPrefix("  the time limit of attempt 1 ends at ") })
        #expect(seen.lines("jumped").contains { $0.contains("send session (r-5), not before") })
        #expect(seen.lines("nothing").contains { $0.hasPrefix("▶   0  before the first event") })
        // Nothing of it remains on the screen.
        #expect(seen.screen.joined().isEmpty)
        #expect(!seen.raw.contains("\u{1B}[3"))
    }

    @Test func `stepping lists its keys, folds polls into one row and shows cut text in full`()
        async throws
    {
        let seen = try await play(
            """
            [{"size":[80,30]},{"see":"event 1 of"},{"type":"?"},{"see":"press any key to go back"},{"snap":"keys"},
             {"type":"q"},{"see":"event 1 of"},{"type":"33\\r"},{"see":"event 33 of"},{"pause":0.4},{"snap":"folded"},
             {"type":"e"},{"pause":0.4},{"snap":"single"},{"type":"e"},{"type":"6\\r"},{"see":"event 6 of"},{"pause":0.4},
             {"snap":"whole"},{"type":"w"},{"pause":0.4},{"snap":"wrapped"},{"type":"q"}]
            """,
            environment: ["NO_COLOR": "1"],
            input: "workflowctl replay \(expiredFile) --step"
        )
        #expect(seen.status == 0 && seen.isRestored)
        let keys = seen.lines("keys")
        #expect(keys.contains { $0.contains("unchanged polls of the PSP") })
        #expect(keys.contains { $0.contains("q ") && $0.contains("quit") })
        let folded = seen.lines("folded")
        #expect(folded.contains { $0.contains(" times (to ") }, "\(folded)")
        let single = seen.lines("single")
        #expect(!single.contains { $0.contains(" times (to ") }, "\(single)")
        #expect(single.contains { $0.hasPrefix("▶  33  fetched") }, "\(single)")
        // The methods take one line, and the event is described above in full.
        let whole = seen.lines("whole")
        #expect(whole.contains { $0.contains("* methods: swish, card, new-card") }, "\(whole)")
        #expect(!whole.contains { $0.contains("methods[0]") })
        #expect(whole.prefix(4).contains { $0.hasPrefix("  methodsOffered: methods offered") })
        #expect(seen.lines("wrapped").allSatisfy { $0.count <= 80 && !$0.contains("│ * …") })
    }

    @Test func `stepping adapts to a narrow screen, a resize, ASCII and color`() async throws {
        let seen = try await play(
            """
            [{"size":[60,20]},{"see":"event 7 of"},{"pause":0.4},{"snap":"narrow"},
             {"size":[120,40]},{"see":"event 7 of 20  22 s after the first"},{"pause":0.4},
             {"snap":"wide"},{"type":"q"}]
            """,
            environment: ["LANG": "C", "LC_ALL": "C"]
        )
        let narrow = seen.lines("narrow")
        #expect(narrow.count == 20 && narrow.allSatisfy { $0.count <= 60 })
        #expect(narrow.contains { $0.hasPrefix("* phase: attempting") })
        #expect(narrow.contains { $0.hasPrefix(">   7  attemptStarted") })
        let wide = seen.lines("wide")
        #expect(wide.count == 40)
        #expect(wide.contains { $0.contains(" | * phase: attempting") })
        #expect(seen.raw.contains("\u{1B}[33m"))
        #expect(!seen.raw.contains("▶") && !seen.raw.contains("│") && !seen.raw.contains("→"))
    }

    @Test func `stepping can be suspended and continued, by the keyboard and by a signal`()
        async throws
    {
        let seen = try await play(
            """
            [{"see":"event 7 of"},{"type":"\\u001a"},{"stopped":1},{"gone":"event"},{"signal":"CONT"},{"see":"event"},{"type":"l"},
             {"see":"event 8 of"},{"signal":"TSTP"},{"stopped":1},{"gone":"event"},{"signal":"CONT"},{"see":"event"},{"type":"l"},
             {"see":"event 9 of"},{"type":"q"}]
            """,
            input: "exec workflowctl replay \(caseFile) --step --at 7"
        )
        #expect(seen.status == 0 && seen.isRestored)
        #expect(seen.json["restoredWhenStopped"].flag == true)
        #expect(seen.screen.joined().isEmpty)
    }

    @Test(arguments: [
        (#"{"type":"\u0003"}"#, 130), (#"{"signal":"INT"}"#, 130), (#"{"signal":"TERM"}"#, 130),
    ])
    func `stepping restores the terminal when it is interrupted or terminated`(
        end: String,
        status: Int
    ) async throws {
        let seen = try await play(
            #"[{"see":"event 7 of"},\#(end)]"#,
            input: "exec workflowctl replay \(caseFile) --step --at 7"
        )
        #expect(seen.status == status)
        #expect(seen.isRestored)
        #expect(seen.screen.joined().isEmpty)
    }

    @Test func `a log from a pipe can be stepped with the keys of the terminal`() async throws {
        let seen = try await play(
            #"[{"see":"event 1 of 20"},{"type":"G"},{"see":"event 20 of"},{"type":"b"},{"see":"event 19 of"},{"type":"q"}]"#,
            input: "cat \(caseFile) | workflowctl replay - --step"
        )
        #expect(seen.status == 0 && seen.isRestored)
    }

    @Test
    func `without a terminal the steps are listed, and on a dumb one other options are named`()
        async throws
    {
        let dumb = try await play("[]", environment: ["TERM": "dumb"])
        #expect(dumb.status == 64)
        #expect(dumb.screen.joined(separator: " ").contains("[usage.step]"))
        #expect(dumb.screen.joined(separator: " ").contains("--at SEQ or --diff A..B"))
        try await World.with { world in
            let listed = try await world.run("replay", caseFile, "--step")
            #expect(listed.status == 0)
            #expect(!listed.output.contains("\u{1B}"))
            #expect(listed.output.contains("phase: "))
            let at = try await world.run("replay", caseFile, "--at", "11")
            #expect(
                at.output.contains("\npending    waiting for the response to start-payment-attempt")
            )
            let steps = try await world.run("replay", caseFile, "--step", "--json")
            let eleventh = String(steps.output.split(separator: "\n")[10])
            #expect(
                eleventh.contains("\"owed\":[\"waiting for the response to start-payment-attempt")
            )
        }
    }

    private var expiredFile: String {
        caseFile.replacingOccurrences(of: "issuer-declined", with: "expired")
    }

    private var caseFile: String {
        URL(fileURLWithPath: SchemaCheck.folder).deletingLastPathComponent().path
            + "/Tests/Fixtures/Cases/issuer-declined.ndjson"
    }
}
