import Adapters
import EventLog
import Testing
import WorkflowTesting

@testable import Inspection
@testable import SwedbankPay
@testable import workflowctl

/// Verifications of a card, which never charge anything: no text of any prefix mentions money.
@Suite struct VerificationStoryTests {
    private static let decider = SessionDecider(catalogue: .bundled)

    /// Courses that a verification on the PSP's page can take.
    enum Course: String, CaseIterable, Sendable {
        case paid, canceled, clientsWord, failed
    }

    private static func order(_ status: OrderStatus) -> OrderSnapshot {
        var order = OrderSnapshot.sample.with(status)
        order.purpose = "Verify"
        order.amount = 0
        if status == .paid {
            order.paid = PaidDetails(instrument: .creditCard, number: 4711, payeeReference: "REF1")
        }
        return order
    }

    private static func payment(_ course: Course) -> CasePayment {
        var payment = CasePayment(0, decider: decider)
        var opened = CheckoutOpened.sample()
        opened.terms.purpose = "Verify"
        opened.terms.amount = 0
        opened.options.readsOrders = course != .clientsWord
        payment.command(.checkout(.open(opened)), "checkout")
        payment.outcome(.order(order(.initialized), status: 201))
        payment.report(.shown)
        payment.wait(20)
        switch course {
        case .paid:
            payment.report(.completed)
            payment.outcome(.order(order(.paid), status: 200))
        case .canceled:
            payment.report(.canceled)
            payment.outcome(.order(order(.aborted), status: 200))
        case .clientsWord: payment.report(.completed)
        case .failed:
            payment.report(
                .pageFailed(PageFailure(origin: .plain("view"), messageID: .plain("timeout")))
            )
            payment.outcome(.order(order(.failed), status: 200))
        }
        return payment
    }

    private static var moneyWords: Regex<Substring> {
        /is paid|it paid|[Pp]aid[,.:]|Probably paid|Not paid|not paid|0\.00|money was taken|pay again|given back|may take money/
    }

    @Test(arguments: Course.allCases)
    func `no text about a verification mentions money`(_ course: Course) throws {
        let payment = Self.payment(course)
        for end in 1...payment.events.count {
            let events = payment.events.prefix(end)
            let told = Story(of: payment.state.session, events: events, by: Self.decider)
            let view = SessionView(told.state, by: Self.decider, disclosing: .masked)
            let ended = StoryEnd(told)
            let page = ReportPage(
                try ReportPageTests.log(payment, to: end),
                by: Self.decider,
                madeBy: "workflowctl"
            )
            let steps = Advice(view, program: "workflowctl").steps
            var texts = told.sentences.map { StoryWords.text($0.fact, in: told) }
            texts += [ended.summary, ended.money, ended.turn, ended.payerMessage ?? ""]
            texts += [MoneyWords(view.money).brief, view.guidance.message ?? ""]
            texts += [
                ViewText(view, style: .plain, steps: steps).text.words,
                try ReportPageTests.head(of: page.html),
            ]
            texts += events.map { EventWords($0.event).words }
            for text in texts {
                let found = text.firstMatch(of: Self.moneyWords)
                #expect(found == nil, "\(course) at \(end): \(text)")
            }
            #expect(view.money.isVerification)
            #expect(view.money.taken.map { $0.amount == 0 && $0.net == 0 } ?? true)
            var totals = MoneyTotals()
            totals.add(SessionDecider(catalogue: .bundled).summary(of: told.state))
            #expect(totals.totals.isEmpty && totals.unknown.isEmpty && totals.verifications == 1)
        }
        let standing = payment.state.money.standing
        switch course {
        case .paid: #expect(standing == .confirmed && payment.state.outcome == .completed)
        case .clientsWord: #expect(standing == .unknown && payment.state.outcome == .completed)
        case .canceled: #expect(standing == .none && payment.state.outcome == .canceled)
        case .failed: #expect(standing == .none && payment.state.outcome == .failed)
        }
    }
}
