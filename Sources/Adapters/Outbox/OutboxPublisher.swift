public import CoreMetrics
public import EventLog
internal import SwedbankPay
public import Workflow

/// Publishes a store's records to an HTTP receiver, each at least once and each session's in order.
///
/// It follows `records(after:limit:)`, which never skips a record, and stores its position after
/// the receiver has accepted everything up to it. Whatever ends the process in between, the same
/// events are sent again with the same identities (`SESSION/SEQ`). They are CloudEvents in batches;
/// sealed values stay sealed, and the seals are not included. What the receiver does not accept is
/// sent again after growing pauses. No event is skipped, so a receiver that keeps refusing one
/// holds up everything behind it, which the metric `payment_workflow_subscription_behind` shows.
///
/// - Note: Isolation: any; one run at a time.
public struct OutboxPublisher: Sendable {
    private let store: any EventStore
    private let receiver: OutboxReceiver
    private let position: any OutboxPosition
    private let clock: any EngineClock
    private let options: OutboxOptions
    private let behind: Gauge
    private let metrics: any MetricsFactory
    private let report: @Sendable (OutboxFailure) -> Void

    /// Creates a publisher.
    ///
    /// - Parameters:
    ///   - store: The store to follow; read-only access is enough.
    ///   - url: The receiver's address.
    ///   - transport: The transport for the requests; separate from the one for payments, so that a
    ///     slow receiver cannot delay them.
    ///   - position: Where the publisher stores its position.
    ///   - clock: The clock.
    ///   - options: The limits.
    ///   - metrics: The metrics backend.
    ///   - report: Called once for each series of failures, with the first failure that is retried.
    public init(
        of store: any EventStore,
        to url: String,
        over transport: any Transport,
        from position: any OutboxPosition,
        clock: any EngineClock,
        options: OutboxOptions = OutboxOptions(),
        metrics: any MetricsFactory = MetricsSystem.factory,
        report: @escaping @Sendable (OutboxFailure) -> Void = { _ in }
    ) {
        self.store = store
        self.report = report
        self.position = position
        self.clock = clock
        self.options = options
        receiver = OutboxReceiver(url: url, transport: transport, options: options)
        behind = Gauge(
            label: "payment_workflow_subscription_behind",
            dimensions: [("consumer", options.name)],
            factory: metrics
        )
        self.metrics = metrics
    }

    /// Creates the gauge of when the store was read last.
    ///
    /// Only a publisher that follows the store has it: one that is done would look as if it had
    /// stopped.
    private func makeTimestamp() -> Gauge {
        Gauge(
            label: "payment_workflow_subscription_timestamp_seconds",
            dimensions: [("consumer", options.name)],
            factory: metrics
        )
    }

    /// Publishes until the task is canceled.
    ///
    /// - Throws: Errors that a retry cannot resolve; temporary failures of the store and the
    ///   receiver are retried.
    public func run() async throws(OutboxFailure) {
        _ = try await publish(untilEnd: false, before: nil)
    }

    /// Publishes everything up to the end of the log.
    ///
    /// - Parameter time: How long to retry after failures.
    /// - Returns: What the receiver accepted.
    /// - Throws: ``OutboxFailure``, the failure that lasted longer than `time` or that a retry
    ///   cannot resolve.
    @discardableResult
    public func publishAll(within time: Duration) async throws(OutboxFailure) -> OutboxProgress {
        try await publish(untilEnd: true, before: clock.now() + time)
    }

    private func publish(
        untilEnd: Bool,
        before deadline: Instant?
    ) async throws(OutboxFailure) -> OutboxProgress {
        let stored = try await position.claim()
        let result: Result<OutboxProgress, OutboxFailure>
        do throws(OutboxFailure) {
            let last = try await find(stored)
            result = .success(
                try await follow(from: last, untilEnd: untilEnd, before: deadline)
            )
        } catch {
            result = .failure(error)
        }
        await position.release()
        return try result.get()
    }

    /// Returns a follower that continues after what was published last; throws unless the store
    /// still has it.
    ///
    /// A store that was adopted since, in another epoch, has the same records up to there if it has
    /// those that were published last: their hashes are the proof.
    private func find(_ place: OutboxMark?) async throws(OutboxFailure) -> LogFollower {
        guard let place else { return LogFollower() }
        let found: LogFollower?
        do throws(EventStoreError) {
            found = try await lookUp(place)
        } catch .cursorRefused {
            found = nil
        } catch {
            throw .store(error)
        }
        guard let found else { throw .otherStore }
        return found
    }

    private func lookUp(_ place: OutboxMark) async throws(EventStoreError) -> LogFollower? {
        guard let current = try await store.records(after: nil, limit: 1).first?.cursor.store else {
            return nil
        }
        guard place.position.store.isSameStore(as: current) else { return nil }
        let found = try await LogFollower.find(place.position.inEpoch(of: current), in: store)
        return found?.digest == place.hash ? found : nil
    }

