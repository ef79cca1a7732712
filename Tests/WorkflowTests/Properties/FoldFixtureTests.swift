import Foundation
import Testing
import Workflow
import WorkflowTesting

@testable import EventLog
@testable import Inspection
@testable import SwedbankPay

/// The fold of kept logs and of random histories at every prefix, pinned by digests.
///
/// `FOLDS=DIRECTORY` writes the texts themselves, for a comparison with those of another build.
@Suite struct FoldFixtureTests {
    private static let folder = PythonTool.root.appending(path: "Tests/Fixtures")
    private static let directory = ProcessInfo.processInfo.environment["FOLDS"]
    private let account = FoldAccount(decider: SessionDecider(catalogue: .sample))

    @Test func `fixture logs give the recorded state at every prefix, and the recorded story`()
        throws
    {
        var digests: [(String, Digest256)] = []
        for kind in ["Logs", "Cases"] {
            let names = try FileManager.default.contentsOfDirectory(
                atPath: Self.folder.appending(path: kind).path
            ).filter { $0.hasSuffix(".ndjson") && !$0.hasPrefix("before-") }.sorted()
            for name in names {
                let file = Self.folder.appending(path: "\(kind)/\(name)")
                let records = try GoldenLog.records(in: file)
                let log = try SessionLog(records[0].stream, records)
                let events = log.events.map { ($0.event, $0.at) }
                digests.append(try digest(of: events, in: log.session, called: name))
                digests.append(try (name + ".story", story(of: log, called: name)))
            }
        }
        try compare(digests, with: "kept")
    }

    @Test func `random payments give the recorded states, also with events reordered or missing`()
        throws
    {
        var digests: [(String, Digest256)] = []
        for seed in UInt64(1)...60 {
            var sequence = CommandSequence(seed: seed * 7_919)
            var spec = payment()
            spec.foldsEachStep = false
            spec = spec.when(.open(.sample())).when(random: &sequence, count: 40)
            digests.append(try digest(of: spec, called: "payment-\(seed)"))
            digests.append(try digest(of: spec, inDisorderBy: seed, called: "odd-payment-\(seed)"))
        }
        try compare(digests, with: "payments")
    }

    @Test func `random checkouts give the recorded states, also with events reordered or missing`()
        throws
    {
        var digests: [(String, Digest256)] = []
        for seed in UInt64(1)...60 {
            let spec = payment().checkout(toldBy: seed * 7_919)
            digests.append(try digest(of: spec, called: "checkout-\(seed)"))
            digests.append(try digest(of: spec, inDisorderBy: seed, called: "odd-checkout-\(seed)"))
        }
        try compare(digests, with: "checkouts")
    }

    // MARK: Digests

    private func digest(
        of spec: DeciderSpec,
        called name: String
    ) throws -> (String, Digest256) {
        try digest(of: spec.log.map { ($0.event, $0.at) }, in: spec.state.session, called: name)
    }

    /// Returns the digest of the same facts in another order: some are missing, some elsewhere,
    /// some duplicated.
    private func digest(
        of spec: DeciderSpec,
        inDisorderBy seed: UInt64,
        called name: String
    ) throws -> (String, Digest256) {
        var random = SplitMix64(seed: seed)
        var events = spec.log.map { ($0.event, $0.at) }
        for _ in 0..<max(4, events.count / 6) where events.count > 3 {
            let one = Int.random(in: 1..<events.count, using: &random)
            let other = Int.random(in: 1..<events.count, using: &random)
            switch Int.random(in: 0..<3, using: &random) {
            case 0: events.swapAt(one, other)
            case 1: events.insert(events[one], at: other)
            default: events.remove(at: one)
            }
        }
        return try digest(of: events, in: spec.state.session, called: name)
    }

    private func digest(
        of events: [(SessionEvent, Instant)],
        in session: SessionID,
        called name: String
    ) throws -> (String, Digest256) {
        var state = SessionState(session: session)
        var digest = Digest256.zero
        var texts = ""
        for (event, at) in events {
            state.apply(event, at: at)
            let text = account.text(of: state)
            digest = HashChain.hash(digest, Array(text.utf8))
            if Self.directory != nil { texts += "# \(state.sequence) \(event.typeName)\n\(text)\n" }
        }
        try keep(texts, called: name)
        return (name, digest)
    }

    private func story(of log: SessionLog, called name: String) throws -> Digest256 {
        let story = Story(of: log.session, events: log.events, by: account.decider)
        let report = StoryReport(story, program: "workflowctl", why: true)
        let text = JSONDocument.text(report.json, indented: true)
        try keep(text, called: name + ".story")
        return HashChain.hash(Digest256.zero, Array(text.utf8))
    }

    private func keep(_ text: String, called name: String) throws {
        guard let directory = Self.directory else { return }
        let file = URL(filePath: directory).appending(path: name)
        try text.write(to: file, atomically: true, encoding: .utf8)
    }

    private func compare(_ digests: [(String, Digest256)], with name: String) throws {
        let lines = digests.map { "\($0.0) \($0.1)" }
        let file = Self.folder.appending(path: "Folds/\(name).txt")
        if Self.directory != nil {
            try keep(lines.joined(separator: "\n") + "\n", called: "\(name).txt")
        }
        let expected = try String(contentsOf: file, encoding: .utf8).split(separator: "\n")
        #expect(lines.count == expected.count)
        for (line, kept) in zip(lines, expected) where line != kept {
            Issue.record("\(line) was \(kept)")
        }
    }
}
