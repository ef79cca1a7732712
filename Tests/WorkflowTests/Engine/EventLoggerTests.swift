import Synchronization
import TestSupport
import Testing
import WorkflowTesting

@testable import EventLog
@testable import SwedbankPay
@testable import Workflow

/// The worker that reports events to the PSP, beside engines that pay.
@Suite(.feature("N-45"), .timeLimit(.minutes(10))) struct EventLoggerTests {
    @Test func `all messages about a payment are sent in order, one at a time`() async throws {
        let world = Telling()
        let session = try await world.pay()
        await world.settle(session)
        let sent = world.sender.sent
        let expected = try await world.messages(of: session)
        #expect(sent.map(\.sequence) == expected.map(\.sequence))
        #expect(sent.map(\.action) == expected.map(\.action))
        #expect(sent.contains { $0.method?.name == "paymentSessionComplete" })
        #expect(world.sender.mostAtOnce == 1)
        #expect(try await world.progress(of: session).dropped == 0)
        await world.end()
    }

    @Test func `messages that one process did not deliver are delivered by the next one`()
        async throws
    {
        let world = Telling()
        world.sender.respond { _, count in count < 3 ? .delivered : .failed }
        let session = try await world.pay()
        // The payment waits for no message; the worker has started when two were sent.
        while world.sender.sent.count < 2 { try await Task.sleep(for: .milliseconds(1)) }
        await world.logger.shutdown()

        let later = await world.another()
        await later.logger.catchUp()
        await later.settle(session)
        let expected = try await world.messages(of: session)
        let delivered =
            world.sender.delivered.map(\.sequence) + later.sender.delivered.map(\.sequence)
        // At least once: nothing is missing, and duplicates came in order.
        #expect(Set(delivered) == Set(expected.map(\.sequence)))
        #expect(later.sender.sent.map(\.sequence) == later.sender.sent.map(\.sequence).sorted())
        #expect(later.sender.sent.count <= expected.count)
        await later.logger.catchUp()
        await later.settle(session)
        #expect(later.sender.sent.last?.sequence == expected.last?.sequence)
        await later.end()
        await world.end()
    }

    @Test func `a message that fails is sent again until it is delivered, and the order is kept`()
        async throws
    {
        let world = Telling()
        world.sender.respond { _, count in count.isMultiple(of: 3) ? .delivered : .failed }
        let session = try await world.pay()
        await world.settle(session)
        let places = world.sender.delivered.map(\.sequence)
        let expected = try await world.messages(of: session).map(\.sequence)
        #expect(places == expected)
        await world.end()
    }

    @Test func `a telemetry host that hangs delays no payment`() async throws {
        let world = Telling()
        world.sender.hang()
        // Far more sessions than the worker may send requests.
        try await withThrowingTaskGroup(of: Void.self) { group in
            for number in 1...40 { group.addTask { _ = try await world.pay(number) } }
            try await group.waitForAll()
        }
        #expect(world.psp.payments == Array(repeating: 1, count: 40))
        #expect(world.sender.mostAtOnce <= EventLoggingOptions().requestsAtOnce)
        #expect(world.sender.delivered.isEmpty)
        // Ends all the same: the suite's time limit is for what hangs.
        await world.end()
    }

    @Test func `two workers on one store never send at the same time, and send each message once`()
        async throws
    {
        // A claim expires only if its worker is gone, however slow this machine is.
        var options = EventLoggingOptions()
        options.claim = .seconds(1_000_000)
        let world = Telling(options: options)
        let other = await world.another()
        let session = try await world.pay()
        for _ in 0..<20 {
            await other.logger.notice(session)
            await world.logger.notice(session)
            await Task.yield()
        }
        await world.settle(session)
        await other.settle(session)
        let expected = try await world.messages(of: session).map(\.sequence)
        let both = (world.sender.delivered + other.sender.delivered).map(\.sequence)
        #expect(both.sorted() == expected)
        // The senders of both workers count together.
        #expect(world.sender.traffic.mostAtOnce == 1)
        await other.end()
        await world.end()
    }

    @Test func `undelivered messages are dropped a day after the end`() async throws {
        let world = Telling()
        world.sender.respond { _, _ in .failed }
        let session = try await world.pay()
        await world.logger.shutdown()
        let later = await world.another(after: .seconds(100_000))
        await later.logger.catchUp()
        await later.settle(session)
        #expect(later.sender.sent.isEmpty)
        let last = try await world.store.head(of: session)?.sequence
        let progress = try await world.progress(of: session)
        #expect(progress.position == last)
        #expect(progress.dropped > 0)
        await later.end()
        await world.end()
    }

    @Test func `a session that could not be read is tried again soon, and then less often`()
        async throws
    {
        let world = Telling(isOn: false)
        let session = try await world.pay()
        world.vault.lose(session)
        for failures in 1...3 {
            await world.logger.notice(session)
            await world.settle(session)
            #expect(await world.logger.idle[session]?.failures == failures)
        }
        world.vault.find(session)
        await world.logger.notice(session)
        await world.settle(session)
        #expect(await world.logger.idle[session] == nil)
        #expect(!world.sender.delivered.isEmpty)
        for (failures, seconds) in [(0, 600), (1, 5), (2, 10), (7, 320), (8, 600), (100, 600)] {
            #expect(EventLogger.pause(afterFailures: failures) == .seconds(seconds))
        }
        await world.end()
    }

    @Test func `an engine without a worker sends no messages`() async throws {
        let world = Telling(isOn: false)
        let session = try await world.pay()
        await world.settle(session)
        #expect(world.sender.sent.isEmpty)
        #expect(try await world.progress(of: session) == .start)
        await world.end()
    }
}

