internal import Measuring
internal import SwedbankPay

/// A provider that notes when requests leave and when their answers come, for each session that is
/// polled.
final class RequestWatch: PaymentProvider {
    /// What was noted.
    struct Notes: Sendable {
        /// Requests of steps that had not been tried before, and of those that had.
        var firsts = 0
        var repetitions = 0
        /// Answers that were of use.
        var answers = 0
        /// How often which failure was reported, and when first.
        var failures: [String: (count: Int, first: Double)] = [:]
        /// When the first useful answer came.
        var firstAnswer: Double?
        /// When the last answer to a poll of each session came, by its address.
        fileprivate var polled: [String: Double] = [:]
        /// How long after the answer before it each poll left, in seconds.
        var pauses: [Double] = []
        /// How long after the answer before it each poll was answered, in seconds.
        var rounds: [Double] = []

        /// How many sessions were polled.
        var sessions: Int { polled.count }
    }

    private let provider: any PaymentProvider
    private let notes = SharedValue(Notes())

    init(over provider: any PaymentProvider) { self.provider = provider }

    /// What was noted so far.
    var noted: Notes { notes.withLock { $0 } }

    /// Begins anew.
    ///
    /// - Parameter keepsPolls: Whether the next poll of each session is compared with the last one
    ///   of before.
    func begin(keepsPolls: Bool) {
        notes.withLock { notes in
            let polled = keepsPolls ? notes.polled : [:]
            notes = Notes()
            notes.polled = polled
        }
    }

    func perform(_ request: ProviderRequest) async -> ProviderAnswer {
        let isPoll = request.rel == .getPayment
        let left = Machine.seconds()
        let last = notes.withLock { notes -> Double? in
            if request.tryNumber > 1 { notes.repetitions += 1 } else { notes.firsts += 1 }
            guard isPoll, let last = notes.polled[request.address] else { return nil }
            notes.pauses.append(left - last)
            return last
        }
        let answer = await provider.perform(request)
        let now = Machine.seconds()
        notes.withLock { notes in
            if case .failed(_, let code, _) = answer.outcome {
                notes.failures[code, default: (0, now)].count += 1
                return
            }
            notes.answers += 1
            if notes.firstAnswer == nil { notes.firstAnswer = now }
            guard isPoll else { return }
            notes.polled[request.address] = now
            if let last { notes.rounds.append(now - last) }
        }
        return answer
    }
}

extension [Double] {
    /// The value that such a part of all values is not above; not a number for none.
    func quantile(_ part: Double) -> Double {
        guard !isEmpty else { return .nan }
        let ordered = sorted()
        return ordered[Swift.min(Int(Double(count) * part), count - 1)]
    }
}
