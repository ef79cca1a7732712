import EventLog
import SwedbankPay
import Testing
import WorkflowTesting

@testable import Inspection

/// The words for the state of the money that lists and views say first.
@Suite struct MoneyWordsTests {
    private static func facts(
        _ standing: MoneyState.Standing,
        _ amount: Int64? = 10_000,
        net: Int64? = nil,
        _ marks: FactMarks = []
    ) -> SessionFacts {
        SessionFacts(
            money: standing.rawValue,
            amount: amount,
            net: net ?? amount,
            currency: amount.map { _ in "SEK" },
            marks: marks.rawValue
        )
    }

    @Test(arguments: [
        (facts(.none), "nothing paid"), (facts(.intended), "to be paid 100.00 SEK"),
        (facts(.intended, nil), "to be paid"), (facts(.underWay), "in progress 100.00 SEK"),
        (facts(.unknown), "unknown 100.00 SEK"), (facts(.unknown, nil), "unknown"),
        (facts(.unknown, net: 4000), "unknown 40.00 of 100.00 SEK"),
        (facts(.confirmed), "paid 100.00 SEK"), (facts(.confirmed, nil), "paid"),
        (facts(.confirmed, .resolvedByPerson), "paid 100.00 SEK"),
        (facts(.confirmed, net: 6000, .refunded), "refunded 40.00 of 100.00 SEK"),
        (facts(.confirmed, net: 0, .refunded), "refunded 100.00 SEK"),
        (facts(.confirmed, net: 6000, .released), "released 40.00 of 100.00 SEK"),
        (
            facts(.confirmed, net: 0, [.released, .refunded]), "released and refunded 100.00 SEK"
        ),
        (facts(.confirmed, net: 6000), "paid 60.00 of 100.00 SEK"),
        (facts(.confirmed, 0, .verification), "verified"),
        (facts(.unknown, 0, .verification), "verification unknown"), (SessionFacts(), ""),
    ])
    func `the state of the money has words with its amount`(facts: SessionFacts, words: String) {
        #expect(facts.moneyWords == words)
    }

    @Test func `a payment that was made, or may have been, is not called failed`() {
        for outcome in [Outcome.failed, .expired, .canceled] {
            #expect(outcome.word(money: .confirmed) == "ended")
            #expect(outcome.word(money: .unknown) == "ended")
            #expect(outcome.word(money: MoneyState.Standing.none) == outcome.rawValue)
        }
        #expect(Outcome.completed.word(money: .unknown) == "completed")
    }
}

extension MoneyWordsTests {
    private static func facts(
        _ standing: MoneyState.Standing,
        _ marks: FactMarks
    ) -> SessionFacts {
        facts(standing, 10_000, net: nil, marks)
    }
}
