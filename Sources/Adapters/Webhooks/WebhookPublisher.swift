public import CoreMetrics
public import EventLog
internal import Inspection
public import SwedbankPay
public import Workflow

/// Sends messages about payments to a receiver over HTTP: each session's in order, each at least
/// once with the same identity, signed.
///
/// It follows the store's records from a position that it stores, together with the sessions whose
/// messages were not accepted. These are tried again by a schedule; the others go on meanwhile. A
/// message that was tried as often as the schedule says is given up, which is reported and counted.
/// A receiver that responds with 410 is sent nothing more until somebody removes the file that says
/// so.
///
/// A new endpoint begins with what is recorded from then on. Sessions that were imported or erased
/// are left out, and so are those of which a record is not authentic: a receiver acts on what it
/// gets, so nothing is sent that the keys do not prove.
///
/// - Note: Isolation: any; one run at a time.
public struct WebhookPublisher: Sendable {
    /// What is reported of an endpoint; nothing of it is secret.
    public enum Report: Hashable, Sendable {
        /// A message was not accepted, and is tried again.
        case refused(id: String, reason: String, tries: Int, next: Instant)
        /// A message was not accepted as often as the schedule says, and is not sent any more.
        case givenUp(id: String, reason: String, tries: Int)
        /// The log of a session is damaged or not authentic; its messages are left out.
        case unreadable(SessionID, code: String)
        /// The receiver accepts no more messages.
        case disabled
        /// Somebody enabled the endpoint again.
        case enabled
        /// Nothing is sent for now; it begins again by itself.
        case stopped(OutboxFailure)
    }

    private let store: any PersistentStore
    private let source: ProvenNotices
    private let options: WebhookOptions
    private let receiver: WebhookReceiver
    private let files: WebhookFiles
    private let clock: any EngineClock
    private let meters: WebhookMeters
    private let report: @Sendable (Report) -> Void

    /// Creates a publisher.
    ///
    /// - Parameters:
    ///   - store: The store to follow; read-only access is enough.
    ///   - decider: The rules.
    ///   - vault: The keys of the store.
    ///   - options: The endpoint and the limits.
    ///   - transport: The transport of this endpoint alone, so that a slow receiver delays nothing
    ///     else.
    ///   - secrets: Returns the secrets that sign, at least one.
    ///   - files: Where the state is kept.
    ///   - clock: The clock.
    ///   - metrics: The metrics backend.
    ///   - report: Called with what somebody may have to know.
    public init(
        of store: any PersistentStore,
        by decider: SessionDecider,
        authenticatedBy vault: any KeyVault,
        to options: WebhookOptions,
        over transport: any Transport,
        signing secrets: @escaping @Sendable () -> [WebhookSecret],
        files: WebhookFiles,
        clock: any EngineClock,
        metrics: any MetricsFactory = MetricsSystem.factory,
        report: @escaping @Sendable (Report) -> Void = { _ in }
    ) {
        (self.store, self.options) = (store, options)
        source = ProvenNotices(store: store, decider: decider, vault: vault)
        (self.files, self.clock, self.report) = (files, clock, report)
        receiver = WebhookReceiver(options: options, transport: transport, secrets: secrets)
        meters = WebhookMeters(endpoint: options.name, metrics: metrics)
    }

    /// Sends until the task is canceled, whatever fails.
    public func run() async {
        var reported: OutboxFailure?
        while !Task.isCancelled {
            do throws(OutboxFailure) {
                try await follow()
                reported = nil
            } catch {
                if error != reported { report(.stopped(error)) }
                reported = error
            }
            guard !Task.isCancelled else { return }
            await clock.sleep(until: clock.now() + options.pause)
        }
    }

