import EventLog
import LogFixtures
import Testing
import WorkflowTesting

@testable import Inspection
@testable import SwedbankPay

/// What payers should be told.
@Suite struct PayerGuidanceTests {
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
                        isOver: isOver,
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

    @Test func `the payer of an open session is always told something, and never to pay twice`()
        throws
    {
        let decider = SessionDecider(catalogue: .sample)
        var (waiting, paid) = (0, 0)
        for name in GoldenLogs.names {
            let log = try GoldenLogs.log(in: try GoldenLogs.text(name))
            var state = SessionState(session: log.session)
            for recorded in log.events {
                state.apply(recorded.event, at: recorded.at)
                // A charge of a stored token has no payer who could read a message.
                guard state.outcome == nil, state.checkout?.chargesAtCreation != true else {
                    continue
                }
                let (message, money) = (decider.guidance(for: state).message, state.money)
                let place = "\(name) at \(recorded.sequence): \(message ?? "")"
                if decider.turn(in: state) == .engine {
                    #expect(message != nil, "\(place)")
                    waiting += 1
                }
                guard money.standing != .intended else { continue }
                if money.standing == .confirmed {
                    #expect(message?.contains("do not pay again") == true, "\(place)")
                    paid += 1
                }
                for invitation in ["choose how to pay", "try again", "start again", "a moment."] {
                    #expect(message?.lowercased().contains(invitation) != true, "\(place)")
                }
            }
        }
        #expect(waiting > 10 && paid > 2, "\(waiting), \(paid)")
    }
}
