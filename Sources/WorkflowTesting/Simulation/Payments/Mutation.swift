/// A deliberate defect of the engine: the simulator must detect each.
///
/// Each one sits between the world and the real core, and changes what goes in or what comes out.
public enum Mutation: String, CaseIterable, Sendable {
    /// A request is sent while its start is not durable yet.
    case performBeforeAppend
    /// A request whose response was lost is sent again at once.
    case repeatBlindly
    /// A lost response counts as a request that was never sent.
    case takeLostForUnsent
    /// After a crash, the request that was under way is forgotten.
    case forgetStartAfterCrash
    /// After a crash, a request is sent again while the PSP may still be processing it.
    case resendTooSoon
    /// An append that conflicted with another writer counts as done.
    case dropConflict
    /// A command is confirmed before its events are durable.
    case acknowledgeBeforeDurable
    /// The live state forgets an event that the log has.
    case forgetEvent
    /// An engine works on a payment whose lease another one holds.
    case ignoreLease
    /// An engine does not wake up when something is due.
    case loseWakeUps
    /// The PSP is polled again as soon as it has responded.
    case pollWithoutPause
    /// Any refusal counts as a payment.
    case believeAnything
    /// Requests continue after the payment has ended.
    case goOnAfterTheEnd
    /// A request counts as failed while it is still under way.
    case giveUpEarly
    /// A request starts while the outcome of the one before is unknown.
    case startDespiteUnknown
    /// An attempt of another device is not reported as under way.
    case forgetOtherDevice
    /// A later attempt makes an unknown outcome known.
    case forgetDoubt
    /// A session that was not read at its end is reported as unpaid.
    case skipLastReading
    /// The ordered amount is reported as the paid amount.
    case countOrdered
    /// A reversed amount is reported as kept.
    case ignoreReversal
    /// A payment stays confirmed, although the PSP takes it back.
    case letFirstConfirmationWin
    /// A status decides, whatever the amounts are.
    case letStatusWin
    /// A session ends as unpaid on a response from before its limit.
    case endOnEarlierResponse
    /// A refund that was requested, and is not performed yet, is not reported.
    case forgetRequestedRefund
    /// The response about another payment counts as the session's own.
    case takeForeign
    /// A record written without the keys is driven.
    case trustAnyRecord
    /// A log whose end was removed is driven.
    case overlookCutEnd
    /// Transactions that were refused too often can never be requested again.
    case lockForever
    /// A session whose row says that nothing is due is never looked at.
    case believeRow
    /// A record's sealed values cannot be opened.
    case spoilSeals
    /// A secret is recorded in the clear.
    case tellSecret
    /// An unlimited number of inputs may wait for a payment.
    case queueWithoutEnd
    /// A record gets its log position before its commit, so that a later one can be read first.
    case assignPositionsEarly
    /// What follows a page of what others appended is not read.
    case readOnePage
    /// What others append while a log is being read is not looked at again.
    case overlookWhileLoading
    /// A payment is not polled while the payer of another one has not decided.
    case waitForOthers

    /// A description of the defect.
    public var explanation: String {
        switch self {
        case .performBeforeAppend: "a request is sent before its start is durable"
        case .repeatBlindly: "a request whose response was lost is sent again immediately"
        case .takeLostForUnsent: "a lost response is treated as a request that was never sent"
        case .forgetStartAfterCrash: "after a crash the start of a request is forgotten"
        case .resendTooSoon:
            "after a crash a request is sent again while the PSP may still be working on it"
        case .dropConflict: "a version conflict is treated as a successful append"
        case .acknowledgeBeforeDurable: "a command is confirmed before its events are durable"
        case .forgetEvent: "the live state differs from the fold of the log"
        case .ignoreLease: "an engine drives a payment whose lease another engine holds"
        case .loseWakeUps: "an engine does not wake up when something is due"
        case .pollWithoutPause: "the engine polls again as soon as the PSP has responded"
        case .believeAnything: "any refusal counts as paid"
        case .goOnAfterTheEnd: "requests continue after the session has ended"
        case .giveUpEarly: "a request is treated as failed while it is still under way"
        case .startDespiteUnknown:
            "a request is sent while the outcome of the one before is unknown"
        case .forgetOtherDevice: "an attempt that another device started is left out"
        case .forgetDoubt: "a later attempt hides that an earlier outcome is unknown"
        case .skipLastReading: "a session whose end was not read is reported as unpaid"
        case .countOrdered: "the amount ordered is reported as the amount paid"
        case .ignoreReversal: "refunded money is reported as kept"
        case .letFirstConfirmationWin: "a payment that the PSP takes back is reported as paid"
        case .letStatusWin: "the status of an order is reported rather than its amounts"
        case .endOnEarlierResponse:
            "a session ends as unpaid on a response from before its limit"
        case .forgetRequestedRefund: "a refund that the PSP performs later is left out"
        case .takeForeign: "a response about another payment is accepted"
        case .trustAnyRecord: "a session with a record that was written without the keys is driven"
        case .overlookCutEnd: "a session whose log was truncated is driven"
        case .lockForever: "no transaction is possible after too many refused ones"
        case .believeRow: "a session whose row says that nothing is due is forgotten"
        case .spoilSeals: "a record's sealed values cannot be opened"
        case .tellSecret: "a secret is written in the clear"
        case .queueWithoutEnd: "the queue of inputs of a session has no limit"
        case .assignPositionsEarly: "a record gets its log position before its commit"
        case .readOnePage: "only one page of what others appended is read"
        case .overlookWhileLoading:
            "what others append while a log is being read is overlooked"
        case .waitForOthers: "a payment is not polled while another payer has not decided"
        }
    }

