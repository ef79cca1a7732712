import Foundation
import Testing

@testable import SwedbankPay
@testable import workflowctl

/// One case from the payer's complaint to the next step, as in the documentation.
///
/// The commands are run on a store with all cases, in a terminal of 100 columns, at a fixed time;
/// their output is compared with the page, with the README's picture and with the recording for
/// `asciinema play`. `CASES=write` records anew.
@Suite struct WalkthroughTests {
    private static let root = CaseTests.folder.appendingPathComponent("../../..")
        .standardizedFileURL
    private static let recording = root.appendingPathComponent("Documentation/walkthrough.cast")
    private static let page = root.appendingPathComponent("Documentation/walkthrough.md")
    private static let picture = root.appendingPathComponent("Documentation/pictures/story.svg")
    /// The commands of which there is a picture beside the walk-through, by its name.
    private static let pictured = [
        "list": (
            arguments: ["list"],
            title: "What 'workflowctl list' says of payments that ended in every way"
        ),
        "show": (
            arguments: ["show", CaseStore.session(.expired)],
            title: "What 'workflowctl show' says about a payment whose outcome is unknown"
        ),
    ]
    private static let columns = 100
    /// The lines of the page between which the walk-through is.
    private static let marks = (
        begin: "<!-- walk-through: begin -->\n", end: "<!-- walk-through: end -->\n"
    )

    /// A command to type, and its purpose.
    private struct Step {
        var arguments: [String]
        var why: String
    }

    private static var steps: [Step] {
        let session = CaseStore.session(.expired)
        return [
            Step(arguments: ["find", "order-4722"], why: "the payer names the order"),
            Step(arguments: ["explain", session], why: "what happened, and whose move is it?"),
            Step(arguments: ["timeline", session], why: "who did what, and when?"),
            Step(arguments: ["at-risk"], why: "is there more of this?"),
            Step(
                arguments: ["verify", session],
                why: "before the PSP is asked: is the log whole?"
            ),
        ]
    }

    /// Returns the output of each step on a terminal with colors.
    private static func played() async throws -> [(step: Step, text: String)] {
        var played: [(Step, String)] = []
        try await CaseStore.with { store in
            for step in steps {
                let run = try await Terminal.run(
                    ["--store", store.url] + step.arguments,
                    columns: columns,
                    environment: ["LANG": "C.UTF-8", "TERM": "xterm-256color"],
                    now: store.now
                )
                #expect(run.status == .done, "\(step.arguments): \(run.text)")
                // A reader who follows along has the store where the program expects it.
                played.append(
                    (step, run.text.replacing(" --store \(store.url)", with: ""))
                )
            }
        }
        return played
    }

