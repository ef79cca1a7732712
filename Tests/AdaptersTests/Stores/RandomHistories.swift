import EventLog
import Inspection
import SwedbankPay
import Testing
import Workflow
import WorkflowTesting

/// A random history of one session, as appends of one event each.
struct RandomHistory: Sendable {
    let session: SessionID
    let appends: [StreamAppend]

    /// The row after the last event.
    var row: SessionSummary? { appends.last?.summary }

    /// Records what happened to a payment, with its row after each event.
    init(_ spec: DeciderSpec) throws {
        var state = SessionState(session: spec.state.session)
        var head = StreamHead.empty
        var appends: [StreamAppend] = []
        for (event, at) in spec.log {
            state.apply(event, at: at)
            let recorded = RecordedEvent(
                stream: state.session,
                sequence: head.sequence + 1,
                at: at,
                event: event,
                metadata: EventMetadata(build: "1", catalogue: "1", cause: "test", node: "n")
            )
            let record = try RecordWriter.unsealedRecord(recorded, after: head)
            appends.append(
                StreamAppend(
                    stream: state.session,
                    expectedVersion: head.sequence,
                    records: [record],
                    summary: spec.decider.summary(of: state),
                    wrappedKey: head.sequence == 0 ? [1] : nil
                )
            )
            head = StreamHead(sequence: record.sequence, hash: record.hash)
        }
        session = state.session
        self.appends = appends
    }
}

extension RandomHistory {
    /// What happened to the payment with each record.
    var notices: [[PaymentNotice]] {
        get throws {
            let log = try SessionLog(session, appends.flatMap(\.records))
            var state = SessionState(session: session)
            return log.events.map { event in
                let before = state
                state.apply(event.event, at: event.at)
                return PaymentNotice.all(
                    from: before,
                    to: state,
                    by: SessionDecider(catalogue: .sample)
                )
            }
        }
    }
}

extension KeyVault {
    /// Returns an append as whoever has the keys writes it.
    func signed(
        _ append: StreamAppend,
        _ known: inout [SessionID: SessionKeys]
    ) async throws -> StreamAppend {
        var append = append
        if known[append.stream] == nil {
            let made = try await makeKeys(for: append.stream)
            (known[append.stream], append.wrappedKey) = (made.keys, made.wrapped)
        }
        let keys = try #require(known[append.stream])
        for index in append.records.indices {
            append.records[index].mac = keys.mac(of: append.records[index].hash)
        }
        let last = try #require(append.records.last)
        append.summary.headMAC = keys.mac(
            of: StreamHead(sequence: last.sequence, hash: last.hash)
        )
        return append
    }
}

/// Makes random histories of native sessions and checkouts by a seed, opened in five hours that are
/// three hours apart, of three days.
struct HistoryTeller {
    private static let hosts = ["one.example", "two.example"]

    private var random: SplitMix64
    private var checkouts: [SessionID] = []

    init(seed: UInt64) { random = SplitMix64(seed: seed) }

    private mutating func one<Value>(of values: [Value]) -> Value {
        values[Int(random.next() % UInt64(values.count))]
    }

    /// Returns so many histories, each of another session.
    mutating func histories(_ count: Int) throws -> [RandomHistory] {
        var histories: [RandomHistory] = []
        for index in 0..<count { histories.append(try RandomHistory(spec(index))) }
        return histories
    }

    /// Returns the appends of histories in random order, in batches with at most one of each
    /// session.
    mutating func batches(of histories: [RandomHistory]) -> [[StreamAppend]] {
        var batches: [[StreamAppend]] = []
        var rest = histories.map { $0.appends[...] }
        while rest.contains(where: { !$0.isEmpty }) {
            var batch: [StreamAppend] = []
            for index in rest.indices {
                guard random.next() % 3 != 0, let next = rest[index].popFirst() else { continue }
                batch.append(next)
            }
            if !batch.isEmpty { batches.append(batch) }
        }
        return batches
    }