/// An engine and a worker with one store, and a PSP that requests telemetry.
private struct Telling: Sendable {
    let psp: ModelPSP
    let store: InMemoryEventStore
    let vault = PlainVault()
    let clock: LaterClock
    let loop = QueueLoop()
    let sender: RecordingSender
    let options: EventLoggingOptions
    let engine: PaymentEngine
    let logger: EventLogger

    init(
        on store: InMemoryEventStore = InMemoryEventStore(),
        psp: ModelPSP = ModelPSP(),
        later: Duration = .zero,
        options: EventLoggingOptions = EventLoggingOptions(),
        traffic: Traffic = Traffic(),
        isOn: Bool = true
    ) {
        self.store = store
        self.psp = psp
        self.options = options
        sender = RecordingSender(in: traffic)
        clock = LaterClock(shift: later)
        var configuration = PaymentConfiguration()
        configuration.adoptionInterval = nil
        engine = PaymentEngine(
            configuration: configuration,
            catalogue: .sample,
            store: store,
            provider: AskingToBeTold(psp: psp),
            vault: vault,
            clock: clock,
            random: AnyBytes(),
            executor: loop
        )
        logger = EventLogger(
            options: options,
            store: store,
            vault: vault,
            sender: sender,
            clock: clock,
            random: AnyBytes(),
            executor: loop
        )
        self.isOn = isOn
    }

    private let isOn: Bool

    func another(after later: Duration = .zero) async -> Telling {
        Telling(
            on: await store.another(),
            psp: psp,
            later: later,
            options: options,
            traffic: sender.traffic
        )
    }

    /// Completes a session's payment with a saved card.
    func pay(_ number: Int = 1) async throws -> SessionID {
        if isOn { await engine.reportProgress(to: logger) }
        let session = try await engine.open(
            ModelPSP.address(number),
            preferences: [.card(rank: nil)]
        )
        for await update in try await engine.updates(of: session)
        where update.state.outcome != nil {
            #expect(update.state.outcome == .completed)
            break
        }
        return session
    }

