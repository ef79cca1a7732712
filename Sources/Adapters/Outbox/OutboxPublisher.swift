public import CoreMetrics
public import EventLog
internal import SwedbankPay
public import Workflow

/// Publishes a store's records to an HTTP receiver in commit order, each at least once.
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
    }

    /// Publishes until the task is cancelled.
    ///
    /// - Throws: Errors that a retry cannot resolve; temporary failures of the store and the
    ///   receiver are retried.
    public func run() async throws(OutboxFailure) {
        _ = try await publish(untilEnd: false, before: nil)
    }

    /// Publishes everything up to the end of the log.
    ///
    /// - Parameter time: How long to retry after failures.
    /// - Returns: The number of events that the receiver accepted.
    /// - Throws: ``OutboxFailure``, the failure that lasted longer than `time` or that a retry
    ///   cannot resolve.
    @discardableResult
    public func publishAll(within time: Duration) async throws(OutboxFailure) -> Int {
        try await publish(untilEnd: true, before: clock.now() + time)
    }

    private func publish(
        untilEnd: Bool,
        before deadline: Instant?
    ) async throws(OutboxFailure) -> Int {
        let place = try await position.claim()
        let result: Result<Int, OutboxFailure>
        do throws(OutboxFailure) {
            try await require(place)
            result = .success(
                try await follow(from: place, untilEnd: untilEnd, before: deadline)
            )
        } catch {
            result = .failure(error)
        }
        await position.release()
        return try result.get()
    }

    /// Throws unless the store still has the record that was published last.
    private func require(_ place: OutboxPlace?) async throws(OutboxFailure) {
        guard let place else { return }
        let found: PositionedRecord?
        do throws(EventStoreError) {
            found = try await store.records(after: place.position - 1, limit: 1).first
        } catch {
            throw .store(error)
        }
        guard found.map({ OutboxPlace($0) }) == place else {
            throw .otherStore(position: place.position)
        }
    }

    /// The maximum number of consecutive reads in which the store ends before the position: a
    /// standby that lags catches up, a store that was restored to an earlier state does not.
    private static let looks = 10

    private func follow(
        from first: OutboxPlace?,
        untilEnd: Bool,
        before deadline: Instant?
    ) async throws(OutboxFailure) -> Int {
        var place = first
        var (count, unread, missing, failures) = (0, 0, 0, 0)
        while !Task.isCancelled {
            let step: Step
            do throws(EventStoreError) {
                step = try await next(after: place)
            } catch {
                unread += 1
                try await pause(after: unread, nil, .store(error), before: deadline)
                continue
            }
            unread = 0
            if let place, step.before != place {
                missing += 1
                let failure = OutboxFailure.otherStore(position: place.position)
                guard step.before == nil, missing < Self.looks else { throw failure }
                try await pause(after: missing, nil, failure, before: deadline)
                continue
            }
            missing = 0
            behind.record(max(0, step.end - (place?.position ?? 0)))
            guard let last = step.records.last else {
                if untilEnd { return count }
                await clock.sleep(until: clock.now() + options.interval)
                continue
            }
            switch await receiver.send(step.records.map(\.record)) {
            case .taken:
                try await position.advance(to: OutboxPlace(last))
                place = OutboxPlace(last)
                failures = 0
                count += step.records.count
            case .refused(let reason):
                throw .undelivered(reason: reason, after: place?.position ?? 0)
            case .failed(let reason, let wait):
                failures += 1
                let failure = OutboxFailure.undelivered(
                    reason: reason,
                    after: place?.position ?? 0
                )
                try await pause(after: failures, wait, failure, before: deadline)
            }
        }
        return count
    }

    /// The records to publish next, and the end of the store.
    private struct Step {
        /// The record at the position of the last published one.
        var before: OutboxPlace?
        var records: [PositionedRecord]
        var end: Int64
    }

    /// Reads further records, together with the one published last: a database that was restored,
    /// or whose standby took over without the newest records, is another store, in which the
    /// position means something else.
    private func next(after place: OutboxPlace?) async throws(EventStoreError) -> Step {
        let known = place == nil ? 0 : 1
        let first = (place?.position ?? 0) - Int64(known)
        let read = try await store.records(after: first, limit: options.maximumRecords + known)
        let before = read.prefix(known).first.map { OutboxPlace($0) }
        guard before == place else {
            // Only a different record at that exact position proves another store.
            let isThere = before?.position == place?.position
            return Step(before: isThere ? before : nil, records: [], end: place?.position ?? 0)
        }
        let records = read.dropFirst(known)
        var (batch, bytes) = ([PositionedRecord](), 0)
        for record in records {
            bytes += record.record.canonical.count
            if !batch.isEmpty, bytes > options.maximumBytes { break }
            batch.append(record)
        }
        let last = batch.last?.position ?? place?.position ?? 0
        // When everything was read, that is the end.
        guard records.count == options.maximumRecords || batch.count < records.count else {
            return Step(before: before, records: batch, end: last)
        }
        let end = try await store.news(after: nil, limit: 1)?.position ?? last
        return Step(before: before, records: batch, end: max(end, last))
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
