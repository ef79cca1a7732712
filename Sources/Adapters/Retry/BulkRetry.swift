package import EventLog
package import Inspection
package import SwedbankPay
internal import Workflow

/// Retries what failed in many sessions, one after the other, at a rate that the PSP can handle.
package struct BulkRetry: Sendable {
    /// The default maximum number of sessions.
    package static let usualLimit = 1000
    /// The largest possible maximum number of sessions.
    package static let longestLimit = 100_000
    /// The default number of sessions per second.
    package static let usualRate = 5
    /// The maximum number of sessions per second.
    package static let highestRate = 100
    /// The number of consecutive failures after which the PSP is taken to be unavailable, and
    /// retrying ends.
    static let failuresInRow = 5

    /// Retries one session, and returns its state afterwards, or why it was not retried.
    package typealias Retry =
        @Sendable (SessionID) async -> Result<SessionState, RetriedSession.Refusal>

    private let loop: UVLoop
    private let rate: Int
    private let now: @Sendable () -> Instant
    private let retry: Retry

    /// Creates the work.
    ///
    /// - Parameters:
    ///   - loop: The loop on which sessions are retried.
    ///   - rate: The number of sessions per second.
    ///   - now: Returns the current time.
    ///   - retry: Retries one session.
    package init(
        on loop: UVLoop,
        rate: Int,
        now: @escaping @Sendable () -> Instant,
        retry: @escaping Retry
    ) {
        (self.loop, self.rate) = (loop, rate)
        (self.now, self.retry) = (now, retry)
    }

    /// Retries sessions.
    ///
    /// If the work ends early, the remaining sessions stay unchanged.
    ///
    /// - Parameters:
    ///   - sessions: The sessions; those with a refusal are not retried.
    ///   - reached: Receives how many sessions were retried, and how many will be in all.
    /// - Returns: The result of each session, and whether the work ended early.
    package func run(
        _ sessions: [RetriedSession],
        reached: (_ done: Int, _ all: Int) -> Void
    ) async -> (sessions: [RetriedSession], isStopped: Bool) {
        var (sessions, inRow, index) = (sessions, 0, 0)
        let places = sessions.indices.filter { sessions[$0].refusal == nil }
        // The first retry shows whether the PSP is available again.
        var count = 1
        while index < places.count, !Task.isCancelled {
            let begin = now()
            let batch = places[index..<min(index + count, places.count)]
            let tasks = batch.map { place in
                let (retry, session) = (retry, sessions[place].summary.session)
                return (place, loop.spawn { await retry(session) })
            }
            for (place, task) in tasks {
                switch await task.value {
                case .success(let state): sessions[place].state = state
                case .failure(let refusal): sessions[place].refusal = refusal
                }
                inRow = sessions[place].failedAgain ? inRow + 1 : 0
            }
            index += batch.count
            guard inRow < (index == 1 ? 1 : Self.failuresInRow) else { return (sessions, true) }
            count = rate
            reached(index, places.count)
            let pause = Duration.seconds(1) - (now() - begin)
            let isLast = index == places.count
            if !isLast, pause > .zero { try? await loop.sleep(for: pause) }
        }
        return (sessions, index < places.count)
    }
}

extension BulkRetry {
    /// Finds out from their logs whether sessions may be retried; changes nothing.
    ///
    /// - Parameters:
    ///   - chosen: The sessions.
    ///   - store: The store.
    ///   - decider: The rules of this build.
    ///   - now: The current time.
    ///   - unreachable: Returns the refusal of payments whose PSP is at a host; `nil` where it may
    ///     be called.
    ///   - reached: Receives how many sessions were checked.
    /// - Returns: The sessions, without the rest of them when the task is canceled.
    package static func check(
        _ chosen: [SessionSummary],
        in store: any PersistentStore,
        by decider: SessionDecider,
        at now: Instant,
        unreachable: (String) -> RetriedSession.Refusal?,
        reached: (Int) -> Void
    ) async -> [RetriedSession] {
        var sessions: [RetriedSession] = []
        for summary in chosen {
            guard !Task.isCancelled else { break }
            var refusal: RetriedSession.Refusal?
            do throws(LogReadingError) {
                let state = try await store.log(of: summary.session).state
                if let rejection = decider.retryRefusal(in: state, at: now) {
                    refusal = RetriedSession.Refusal(
                        code: rejection.code,
                        message: rejection.description
                    )
                } else if state.payment != nil, let host = state.host {
                    refusal = unreachable(host)
                }
            } catch {
                refusal = RetriedSession.Refusal(error)
            }
            sessions.append(RetriedSession(summary, refusal: refusal))
            reached(sessions.count)
        }
        return sessions
    }
}

extension RetriedSession.Refusal {
    /// The refusal of a session whose log could not be read.
    fileprivate init(_ error: LogReadingError) {
        switch error {
        case .unknownSession(let session):
            let error = EngineError.unknownSession(session)
            self.init(code: error.code, message: error.description)
        case .damaged(let damage): self.init(code: damage.code, message: damage.description)
        case .store(let error): self.init(code: error.code, message: error.description)
        }
    }
}