    /// Waits until the worker has nothing more to do for a session.
    func settle(_ session: SessionID) async {
        for _ in 0..<20_000 {
            if await logger.sessions.isEmpty, await logger.writing == nil { break }
            try? await Task.sleep(for: .milliseconds(1))
        }
    }

    func messages(of session: SessionID) async throws -> [Beacon] {
        var projection = EventLogging(session: session)
        var beacons: [Beacon] = []
        for record in try await store.read(session, from: 1, limit: 10_000) {
            beacons += projection.apply(try EventCodec.decode(record.canonical))
        }
        return beacons
    }

    func progress(of session: SessionID) async throws -> DeliveryProgress {
        let claim = DeliveryClaim(
            consumer: EventLogger.consumer,
            worker: 0,
            until: clock.now()
        )
        let far = clock.now() + .seconds(1_000_000)
        let rows = try await store.changeDeliveries([.claim(session)], by: claim, at: far)
        return (rows.first ?? nil) ?? .start
    }

    func end() async {
        await engine.shutdown()
        await logger.shutdown()
    }
}

/// The fast clock, set forward.
private struct LaterClock: EngineClock {
    let shift: Duration
    private let clock = HurriedClock()

    init(shift: Duration) { self.shift = shift }

    func now() -> Instant { clock.now() + shift }

    func sleep(until instant: Instant) async {
        await clock.sleep(until: instant + (.zero - shift))
    }
}

/// A PSP whose responses contain an address for telemetry.
private struct AskingToBeTold: PaymentProvider {
    let psp: ModelPSP

    func perform(_ request: ProviderRequest) async -> ProviderResponse {
        var response = await psp.perform(request)
        guard case .snapshot(var snapshot, let status) = response.outcome else { return response }
        let place = request.address.prefix { $0 != "#" }
        let href = response.secrets.seal("\(place)#log", with: request.keys)
        snapshot.operations.append(Operation(rel: .eventLogging, method: "POST", href: href))
        response.outcome = .snapshot(snapshot, status: status)
        return response
    }
}

/// Counts how many messages of several senders are under way at the same time.
private final class Traffic: Sendable {
    private let counts = Mutex((now: 0, most: 0))

    var mostAtOnce: Int { counts.withLock { $0.most } }

    func begin() {
        counts.withLock {
            $0.now += 1
            $0.most = max($0.most, $0.now)
        }
    }

    func end() { counts.withLock { $0.now -= 1 } }
}

/// A sender that accepts messages as configured.
private final class RecordingSender: BeaconSender {
    let traffic: Traffic

    init(in traffic: Traffic) { self.traffic = traffic }

    private struct Book {
        var sent: [Beacon] = []
        var delivered: [Beacon] = []
        var underWay = 0
        var mostAtOnce = 0
        var hangs = false
        var response: @Sendable (Beacon, Int) -> BeaconOutcome = { _, _ in .delivered }
    }
    private let book = Mutex(Book())

    var sent: [Beacon] { book.withLock(\.sent) }
    var delivered: [Beacon] { book.withLock(\.delivered) }
    var mostAtOnce: Int { book.withLock(\.mostAtOnce) }

    func respond(_ response: @escaping @Sendable (Beacon, Int) -> BeaconOutcome) {
        book.withLock { $0.response = response }
    }

    func hang() { book.withLock { $0.hangs = true } }

    func send(_ beacon: Beacon, to address: String) async -> BeaconOutcome {
        #expect(address.hasSuffix("#log"))
        traffic.begin()
        defer { traffic.end() }
        let hangs = book.withLock { book in
            book.sent.append(beacon)
            book.underWay += 1
            book.mostAtOnce = max(book.mostAtOnce, book.underWay)
            return book.hangs
        }
        if hangs { try? await Task.sleep(for: .seconds(600)) } else { await Task.yield() }
        return book.withLock { book in
            book.underWay -= 1
            if book.hangs { return .failed }
            let outcome = book.response(beacon, book.sent.count)
            if outcome == .delivered { book.delivered.append(beacon) }
            return outcome
        }
    }
}
