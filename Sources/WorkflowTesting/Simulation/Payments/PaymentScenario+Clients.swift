public import EventLog
public import SwedbankPay
public import Workflow

/// Payers and their apps.
extension PaymentScenario {
    /// Opens a session for a new payer, within a time from now on.
    public static func open(
        in world: inout PaymentWorld,
        within span: Duration,
        using dice: inout SplitMix64
    ) {
        let payers: [SimulatedProvider.Payer] = [.approves, .approves, .declines, .hesitates]
        let payer = payers[Int(dice.next() % UInt64(payers.count))]
        let ways = SimulatedProvider.Authentication.allCases
        let way = ways[Int(dice.next() % UInt64(ways.count))]
        let latest = UInt64(max(1, span.wholeMilliseconds))
        let pause = Duration.milliseconds(Int64(dice.next() % latest))
        switch dice.next() % 10 {
        case 0: world.openCheckout(payer: payer, purpose: .recur, after: pause)
        case 1, 2:
            world.openCheckout(
                payer: payer,
                lockedTo: dice.next() % 2 == 0 ? .creditCard : nil,
                after: pause
            )
        case 3, 4, 5, 6:
            if payer == .approves, world.faults.ownPace > 0,
                Int(dice.next() % 1000) < world.faults.ownPace
            {
                world.openWaiting(
                    approvesAfter: .seconds(Int64(5 + dice.next() % 115)),
                    after: pause
                )
                return
            }
            world.open(
                payer: payer,
                authentication: way,
                paysWith: [.swish(msisdn: nil)],
                after: pause
            )
        default:
            world.open(
                payer: payer,
                authentication: way,
                paysWith: [.card(rank: nil)],
                after: pause
            )
        }
    }

    /// Returns what the payer's app does.
    public mutating func client(
        sees state: SessionState,
        at now: Instant,
        using dice: inout SplitMix64
    ) -> [ClientAct] {
        var screen = ClientScreen(
            state: state,
            decider: rules,
            now: now,
            secrets: SimulatedSecrets()
        )
        // Swapped rather than copied.
        swap(&screen.secrets, &provider.secrets)
        let acts = client.sees(&screen, using: &dice)
        swap(&screen.secrets, &provider.secrets)
        return acts
    }

    /// Whether an input is a report.
    public func isReport(_ input: SessionInput) -> Bool {
        if case .report = input { true } else { false }
    }

    /// Returns a report of another outcome, or of an unknown action.
    public mutating func wrongReport(
        instead report: SessionInput,
        using dice: inout SplitMix64
    ) -> SessionInput {
        guard case .report(let report) = report else { return report }
        let outcomes: [ReportOutcome] = [
            .launchFailed, .failed(error: nil), .canceled, .completed, .done, .timedOut, .launched,
        ]
        let outcome = outcomes[Int(dice.next() % UInt64(outcomes.count))]
        guard dice.next() % 1000 >= 300 else {
            return .report(
                ActionReport(action: ActionID(rawValue: "a-99"), outcome: report.outcome)
            )
        }
        return .report(ActionReport(action: report.action, outcome: outcome))
    }

    /// Returns an unasked action of the payer.
    public mutating func whim(
        in state: SessionState,
        using dice: inout SplitMix64
    ) -> SessionInput? {
        let command: SessionCommand =
            if state.checkout != nil {
                switch dice.next() % 6 {
                case 0: .abort(by: "payer")
                case 1: .menu(.menu)
                case 2: .refetch(by: "payer")
                case 3: .returned(.original)
                case 4: .checkout(.instrument(.swish))
                default: .checkout(.instrument(.creditCard))
                }
            } else {
                switch dice.next() % 6 {
                case 0: .abort(by: "payer")
                case 1: .retry(by: "payer")
                case 2: .refetch(by: "payer")
                case 3: .returned(.original)
                case 4: .attempt(.card(rank: 1))
                default: .attempt(.swish(msisdn: nil))
                }
            }
        return .command(command)
    }
}

/// Words without secrets and without the clients' texts.
extension PaymentScenario {
    /// The operation.
    public func words(for request: OperationRequest) -> String { request.rel.rawValue }

    /// The outcome in a few words.
    public func words(for outcome: ProviderResponse.Outcome) -> String { outcome.words }

    /// The cause recorded in the log.
    public func cause(of input: SessionInput) -> String {
        switch input {
        case .report(let report): "report.\(report.action.rawValue)"
        default: "command.\(words(for: input))"
        }
    }

    /// The input in a few words.
    public func words(for input: SessionInput) -> String {
        switch input {
        case .command(let command):
            switch command {
            case .open: "open"
            case .attempt(let choice): "attempt-\(choice.instrument)"
            case .menu: "menu"
            case .returned: "return"
            case .retry: "retry"
            case .refetch: "refetch"
            case .abort: "abort"
            case .callback: "callback"
            case .checkout: "checkout"
            case .recordOperator: "operator"
            case .close: "close"
            }
        case .report(let report): "report-\(report.action.rawValue)-\(report.outcome.word)"
        case .resumed: "resume"
        case .starting, .requestEnded, .interrupted, .timerFired: "engine"
        }
    }
}

extension ReportOutcome {
    /// The outcome in one word, without secrets and without the clients' texts.
    fileprivate var word: String {
        switch self {
        case .launched: "launched"
        case .launchFailed: "launchFailed"
        case .shown: "shown"
        case .done: "done"
        case .failed, .pageFailed: "failed"
        case .challengeCompleted: "challengeCompleted"
        case .authorized: "authorized"
        case .completed: "completed"
        case .canceled: "canceled"
        case .checkedIn: "checkedIn"
        case .navigated: "navigated"
        case .leftForExternalContent: "left"
        case .openedTermsOfService: "terms"
        case .timedOut: "timedOut"
        }
    }
}
