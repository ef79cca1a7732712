internal import Workflow

/// Problems of a payment session and their acknowledgement.
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
            // What failed before this attempt sent anything to the PSP belongs to another attempt.
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
                // Read once more, in case the payment progressed at the last moment or while the
                // PSP was unreachable.
                attempt?.isOverdue = true
                menu?.isOverdue = true
                progress.wakeFromStall()
                progress.readAgain(.overdue)
            case .paymentWithdrawn: progress.book.isWithdrawalTold = true
            case .endReached, .threeDSLoadFailed, .challengeClosed, .configurationFailed,
                .appLaunchFailed, .checkInFailed, .orderMismatch, .notConfirmed, nil:
                break
            }
        }
    }

    /// Records that the engine has given up on a request and waits for a command, unless the
    /// session continues without it.
    private mutating func stall(after problem: Problem) {
        guard !problem.isHeldBack else { return progress.stall() }
        switch problem.rel {
        case .abortPayment? where !problem.isRetryable:
            // The abort was refused: the payment continues as if it had not been requested.
            progress.abort = nil
            return
        case .startPaymentAttempt?, .expandMethod?, .customizePayment?:
            // Refused: the attempt has ended, and the methods are still there to choose from.
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

    /// Whether the PSP refused a request of the running attempt permanently; reading the session
    /// again shows the attempt's result.
    private func refusesAttempt(_ problem: Problem) -> Bool {
        guard attempt != nil, let status = problem.status else { return false }
        return (400...499).contains(status) && !ProblemAdvice.waitingStatuses.contains(status)
    }

    mutating func fold(_ done: ProblemAcknowledged) {
        acknowledging = nil
        acknowledged.append(done.reference)
        // Tries that may have arrived were followed by a read of the session, which need not be
        // repeated.
        let wasRead = progress.requests.failures.map { !$0.last.isSafeToResend } ?? false
        progress.requests.forgetFailures()
        if done.accepted || !wasRead { progress.readAgain(.acknowledged) }
    }

    /// Acknowledges once more a failed attempt that blocks the session because its acknowledgement
    /// failed.
    mutating func acknowledgeAgain() {
        guard progress.problem?.problem.kind == .requestFailed,
            progress.problem?.problem.rel == .acknowledgeFailedAttempt,
            let held = snapshot?.problem, let reference = held.acknowledgement?.href
        else { return }
        acknowledged.removeAll { $0 == reference }
        acknowledging = held
    }
}