    /// The maximum number of consecutive reads in which the store ends before the position: a
    /// standby that lags catches up, a store that was restored to an earlier state does not.
    private static let reads = 10

    private func follow(
        from first: LogFollower,
        untilEnd: Bool,
        before deadline: Instant?
    ) async throws(OutboxFailure) -> OutboxProgress {
        let timestamp = untilEnd ? nil : makeTimestamp()
        var last = first
        var (count, unread, missing, failures) = (0, 0, 0, 0)
        while !Task.isCancelled {
            let found: Step?
            do throws(EventStoreError) {
                found = try await next(after: last)
            } catch .cursorRefused {
                found = nil
            } catch {
                unread += 1
                try await pause(after: unread, nil, .store(error), before: deadline)
                continue
            }
            guard let step = found else {
                // The store was adopted, as after a restore, or is another one.
                do throws(OutboxFailure) {
                    last = try await find(last.place)
                } catch .store(let error) {
                    unread += 1
                    try await pause(after: unread, nil, .store(error), before: deadline)
                    continue
                }
                // Servers of different epochs may answer in turn, as standbys that lag behind.
                missing += 1
                guard missing < Self.reads else { throw .otherStore }
                // Once is an adoption, after which there is nothing to wait for.
                guard missing > 1 else { continue }
                try await pause(after: missing, nil, .otherStore, before: deadline)
                continue
            }
            unread = 0
            guard let records = step.records else {
                missing += 1
                guard !step.isOtherStore, missing < Self.reads else { throw .otherStore }
                try await pause(after: missing, nil, .otherStore, before: deadline)
                continue
            }
            missing = 0
            behind.record(max(0, step.behind))
            // A publisher that has stopped can't report that, but its last read becomes older.
            timestamp?.record(Double(clock.now().microseconds) / 1_000_000)
            guard let first = records.first?.record else {
                if untilEnd { break }
                await clock.sleep(until: clock.now() + options.interval)
                continue
            }
            switch await receiver.send(records.map(\.record)) {
            case .taken:
                last.advance(through: records)
                if let place = last.place { try await position.advance(to: place) }
                failures = 0
                count += records.count
            case .refused(let reason):
                throw .undelivered(first, reason)
            case .failed(let reason, let wait):
                failures += 1
                let failure = OutboxFailure.undelivered(first, reason)
                try await pause(after: failures, wait, failure, before: deadline)
            }
        }
        return OutboxProgress(events: count, cursor: last.cursor)
    }

    /// The records to publish next, and how many records were not published yet.
    private struct Step {
        /// The records; `nil` when the store does not have what was published last.
        var records: [PositionedRecord]?
        /// Whether it has other records in its place.
        var isOtherStore = false
        var behind: Int64 = 0
    }

    /// Reads further records, together with those published last: a database that was restored, or
    /// whose standby took over without the newest records, is another store, in which the position
    /// means something else.
    private func next(after last: LogFollower) async throws(EventStoreError) -> Step {
        let records: [PositionedRecord]
        switch try await last.next(in: store, limit: options.maximumRecords) {
        case .records(let found): records = found
        case .missing: return Step()
        case .otherRecord: return Step(isOtherStore: true)
        }
        var (batch, bytes) = ([PositionedRecord](), 0)
        for record in records {
            bytes += record.record.canonical.count
            if !batch.isEmpty, bytes > options.maximumBytes { break }
            batch.append(record)
        }
        // When everything was read, that is the end.
        var end = batch.last?.cursor
        if records.count == options.maximumRecords || batch.count < records.count {
            end = try await store.changes(after: nil, limit: 1)?.cursor ?? end
        }
        let behind = end?.distance(from: last.cursor) ?? 0
        return Step(records: batch, behind: behind)
    }

    /// Waits before the next try, longer each time.
    private func pause(
        after failures: Int,
        _ wait: Duration?,
        _ failure: OutboxFailure,
        before deadline: Instant?
    ) async throws(OutboxFailure) {
        let doubled = options.shortestPause * (1 << min(max(failures - 1, 0), 20))
        // Randomized, so that several publishers do not retry at the same time.
        let pause = min(doubled, options.longestPause) * Double.random(in: 0.5...1)
        let until = clock.now() + max(pause, wait ?? .zero)
        if let deadline, until > deadline { throw failure }
        if failures == 1 { report(failure) }
        await clock.sleep(until: until)
    }
}

/// What a publisher has published.
public struct OutboxProgress: Hashable, Sendable {
    /// The number of events that the receiver accepted in this run.
    public var events: Int
    /// The log position of the last event that the receiver accepted, in this run or before; `nil`
    /// when it has accepted none.
    public var cursor: LogCursor?

    /// Creates a progress with these members.
    public init(events: Int, cursor: LogCursor?) {
        self.events = events
        self.cursor = cursor
    }
}

extension LogFollower {
    /// What to save; `nil` before the first record.
    fileprivate var place: OutboxMark? {
        guard let cursor, let digest else { return nil }
        return OutboxMark(position: cursor, hash: digest)
    }
}
