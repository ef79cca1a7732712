internal import EventLog
import SwedbankPay
import Workflow

/// Payers and their apps.
extension SimulatedWorld {
    /// How often a client asks the same again after its engine died or failed.
    static let clientTries = 6

    /// A client gives a command or report to an engine.
    mutating func clientActs(_ number: Int, _ input: SessionInput, _ tries: Int, at node: Int) {
        let isOpening =
            switch input {
            case .command(.open), .command(.checkout(.open)): true
            default: false
            }
        let session = residents[number].id
        let isKnown = logs[number].live.sequence > 0
        note(.client, node: node, number, Self.words(for: input))
        if isKnown, case .report = input, chance(faults.otherWriter) {
            return writeElsewhere(input, in: number)
        }
        let isReachable = !nodes[node].isCutFromStore || nodes[node].core.holds(session)
        guard isReachable, isKnown || isOpening else {
            return askAgain(Waiting(session: number, input: input, tries: tries))
        }
        watch(number, at: node)
        requestCount += 1
        nodes[node].waiting[requestCount] = Waiting(session: number, input: input, tries: tries)
        give(.request(session, input, number: requestCount, cause: Self.cause(of: input)), to: node)
    }

    /// A client asks again, any engine, a little later.
    mutating func askAgain(_ lost: Waiting) {
        guard lost.tries < Self.clientTries else { return }
        agenda.add(
            .client(lost.session, lost.input, tries: lost.tries + 1),
            at: now + pause(500...5000),
            anyNode(),
            life: nil
        )
    }

    /// An engine answers a command or report: what was acknowledged must be durable.
    mutating func replied(_ request: Int, _ result: RequestResult<SessionDecider>, by node: Int) {
        guard let waiting = nodes[node].waiting.removeValue(forKey: request) else { return }
        note(.replied, node: node, waiting.session, Self.words(for: result))
        switch result {
        case .accepted(let state):
            guard state.sequence > logs[waiting.session].live.sequence else { return }
            violation(.nothingLost, "\(state.session) was acknowledged before it was durable")
        case .rejected: break
        case .failed, .stopping, .overloaded: askAgain(waiting)
        }
    }

    /// The client of a session sees how it stands, and does something about it.
    mutating func tell(_ state: SessionState, _ number: Int) {
        guard state.sequence > residents[number].told else { return }
        residents[number].told = state.sequence
        var screen = ClientScreen(
            state: state,
            decider: decider,
            now: now,
            secrets: SimulatedSecrets()
        )
        // Lent, not copied.
        swap(&screen.secrets, &provider.secrets)
        let acts = client.sees(&screen, using: &generator)
        swap(&screen.secrets, &provider.secrets)
        for act in acts { deliver(act, number) }
        meetOthers(number)
        if chance(faults.impatience) {
            let input = whim(in: state)
            deliver(ClientAct(after: pause(0...20_000), .command(input)), number)
        }
    }

    /// What a client does reaches an engine: on time, late, twice, wrongly or never.
    private mutating func deliver(_ act: ClientAct, _ number: Int) {
        var input = act.input
        var pause = act.pause
        var copies = 1
        if case .report(let report) = input {
            if chance(faults.reportNever) {
                return note(.client, node: nil, number, "never says so")
            }
            if chance(faults.reportWrong) { input = .report(wrong(report)) }
            if chance(faults.reportLate) { pause = pause + self.pause(5000...60_000) }
            if chance(faults.reportTwice) { copies = 2 }
        } else if chance(faults.doubleTap) {
            copies = 2
        }
        for _ in 0..<copies {
            agenda.add(.client(number, input, tries: 1), at: now + pause, anyNode(), life: nil)
            if case .report = input { pause = pause + self.pause(0...2000) }
        }
    }

    /// A report that says something else than what happened.
    private mutating func wrong(_ report: ClientReport) -> ClientReport {
        let outcomes: [ReportOutcome] = [
            .launchFailed, .failed(error: nil), .canceled, .completed, .done, .timedOut, .launched,
        ]
        let outcome = outcomes[Int(generator.next() % UInt64(outcomes.count))]
        guard !chance(300) else {
            return ClientReport(action: ActionID(rawValue: "a-99"), outcome: report.outcome)
        }
        return ClientReport(action: report.action, outcome: outcome)
    }

    /// Something that nobody asked the payer for.
    private mutating func whim(in state: SessionState) -> SessionCommand {
        if state.checkout != nil {
            switch generator.next() % 6 {
            case 0: return .abort(by: "payer")
            case 1: return .menu(.menu)
            case 2: return .refetch(by: "payer")
            case 3: return .returned(.original)
            case 4: return .checkout(.instrument(.swish))
            default: return .checkout(.instrument(.creditCard))
            }
        }
        return nativeWhim()
    }

    private mutating func nativeWhim() -> SessionCommand {
        switch generator.next() % 6 {
        case 0: .abort(by: "payer")
        case 1: .retry(by: "payer")
        case 2: .refetch(by: "payer")
        case 3: .returned(.original)
        case 4: .attempt(.card(rank: 1))
        default: .attempt(.swish(msisdn: nil))
        }
    }

    // MARK: Words

    private static func cause(of input: SessionInput) -> String {
        switch input {
        case .report(let report): "report.\(report.action.rawValue)"
        default: "command.\(words(for: input))"
        }
    }

    private static func words(for input: SessionInput) -> String {
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
        case .starting, .answered, .interrupted, .timerFired: "engine"
        }
    }

    private static func words(for result: RequestResult<SessionDecider>) -> String {
        switch result {
        case .accepted(let state): "accepted at \(state.sequence)"
        case .rejected(let rejection): "rejected: \(rejection.code)"
        case .failed(let error): "failed: \(error.code)"
        case .stopping: "stopping"
        case .overloaded: "overloaded"
        }
    }
}

extension ReportOutcome {
    /// The outcome in one word, without what the client said or sealed.
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