    private mutating func spec(_ index: Int) throws -> DeciderSpec {
        // Every fourth is a checkout, and every fifth is opened in the same hour.
        let days = -(index / 5 % 3)
        let start = ManualClock.noon + .seconds(86_400 * days + 10_800 * (index % 5) + 37 * index)
        var empty = DeciderSpec(clock: ManualClock(now: start)) { _, _ in }
        empty.foldsEachStep = false
        switch index % 4 {
        case 0: return ended(checkout(empty))
        case 1: return ended(chance(empty, try opened()))
        case 2: return ended(paid(chance(empty, try opened())))
        default: return ended(paid(empty.ready(opened: try opened())))
        }
    }

    private mutating func opened() throws -> Opened {
        let amounts: [Int64?] = [nil, 250, 64_900, 90_000_000_000]
        let (amount, currency) = (one(of: amounts), one(of: ["SEK", "NOK"]))
        let origins: [SessionID?] = [nil, nil, nil, checkouts.last]
        return Opened(
            sessionURL: .sample("session"),
            host: one(of: Self.hosts),
            userAgent: "payment-workflow/1",
            checkout: one(of: origins),
            expecting: try amount.map { try Money(minorUnits: $0, currency: currency) }
        )
    }

    /// Returns a native session with random inputs, sensible or not.
    private mutating func chance(_ empty: DeciderSpec, _ opened: Opened) -> DeciderSpec {
        var sequence = CommandSequence(seed: random.next())
        return empty.when(.open(opened)).when(random: &sequence, count: 24)
    }

    /// Returns the session as it continues when the PSP reports from now on that it is paid.
    private func paid(_ spec: DeciderSpec) -> DeciderSpec {
        spec.when(.refetch(by: "host")).settling(limit: 60) { _ in .snapshot(.paid, status: 200) }
    }

    /// Returns the session with a late event about its money, or as it is.
    private mutating func ended(_ spec: DeciderSpec) -> DeciderSpec {
        let next = spec.after(.seconds(5))
        switch random.next() % 6 {
        case 0:
            let amounts: [Amount?] = [nil, 0, 17, 3_000]
            let confirmed = OrderConfirmed(
                order: "/psp/paymentorders/1",
                number: nil,
                instrument: nil,
                currency: one(of: [nil, "SEK", "NOK"]),
                amount: one(of: amounts),
                transactionType: nil
            )
            return next.given(.checkout(.orderConfirmed(confirmed)))
        case 1:
            let finding = MoneyResolution(
                verdict: one(of: MoneyResolution.Verdict.allCases),
                amount: one(of: [nil, 40])
            )
            return next.given(
                .operatorActed(
                    OperatorActed(
                        by: "anna",
                        action: OperatorActed.resolving,
                        reason: "seen at the PSP",
                        resolution: finding
                    )
                )
            )
        default: return next
        }
    }

    // MARK: Checkouts

    private mutating func checkout(_ empty: DeciderSpec) -> DeciderSpec {
        var opened = CheckoutOpened.sample()
        opened.host = one(of: Self.hosts)
        var spec = empty.when(.checkout(.open(opened)))
        for _ in 0..<16 {
            if spec.decider.pendingEffects(of: spec.state).requests.isEmpty {
                spec = spec.when(command())
            } else {
                spec = spec.when(outcome: outcome())
            }
        }
        checkouts.append(spec.state.session)
        return spec
    }

    private mutating func command() -> SessionCommand {
        let capture = TransactionRequest(
            kind: .capture,
            payeeReference: one(of: ["CAP1", "CAP2"]),
            amount: 100,
            vatAmount: 20,
            description: "Shipment"
        )
        let commands: [SessionCommand] = [
            .menu(.menu), .refetch(by: "host"), .refetch(by: "host"), .retry(by: "host"),
            .abort(by: "host"), .checkout(.transact(capture)),
        ]
        return one(of: commands)
    }

    private mutating func outcome() -> ProviderResponse.Outcome {
        let orders: [OrderSnapshot] = [
            .sample, .sample, .sample, .paid(), .paid(amount: 1),
            .paid().with("Capture", "CAP1"), .sample.with(.aborted), .sample.with(.reversed),
        ]
        if random.next() % 5 == 0 { return random.next() % 2 == 0 ? .notSent : .lost }
        return .order(one(of: orders), status: 200)
    }
}
