import Testing
import WorkflowTesting

@testable import EventLog
@testable import SwedbankPay

/// The messages of one session that wait to be sent to the PSP.
@Suite struct EventLoggingOutboxTests {
    private let session = SessionID(at: ManualClock.noon, random: (1, 2))
    private let address = "https://api.psp.example/log"
    private let link = Sealed.sample("log")

    private func outbox(
        from progress: DeliveryProgress = .start,
        limit: Int = 500
    ) -> EventLoggingOutbox {
        var options = EventLoggingOptions()
        options.queueLimit = limit
        return EventLoggingOutbox(session: session, progress: progress, options: options)
    }

    private var told: SecretTable {
        var secrets = SecretTable()
        secrets.insert(address, for: link)
        return secrets
    }

    private func fetched(withLink: Bool = true) -> SessionEvent {
        let operation = Operation(rel: .eventLogging, method: "POST", href: link)
        let snapshot = Snapshot(operations: withLink ? [operation] : [])
        return .fetched(Fetched(cause: .session, digest: .zero, snapshot: snapshot))
    }

    private func apply(_ events: [SessionEvent], into outbox: inout EventLoggingOutbox) {
        for event in events {
            outbox.apply(
                RecordedEvent(
                    stream: session,
                    sequence: outbox.sequence + 1,
                    at: ManualClock.noon,
                    event: event,
                    metadata: EventMetadata(build: "1", catalogue: "1", cause: "test", node: "n")
                ),
                secrets: told
            )
        }
    }

    private let opened = SessionEvent.opened(.sample())
    private let noon = ManualClock.noon

    /// Returns the position of the message to send now.
    private func leaving(
        _ outbox: inout EventLoggingOutbox,
        after time: Duration = .zero
    ) -> SequenceNumber? {
        guard case .send(let beacon, let to) = outbox.next(at: noon + time) else { return nil }
        #expect(to == address)
        return beacon.sequence
    }

    @Test func `messages wait until the PSP gives an address, then are sent in order`() {
        var outbox = outbox()
        apply([opened], into: &outbox)
        #expect(outbox.next(at: noon) == .rest)
        #expect(outbox.progress.position == 0)
        apply([fetched(), fetched(withLink: false)], into: &outbox)
        for place in SequenceNumber(1)...3 {
            #expect(leaving(&outbox) == place)
            #expect(outbox.progress.position == place - 1)
            outbox.sent(.delivered, at: noon)
        }
        #expect(outbox.next(at: noon) == .rest)
        #expect(outbox.progress == DeliveryProgress(position: 3, dropped: 0))
    }

    @Test func `pauses double from one second to a minute, and a success ends them`() {
        var outbox = outbox()
        apply([opened, fetched()], into: &outbox)
        var time = Duration.zero
        for seconds in [1, 2, 4, 8, 16, 32, 60, 60, 60] {
            #expect(leaving(&outbox, after: time) == 1)
            outbox.sent(.failed, at: noon + time)
            time += .seconds(seconds)
            #expect(outbox.next(at: noon) == .wait(until: noon + time))
        }
        #expect(leaving(&outbox, after: time) == 1)
        outbox.sent(.delivered, at: noon + time)
        #expect(leaving(&outbox, after: time) == 2)
        outbox.sent(.failed, at: noon + time)
        #expect(outbox.next(at: noon + time) == .wait(until: noon + time + .seconds(1)))
    }

    @Test func `over the limit, the oldest messages about requests are dropped first and counted`()
    {
        var outbox = outbox(limit: 3)
        apply([opened, fetched(), fetched(), fetched()], into: &outbox)
        #expect(outbox.count == 3)
        #expect(leaving(&outbox) == 1)
        // The first is on its way, so it stays.
        apply([.completed(Completed(evidence: .orderStatus))], into: &outbox)
        outbox.sent(.delivered, at: noon)
        #expect(leaving(&outbox) == 4)
        outbox.sent(.delivered, at: noon)
        #expect(outbox.progress == DeliveryProgress(position: 4, dropped: 2))
        #expect(leaving(&outbox) == 5)
        outbox.sent(.delivered, at: noon)
        #expect(outbox.progress == DeliveryProgress(position: 5, dropped: 2))
    }

    @Test func `over the limit without messages about requests, the oldest of all is dropped`() {
        var outbox = outbox(limit: 2)
        apply([fetched(), .refetchRequested(RefetchRequested(by: "a"))], into: &outbox)
        apply(
            Array(repeating: .refetchRequested(RefetchRequested(by: "b")), count: 3),
            into: &outbox
        )
        #expect(leaving(&outbox) == 4)
        #expect(outbox.progress == DeliveryProgress(position: 3, dropped: 3))
    }

    @Test func `a resumed outbox sends nothing again that was delivered, and counts no drop twice`()
    {
        var first = outbox(limit: 3)
        let events = [opened, fetched(), fetched(), fetched(), fetched()]
        apply(events, into: &first)
        #expect(leaving(&first) == 1)
        first.sent(.delivered, at: noon)
        let progress = first.progress
        #expect(progress == DeliveryProgress(position: 3, dropped: 2))
        var second = outbox(from: progress, limit: 3)
        apply(events, into: &second)
        #expect(leaving(&second) == 4)
        second.sent(.delivered, at: noon)
        #expect(leaving(&second) == 5)
        second.sent(.delivered, at: noon)
        #expect(second.progress == DeliveryProgress(position: 5, dropped: 2))
    }

    @Test func `a message that is refused four times is dropped, and the next one is sent`() {
        var outbox = outbox()
        apply([opened, fetched()], into: &outbox)
        var time = Duration.zero
        for _ in 0..<4 {
            #expect(leaving(&outbox, after: time) == 1)
            outbox.sent(.refused, at: noon + time)
            time += .seconds(60)
        }
        #expect(leaving(&outbox, after: time) == 2)
        #expect(outbox.progress == DeliveryProgress(position: 1, dropped: 1))
    }

    @Test func `a day after the end the remaining messages are dropped`() {
        var outbox = outbox()
        apply([opened, fetched(), .completed(Completed(evidence: .orderStatus))], into: &outbox)
        #expect(leaving(&outbox, after: .seconds(86_399)) == 1)
        outbox.sent(.failed, at: noon + .seconds(86_399))
        #expect(outbox.next(at: noon + .seconds(86_400)) == .rest)
        #expect(outbox.progress == DeliveryProgress(position: 3, dropped: 3))
    }

    @Test func `the messages of a session that ended without an address are dropped`() {
        var outbox = outbox()
        apply([opened, .completed(Completed(evidence: .orderStatus))], into: &outbox)
        #expect(outbox.next(at: noon) == .rest)
        #expect(outbox.progress == DeliveryProgress(position: 2, dropped: 2))
    }
}
