import Adapters
import ArgumentParser
import Foundation
import Synchronization
import TestSupport
import Testing
import WorkflowTesting

@testable import EventLog
@testable import Inspection
@testable import SwedbankPay
@testable import workflowctl

/// Realistic payments that did not go as the payer expected, and the story of each.
///
/// Each run creates the logs anew and compares them with the files. `CASES=write` writes the files
/// instead.
@Suite struct CaseTests {
    static let isWriting = ProcessInfo.processInfo.environment["CASES"] == "write"
    private static let decider = SessionDecider(catalogue: .bundled)

    /// How an output is displayed.
    struct Look: Sendable, CustomTestStringConvertible {
        var name: String
        var columns: Int?
        var options: [String] = []
        var environment = ["LANG": "C.UTF-8", "NO_COLOR": "1"]
        var testDescription: String { name }
    }

    static let looks = [
        Look(
            name: "terminal.txt",
            columns: 100,
            environment: ["LANG": "C.UTF-8", "TERM": "xterm"]
        ),
        Look(name: "no-colour.txt", columns: 100),
        Look(name: "narrow.txt", columns: 44),
        Look(name: "ascii.txt", columns: 80, environment: ["LC_ALL": "C", "NO_COLOR": "1"]),
        Look(name: "pipe.txt", columns: nil),
        Look(name: "json", columns: nil, options: ["--json"]),
    ]

    static let folder = URL(fileURLWithPath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent()
        .appendingPathComponent("Fixtures/Cases")

    static func expect(_ text: String, in name: String) throws {
        let file = folder.appendingPathComponent(name)
        let parent = file.deletingLastPathComponent()
        if isWriting {
            try FileManager.default.createDirectory(at: parent, withIntermediateDirectories: true)
            try Data(text.utf8).write(to: file)
        }
        let kept = try String(contentsOf: file, encoding: .utf8)
        #expect(text == kept, "\(name) is not what this build makes")
    }

    /// Returns the log of a case, as an export without seals, with the MACs of the key that the
    /// golden logs have, too.
    private func export(_ story: SupportCase) throws -> String {
        let keys = try #require(SessionKeys(dataKey: Array(0..<32)))
        var head = StreamHead.empty
        var lines = ""
        for event in story.payment(by: Self.decider).events {
            var record = try RecordWriter.unsealedRecord(event, after: head)
            record.mac = keys.mac(of: record.hash)
            head = StreamHead(sequence: record.sequence, hash: record.hash)
            lines += String(decoding: LogLine.encode(record), as: UTF8.self) + "\n"
        }
        return lines
    }

    @Test(arguments: SupportCase.allCases)
    func `the rules of this build produce the recorded log of each case`(
        _ story: SupportCase
    ) throws {
        try Self.expect(try export(story), in: story.rawValue + ".ndjson")
    }

    @Test(arguments: SupportCase.allCases)
    func `each log verifies, and its replay reaches the same decisions`(
        _ story: SupportCase
    ) async throws {
        let path = Self.folder.appendingPathComponent(story.rawValue + ".ndjson").path
        for arguments in [["verify", path], ["replay", path, "--check"]] {
            let run = try await Terminal.run(arguments, columns: nil)
            #expect(run.status == .done, "\(run.text)")
        }
    }

    @Test(arguments: SupportCase.allCases)
    func `explain prints the reviewed story of each case`(_ story: SupportCase) async throws {
        let path = Self.folder.appendingPathComponent(story.rawValue + ".ndjson").path
        let text = try await Terminal.run(["explain", path, "--why"], columns: 96)
        #expect(text.status == .done, "\(text.text)")
        try Self.expect(text.text, in: story.rawValue + ".txt")
        let json = try await Terminal.run(["explain", path, "--json"], columns: 96)
        try Self.expect(json.text, in: story.rawValue + ".json")
    }
}

extension CaseTests {
    @Test(arguments: looks)
    func `timeline and explain fit the width, character set and colors of their output`(
        _ look: Look
    ) async throws {
        let story = SupportCase.payerClosedBankPage.rawValue
        let path = Self.folder.appendingPathComponent(story + ".ndjson").path
        for command in ["timeline", "explain"] {
            let run = try await Terminal.run(
                [command, path] + look.options,
                columns: look.columns,
                environment: look.environment
            )
            #expect(run.status == .done, "\(run.text)")
            try Self.expect(run.text, in: "Looks/\(command).\(look.name)")
            if look.name == "ascii.txt" { #expect(run.text.utf8.allSatisfy { $0 < 0x80 }) }
            let isColored = run.text.contains("\u{1B}[")
            #expect(isColored == (look.environment["NO_COLOR"] == nil))
            guard let columns = look.columns, !isColored else { continue }
            for line in run.text.split(separator: "\n") where !line.contains("  workflowctl ") {
                #expect(line.count <= columns, "\(line)")
            }
        }
    }

    @Test(.guarantee(.moneyToldTrue))
    func `view and story agree for the payer: not to pay again while money may be taken`()
        async throws
    {
        var seen: Set<MoneyState.Standing> = []
        for story in SupportCase.allCases {
            let payment = story.payment(by: Self.decider)
            for end in 1...payment.events.count {
                let told = Story(
                    of: payment.state.session,
                    events: payment.events.prefix(end),
                    by: Self.decider
                )
                let view = SessionView(told.state, by: Self.decider, disclosing: .masked).json
                let message = StoryEnd(told).payerMessage
                let place: Comment = "\(story) at \(end): \(message ?? "nothing")"
                seen.insert(told.standing.money.standing)
                #expect(view["payer"]?["message"] == JSONValue(message), place)
                if view["problem"] != .null {
                    let shown = view["problem"]?["payerMessage"]
                    #expect(message == nil || shown == JSONValue(message), place)
                    #expect(view["problem"]?["newAttempt"] == view["payer"]?["newAttempt"], place)
                }
                #expect(
                    view["money"]?["standing"] == .string(told.standing.money.standing.rawValue)
                )
                guard [.unknown, .underWay].contains(told.standing.money.standing) else { continue }
                #expect(view["payer"]?["newAttempt"] == .string("none"), place)
                #expect(message?.localizedCaseInsensitiveContains("another way") != true, place)
                #expect(message?.localizedCaseInsensitiveContains("start again") != true, place)
                guard told.standing.money.standing == .unknown else { continue }
                #expect(message?.contains("do not pay again") == true, place)
                for sentence in told.sentences {
                    let words = StoryWords.text(sentence.fact)
                    #expect(!words.contains("can try again"), "\(place): \(words)")
                }
            }
        }
        #expect(seen.isSuperset(of: [.none, .intended, .underWay, .unknown, .confirmed]))
    }

