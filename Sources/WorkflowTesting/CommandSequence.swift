public import EventLog
public import SwedbankPay
public import Workflow

/// Random inputs for a payment: commands, reports, timers and responses, both sensible and
/// nonsensical.
///
/// The same seed gives the same inputs for the same states, so a failure can be reproduced by its
/// seed.
public struct CommandSequence: Sendable {
    /// The source of random numbers.
    public var generator: SplitMix64

    /// Creates a sequence from a seed.
    public init(seed: UInt64) { generator = SplitMix64(seed: seed) }

    /// Returns the next input.
    ///
    /// - Parameters:
    ///   - state: The state of the payment.
    ///   - pending: Its pending effects.
    ///   - now: The time.
    /// - Returns: The input.
    public mutating func next(
        in state: SessionState,
        pending: [Effect],
        at now: Instant
    ) -> SessionInput {
        switch Int.random(in: 0..<100, using: &generator) {
        case ..<45: return aboutRequest(in: state, pending: pending, at: now)
        case ..<60: return .command(command())
        case ..<78: return .report(report(in: state))
        case ..<90: return .timerFired(timer(pending: pending))
        case ..<95:
            return .interrupted(
                state.running?.start.effect ?? EffectID(rawValue: "e-1"),
                retryAt: now + .seconds(1)
            )
        default: return .resumed
        }
    }

    /// Returns how far the clock moves before the next input.
    public mutating func pause() -> Duration {
        let pauses: [Duration] = [
            .zero, .milliseconds(1), .milliseconds(500), .seconds(2), .seconds(11), .seconds(700),
        ]
        return pauses.randomElement(using: &generator) ?? .zero
    }

    /// Returns `true` with a probability of one in `count`.
    public mutating func oneIn(_ count: Int) -> Bool {
        Int.random(in: 0..<count, using: &generator) == 0
    }

    private mutating func aboutRequest(
        in state: SessionState,
        pending: [Effect],
        at now: Instant
    ) -> SessionInput {
        if let running = state.running, !oneIn(8) {
            return respond(to: running.start.effect, at: now)
        }
        guard let request = pending.requests.first, !oneIn(8) else {
            let prefix = oneIn(2) ? "r-" : "e-"
            let number = Int.random(in: 0..<12, using: &generator)
            return respond(to: EffectID(rawValue: prefix + "\(number)"), at: now)
        }
        return request.onlyReads ? respond(to: request.id, at: now) : .starting(request.id)
    }

    private mutating func respond(to effect: EffectID, at now: Instant) -> SessionInput {
        .requestEnded(
            effect,
            outcome(),
            durationMilliseconds: Int64.random(in: 0...900, using: &generator),
            retryAt: now + .seconds(Int.random(in: 1...9, using: &generator))
        )
    }

    /// Returns a possible outcome of a request, sensible or not.
    public mutating func outcome() -> ProviderResponse.Outcome {
        switch Int.random(in: 0..<12, using: &generator) {
        case 0: return .empty(status: 204)
        case 1: return .undecodable(status: 200, raw: .sample("nonsense"))
        case 2:
            let status = [400, 403, 404, 409, 410, 429, 500, 503].randomElement(using: &generator)
            return .refused(status ?? 500, oneIn(2) ? .operationNotAllowed : .sample("something"))
        case 3: return .notSent
        case 4: return .lost
        case 5:
            return .failed(
                reach: oneIn(2) ? .maybeSent : .notSent,
                code: "http.odd",
                isTransient: false
            )
        default: return .snapshot(snapshot(), status: 200)
        }
    }

    private mutating func snapshot() -> Snapshot {
        let samples = oneIn(15) ? Self.endings : Self.views
        var chosen = samples.randomElement(using: &generator) ?? .unprepared
        if oneIn(6) { chosen.problem = Self.problems.randomElement(using: &generator) }
        if oneIn(8) { chosen = chosen.without(.abortPayment) }
        if oneIn(8) { chosen = chosen.without(.customizePayment) }
        return chosen
    }

    private static let endings: [Snapshot] = [
        .paid, .givenUp, .redirecting(to: .elsewhere(host: "x")), .redirecting(to: nil),
    ]
    private static let views: [Snapshot] = [
        .unprepared, .withSwish, .withCard, .withSwishAndCard, .withSwishAndCard, .swishUnderWay,
        .swishToLaunch, .cardUnderWay, .challenging(), .challenging("creq-2"),
        .withSwishAndCard.expanding(.swish), .withSwishAndCard.expanding(.creditCard),
        .withSwishAndCard.locked(to: .creditCard), Snapshot(), .withEverything, .withEverything,
        .withEverything.expanding(.googlePay), .withEverything.expanding(.applePay),
        .withEverything.locked(to: .creditCard), .withEverything.locked(to: .clickToPay),
        .withEverything.showing([.swish]), .authorizing(.googlePay), .authorizing(.applePay),
        Snapshot(urls: Snapshot.sampleURLs),
        .running(.creditCard, .authentication(method: "data", preset: "N")),
        .running(.creditCard, .authentication(notification: false)),
        .choosing([]).with(.sample(.getPayment, at: "poll")),
    ]
    private static let problems: [SessionProblem] = [
        .sample(acknowledge: "ack-1"), .sample(acknowledge: "ack-2"),
        .sample(acknowledge: "ack-3"), .sample(acknowledge: nil),
    ]

    private mutating func command() -> SessionCommand {
        Self.commands.randomElement(using: &generator) ?? .retry(by: "payer")
    }

    private static let commands: [SessionCommand] = [
        .open(.sample(preferences: [.card(rank: 1)])), .attempt(.swish(msisdn: nil)),
        .attempt(.swish(msisdn: .sample("+46739000001"))), .attempt(.card(rank: 1)),
        .attempt(.card(rank: 2)), .attempt(.googlePay), .returned(.original), .returned(nil),
        .attempt(.applePay(merchantIdentifier: "merchant.example")), .attempt(.clickToPay),
        .attempt(.newCard(showsConsent: true)), .attempt(.newCard(showsConsent: false)),
        .menu(.menu), .menu(.restricted([.swish])), .menu(.instrument(.creditCard)),
        .menu(.restricted([])), .menu(.instrument(PaymentMethodName(rawValue: "Barter"))),
        .retry(by: "payer"), .retry(by: "payer"), .abort(by: "payer"),
        .recordOperator(OperatorActed(by: "ops", action: "reveal")),
    ]

    private static let reports: [ReportOutcome] = [
        .launched, .launchFailed, .shown, .done, .failed(error: nil), .failed(error: .plain("x")),
        .challengeCompleted(cRes: .sample("cres")), .canceled,
        .authorized(payload: .sample("token")), .timedOut, .completed,
    ]

    private mutating func report(in state: SessionState) -> ActionReport {
        let action = state.actions.randomElement(using: &generator)?.id
        return ActionReport(
            action: action ?? ActionID(rawValue: "a-1"),
            outcome: Self.reports.randomElement(using: &generator) ?? .shown
        )
    }

    private mutating func timer(pending: [Effect]) -> SessionTimer {
        let odd: [SessionTimer] = [
            .sessionLimit, .attemptLimit(number: 1), .methodLimit(ActionID(rawValue: "a-5")),
            .menuLimit(chosenAt: 6),
        ]
        let candidates = pending.timers.map(\.timer) + (oneIn(4) ? odd : [])
        return candidates.randomElement(using: &generator) ?? .sessionLimit
    }
}
