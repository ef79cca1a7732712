internal import Measuring
internal import SwedbankPay

/// A provider that records when requests leave and responses arrive, for each polled session.
final class RequestWatch: PaymentProvider {
    /// The records.
    struct Notes: Sendable {
        /// The numbers of first requests of steps, and of repeated ones.
        var firsts = 0
        var repetitions = 0
        /// Useful responses.
        var responses = 0
        /// The number of reports of each failure, and the time of the first.
        var failures: [String: (count: Int, first: Double)] = [:]
        /// The time of the first useful response.
        var firstResponse: Double?
        /// The time of the last response to a poll of each session, by its address.
        fileprivate var polled: [String: Double] = [:]
        /// The time between each poll and the response before it, in seconds.
        var pauses: [Double] = []
        /// The time between the responses to consecutive polls, in seconds.
        var rounds: [Double] = []

        /// The number of polled sessions.
        var sessions: Int { polled.count }
    }

    private let provider: any PaymentProvider
    private let notes = SharedValue(Notes())

    init(over provider: any PaymentProvider) { self.provider = provider }

    /// The records so far.
    var noted: Notes { notes.withLock { $0 } }

    /// Starts new records.
    ///
    /// - Parameter keepsPolls: Whether the next poll of each session is compared with its last one
    ///   before.
    func begin(keepsPolls: Bool) {
        notes.withLock { notes in
            let polled = keepsPolls ? notes.polled : [:]
            notes = Notes()
            notes.polled = polled
        }
    }

    func perform(_ request: ProviderRequest) async -> ProviderResponse {
        let isPoll = request.rel == .getPayment
        let left = Machine.seconds()
        let last = notes.withLock { notes -> Double? in
            if request.tryNumber > 1 { notes.repetitions += 1 } else { notes.firsts += 1 }
            guard isPoll, let last = notes.polled[request.address] else { return nil }
            notes.pauses.append(left - last)
            return last
        }
        let response = await provider.perform(request)
        let now = Machine.seconds()
        notes.withLock { notes in
            if case .failed(_, let code, _) = response.outcome {
                notes.failures[code, default: (0, now)].count += 1
                return
            }
            notes.responses += 1
            if notes.firstResponse == nil { notes.firstResponse = now }
            guard isPoll else { return }
            notes.polled[request.address] = now
            if let last { notes.rounds.append(now - last) }
        }
        return response
    }
}

extension [Double] {
    /// Returns a quantile of the values; NaN if there are none.
    func quantile(_ part: Double) -> Double {
        guard !isEmpty else { return .nan }
        let ordered = sorted()
        return ordered[Swift.min(Int(Double(count) * part), count - 1)]
    }
}
