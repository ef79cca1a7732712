internal import Adapters
internal import EventLog

/// How many requests and streams callers have: nobody takes the service away from others.
///
/// - Note: Isolation: any.
final class CallerLimits: Sendable {
    /// Whose requests are counted.
    private enum Sender: Hashable {
        case caller(Caller)
        /// Whoever is at an address.
        case network([UInt8])
    }

    private struct Books {
        /// The requests that a sender may still send at once, and when that was.
        var left: [Sender: (requests: Double, at: Instant)] = [:]
        /// The open streams of each caller.
        var streams: [Caller: Int] = [:]
        var allStreams = 0
    }

    private let limits: PaymentAPI.Limits
    private let books = ThreadLock(Books())
    /// The maximum number of callers that are remembered; those that have sent nothing for a second
    /// may send all of their requests again, and are forgotten.
    private static let remembered = 10_000

    init(_ limits: PaymentAPI.Limits) { self.limits = limits }

    /// Counts a request of a caller.
    ///
    /// - Throws: A problem when the caller has sent too many in the last seconds.
    func count(_ caller: Caller, at now: Instant) throws(ServiceProblem) {
        try count(.caller(caller), Double(limits.requestsPerSecond(of: caller)), at: now)
    }

    /// Counts a request from an address.
    ///
    /// - Throws: A problem when too many came from there in the last seconds.
    func count(_ network: [UInt8], at now: Instant) throws(ServiceProblem) {
        try count(.network(network), Double(limits.requestsOfAddress), at: now)
    }

    private func count(
        _ sender: Sender,
        _ rate: Double,
        at now: Instant
    ) throws(ServiceProblem) {
        let isWithin = books.withLock { books in
            if books.left.count > Self.remembered {
                books.left = books.left.filter { now - $0.value.at < .seconds(1) }
            }
            let known = books.left[sender] ?? (rate, now)
            // A clock that was set back refills nothing.
            let passed = max(0, Double(now.microseconds - known.at.microseconds) / 1_000_000)
            let left = min(rate, known.requests + passed * rate)
            guard left >= 1 else {
                books.left[sender] = (left, now)
                return false
            }
            books.left[sender] = (left - 1, now)
            return true
        }
        guard isWithin else { throw .tooManyRequests }
    }

    /// The number of streams that are open.
    var openStreams: Int { books.withLock { $0.allStreams } }

    /// Counts a stream of a caller, until the returned ticket is released.
    ///
    /// - Throws: A problem when the caller, or the service, has too many.
    func openStream(of caller: Caller) throws(ServiceProblem) -> StreamTicket {
        let isWithin = books.withLock { books in
            guard books.allStreams < limits.streams,
                books.streams[caller, default: 0] < limits.streamsOfCaller
            else { return false }
            books.allStreams += 1
            books.streams[caller, default: 0] += 1
            return true
        }
        guard isWithin else { throw .tooManyStreams }
        return StreamTicket(self, caller)
    }

    fileprivate func closeStream(of caller: Caller) {
        books.withLock { books in
            books.allStreams -= 1
            let left = books.streams[caller, default: 1] - 1
            books.streams[caller] = left == 0 ? nil : left
        }
    }
}

/// An open stream; it is counted as long as the ticket lives.
final class StreamTicket: Sendable {
    private let limits: CallerLimits
    private let caller: Caller

    fileprivate init(_ limits: CallerLimits, _ caller: Caller) {
        (self.limits, self.caller) = (limits, caller)
    }

    deinit { limits.closeStream(of: caller) }
}