    /// Returns the text without colors, as Markdown shows it.
    private static func markdown(_ played: [(step: Step, text: String)]) -> String {
        var lines: [String] = []
        for (step, text) in played {
            let command = "$ workflowctl " + step.arguments.joined(separator: " ")
            lines.append(
                command + String(repeating: " ", count: max(2, 40 - command.count)) + "# "
                    + step.why
            )
            let plain = text.replacing(/\u{1B}\[[0-9;]*m/, with: "")
            lines += plain.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
        }
        while lines.last?.isEmpty == true { lines.removeLast() }
        return lines.map { $0.isEmpty ? "\n" : "    " + $0 + "\n" }.joined()
    }

    /// Returns the picture of the story, below the command that prints it.
    private static func story(_ played: [(step: Step, text: String)]) throws -> String {
        let story = try #require(played.first { $0.step.arguments.first == "explain" }?.text)
        return TerminalPicture.svg(
            "$ workflowctl explain order-4722\n" + story.replacing(/\n+$/, with: ""),
            title: "What 'workflowctl explain' says about a payment whose outcome is unknown"
        )
    }

    /// Returns the recording: a line with its size, then one line per output, in the format of
    /// asciinema (asciicast v2).
    private static func cast(_ played: [(step: Step, text: String)]) throws -> String {
        var lines = [
            #"{"version":2,"width":\#(columns),"height":40,"title":"A payment whose outcome is unknown"}"#
        ]
        var milliseconds = 500
        func add(_ text: String, after pause: Int) throws {
            milliseconds += pause
            let told = String(decoding: try JSONEncoder().encode(text), as: UTF8.self)
            let thousandths = String(milliseconds % 1000 + 1000).dropFirst()
            lines.append("[\(milliseconds / 1000).\(thousandths),\"o\",\(told)]")
        }
        for (step, text) in played {
            try add("$ ", after: 400)
            for letter in "workflowctl " + step.arguments.joined(separator: " ") {
                try add(String(letter), after: 30)
            }
            try add("\r\n" + text.replacing("\n", with: "\r\n"), after: 300)
            // As long as it takes to read forty words in ten seconds.
            try add("\r\n", after: 1_500 + text.split(separator: " ").count * 100)
        }
        return lines.map { $0 + "\n" }.joined()
    }

    @Test func `the walk-through's page, picture and recording match the program's output`()
        async throws
    {
        let played = try await Self.played()
        let page = try String(contentsOf: Self.page, encoding: .utf8)
        let begin = try #require(page.firstRange(of: Self.marks.begin)).upperBound
        let end = try #require(page.firstRange(of: Self.marks.end)).lowerBound
        let told = "\n" + Self.markdown(played) + "\n"
        if CaseTests.isWriting {
            let whole = page[..<begin] + told + page[end...]
            try Data(whole.utf8).write(to: Self.page)
            try Data(try Self.cast(played).utf8).write(to: Self.recording)
            try Data(try Self.story(played).utf8).write(to: Self.picture)
        } else {
            #expect(page[begin..<end] == told, "record it anew: scripts/record-walkthrough")
        }
        let shown = try String(contentsOf: Self.picture, encoding: .utf8)
        #expect(shown == (try Self.story(played)), "record it anew: scripts/record-walkthrough")
        #expect(shown.contains("<tspan class="), "the picture has the terminal's colours")
        let kept = try String(contentsOf: Self.recording, encoding: .utf8)
        #expect(kept == (try Self.cast(played)))
        #expect(kept.contains("\\u001b["), "the recording has the terminal's colours")
    }

    @Test func `the pictures of a list and of a session match the program's output`() async throws {
        try await CaseStore.with { store in
            for (name, pictured) in Self.pictured {
                let run = try await Terminal.run(
                    ["--store", store.url] + pictured.arguments,
                    columns: Self.columns,
                    environment: ["LANG": "C.UTF-8", "TERM": "xterm-256color"],
                    now: store.now
                )
                let text = run.text.replacing(" --store \(store.url)", with: "")
                let typed = pictured.arguments.map { $0.count == 36 ? String($0.suffix(8)) : $0 }
                let picture = TerminalPicture.svg(
                    "$ workflowctl \(typed.joined(separator: " "))\n"
                        + text.replacing(/\n+$/, with: ""),
                    title: pictured.title
                )
                let file = Self.picture.deletingLastPathComponent()
                    .appendingPathComponent("\(name).svg")
                if CaseTests.isWriting { try Data(picture.utf8).write(to: file) }
                let shown = try String(contentsOf: file, encoding: .utf8)
                #expect(shown == picture, "record it anew: scripts/record-walkthrough")
            }
        }
    }

    @Test func `the last step of the walk-through is one that the story proposes`() async throws {
        let played = try await Self.played()
        let story = try #require(played.first { $0.step.arguments.first == "explain" }?.text)
        let last = try #require(Self.steps.last)
        // On a terminal, with the end of the id.
        let arguments = last.arguments.map { $0.count == 36 ? String($0.suffix(8)) : $0 }
        #expect(story.contains("workflowctl " + arguments.joined(separator: " ")))
        let risk = try #require(played.first { $0.step.arguments.first == "at-risk" }?.text)
        #expect(risk.contains(CaseStore.session(.expired).suffix(8)))
    }
}
