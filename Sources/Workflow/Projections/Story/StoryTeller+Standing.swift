/// Where a payment stands, and whose move it is.
extension StoryTeller {
    var standing: Story.Standing {
        let isKnown =
            state.running?.start.rel != .startPaymentAttempt
            && state.attempt?.mayHaveStarted != true
        return Story.Standing(
            phase: decider.phase(of: state),
            outcome: state.outcome,
            money: money.standing,
            turn: turn,
            advice: decider.advice(onStandingProblemOf: state),
            attempts: state.attemptCount,
            starts: starts,
            isEveryStartKnown: isKnown,
            dueAt: decider.dueAt(state),
            checkout: state.opening?.checkout,
            sequences: sequences
        )
    }

    /// The events that the standing rests on: the newest word about it, the standing problem, what the client was asked.
    private var sequences: [Int64] {
        var places: Set<Int64> = []
        if newestWord > 0 { places.insert(newestWord) }
        if money.sequence > 0 { places.insert(money.sequence) }
        if let problem = state.problem { places.insert(problem.sequence) }
        for action in state.actions where action.isOpen {
            if let question = asked[action.id], sentences.indices.contains(question.sentence) {
                places.formUnion(sentences[question.sentence].sequences.prefix(1))
            }
        }
        if places.isEmpty, state.sequence > 0 { places.insert(state.sequence) }
        return places.sorted()
    }

    private var turn: Story.Turn {
        if state.outcome != nil { return money.standing == .unknown ? .merchant : .nobody }
        if let action = state.actions.last(where: \.isOpen) {
            return .payer(Story.ClientStep(action.kind))
        }
        if let problem = state.problem?.problem, problem.origin != .session {
            if state.isStalled || problem.isRetryable {
                return problem.isRetryable ? .support : turn(of: problem.actor)
            }
        }
        let next = decider.effects(owedBy: state).compactMap { effect -> OperationCall? in
            guard case .call(let call) = effect else { return nil }
            return call
        }.first
        if state.running != nil || next?.isPoll == false { return .engine }
        if let attempt = state.attempt { return awaited(attempt) }
        if state.page != nil || state.menu != nil { return .psp }
        if !state.offers.isEmpty || state.checkout != nil { return .payer(nil) }
        return .engine
    }

    /// Who is waited for while an attempt is looked at: with Swish the payer, who may be on another device.
    private func awaited(_ attempt: Attempt) -> Story.Turn {
        attempt.choice.instrument == .swish ? .payer(.app(scheme: "swish")) : .psp
    }

    private func turn(of actor: Actor) -> Story.Turn {
        switch actor {
        case .payer: .payer(nil)
        case .merchant: .merchant
        case .psp: .psp
        }
    }
}

extension SessionDecider {
    /// What a problem means, as the catalogue and the kinds of our own say.
    func advice(on problem: Problem, instrument: Instrument?) -> ProblemAdvice {
        var advice = catalogue.advice(
            type: problem.type,
            status: problem.status,
            instrument: instrument
        )
        advice.actor = problem.actor
        if let kind = problem.kind { kind.refine(&advice, of: problem) }
        return advice
    }
}