    /// Claims the state, and sends until the task is canceled.
    private func follow() async throws(OutboxFailure) {
        let file = ClaimedFile(path: files.state, bytesLimit: WebhookState.bytesLimit)
        let stored: WebhookState?
        do throws(ClaimedFile.Refusal) {
            stored = try await file.claim { [files] bytes throws(ClaimedFile.Refusal) in
                guard let state = WebhookState(parsing: bytes) else {
                    throw .unusable(reason: "\(files.state) is not the state of a webhook")
                }
                return state
            }
        } catch {
            throw OutboxFailure(error)
        }
        let result: Result<Void, OutboxFailure>
        do throws(OutboxFailure) {
            try await refuseCopy()
            let feed =
                if let stored {
                    try await OutboxFeed(of: store, after: stored.mark)
                } else {
                    try await OutboxFeed(atEndOf: store)
                }
            var course = Course(feed: feed, queue: stored?.queue ?? WebhookQueue(), file: file)
            course.isDisabled = files.isDisabled
            // A new endpoint's beginning is stored at once.
            course.isChanged = stored == nil
            result = .success(try await pursue(&course))
        } catch {
            result = .failure(error)
        }
        await file.release()
        try result.get()
    }

    /// Refuses a store that may be a copy, or an earlier state, of the live one.
    private func refuseCopy() async throws(OutboxFailure) {
        // Whoever may only read it has opened it as a replica.
        guard !store.isReadOnly else { return }
        do throws(EventStoreError) { try await store.confirmLiving() } catch {
            throw .store(error)
        }
    }

    /// How far the endpoint is.
    private struct Course {
        var feed: OutboxFeed
        var queue: WebhookQueue
        let file: ClaimedFile
        var isDisabled = false
        /// Whether there is something to store.
        var isChanged = false

        mutating func save() async throws(OutboxFailure) {
            guard isChanged else { return }
            let state = WebhookState(mark: feed.mark, queue: queue)
            do throws(ClaimedFile.Refusal) {
                try await file.replace(with: Array(state.text.utf8))
            } catch {
                throw OutboxFailure(error)
            }
            isChanged = false
        }
    }

    /// What one of the tasks was for.
    private enum Turn: Sendable {
        /// It is time to read on.
        case tick
        /// A session was sent.
        case ended(SessionID, Sent)
    }

    /// What came of sending a session.
    private struct Sent: Sendable {
        var progress: WebhookQueue.Progress
        /// The message that was refused, and why.
        var refused: (id: String, reason: String)?
        var isGone = false
    }

    /// Reads on at each tick, and sends what is due, several sessions at a time.
    private func pursue(_ course: inout Course) async throws(OutboxFailure) {
        var current = course
        var failure: OutboxFailure?
        await withTaskGroup(of: Turn.self) { group in
            group.addTask { .tick }
            while let turn = await group.next() {
                do throws(OutboxFailure) {
                    switch turn {
                    case .ended(let session, let sent): note(sent, of: session, in: &current)
                    case .tick:
                        let wait = try await readOn(&current)
                        guard !Task.isCancelled, failure == nil else { continue }
                        group.addTask { [clock] in
                            await clock.sleep(until: clock.now() + wait)
                            return .tick
                        }
                    }
                } catch {
                    failure = error
                    group.cancelAll()
                }
                guard !Task.isCancelled, failure == nil, !current.isDisabled else { continue }
                for job in current.queue.start(at: clock.now(), limit: options.maximumRequests) {
                    group.addTask { .ended(job.session, await send(job)) }
                }
            }
        }
        course = current
        if let failure { throw failure }
        try await course.save()
    }

    /// Adds the next records to the queue, unless it is full, stores what changed, and returns when
    /// to read on.
    private func readOn(_ course: inout Course) async throws(OutboxFailure) -> Duration {
        let now = clock.now()
        if course.isDisabled, !files.isDisabled {
            course.isDisabled = false
            report(.enabled)
        }
        meters.disabled.record(course.isDisabled ? 1 : 0)
        let room = course.isDisabled ? 0 : options.maximumSessions - course.queue.entries.count
        if room <= 0 { course.queue.probe(at: now, every: options.probeInterval) }
        let limit = min(max(room, 1), options.maximumRecords)
        var wait = options.interval
        switch try await course.feed.next(limit: limit) {
        case .records(let records, let behind):
            var left = behind
            if room > 0, !records.isEmpty {
                for one in records {
                    course.queue.add(one.record.sequence, of: one.record.stream, at: now)
                }
                course.feed.advance(through: records)
                course.isChanged = true
                left -= Int64(records.count)
                if records.count == limit { wait = .zero }
            }
            meters.behind.record(max(0, left) + course.queue.records)
        case .later(let tries, let failure):
            if tries == 1 { report(.stopped(failure)) }
            wait = options.pause
        }
        try await course.save()
        return wait
    }

