import EventLog
import Testing
import Workflow
import WorkflowTesting

@testable import Inspection
@testable import SwedbankPay

/// Who paid: never more than the PSP's responses show.
@Suite struct PaidWithTests {
    private let card = CardTests()
    private let wallet = WalletTests()

    private func log(_ spec: DeciderSpec) throws -> SessionLog {
        var head = StreamHead.empty
        var records: [StoredRecord] = []
        for entry in spec.log {
            let recorded = RecordedEvent(
                stream: spec.state.session,
                sequence: head.sequence + 1,
                at: entry.at,
                event: entry.event,
                metadata: EventMetadata(build: "1", catalogue: "sample", cause: "c", node: "n")
            )
            let record = try RecordWriter.unsealedRecord(recorded, after: head)
            head = StreamHead(sequence: record.sequence, hash: record.hash)
            records.append(record)
        }
        return try SessionLog(spec.state.session, records)
    }

    private func story(_ spec: DeciderSpec) throws -> Story {
        Story(of: spec.state.session, events: try log(spec).events, by: spec.decider)
    }

    /// Expects what is known about a payment, and that no text claims more.
    private func expect(_ spec: DeciderSpec, _ expected: PaidWith, _ summary: String) throws {
        #expect(spec.state.outcome == .completed)
        #expect(spec.state.money.paidWith == expected)
        let story = try story(spec)
        #expect(StoryEnd(story).summary == summary)
        let told = story.sentences.map { StoryWords.text($0.fact, in: story) }
        let claims = told.contains { $0.contains("No attempt of this session was in progress") }
        #expect(claims == (expected == .elsewhere), "\(told)")
    }

    static let unnamed = "Paid; the PSP does not say how."

    @Test func `a wallet's token that was refused but carried out may be what was paid with`()
        throws
    {
        let refused = wallet.asked(.googlePay, .googlePay)
            .when(client: .authorized(payload: wallet.token)).when(outcome: .refused(400))
        try expect(
            refused.when(response: .paid),
            .possible(attempt: 1, .googlePay, because: .refused),
            Self.unnamed
        )
        // Also when a read in between shows no attempt.
        try expect(
            refused.when(response: .withEverything).when(.refetch(by: "host"))
                .when(response: .paid),
            .possible(attempt: 1, .googlePay, because: .refused),
            Self.unnamed
        )
    }

    @Test func `a refused request of a card's authentication may have been carried out`() throws {
        let creating = card.authenticating(preset: "Y").when(outcome: .refused(400))
        let completing = card.authenticating(preset: "Y").when(response: .challenging())
            .when(client: .challengeCompleted(cRes: .sample("cres"))).when(outcome: .refused(400))
        let starting = payment().expanded(.card(rank: 1)).when(outcome: .refused(400))
            .when(.refetch(by: "host"))
        for spec in [creating, completing, starting] {
            try expect(
                spec.when(response: .paid),
                .possible(attempt: 1, .card, because: .refused),
                Self.unnamed
            )
        }
    }

    @Test func `a payment during an open challenge was probably made on another device`() throws {
        let challenged = card.authenticating(preset: "Y").when(response: .challenging())
        try expect(
            challenged.when(.refetch(by: "host")).when(response: .paid),
            .possible(attempt: 1, .card, because: .unfinished),
            "Paid, probably not through this session."
        )
    }

    @Test func `the attempt in progress is only probably what was paid with`() throws {
        let spec = payment().expanded(.swish(msisdn: nil)).when(response: .swishUnderWay)
            .when(response: .paid)
        try expect(spec, .probable(attempt: 1, .swish), "Paid, probably with Swish.")
        let json = JSONDocument.text(spec.state.money.json)
        let told =
            #""paidWith":{"certainty":"probable","paymentMethod":null,"instrument":"swish","attempt":1,"#
        #expect(json.contains(told))
    }

    @Test func `without an attempt, or after the PSP reported its failure, others have paid`()
        throws
    {
        let ready = payment().ready().when(.refetch(by: "host"))
        try expect(
            ready.when(response: .paid),
            .elsewhere,
            "Paid, but not through this session."
        )
    }

    @Test func `an order that names its method says how it was paid`() throws {
        var order = OrderSnapshot.paid()
        order.paid?.instrument = .swish
        let spec = NewestAnswerTests().paid(order)
        #expect(spec.state.money.paidWith == .named(.swish, attempt: nil))
        #expect(StoryEnd(try story(spec)).summary == "Paid with Swish.")
    }

    @Test func `statistics count an instrument as paid only if it is named`() throws {
        func count(_ spec: DeciderSpec) throws -> Statistics {
            var statistics = Statistics()
            statistics.add(try log(spec), isStuck: false)
            return statistics
        }
        let probable = try count(
            payment().expanded(.swish(msisdn: nil)).when(response: .swishUnderWay)
                .when(response: .paid)
        )
        #expect(probable.conversions[.swish]?.paid == 0)
        #expect(probable.conversions[.swish]?.probable == 1)
        let refused = try count(
            card.authenticating(preset: "Y").when(outcome: .refused(400)).when(response: .paid)
        )
        #expect(refused.conversions[.card]?.unknown == 1 && refused.conversions[.card]?.paid == 0)
        #expect(refused.paidUnknown == 1 && refused.paidElsewhere == 0)
    }
}
