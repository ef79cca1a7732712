/// Where a payment stands, and whose move it is.
extension StoryTeller {
    var standing: Story.Standing {
        let isKnown =
            state.running?.start.rel != .startPaymentAttempt
            && state.attempt?.mayHaveStarted != true
        return Story.Standing(
            phase: decider.phase(of: state),
            outcome: state.outcome,
            money: money,
            turn: decider.turn(in: state),
            guidance: decider.guidance(for: state),
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
