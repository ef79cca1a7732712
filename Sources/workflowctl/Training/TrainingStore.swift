internal import Adapters
internal import EventLog
internal import Inspection
internal import Sandbox
internal import SwedbankPay
internal import Synchronization
internal import Workflow

/// Creates a store of realistic payments for trials, teaching and screenshots.
struct TrainingStore {
    /// The possible numbers of payments in one store.
    static let bounds = 1...20_000

    let count: Int
    let seed: UInt64
    /// The end of the month over which the payments are spread.
    let until: Instant
    let location: StoreLocation
    let configuration: Configuration
    let invocation: Invocation

    /// Makes the payments, then verifies and replays their logs.
    func make() async throws(Failure) -> TrainingReport {
        let store = try await location.open(.createIfMissing, on: invocation.loop)
        let result: Result<TrainingReport, Failure>
        do throws(Failure) {
            try await refuseUsed(store)
            result = .success(try await make(in: store))
        } catch {
            result = .failure(error)
        }
        await store.close()
        return try result.get()
    }

    /// Refuses a store with sessions: training payments among real ones would be counted and
    /// refunded.
    private func refuseUsed(_ store: any PersistentStore) async throws(Failure) {
        var query = SessionQuery()
        query.limit = 1
        let isUsed: Bool
        do {
            isUsed = try await !store.sessions(matching: query).isEmpty
        } catch {
            throw Failure(error)
        }
        guard !isUsed else {
            throw Failure(
                .refused,
                "demo.store-not-empty",
                "the store \(location.text) already has sessions",
                hint: "choose a new store, such as --store sqlite:training.db"
            )
        }
    }

    private func make(in store: any PersistentStore) async throws(Failure) -> TrainingReport {
        let environment = invocation.environment
        let given = try location.vault(environment: environment)
        let vault: any KeyVault
        if let given {
            vault = given
        } else {
            vault = try await location.firstVault(
                of: store,
                environment: environment,
                mayBeMade: true
            )
        }
        let plans = TrainingPlan.plans(count, seed: seed, until: until)
        let progress = TrainingProgress(of: count, in: invocation)
        let lanes = (0..<Self.lanes).map { lane in
            let mine = plans.filter { $0.number % Self.lanes == lane }
            return invocation.loop.spawn { [self] () -> Result<Made, Failure> in
                do throws(Failure) {
                    return .success(try await play(mine, in: store, vault, progress))
                } catch {
                    return .failure(error)
                }
            }
        }
        var made: [Result<Made, Failure>] = []
        await withTaskCancellationHandler {
            for lane in lanes { made.append(await lane.value) }
        } onCancel: {
            for lane in lanes { lane.cancel() }
        }
        progress.clear()
        var report = TrainingReport(
            seed: seed,
            from: plans.first?.start ?? until,
            until: until,
            location: location
        )
        for lane in made {
            let lane = try lane.get()
            report.doubles += lane.doubles
            for (plan, session) in lane.payments {
                let log = try await SessionLog.read(session, from: store)
                let check = CheckReport(log, by: decider)
                report.add(log, of: plan, replaysAlike: check.divergence == nil)
            }
        }
        try await verify(store, vault, into: &report)
        return report
    }

    /// The payments made at one sandbox.
    private struct Made: Sendable {
        var payments: [(plan: TrainingPlan, session: SessionID)] = []
        var doubles = 0
    }

    /// The number of payments made concurrently: each mostly waits for the disk.
    private static let lanes = 4

    /// Makes payments one after the other at a sandbox of their own.
    private func play(
        _ plans: [TrainingPlan],
        in store: any PersistentStore,
        _ vault: any KeyVault,
        _ progress: TrainingProgress
    ) async throws(Failure) -> Made {
        let time = TrainingSandboxTime(TrainingClock(at: until + (.zero - TrainingPlan.month)))
        let sandbox = try await startSandbox(by: time)
        var reach = configuration.transport
        reach.allowsInsecureLoopback = true
        let transport = CurlTransport(on: invocation.loop, configuration: reach)
        let desk = TrainingDesk(
            store: store,
            vault: vault,
            sandbox: sandbox,
            time: time,
            transport: transport,
            configuration: configuration,
            invocation: invocation,
            until: until
        )
        let result: Result<Made, Failure>
        do throws(Failure) {
            result = .success(try await play(plans, at: desk, progress))
        } catch {
            result = .failure(error)
        }
        await transport.shutdown()
        await sandbox.shutdown()
        return try result.get()
    }

    private func startSandbox(by time: TrainingSandboxTime) async throws(Failure) -> SandboxServer {
        var stand = SandboxConfiguration(swishApprovalDelay: nil, swishAppApprovalDelay: nil)
        stand.now = { time.now }
        stand.maximumOrders = count + 1
        stand.variesCards = true
        do {
            stand.scenarios = try EmbeddedScenarios.documents.sorted { $0.key < $1.key }.map {
                try ScenarioFile.read(Array($0.value.utf8))
            }
            return try await SandboxServer.start(stand)
        } catch let error as ScenarioFileError {
            throw Failure(.defect, "demo.unexpected", "\(error)", hint: "please report this")
        } catch {
            throw Failure(
                .unavailable,
                "sandbox.not-listening",
                "the sandbox cannot listen on 127.0.0.1"
            )
        }
    }

    private func play(
        _ plans: [TrainingPlan],
        at desk: TrainingDesk,
        _ progress: TrainingProgress
    ) async throws(Failure) -> Made {
        var made = Made()
        for plan in plans {
            guard !Task.isCancelled else {
                throw Failure(
                    .interrupted,
                    "demo.unfinished",
                    "interrupted before all payments were made"
                )
            }
            var play = TrainingPlay(plan, at: desk)
            do throws(Failure) {
                made.payments.append((plan, try await play.run()))
            } catch {
                throw Failure(
                    error.status,
                    error.code,
                    "payment \(plan.number) (\(plan.story.name)): \(error.message)",
                    hint: error.hint
                )
            }
            progress.advance()
        }
        made.doubles = await desk.sandbox.ledger.doubledOrders.count
        return made
    }

    private var decider: SessionDecider {
        SessionDecider(catalogue: configuration.catalogue, limits: configuration.session)
    }

    private func verify(
        _ store: any PersistentStore,
        _ vault: any KeyVault,
        into report: inout TrainingReport
    ) async throws(Failure) {
        let reader = Reader(
            store: store,
            location: location,
            invocation: invocation,
            configuration: configuration
        )
        let verification = try await VerificationRun(reader, vault: vault).verifyAll()
        report.isSound = verification.map { $0.first == nil } ?? false
        report.records = verification?.records ?? 0
    }
}

/// The progress of a training store, for a person watching.
final class TrainingProgress: Sendable {
    private let invocation: Invocation
    private let count: Int64
    private let state: Mutex<(done: Int64, line: ProgressLine)>

    init(of count: Int, in invocation: Invocation) {
        self.count = Int64(count)
        self.invocation = invocation
        state = Mutex((0, ProgressLine(on: invocation.diagnostics)))
    }

    /// Counts one more payment.
    func advance() {
        let now = invocation.now()
        state.withLock {
            $0.done += 1
            $0.line.reached($0.done, of: count, "\($0.done) of \(count) payments", at: now)
        }
    }

    /// Clears the line.
    func clear() { state.withLock { $0.line.clear() } }
}
