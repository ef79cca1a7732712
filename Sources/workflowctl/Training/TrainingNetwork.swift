internal import EventLog
internal import SwedbankPay
internal import Synchronization
internal import Workflow

/// The connection to the sandbox, with the latency of a distant PSP on the payment's clock.
final class TrainingNetwork: PaymentProvider {
    private let provider: any PaymentProvider
    private let clock: TrainingClock
    private let chance: TrainingChance
    private let underWay = Mutex(0)

    /// Creates a network in front of the real connection to the sandbox.
    init(to provider: any PaymentProvider, by clock: TrainingClock, chance: TrainingChance) {
        self.provider = provider
        self.clock = clock
        self.chance = chance
    }

    /// Whether a request is being sent to the sandbox, which takes no time on the payment's clock.
    var isBusy: Bool { underWay.withLock { $0 } > 0 }

    func perform(_ request: ProviderRequest) async -> ProviderResponse {
        let begin = clock.now()
        underWay.withLock { $0 += 1 }
        var response = await provider.perform(request)
        underWay.withLock { $0 -= 1 }
        let took = chance.number(in: Self.milliseconds(of: request.rel, response.outcome))
        await clock.sleep(until: begin + .milliseconds(took))
        response.durationMilliseconds = Int64(took)
        return response
    }

    /// Returns the latency of a request: higher where the PSP contacts others, and highest where no
    /// response arrives.
    private static func milliseconds(
        of rel: Rel,
        _ outcome: ProviderResponse.Outcome
    ) -> ClosedRange<Int> {
        if case .failed = outcome { return 4_000...9_800 }
        switch rel.rawValue {
        case "start-payment-attempt", "create-authentication", "complete-authentication":
            return 320...1_900
        case "capture", "reversal", "cancel", "paymentorders": return 240...1_100
        default: return 45...310
        }
    }
}