    @Test(arguments: SupportCase.allCases)
    func `every sentence of a story cites existing events, at every prefix`(
        _ story: SupportCase
    ) throws {
        let payment = story.payment(by: Self.decider)
        let events = payment.events
        for end in 1...events.count {
            let told = Story(
                of: payment.state.session,
                events: events.prefix(end),
                by: Self.decider
            )
            #expect(told.state == SessionState.folding(events.prefix(end), of: told.session))
            #expect(!told.standing.sequences.isEmpty)
            for sentence in told.sentences {
                let places = sentence.sequences
                #expect(!places.isEmpty && places == places.sorted())
                #expect(places.allSatisfy { (1...SequenceNumber(end)).contains($0) })
                #expect(!StoryWords.text(sentence.fact).isEmpty)
            }
        }
    }
}

/// Runs commands in this process, with a simulated terminal.
enum Terminal {
    /// Runs a command, and returns its exit status and output.
    ///
    /// `columns` is the width of the terminal; `nil` makes the output a pipe.
    static func run(
        _ arguments: [String],
        columns: Int?,
        environment: [String: String] = ["LANG": "C.UTF-8", "NO_COLOR": "1"],
        now: Instant = Instant(microseconds: 1_796_000_000_000_000)
    ) async throws -> (status: workflowctl.ExitStatus, text: String) {
        let loop = try UVLoop(name: "case")
        defer { loop.shutdown() }
        let bytes = Mutex<[UInt8]>([])
        let style = Style.of(terminal: columns != nil, choice: .auto, environment: environment)
        let sink = Sink(isTerminal: columns != nil, columns: columns, style: style) { more in
            bytes.withLock { $0 += more }
        }
        let invocation = Invocation(
            environment: environment,
            output: sink,
            diagnostics: Sink(isTerminal: false, columns: nil, style: .plain) { _ in },
            readInput: { _ in [] },
            now: { now },
            loop: loop,
            program: "workflowctl"
        )
        let command = try #require(
            try Workflowctl.parseAsRoot(ArgumentOrder.commandFirst(arguments)) as? any Command
        )
        let status: workflowctl.ExitStatus
        do throws(Failure) {
            try command.refuseBadArguments()
            status = try await command.perform(in: invocation)
        } catch {
            return (error.status, "\(error)")
        }
        return (status, bytes.withLock { String(decoding: $0, as: UTF8.self) })
    }
}
