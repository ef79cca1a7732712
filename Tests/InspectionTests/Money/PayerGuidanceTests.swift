import EventLog
import Testing

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
        for standing in Money.Standing.allCases {
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
                        money: Money(
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
}
