import EventLog
import Foundation
import HTTPTypes
import Inspection
import MetricsTestKit
import SwedbankPay
import Synchronization
import TestSupport
import Testing
import Workflow
import WorkflowTesting

@testable import Adapters
@testable import EventStores

/// An endpoint on a real store, with a receiver that a test controls.
@Suite(.feature("S-34")) struct WebhookPublisherTests {
    /// A receiver that records what it accepts, and refuses what a test says.
    private final class Hook: Transport {
        struct Message: Hashable {
            var id: String
            var body: String

            /// The session in the identity.
            var session: String { String(id.prefix { $0 != "/" }) }
        }

        private struct Book {
            var taken: [Message] = []
            var refused: [Message] = []
            var status: @Sendable (Message) -> Int = { _ in 204 }
        }

        private let book = Mutex(Book())

        /// The messages that it accepted, in order.
        var taken: [Message] { book.withLock { $0.taken } }
        var refused: [Message] { book.withLock { $0.refused } }

        /// Sets the status of each response.
        func respond(_ status: @escaping @Sendable (Message) -> Int) {
            book.withLock { $0.status = status }
        }

        func perform(
            _ request: TransportRequest
        ) async throws(TransportFailure) -> TransportResponse {
            let name = HTTPField.Name("webhook-id")
            let id = name.flatMap { request.headers.lastValue(of: $0) } ?? ""
            let message = Message(
                id: id,
                body: String(decoding: request.body ?? [], as: UTF8.self)
            )
            let status = book.withLock { book in
                let status = book.status(message)
                if (200...299).contains(status) {
                    book.taken.append(message)
                } else {
                    book.refused.append(message)
                }
                return status
            }
            return TransportResponse(
                status: status,
                headers: [:],
                body: [],
                protocolVersion: "HTTP/1.1",
                duration: .zero
            )
        }
    }

    /// A clock on which waiting takes no time.
    private final class QuickClock: EngineClock {
        private let time = Mutex(ManualClock.noon + .seconds(86_400 * 30))

        func now() -> Instant { time.withLock { $0 } }

        func sleep(until instant: Instant) async {
            time.withLock { $0 = max($0, instant) }
            try? await Task.sleep(for: .milliseconds(1))
        }
    }

    /// A store with an endpoint.
    private struct Place {
        let store: SQLiteEventStore
        let file: StoreFile
        let hook = Hook()
        let clock = QuickClock()
        let metrics = TestMetrics()
        let news = ThreadLock<[WebhookPublisher.Report]>([])
        let vault: MasterKeyVault
        var options = WebhookOptions(name: "shop", url: "https://hooks.example/?key=hidden")

        var files: WebhookFiles { WebhookFiles(beside: file.path, name: "shop") }

        /// Runs an endpoint until a condition holds.
        func run(until isDone: () throws -> Bool) async throws {
            let secret = try #require(WebhookSecret("whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"))
            let publisher = WebhookPublisher(
                of: store,
                by: SessionDecider(catalogue: .sample),
                authenticatedBy: vault,
                to: options,
                over: hook,
                signing: { [secret] },
                files: files,
                clock: clock,
                metrics: metrics,
                report: { [news] one in news.withLock { $0.append(one) } }
            )
            let task = Task { await publisher.run() }
            let end = ContinuousClock.now + .seconds(30)
            while try !isDone(), ContinuousClock.now < end {
                try await Task.sleep(for: .milliseconds(2))
            }
            task.cancel()
            await task.value
            #expect(ContinuousClock.now < end, "\(news.withLock { $0.suffix(3) })")
        }

        /// Begins the endpoint, so that it receives what is recorded from now on.
        func begin() async throws {
            let path = files.state
            try await run { FileManager.default.fileExists(atPath: path) }
        }

        /// Records histories, and returns the messages that are to arrive, by session.
        func record(_ histories: [RandomHistory]) async throws -> [String: [Hook.Message]] {
            var teller = HistoryTeller(seed: 7)
            var keys: [SessionID: SessionKeys] = [:]
            for batch in teller.batches(of: histories) {
                for append in batch {
                    try await store.append(try await vault.signed(append, &keys))
                }
            }
            return try Self.messages(of: histories)
        }

        static func messages(of histories: [RandomHistory]) throws -> [String: [Hook.Message]] {
            var messages: [String: [Hook.Message]] = [:]
            for history in histories {
                messages["\(history.session)"] = try history.notices.flatMap(\.self)
                    .map { Hook.Message(id: $0.id, body: JSONDocument.text($0.json)) }
            }
            return messages
        }
    }

    private func with(_ body: (inout Place) async throws -> Void) async throws {
        try await StoreFile.with { file in
            let store = try await SQLiteEventStore(path: file.path)
            let vault = try MasterKeyVault(masterKey: [UInt8](1...32), random: SystemRandom())
            var place = Place(store: store, file: file, vault: vault)
            try await body(&place)
            await store.close()
        }
    }

    private func histories(_ count: Int) throws -> [RandomHistory] {
        var teller = HistoryTeller(seed: 3)
        return try teller.histories(count)
    }

    private func bySession(_ messages: [Hook.Message]) -> [String: [Hook.Message]] {
        Dictionary(grouping: messages, by: \.session)
    }

    @Test(.guarantee(.nothingLost))
    func `each session's messages arrive in order, and a refused one holds back its own only`()
        async throws
    {
        try await with { place in
            try await place.begin()
            let histories = try histories(12)
            let slow = "\(histories[0].session)"
            place.hook.respond { $0.session == slow ? 500 : 200 }
            let expected = try await place.record(histories)
            let others = expected.filter { $0.key != slow }
            let count = others.values.reduce(0) { $0 + $1.count }
            try #require(count > 30 && expected[slow]?.count ?? 0 > 1)
            let hook = place.hook
            try await place.run { hook.taken.count == count && !hook.refused.isEmpty }
            #expect(bySession(hook.taken) == others)
            // Of the one that is refused, only the first message was tried.
            #expect(Set(hook.refused.map(\.id)) == [expected[slow]?.first?.id])

            hook.respond { _ in 200 }
            let all = expected.values.reduce(0) { $0 + $1.count }
            try await place.run { hook.taken.count == all }
            #expect(bySession(hook.taken) == expected)
            #expect(place.files.waiting == 0)
            let results = try ["delivered", "failed"].map {
                try place.metrics.expectCounter(
                    "payment_workflow_webhook_deliveries_total",
                    [("endpoint", "shop"), ("result", $0)]
                )
                .totalValue
            }
            #expect(results == [Int64(all), Int64(hook.refused.count)])
            let behind = try place.metrics.expectGauge(
                "payment_workflow_webhook_behind",
                [("endpoint", "shop")]
            )
            #expect(behind.lastValue == 0)
        }
    }

    @Test(.guarantee(.nothingLost))
    func `after a state was lost for some messages, they come again with the same identities`()
        async throws
    {
        try await with { place in
            try await place.begin()
            let state = URL(fileURLWithPath: place.files.state)
            let before = try Data(contentsOf: state)
            let expected = try await place.record(try histories(4))
            let count = expected.values.reduce(0) { $0 + $1.count }
            let hook = place.hook
            try await place.run { hook.taken.count == count }
            // As after a crash before the state was stored.
            try before.write(to: state)
            try await place.run { hook.taken.count == 2 * count }
            #expect(Set(hook.taken).count == count)
            #expect(bySession(Array(hook.taken.suffix(count))) == expected)
        }
    }

    @Test func `a new endpoint is not told of the past, and no endpoint of imported sessions`()
        async throws
    {
        try await with { place in
            let histories = try histories(6)
            _ = try await place.record(Array(histories[..<2]))
            try await place.begin()
            let imported = histories[2]
            for var append in imported.appends {
                append.summary.origin = .imported
                append.wrappedKey = nil
                try await place.store.append(append)
            }
            let expected = try await place.record(Array(histories[3...]))
            let count = expected.values.reduce(0) { $0 + $1.count }
            let hook = place.hook
            try await place.run { hook.taken.count >= count }
            #expect(bySession(hook.taken) == expected)
        }
    }

    @Test func `only the kinds that an endpoint asks for are sent`() async throws {
        try await with { place in
            place.options.kinds = [.completed, .opened]
            try await place.begin()
            let expected = try await place.record(try histories(8)).values.flatMap(\.self)
                .filter { $0.id.hasSuffix("/payment-opened") || $0.id.hasSuffix("-completed") }
            let hook = place.hook
            try await place.run { hook.taken.count == expected.count }
            #expect(Set(hook.taken) == Set(expected))
        }
    }

    @Test func `a message is given up after its schedule, told, and what follows is sent`()
        async throws
    {
        try await with { place in
            place.options.schedule = [.seconds(5), .seconds(60)]
            try await place.begin()
            let history = try histories(4)[3]
            let expected = try Place.messages(of: [history])["\(history.session)"] ?? []
            let refused = expected[0].id
            try #require(expected.count > 1)
            place.hook.respond { $0.id == refused ? 400 : 200 }
            _ = try await place.record([history])
            let (hook, news) = (place.hook, place.news)
            try await place.run { hook.taken.count == expected.count - 1 }
            #expect(hook.taken.map(\.id) == expected.map(\.id).filter { $0 != refused })
            #expect(hook.refused.map(\.id) == [refused, refused, refused])
            let givenUp = WebhookPublisher.Report.givenUp(
                id: refused,
                reason: "HTTP status 400",
                tries: 3
            )
            #expect(news.withLock { $0.last } == givenUp)
            #expect(!"\(news.withLock { $0 })".contains("hidden"))
        }
    }

    @Test func `410 disables the endpoint until somebody removes the file that says so`()
        async throws
    {
        try await with { place in
            try await place.begin()
            place.hook.respond { _ in 410 }
            let expected = try await place.record(try histories(3))
            let (hook, files) = (place.hook, place.files)
            try await place.run { files.isDisabled }
            let asked = hook.refused.count
            #expect(FileFacts(path: files.disabled)?.permissions == 0o600)
            // It remains so in the next run.
            let now = place.clock.now()
            try await place.run { place.clock.now() > now + .seconds(60) }
            #expect(hook.refused.count == asked && hook.taken.isEmpty)
            let gauge = [("endpoint", "shop")]
            let name = "payment_workflow_webhook_disabled"
            #expect(try place.metrics.expectGauge(name, gauge).lastValue == 1)

            hook.respond { _ in 200 }
            try FileManager.default.removeItem(atPath: files.disabled)
            let count = expected.values.reduce(0) { $0 + $1.count }
            try await place.run { hook.taken.count == count }
            #expect(bySession(hook.taken) == expected)
            #expect(try place.metrics.expectGauge(name, gauge).lastValue == 0)
        }
    }

    @Test(.guarantee(.boundedEverything))
    func `with as many waiting sessions as there may be, no more is read until one is accepted`()
        async throws
    {
        try await with { place in
            place.options.maximumSessions = 2
            place.options.interval = .seconds(1)
            try await place.begin()
            place.hook.respond { _ in 503 }
            let expected = try await place.record(try histories(6))
            let (hook, clock, state) = (place.hook, place.clock, place.files)
            let now = clock.now()
            try await place.run { clock.now() > now + .seconds(7200) }
            #expect(state.waiting == 2)
            #expect(Set(hook.refused.map(\.session)).count == 2)
            // It is found within a minute that the receiver responds again.
            hook.respond { _ in 200 }
            let count = expected.values.reduce(0) { $0 + $1.count }
            try await place.run { hook.taken.count == count }
            #expect(bySession(hook.taken) == expected)
        }
    }

    @Test func `a second run of the same endpoint waits, and says so once`() async throws {
        try await with { place in
            let claim = ClaimedFile(path: place.files.state, bytesLimit: 100)
            let none = try await claim.claim { bytes in bytes }
            #expect(none == nil)
            let (news, clock) = (place.news, place.clock)
            let now = clock.now()
            try await place.run { clock.now() > now + .seconds(60) }
            #expect(news.withLock { $0 } == [.stopped(.inUse)])
            await claim.release()
            try await place.begin()
        }
    }

    @Test(.threat("T-69"), .guarantee(.authenticLog))
    func `nothing is sent of a log that no key holder wrote, whoever made its hashes`()
        async throws
    {
        try await with { place in
            try await place.begin()
            let histories = try histories(4)
            let (forged, cut) = (histories[0], histories[1])
            var keys: [SessionID: SessionKeys] = [:]
            // The first has one more record, with a hash and without a MAC, as whoever can write
            // the database makes it; of the second, the key was replaced.
            for history in [forged, cut] {
                for append in history.appends.dropLast() {
                    try await place.store.append(try await place.vault.signed(append, &keys))
                }
            }
            try await place.store.append(try #require(forged.appends.last))
            let other = try await place.vault.makeKeys(for: cut.session)
            keys[cut.session] = other.keys
            var last = try await place.vault.signed(try #require(cut.appends.last), &keys)
            last.wrappedKey = nil
            try await place.store.append(last)
            let expected = try await place.record(Array(histories[2...]))
            let count = expected.values.reduce(0) { $0 + $1.count }
            let (hook, news) = (place.hook, place.news)
            try await place.run {
                hook.taken.count >= count && news.withLock { $0.count } == 2
            }
            #expect(bySession(hook.taken) == expected)
            let found = news.withLock { Set($0) }
            #expect(
                found == [
                    .unreadable(forged.session, code: "log.not-authentic"),
                    .unreadable(cut.session, code: "log.not-authentic"),
                ]
            )
        }
    }

    @Test func `the messages of an altered log are left out, which is told`() async throws {
        try await with { place in
            try await place.begin()
            let histories = try histories(4)
            let expected = try await place.record(histories)
            let altered = "\(histories[1].session)"
            let record = try #require(histories[1].appends.first?.records.first)
            try place.file.python(
                """
                UPDATE events SET hash = zeroblob(32) WHERE hash = \
                x'\(record.hash.hexadecimal)'
                """
            )
            let others = expected.filter { $0.key != altered }
            let count = others.values.reduce(0) { $0 + $1.count }
            let (hook, news) = (place.hook, place.news)
            try await place.run {
                hook.taken.count == count && news.withLock { !$0.isEmpty }
            }
            #expect(bySession(hook.taken) == others)
        }
    }
}

/// What is sent, and what counts as accepted.
@Suite(.feature("S-34"), .threat("T-61")) struct WebhookReceiverTests {
    private func send(
        over transport: ScriptedTransport,
        signing secrets: [WebhookSecret] = []
    ) async throws -> WebhookReceiver.Outcome {
        var teller = HistoryTeller(seed: 1)
        let history = try teller.histories(1)[0]
        let log = try SessionLog(history.session, history.appends.flatMap(\.records))
        let notice = try #require(
            PaymentNotice.all(
                from: SessionState(session: history.session),
                to: log.state(at: 1),
                by: SessionDecider(catalogue: .sample)
            ).first
        )
        let receiver = WebhookReceiver(
            options: WebhookOptions(name: "shop", url: "https://hooks.example/"),
            transport: transport,
            secrets: { secrets }
        )
        return await receiver.send(notice, at: ManualClock.noon)
    }

    @Test func `a message is signed with every secret, over its identity, time and body`()
        async throws
    {
        let transport = ScriptedTransport(status: 200)
        let secrets = try [UInt8(1), 2].map { byte in
            let bytes = Data(repeating: byte, count: 32).base64EncodedString()
            return try #require(WebhookSecret("whsec_" + bytes))
        }
        guard case .taken = try await send(over: transport, signing: secrets) else {
            Issue.record("not accepted")
            return
        }
        let request = try #require(transport.asked.first)
        func field(_ name: String) -> String? {
            HTTPField.Name(name).flatMap { request.headers.lastValue(of: $0) }
        }
        let id = try #require(field("webhook-id"))
        #expect(id.hasSuffix("/1/payment-opened"))
        #expect(field("webhook-timestamp") == "1795176000")
        #expect(field("content-type") == "application/json")
        let signatures = secrets.map {
            $0.signature(id: id, seconds: 1_795_176_000, body: request.body ?? [])
        }
        #expect(field("webhook-signature") == signatures.joined(separator: " "))
        #expect(request.overallDeadline == .seconds(20))
    }

    @Test(arguments: [200, 202, 204, 299])
    func `any success is accepted`(status: Int) async throws {
        let outcome = try await send(over: ScriptedTransport(status: status))
        guard case .taken = outcome else {
            Issue.record("\(status) was not accepted")
            return
        }
    }

    @Test(arguments: [301, 302, 308, 400, 404, 429, 500, 503])
    func `anything else is tried again, also a redirection`(status: Int) async throws {
        let headers: HTTPFields = [
            .retryAfter: "9000000", .location: "https://elsewhere.example/",
        ]
        let transport = ScriptedTransport(status: status, headers: headers)
        guard case .refused(let reason, let wait) = try await send(over: transport) else {
            Issue.record("\(status) was accepted")
            return
        }
        #expect(reason == "HTTP status \(status)")
        // A receiver can't stop its messages for longer than a day at a time.
        #expect(wait == .seconds(86_400))
        #expect(transport.asked.count == 1)
    }
}