    /// The guarantees by which it may be detected, the intended one first.
    public var guarantees: [Guarantee] {
        switch self {
        case .performBeforeAppend: [.durableFirst]
        case .repeatBlindly: [.noDoublePay]
        case .takeLostForUnsent: [.noDoublePay]
        case .forgetStartAfterCrash: [.replayEqualsLive, .noDoublePay]
        case .resendTooSoon: [.noDoublePay]
        case .dropConflict: [.replayEqualsLive, .nothingLost, .durableFirst]
        case .acknowledgeBeforeDurable: [.nothingLost]
        case .forgetEvent: [.replayEqualsLive]
        case .ignoreLease: [.oneWriter]
        case .loseWakeUps, .pollWithoutPause, .lockForever, .believeRow: [.settles]
        case .believeAnything: [.paidMeansPaid, .moneyToldTrue]
        case .goOnAfterTheEnd: [.terminalIsFinal, .oneWriter]
        case .giveUpEarly: [.singleFlight, .noDoublePay]
        case .startDespiteUnknown: [.unknownOutcomesResolved]
        case .forgetOtherDevice, .forgetDoubt, .skipLastReading, .countOrdered, .ignoreReversal,
            .letFirstConfirmationWin, .letStatusWin, .endOnEarlierResponse, .forgetRequestedRefund:
            [.moneyToldTrue]
        case .takeForeign: [.paidMeansPaid, .moneyToldTrue]
        case .trustAnyRecord, .overlookCutEnd: [.authenticLog]
        case .spoilSeals: [.redactionInvariant]
        case .tellSecret: [.noSecretOutside]
        case .queueWithoutEnd: [.boundedEverything]
        case .assignPositionsEarly, .readOnePage, .overlookWhileLoading: [.feedComplete]
        case .waitForOthers: [.payersDontWaitForEachOther]
        }
    }

    /// The faults of the worlds that detect it: a storm, and a PSP that accepts every request.
    public var faults: SimulatedFaults {
        var faults = SimulatedFaults.stormy
        faults.answerLost = 150
        let isAboutMoney = guarantees.contains(.moneyToldTrue) && self != .believeAnything
        guard isAboutMoney || self == .lockForever else {
            faults.isProviderCareless = true
            switch self {
            case .resendTooSoon:
                // Engines that crash soon after a request, and nothing else that delays the next.
                faults = .none
                (faults.crash, faults.workAfterDeath) = (250, 1000)
                faults.isProviderCareless = true
            case .trustAnyRecord, .overlookCutEnd: faults.forgedLog = 500
            case .believeRow: faults.changedRow = 700
            case .waitForOthers:
                faults = .none
                faults.ownPace = 1000
            default: break
            }
            return faults
        }
        // Other actors act only at a PSP that refuses a second payment.
        faults.isProviderCareless = false
        faults.clockJump = 0
        faults.otherDevice = 200
        faults.portal = 150
        faults.refusedMidway = 100
        faults.foreignResponse = 50
        faults.changedMind = 150
        faults.acceptedLater = 500
        faults.staleAnswer = 50
        switch self {
        case .forgetDoubt:
            // Payments that fail and are retried while the first request is still on its way.
            faults = .none
            faults.requestLate = 500
        case .skipLastReading: faults = .none
        case .forgetOtherDevice: faults.otherDevice = 400
        case .letStatusWin: faults.changedMind = 600
        case .lockForever:
            // Nobody else changes the order, which would end the lock.
            faults = .none
            faults.refusedTransaction = 1000
        case .endOnEarlierResponse:
            faults = .none
            faults.lastMinute = 1000
        default: break
        }
        return faults
    }

    /// The duration of those worlds in minutes: longer when a session must reach its end, and
    /// shorter when payers must come at the same time.
    public var minutes: Int {
        switch self {
        case .skipLastReading, .endOnEarlierResponse: 2400
        case .waitForOthers: 4
        default: 60
        }
    }

    /// The number of those worlds, with seeds from 1, within which it must be detected.
    public static let worlds = 5
}
