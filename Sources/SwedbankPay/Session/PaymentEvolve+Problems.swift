internal import Workflow

/// Problems of a payment session, and their acknowledgement.
extension PaymentState {
    mutating func fold(_ problem: Problem) {
        switch problem.origin {
        case .session:
            acknowledging = problem.reference == nil ? nil : snapshot?.problem
            reportedProblems.append(
                ProblemMark(
                    reference: problem.reference,
                    type: problem.type ?? "",
                    status: problem.status,
                    detail: problem.detail,
                    attempt: begunAttempt
                )
            )
            // What failed before this attempt asked anything of the PSP was another one.
            if attempt?.hasReachedProvider ?? menu?.hasReachedProvider ?? true {
                endAttempt()
            }
        case .engine, .client:
            switch problem.kind {
            case .requestFailed, .inconsistency: stall(after: problem)
            case .abortNotAllowed: progress.abort = nil
            case .methodNotAvailable:
                preferencesUsed = true
                endAttempt()
            case .walletFailed, .menuFailed: endAttempt()
            case .deadlineExceeded:
                // One more look, in case the payment moved at the last moment or while the PSP was out of reach.
                attempt?.isOverdue = true
                menu?.isOverdue = true
                progress.wakeFromStall()
                progress.readAgain(.overdue)
            case .endReached, .threeDSLoadFailed, .challengeClosed, .configurationFailed,
                .appLaunchFailed, .checkInFailed, .orderMismatch, .notConfirmed, nil:
                break
            }
        }
    }

    /// The engine has given up on a request and waits for a command, unless the session goes on without it.
    private mutating func stall(after problem: Problem) {
        switch problem.rel {
        case .abortPayment? where !problem.isRetryable:
            // Refused: the payment goes on as if nobody had asked.
            progress.abort = nil
            return
        case .startPaymentAttempt?, .expandMethod?, .customizePayment?:
            // Refused: the attempt is over, and the methods are still there to choose from.
            if attempt == nil, menu == nil, !offers.isEmpty, !problem.isRetryable { return }
        case .createAuthentication?, .completeAuthentication?, .attemptPayload?:
            if refusesAttempt(problem) {
                attempt?.isRefused = true
                return
            }
        case .failPaymentAttempt? where attempt?.isRefused == true: return
        default: break
        }
        progress.stall()
    }

    /// Whether the PSP refused a request of the running attempt for good: then the session, read again, tells what becomes
    /// of the attempt.
    private func refusesAttempt(_ problem: Problem) -> Bool {
        guard attempt != nil, let status = problem.status else { return false }
        return (400...499).contains(status) && !ProblemAdvice.waitingStatuses.contains(status)
    }

    mutating func fold(_ done: ProblemAcknowledged) {
        acknowledging = nil
        acknowledged.append(done.reference)
        // Tries that may have arrived were followed by reading the session: that needn't be done again.
        let wasRead = progress.requests.failures.map { !$0.last.mayBeRepeatedAsItIs } ?? false
        progress.requests.forgetFailures()
        if done.accepted || !wasRead { progress.readAgain(.acknowledged) }
    }

    /// A failed attempt that holds up the session, because the PSP was told of it in vain, is acknowledged once more.
    mutating func acknowledgeAgain() {
        guard progress.problem?.problem.kind == .requestFailed,
            progress.problem?.problem.rel == .acknowledgeFailedAttempt,
            let held = snapshot?.problem, let reference = held.acknowledgement?.href
        else { return }
        acknowledged.removeAll { $0 == reference }
        acknowledging = held
    }
}
