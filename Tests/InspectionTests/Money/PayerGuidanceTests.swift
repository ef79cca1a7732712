import EventLog
import LogFixtures
import TestSupport
import Testing
import WorkflowTesting

@testable import Inspection
@testable import SwedbankPay

/// What payers should be told.
@Suite(.guarantee(.moneyToldTrue)) struct PayerGuidanceTests {
    @Test
    func `the payer is invited to pay only while the money is intended, whatever the problem`() {
        let kinds: [EngineProblemKind?] = [
            .requestFailed, .inconsistency, .endReached, .threeDSLoadFailed, .abortNotAllowed,
            .configurationFailed, .appLaunchFailed, .methodNotAvailable, .challengeClosed,
            .walletFailed, .menuFailed, .deadlineExceeded, .checkInFailed, .orderMismatch,
            .notConfirmed, nil,
        ]
        let advice = ProblemAdvice(
            actor: .payer,
            isRetryable: true,
            newAttempt: .any,
            payerMessage: "Please try again, or choose another way to pay.",
            operatorMessage: "",
            isKnown: true
        )
        for standing in MoneyState.Standing.allCases {
            for (isOver, isVerification) in [
                (false, false), (false, true), (true, false), (true, true),
            ] {
                for kind in kinds {
                    let problem = Problem(
                        origin: kind == nil ? .session : .engine,
                        kind: kind,
                        title: nil,
                        isRetryable: true,
                        actor: .payer
                    )
                    let guidance = PayerGuidance(
                        money: MoneyState(
                            standing: standing,
                            asOf: nil,
                            since: nil,
                            sequence: 1,
                            doubts: [],
                            taken: standing == .confirmed ? TakenMoney(evidence: .redirect) : nil,
                            amount: nil,
                            currency: nil,
                            isVerification: isVerification
                        ),
                        outcome: isOver ? .failed : nil,
                        problem: (problem, advice)
                    )
                    let mayPay = standing == .intended && !isOver
                    #expect((guidance.newAttempt != .never) == mayPay)
                    let invites =
                        guidance.message?.contains("another way") == true
                        || guidance.message?.contains("try again") == true
                    #expect(!invites || standing == .intended, "\(standing) \(kind as Any)")
                }
            }
        }
    }

    /// Invitations to pay, or to retry, in any text for people or programs; not those that warn.
    private static func invites(_ text: String) -> Bool {
        let quiet = text.lowercased().replacing("not pay again", with: "")
            .replacing("before you pay again", with: "")
        return ["try again", "pay again", "choose how to pay", "a moment.", "retryable\":true"]
            .contains { quiet.contains($0) } || text.contains("retryableError")
    }

    /// Calls a function for each prefix of each kept log of a payment that has a payer.
    private static func eachPrefix(
        _ visit: (_ log: SessionLog, _ state: SessionState, _ place: Comment) throws -> Void
    ) throws {
        for name in GoldenLogs.names {
            let log = try GoldenLogs.log(in: try GoldenLogs.text(name))
            for end in 1...log.events.count {
                let prefix = try SessionLog(log.session, Array(log.records.prefix(end)))
                let state = prefix.state
                // A charge of a stored token has no payer who could read a message.
                guard state.checkout?.chargesAtCreation != true else { continue }
                try visit(prefix, state, "\(name) at \(end)")
            }
        }
    }

    @Test func `the payer is always told something, whatever happened`() throws {
        let decider = SessionDecider(catalogue: .sample)
        var told: Set<String> = []
        try Self.eachPrefix { _, state, place in
            let message = decider.guidance(for: state).message
            #expect(message != nil, place)
            if state.money.standing == .confirmed {
                #expect(message.map { !Self.invites($0) } == true, place)
            }
            if let outcome = state.outcome { told.insert("\(outcome) \(state.money.standing)") }
        }
        for end in ["completed confirmed", "canceled none"] { #expect(told.contains(end)) }
    }

    @Test func `no text or document invites to pay or retry while money is or may be taken`()
        throws
    {
        let decider = SessionDecider(catalogue: .sample)
        var count = 0
        try Self.eachPrefix { log, state, place in
            guard [.underWay, .unknown].contains(state.money.standing) else { return }
            count += 1
            let guidance = decider.guidance(for: state)
            #expect(guidance.newAttempt == .never, place)
            let view = SessionView(state, by: decider, disclosing: .masked)
            let story = Story(of: log.session, events: log.events, by: decider)
            let report = StoryReport(story, program: "workflowctl", why: false)
            // The stored events are as they were recorded, and the views before them are history.
            let page = ReportPage(log, by: decider, madeBy: "test").html
            let read = page.firstRange(of: "<section id=\"events\"")
                .map { String(page[..<$0.lowerBound]) }
            for text in [
                guidance.message ?? "", JSONDocument.text(view.json),
                ViewText(view, style: .plain).text.words, JSONDocument.text(report.json),
                try #require(read),
            ] {
                #expect(!Self.invites(text), place)
            }
            #expect(read?.contains("problem.retryable</th><td>true") == false, place)
        }
        #expect(count > 20, "\(count)")
    }

    @Test func `nobody is told that nothing has to be done, and then what to do`() throws {
        let decider = SessionDecider(catalogue: .sample)
        var count = 0
        try Self.eachPrefix { log, state, place in
            let end = StoryEnd(Story(of: log.session, events: log.events, by: decider))
            guard end.turn.contains("othing has to be done") else { return }
            count += 1
            #expect(end.steps("workflowctl").isEmpty, place)
        }
        #expect(count > 2, "\(count)")
    }
}
