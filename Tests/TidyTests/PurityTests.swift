import Testing

@Suite struct PurityTests {
    @Test
    func `the rules, the log and the engine core use no clock, randomness, concurrency or I/O`() {
        let files = Purity.targets.flatMap { target in
            let files = Repository.files(below: "Sources/\(target)", endingIn: ".swift")
            #expect(files.count >= 20)
            return files
        }
        #expect(files.flatMap(Purity.findings) == [])
    }

    @Test(arguments: [
        "internal import CUV", "import Foundation", "internal import Adapters",
        "internal import FoundationEssentials",
        "let now = Date()", "let now = ContinuousClock().now", "let id = UUID()",
        "let chance = Int.random(in: 0...1)", "var source = SystemRandomNumberGenerator()",
        "let first = offers.randomElement()", "Task { act() }", "let lock = Mutex(0)",
        "print(state)", "let home = ProcessInfo(). environment", "await act()",
        "public actor Rules {}", "final class Rules: @unchecked Sendable {}",
        "let text = \"\\(Date())\"",
    ])
    func `an impure line in a pure source is found`(line: String) {
        let source = "/// Says nothing of Date() or Task.\nstruct Rules {\n    \(line)\n}\n"
        let places = [
            "SwedbankPay/Session/PaymentNext.swift", "Workflow/Core/EngineCore.swift",
            "EventLog/Records/EventCodec.swift", "Inspection/Story/Story.swift",
        ]
        for place in places {
            let file = TextFile(path: "Sources/\(place)", text: source)
            let found = Purity.findings(in: file)
            #expect(!found.isEmpty && found.allSatisfy { $0.line == 3 }, "\(line): \(found)")
        }
    }

    @Test func `stores know no payments: neither their events nor their money`() {
        let files = Repository.files(below: "Sources/Adapters/EventStores", endingIn: ".swift")
        #expect(files.count > 80)
        for file in files {
            let words = ["completed", "confirmed", "underWay", "money", "SwedbankPay"]
                .filter(file.text.contains)
            #expect(words == [], "\(file.path)")
        }
    }

    @Test func `impure words in comments and string literals are ignored`() {
        let source = """
            /// Neither Date() nor Task { } nor await.
            // import Foundation
            /* Mutex /* Thread */ UUID() */
            let words = "Date() await \\(name) Task"
            let raw = #"print("Date()")"#
            """
        let file = TextFile(path: "Sources/SwedbankPay/Session/PaymentNext.swift", text: source)
        #expect(Purity.findings(in: file) == [])
    }

    @Test func `the engine's shell may use tasks, its core may not`() {
        let source = "let work = Task { await act() }"
        let shell = TextFile(path: "Sources/Workflow/Shell/Engine+X.swift", text: source)
        let core = TextFile(path: "Sources/Workflow/Core/EngineCore+X.swift", text: source)
        #expect(Purity.findings(in: shell) == [])
        #expect(Purity.findings(in: core).map(\.what) == ["Task", "await"])
    }
}
