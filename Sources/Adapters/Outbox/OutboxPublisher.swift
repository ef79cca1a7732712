public import CoreMetrics
public import EventLog
public import SwedbankPay
public import Workflow

/// Publishes a store's records to an HTTP receiver, each at least once and each session's in order.
///
/// It follows `records(after:limit:)`, which never skips a record, and stores its position after
/// the receiver has accepted everything up to it. Whatever ends the process in between, the same
/// events are sent again with the same identities (`SESSION/SEQ`). They are CloudEvents in batches;
/// sealed values stay sealed, and the seals are not included. With the keys, a record that they
/// prove is followed by the messages that webhooks send about it (``PaymentNotice``). What the
/// receiver does not accept is sent again after growing pauses. No event is skipped, so a receiver
/// that keeps refusing one holds up everything behind it, which the metric
/// `payment_workflow_subscription_behind` shows.
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
    private let source: ProvenNotices?
    private let report: @Sendable (OutboxFailure) -> Void

    /// Creates a publisher.
    ///
    /// - Parameters:
    ///   - store: The store to follow; read-only access is enough.
    ///   - decider: The rules.
    ///   - vault: The keys of the store, which prove what is said of payments; `nil` to send the
    ///     records alone.
    ///   - url: The receiver's address.
    ///   - transport: The transport for the requests; separate from the one for payments, so that a
    ///     slow receiver cannot delay them.
    ///   - position: Where the publisher stores its position.
    ///   - clock: The clock.
    ///   - options: The limits.
    ///   - metrics: The metrics backend.
    ///   - report: Called once for each series of failures, with the first failure that is retried;
    ///     and with each session about whose payment nothing is said
    ///     (``OutboxFailure/unreadable(_:code:)``).
    public init(
        of store: any EventStore,
        by decider: SessionDecider,
        authenticatedBy vault: (any KeyVault)?,
        to url: String,
        over transport: any Transport,
        from position: any OutboxPosition,
        clock: any EngineClock,
        options: OutboxOptions = OutboxOptions(),
        metrics: any MetricsFactory = MetricsSystem.factory,
        report: @escaping @Sendable (OutboxFailure) -> Void = { _ in }
    ) {
        self.store = store
        source = vault.map { ProvenNotices(store: store, decider: decider, vault: $0) }
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
            let feed = try await OutboxFeed(of: store, after: stored)
            result = .success(
                try await follow(feed, untilEnd: untilEnd, before: deadline)
            )
        } catch {
            result = .failure(error)
        }
        await position.release()
        return try result.get()
    }

    private func follow(
        _ beginning: OutboxFeed,
        untilEnd: Bool,
        before deadline: Instant?
    ) async throws(OutboxFailure) -> OutboxProgress {
        let timestamp = untilEnd ? nil : makeTimestamp()
        var feed = beginning
        var notices = source.map { OutboxNotices(from: $0, report: report) }
        var (count, failures) = (0, 0)
        while !Task.isCancelled {
            let records: [PositionedRecord]
            switch try await feed.next(limit: options.maximumRecords, bytes: options.maximumBytes) {
            case .records(let found, let distance):
                records = found
                behind.record(distance)
            case .later(let tries, let failure):
                try await pause(after: tries, nil, failure, before: deadline)
                continue
            }
            // A publisher that has stopped can't report that, but its last read becomes older.
            timestamp?.record(Double(clock.now().microseconds) / 1_000_000)
            guard let first = records.first?.record else {
                if untilEnd { break }
                await clock.sleep(until: clock.now() + options.interval)
                continue
            }
            let batch: [OutboxReceiver.Item]
            do throws(OutboxFailure) {
                batch = try await items(of: records, &notices)
            } catch {
                failures += 1
                try await pause(after: failures, nil, error, before: deadline)
                continue
            }
            switch await receiver.send(batch) {
            case .taken:
                feed.advance(through: records)
                if let mark = feed.mark { try await position.advance(to: mark) }
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
        return OutboxProgress(events: count, cursor: feed.cursor)
    }

    /// The records, each with what happened with it.
    private func items(
        of records: [PositionedRecord],
        _ notices: inout OutboxNotices?
    ) async throws(OutboxFailure) -> [OutboxReceiver.Item] {
        var items: [OutboxReceiver.Item] = []
        for record in records.map(\.record) {
            items.append((record, try await notices?.next(record) ?? []))
        }
        return items
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
