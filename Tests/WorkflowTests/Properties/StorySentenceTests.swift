import TestSupport
import Testing
import WorkflowTesting

@testable import EventLog
@testable import Inspection
@testable import SwedbankPay
@testable import Workflow

/// Every sentence of a story names events of the log, and claims nothing that they do not show.
@Suite struct StorySentenceTests {
    private static let seeds = (1...(Tier.isThorough ? 12 : 2)).map { UInt64($0) * 1_000_003 }

    @Test(.tags(.repeatedThoroughly), arguments: seeds)
    func `sentences about random checkouts claim only what the log shows`(base: UInt64) {
        for seed in base..<(base + 50) {
            check(payment().checkout(toldBy: seed), seed)
        }
    }

    @Test(.tags(.repeatedThoroughly), arguments: seeds)
    func `sentences about random payments claim only what the log shows`(base: UInt64) {
        for seed in base..<(base + 50) {
            var sequence = CommandSequence(seed: seed)
            var spec = payment()
            spec.foldsEachStep = false
            check(
                spec.when(.open(.sample())).when(random: &sequence, count: 32) { _, _ in },
                seed
            )
        }
    }

    private func check(_ spec: DeciderSpec, _ seed: UInt64) {
        let events = spec.log.enumerated().map {
            RecordedEvent(
                stream: spec.state.session,
                sequence: SequenceNumber($0 + 1),
                at: $1.at,
                event: $1.event,
                metadata: EventMetadata(build: "1", catalogue: "1", cause: "test", node: "n")
            )
        }
        let story = Story(of: spec.state.session, events: events, by: spec.decider)
        for sentence in story.sentences {
            let words = StoryWords.text(sentence.fact)
            let numbers = sentence.sequences.map { Int($0.rawValue) }
            #expect(
                !numbers.isEmpty && numbers.allSatisfy { (1...events.count).contains($0) },
                "seed \(seed): \(words)"
            )
            guard let last = numbers.max(), last <= events.count else { continue }
            let before = events.prefix(last).map(\.event)
            if words.contains("engine read the") {
                let isRead = before.contains { $0.isRead }
                #expect(isRead, "seed \(seed), event \(last): \(words)")
            }
            let troubled = before.compactMap(\.troubledRel?.purpose)
            for (start, end) in [
                ("The request ", " failed"), ("The PSP's response to the request ", " could not"),
            ] where words.hasPrefix(start) && words.contains(end) {
                let isTold = troubled.contains { words.hasPrefix(start + $0 + end) }
                #expect(isTold, "seed \(seed), event \(last): \(words)")
            }
        }
    }
}

extension SessionEvent {
    /// Whether the event records that the session or order was read on its own.
    fileprivate var isRead: Bool {
        switch self {
        case .fetched(let fetched): fetched.cause.onlyReads
        case .checkout(.orderFetched(let fetched)): fetched.cause.onlyReads
        default: false
        }
    }

    /// The request that failed, or whose response could not be used.
    fileprivate var troubledRel: Rel? {
        switch self {
        case .operationFailed(let failed): failed.rel
        case .operationSucceeded(let succeeded):
            succeeded.content == .snapshot ? nil : succeeded.rel
        default: nil
        }
    }
}
