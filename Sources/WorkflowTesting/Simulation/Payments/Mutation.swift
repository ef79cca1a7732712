/// A way to break the engine on purpose: the simulator must notice each.
///
/// Each stands between the world and the real core, and bends what goes in or what comes out.
public enum Mutation: String, CaseIterable, Sendable {
    /// A request leaves while its start is still on its way to the disk.
    case performBeforeAppend
    /// A request whose answer was lost is sent again at once.
    case repeatBlindly
    /// A lost answer is taken for a request that was never sent.
    case takeLostForUnsent
    /// After a crash nobody remembers that a request was under way.
    case forgetStartAfterCrash
    /// After a crash a request is sent again while the PSP may still work on it.
    case resendTooSoon
    /// An append that another writer beat is taken for done.
    case dropConflict
    /// A command is confirmed before its events are durable.
    case acknowledgeBeforeDurable
    /// The live state forgets an event that the log has.
    case forgetEvent
    /// An engine works on a payment that another one holds.
    case ignoreLease
    /// An engine does not come back when something is due.
    case loseWakeUps
    /// The PSP is asked again as soon as it has answered.
    case pollWithoutPause
    /// Any refusal is taken for a payment.
    case believeAnything
    /// Requests go on after the payment is over.
    case goOnAfterTheEnd
    /// A request is taken for failed while it is still under way.
    case giveUpEarly
    /// A request begins while nobody knows what became of the one before.
    case startDespiteUnknown
    /// What another device has under way is not told.
    case forgetOtherDevice
    /// A later attempt makes what was unknown known.
    case forgetDoubt
    /// What nobody read at the end is told as unpaid.
    case skipLastReading
    /// What was ordered is told as what was paid.
    case countOrdered
    /// What was given back is told as kept.
    case ignoreReversal
    /// The answer about another payment is taken for ours.
    case takeForeign
    /// A record that nobody with the keys wrote is driven.
    case trustAnyRecord
    /// A log whose end was cut off is driven.
    case overlookCutEnd
    /// A record's sealed values do not open.
    case spoilSeals
    /// A secret is written down in the clear.
    case tellSecret
    /// Any number of inputs may wait for a payment.
    case queueWithoutEnd

    /// What is broken, in words.
    public var explanation: String {
        switch self {
        case .performBeforeAppend:
            "a request leaves while its start is still on its way to the disk"
        case .repeatBlindly: "a request whose answer was lost is sent again at once"
        case .takeLostForUnsent: "a lost answer is taken for a request that was never sent"
        case .forgetStartAfterCrash:
            "after a crash nobody remembers that a request was under way"
        case .resendTooSoon:
            "after a crash a request is sent again while the PSP may still work on it"
        case .dropConflict: "an append that another writer beat is taken for done"
        case .acknowledgeBeforeDurable: "a command is confirmed before its events are durable"
        case .forgetEvent: "the live state differs from what the log folds to"
        case .ignoreLease: "an engine works on a payment that another one holds"
        case .loseWakeUps: "an engine does not come back when something is due"
        case .pollWithoutPause: "the PSP is asked again as soon as it has answered"
        case .believeAnything: "any refusal is taken for a payment"
        case .goOnAfterTheEnd: "requests go on after the payment is over"
        case .giveUpEarly: "a request is taken for failed while it is still under way"
        case .startDespiteUnknown:
            "a request begins while nobody knows what became of the one before"
        case .forgetOtherDevice: "what another device has under way is not told"
        case .forgetDoubt: "a later attempt makes what was unknown known"
        case .skipLastReading: "what nobody read at the end is told as unpaid"
        case .countOrdered: "what was ordered is told as what was paid"
        case .ignoreReversal: "what was given back is told as kept"
        case .takeForeign: "the answer about another payment is taken for ours"
        case .trustAnyRecord: "a record that nobody with the keys wrote is driven"
        case .overlookCutEnd: "a log whose end was cut off is driven"
        case .spoilSeals: "a record's sealed values do not open"
        case .tellSecret: "a secret is written down in the clear"
        case .queueWithoutEnd: "any number of inputs may wait for a payment"
        }
    }

    /// The guarantees by which it may be caught, the one it is aimed at first.
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
        case .loseWakeUps, .pollWithoutPause: [.settles]
        case .believeAnything: [.paidMeansPaid, .moneyToldTrue]
        case .goOnAfterTheEnd: [.terminalIsFinal]
        case .giveUpEarly: [.singleFlight, .noDoublePay]
        case .startDespiteUnknown: [.unknownOutcomesResolved]
        case .forgetOtherDevice, .forgetDoubt, .skipLastReading, .countOrdered, .ignoreReversal:
            [.moneyToldTrue]
        case .takeForeign: [.paidMeansPaid, .moneyToldTrue]
        case .trustAnyRecord, .overlookCutEnd: [.authenticLog]
        case .spoilSeals: [.redactionInvariant]
        case .tellSecret: [.noSecretOutside]
        case .queueWithoutEnd: [.boundedEverything]
        }
    }

    /// What goes wrong in the worlds that catch it: a storm, and a PSP that takes whatever it is sent.
    public var faults: SimulatedFaults {
        var faults = SimulatedFaults.stormy
        faults.answerLost = 150
        guard guarantees.contains(.moneyToldTrue), self != .believeAnything else {
            faults.isProviderCareless = true
            switch self {
            case .resendTooSoon: (faults.crash, faults.workAfterDeath) = (20, 1000)
            case .trustAnyRecord, .overlookCutEnd: faults.forgedLog = 500
            default: break
            }
            return faults
        }
        // Others act only on a PSP that takes one payment after the other.
        faults.isProviderCareless = false
        faults.clockJump = 0
        faults.otherDevice = 200
        faults.portal = 150
        faults.refusedMidway = 100
        faults.foreignAnswer = 50
        switch self {
        case .forgetDoubt:
            // Payments that fail and are tried again, while the first request is still on its way.
            faults = .none
            faults.requestLate = 350
        case .skipLastReading: faults = .none
        default: break
        }
        return faults
    }

    /// How long those worlds last, in minutes: where a session's life has to end in them, longer.
    public var minutes: Int { self == .skipLastReading ? 2400 : 60 }

    /// Within how many of those worlds, with seeds from 1 on, it is caught at the latest.
    public static let worlds = 5
}
