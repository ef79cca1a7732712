extension PaymentOrder {
    /// Performs everything that is due: Swish decisions, expired authentications.
    mutating func settle(at moment: Moment) {
        settleReversal(at: moment)
        settleMethodReversal(at: moment)
        for index in attempts.indices {
            switch attempts[index].stage {
            case .swish(let payment):
                guard let outcome = payment.outcome(at: moment.now) else { continue }
                finish(index, with: outcome, at: moment)
            case .authentication(let challenge), .challenge(let challenge):
                guard challenge.deadline <= moment.now else { continue }
                fail(index, with: Challenge.cancelled, at: moment)
            case .acquirer(let endsAt):
                guard let endsAt, endsAt <= moment.now else { continue }
                decide(index, at: moment)
            case .wallet, .paid, .failed, .aborted:
                continue
            }
        }
    }

    /// Ends a Swish attempt.
    mutating func finish(_ index: Int, with outcome: SwishOutcome, at moment: Moment) {
        switch outcome {
        case .approved: pay(index, at: moment)
        case .refused(let problem): fail(index, with: problem, at: moment)
        }
    }

    /// Requests the money of a card or wallet attempt from the acquirer.
    mutating func authorize(_ index: Int, at moment: Moment) {
        if let delay = request.scenario.settling, delay > .zero {
            attempts[index].stage = .acquirer(endsAt: moment.now + delay)
        } else {
            decide(index, at: moment)
        }
    }

    /// Makes the acquirer's decision.
    private mutating func decide(_ index: Int, at moment: Moment) {
        if let problem = CardDecline.problem(for: attempts[index].amount, tries: attempts.count) {
            fail(index, with: problem, at: moment)
        } else {
            pay(index, at: moment)
        }
    }

    /// Completes the attempt successfully.
    mutating func pay(_ index: Int, at moment: Moment) {
        if let problem = imposedProblem {
            return fail(index, with: problem, at: moment)
        }
        attempts[index].stage = .paid
        outcome = .paid(attempt: attempts[index].number)
        book(attempts[index], at: moment)
        methodReversesAt = request.scenario.methodReversal.map { moment.now + $0 }
        addNotice(of: attempts[index].transaction, by: attempts[index].method)
        shownProblem = nil
        expanded = nil
        updated = moment.date
    }

    /// Fails the attempt; unless the order is over, the payer must be informed.
    mutating func fail(_ index: Int, with problem: ProblemDetail, at moment: Moment) {
        let problem = imposedProblem ?? problem
        imposedProblem = nil
        attempts[index].stage = .failed(problem)
        recordFailure(of: attempts[index], at: moment)
        expanded = nil
        updated = moment.date
        guard outcome == nil else { return }
        shownProblem = ShownProblem(attempt: attempts[index].number, problem: problem)
    }

    /// Ends the order without a payment; a running attempt is stopped.
    mutating func close(as outcome: Outcome, at moment: Moment) {
        for index in attempts.indices where attempts[index].isRunning {
            attempts[index].stage = .aborted
        }
        self.outcome = outcome
        shownProblem = nil
        expanded = nil
        updated = moment.date
    }
}
