internal import EventLog
internal import Inspection
internal import SwedbankPay
internal import Workflow

/// How a command that drives a session reports the result, whoever drives the session.
struct DrivingReport<Driving: DrivingCommand>: Sendable {
    private let command: Driving
    private let decider: SessionDecider
    private let invocation: Invocation

    init(of command: Driving, by decider: SessionDecider, in invocation: Invocation) {
        (self.command, self.decider, self.invocation) = (command, decider, invocation)
    }

    private var program: String { command.global.call(invocation.program) }

    /// Prints why the session is not settled, when a failed request will be sent again, and at what
    /// time.
    func notePendingRetry(of followed: Followed) {
        guard !followed.isSettled, let failed = followed.state.requests.failureBeforeRetry,
            let retryAt = failed.retryAt
        else { return }
        invocation.note(
            "note: the request \(failed.rel.purpose) failed: \(Story.Cause(failed).words); it "
                + "will be retried at \(retryAt.clock) UTC"
        )
    }

    /// Prints what failed, and returns the exit status.
    func status(of followed: Followed) -> ExitStatus {
        let state = followed.state
        switch state.problem?.problem.kind {
        case .requestFailed where followed.isSettled:
            return fail(
                .unavailable,
                "session.request-failed",
                "a request to the PSP failed",
                hint: afterFailure(state)
            )
        case .configurationFailed:
            return fail(
                .configuration,
                "session.configuration-failed",
                "the payment order cannot be paid as it was created",
                hint: "the problem in the view says what is missing from the order"
            )
        case .abortNotAllowed where command.isAbort:
            return fail(
                .refused,
                "session.abort-not-allowed",
                "the payment cannot be aborted now",
                hint:
                    "the payer may have authorized it; run '\(program) resume \(state.session.short)' later to see the outcome"
            )
        default: break
        }
        guard command.driving.until == .ended, let outcome = state.outcome, outcome != .completed
        else { return .done }
        return .refused
    }

    private func fail(
        _ status: ExitStatus,
        _ code: String,
        _ message: String,
        hint: String?
    ) -> ExitStatus {
        let failure = Failure(status, code, message, hint: hint)
        invocation.printError(failure, asJSON: command.global.json)
        return status
    }

    /// Returns what to do after a failed request: `retry` only where it would be accepted.
    private func afterFailure(_ state: SessionState) -> String? {
        guard !decider.accepts(.retry(by: ""), in: state) else {
            return "run '\(program) retry \(state.session.short)' to let the engine continue"
        }
        return Advice(state, by: decider, program: program).allowed
    }

    /// Returns what to do after a rejection with a code: above all, what the rules would accept.
    func hint(for code: String, _ state: SessionState) -> String? {
        let advice = Advice(state, by: decider, program: program)
        switch code {
        case "order.transaction-lost":
            return
                "compare the order at the PSP with '\(program) explain \(state.session.short)', and record what "
                + "you find ('\(program) resolve --help')"
        case "order.refused-in-a-row":
            return
                "find out why with '\(advice.log) --type operationFailed'; then "
                + "repeat the command with --again"
        default:
            let isAboutCard = [
                "session.prefill-not-offered", "session.prefill-changed",
                "session.card-not-offered", "session.card-ambiguous",
            ].contains(code)
            return isAboutCard ? advice.allowedCards : advice.allowed
        }
    }
}

extension Invocation {
    /// Prints a view for people, with the commands that are possible next.
    func print(_ view: SessionView, _ options: GlobalOptions, isWaitOver: Bool) {
        output.write(
            ViewText(
                view,
                style: output.style,
                steps: Advice(view, program: options.call(program)).steps,
                isWaitOver: isWaitOver
            ).text
        )
    }
}

extension Followed {
    /// Returns whether a command has reached its goal, and what was due when it began is done.
    func hasReached(
        _ goal: Goal,
        by decider: SessionDecider,
        since begin: Instant,
        at now: Instant
    ) -> Bool {
        if let storeFailure { return !storeFailure.isTransient }
        // Money of a checkout's order can move after the end, too.
        if state.outcome != nil { return isSettled }
        guard isSettled else { return false }
        switch goal {
        case .settled:
            // Work that is due by now, or was to be done anyway, is done, even beside an open
            // client action.
            guard let due = decider.dueAt(state) else { return true }
            return due > max(begin, now)
        case .ended:
            return state.problem?.problem.kind == .requestFailed
        }
    }
}
