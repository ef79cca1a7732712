import EventLog
import SwedbankPay
import Testing
import Workflow
import WorkflowTesting

/// One payment, decided by the rules of this build, with a clock that is moved by the case.
///
/// Requests leave when they are due and get the responses of the case; so every time in the log is
/// the case's own, and the same case gives the same log.
struct CasePayment {
    private(set) var spec: DeciderSpec
    private var causes: [String] = []
    private let merchant = SnapshotDetails(
        currency: "SEK",
        payeeName: "Nordlampan AB",
        traceID: "00-7d1e6f8a4c2b49d0a3f5e9b8c7d6e5f4-1a2b3c4d5e6f7081-01"
    )

    /// The amount of the order.
    static let amount: Amount = 64_900
    /// The latency of an ordinary response.
    static let response: Int64 = 180

    init(_ place: Int, decider: SessionDecider) {
        // Each case has its own day: half past seven in the evening, when people shop.
        let begin = ManualClock.noon + .seconds(place * 86_400 + 27_000 + place * 1_733)
        spec = DeciderSpec(
            decider: decider,
            clock: ManualClock(now: begin),
            reporter: { text, _ in Issue.record("\(text)") }
        )
    }

    var state: SessionState { spec.state }

    /// The recorded events.
    var events: [RecordedEvent] {
        zip(spec.log, causes).enumerated().map { index, entry in
            RecordedEvent(
                stream: spec.state.session,
                sequence: SequenceNumber(index + 1),
                at: entry.0.at,
                event: entry.0.event,
                metadata: EventMetadata(
                    build: "0.1.0",
                    catalogue: "problems-of-the-day",
                    cause: entry.1,
                    node: "checkout-1"
                )
            )
        }
    }

    private mutating func perform(_ input: SessionInput, _ cause: String) {
        spec = spec.when(input)
        while causes.count < spec.log.count { causes.append(cause) }
    }

    /// Opens the payment; the methods are shown after two responses.
    mutating func open(_ reference: String, offering snapshot: Snapshot = .withSwishAndCard) {
        let opened = Opened(
            sessionURL: .sample("session"),
            host: "api.payex.com",
            reference: .plain(reference),
            userAgent: "nordlampan-checkout/4.2"
        )
        perform(.command(.open(opened)), "command.open")
        respond(.unprepared)
        respond(snapshot)
    }

    /// Performs a command.
    mutating func command(_ command: SessionCommand, _ name: String) {
        perform(.command(command), "command.\(name)")
    }

    /// Reports on the newest client action.
    mutating func report(_ outcome: ReportOutcome) {
        guard let action = state.actions.last?.id else { return }
        perform(
            .report(ActionReport(action: action, outcome: outcome)),
            "report.\(action.rawValue)"
        )
    }

    /// Advances the time.
    mutating func wait(_ seconds: Double) { spec = spec.after(.milliseconds(Int(seconds * 1000))) }

    /// Sends the pending request when it is due.
    @discardableResult
    mutating func leave() -> OperationRequest? {
        guard let request = spec.decider.pendingEffects(of: state).requests.first else {
            Issue.record("no request is pending")
            return nil
        }
        if let earliest = request.notBefore { spec.clock.advance(to: earliest) }
        if !request.onlyReads { perform(.starting(request.id), causes.last ?? "command.resume") }
        return request
    }

    /// Sends the pending request when it is due; the response is a snapshot of the session.
    mutating func respond(_ snapshot: Snapshot, in milliseconds: Int64 = Self.response) {
        outcome(.snapshot(filled(snapshot), status: 200), in: milliseconds)
    }

    /// Sends the pending request when it is due; it comes to an outcome.
    mutating func outcome(
        _ outcome: ProviderResponse.Outcome,
        in milliseconds: Int64 = Self.response,
        retryIn pause: Int64 = 1_000
    ) {
        guard let request = leave() else { return }
        wait(Double(milliseconds) / 1000)
        perform(
            .requestEnded(
                request.id,
                outcome,
                durationMilliseconds: milliseconds,
                retryAt: spec.clock.now + .milliseconds(pause)
            ),
            "answer.\(request.id.rawValue)"
        )
    }

    /// Polls the PSP a number of times, with the same response each time.
    mutating func polls(_ count: Int, at snapshot: Snapshot) {
        for _ in 0..<count { respond(snapshot, in: 90) }
    }

    /// Stops the engine for a while, with a request in progress.
    mutating func crash(for seconds: Double) {
        guard let running = state.running else {
            Issue.record("nothing is under way")
            return
        }
        wait(seconds)
        let effect = running.start.effect
        perform(
            .interrupted(effect, retryAt: spec.clock.now + .milliseconds(200)),
            "recovery.\(effect.rawValue)"
        )
    }

    /// Advances the clock to the time of a timer, which fires.
    mutating func due(_ timer: SessionTimer, _ name: String) {
        let timers = spec.decider.pendingEffects(of: state).timers
        guard let due = timers.first(where: { $0.timer == timer }) else {
            Issue.record("the timer \(timer) is not pending")
            return
        }
        spec.clock.advance(to: due.until)
        perform(.timerFired(timer), "timer.\(name)")
    }

    /// Returns the snapshot with what all snapshots of this merchant's orders contain.
    private func filled(_ snapshot: Snapshot) -> Snapshot {
        var snapshot = snapshot
        snapshot.particulars = merchant
        for index in snapshot.methods.indices { snapshot.methods[index].amount = Self.amount }
        return snapshot
    }
}