    /// Notes how far a session was sent.
    private func note(_ sent: Sent, of session: SessionID, in course: inout Course) {
        let now = clock.now()
        let verdict = course.queue.end(
            session,
            sent.progress,
            at: now,
            schedule: options.schedule
        )
        course.isChanged = true
        if sent.isGone, !course.isDisabled {
            course.isDisabled = true
            if !files.disable(at: now) {
                report(.stopped(.position(reason: "\(files.disabled) can't be written")))
            }
            meters.disabled.record(1)
            report(.disabled)
        }
        guard let (id, reason) = sent.refused else { return }
        switch verdict {
        case .later(let tries, let next):
            report(.refused(id: id, reason: reason, tries: tries, next: next))
        case .givenUp(let tries):
            meters.givenUp.increment()
            report(.givenUp(id: id, reason: reason, tries: tries))
        case nil: break
        }
    }

    /// Sends the messages of a session, in order, as far as they are accepted.
    private func send(_ job: WebhookQueue.Job) async -> Sent {
        let end = WebhookQueue.Place(sequence: job.last.next)
        let following: [[PaymentNotice]]
        switch await source.read(job.session, from: job.place.sequence, through: job.last) {
        case .proven(let notices, _): following = notices
        case .later: return untried(job.place)
        case .leftOut(let code):
            if let code {
                meters.unreadable.increment()
                report(.unreadable(job.session, code: code))
            }
            return Sent(progress: WebhookQueue.Progress(place: end))
        }
        for (offset, notices) in following.enumerated() {
            var place = WebhookQueue.Place(sequence: job.place.sequence + offset)
            for notice in notices {
                let isNext = offset > 0 || place.notices >= job.place.notices
                if isNext, options.kinds.contains(notice.kind) {
                    if let sent = await send(notice, at: place) { return sent }
                }
                place.notices += 1
            }
        }
        return Sent(progress: WebhookQueue.Progress(place: end))
    }

    /// Sends a message; returns what came of the session if it goes no further.
    private func send(_ notice: PaymentNotice, at place: WebhookQueue.Place) async -> Sent? {
        guard !Task.isCancelled else { return untried(place) }
        switch await receiver.send(notice, at: clock.now()) {
        case .taken:
            meters.delivered.increment()
            return nil
        case .gone:
            meters.failed.increment()
            var sent = untried(place)
            sent.isGone = true
            return sent
        case .refused(let reason, let wait):
            guard !Task.isCancelled else { return untried(place) }
            meters.failed.increment()
            let progress = WebhookQueue.Progress(place: place, end: .refused(wait: wait))
            return Sent(progress: progress, refused: (notice.id, reason))
        }
    }

    private func untried(_ place: WebhookQueue.Place) -> Sent {
        Sent(progress: WebhookQueue.Progress(place: place, end: .untried(wait: options.pause)))
    }
}

/// What is measured of an endpoint.
private struct WebhookMeters: Sendable {
    let behind: Gauge
    let disabled: Gauge
    let delivered: Counter
    let failed: Counter
    let givenUp: Counter
    let unreadable: Counter

    init(endpoint: String, metrics: any MetricsFactory) {
        func gauge(_ name: String) -> Gauge {
            Gauge(
                label: "payment_workflow_webhook_\(name)",
                dimensions: [("endpoint", endpoint)],
                factory: metrics
            )
        }
        func counter(_ result: String) -> Counter {
            Counter(
                label: "payment_workflow_webhook_deliveries_total",
                dimensions: [("endpoint", endpoint), ("result", result)],
                factory: metrics
            )
        }
        (behind, disabled) = (gauge("behind"), gauge("disabled"))
        (delivered, failed) = (counter("delivered"), counter("failed"))
        (givenUp, unreadable) = (counter("given-up"), counter("unreadable"))
    }
}
