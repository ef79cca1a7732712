import TestSupport
import Testing
import WorkflowTesting

@testable import EventLog
@testable import Inspection
@testable import SwedbankPay
@testable import Workflow

/// Checkouts in which anything may happen at any time.
@Suite struct CheckoutHistoryTests {
    private static let seeds = (1...(Tier.isThorough ? 12 : 2)).map { UInt64($0) * 1_000_003 }

    @Test(.tags(.repeatedThoroughly), arguments: seeds)
    func `random checkouts fold, replay alike and repeat no capture before reading the order`(
        base: UInt64
    ) throws {
        for seed in base..<(base + 25) {
            let spec = payment().checkout(toldBy: seed)
            try check(spec, seed: seed)
        }
    }

    private func check(_ spec: DeciderSpec, seed: UInt64) throws {
        let log = spec.log
        var folded = SessionState(session: spec.state.session)
        var replay = ReplayCheck(of: spec.state.session, by: spec.decider)
        var seenSince = true
        var ends = 0
        for (index, entry) in log.enumerated() {
            // A capture that may have taken effect is not sent again before the order was read.
            if case .operationStarted(let started) = entry.event, started.rel == .capture {
                #expect(seenSince, "seed \(seed): a capture was sent again unseen")
                seenSince = false
            }
            if case .checkout(.orderFetched(let fetched)) = entry.event, fetched.cause == .order {
                seenSince = true
            }
            // What the PSP did not process cannot have taken effect.
            if case .operationFailed(let failed) = entry.event, failed.rel == .capture,
                !failed.mayHaveTakenEffect
            {
                seenSince = true
            }
            switch entry.event {
            case .completed(let completed):
                ends += 1
                let status = folded.checkout?.order?.status
                #expect(
                    completed.evidence == .completeURLReached || status == .paid
                        || status == .reversed,
                    "seed \(seed): completed without the PSP's word"
                )
            case .canceled, .failed, .expired: ends += 1
            case .checkout(.orderConfirmed):
                #expect(folded.checkout?.order?.status == .paid, "seed \(seed)")
            default: break
            }
            try replay.verify(
                RecordedEvent(
                    stream: spec.state.session,
                    sequence: SequenceNumber(index + 1),
                    at: entry.at,
                    event: entry.event,
                    metadata: EventMetadata(build: "1", catalogue: "1", cause: "test", node: "n")
                ),
                followedBy: index + 1 < log.count ? log[index + 1].event : nil
            )
            folded.apply(entry.event, at: entry.at)
        }
        #expect(ends <= 1, "seed \(seed): \(ends) ends")
        #expect(folded == spec.state, "seed \(seed): the fold is not the live state")
        #expect(log.count < 400, "seed \(seed): \(log.count) events")
    }
}
