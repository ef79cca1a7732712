internal import EventLog
public import SwedbankPay

/// Determines the state of a payment, and the party that has to act.
extension StoryTeller {
    var standing: Story.Standing {
        let isKnown =
            state.running?.start.rel != .startPaymentAttempt
            && state.payment?.attempt?.mayHaveStarted != true
        return Story.Standing(
            phase: decider.phase(of: state),
            outcome: state.outcome,
            money: money,
            turn: decider.turn(in: state),
            guidance: decider.guidance(for: state),
            accepts: decider.acceptedCommands(in: state),
            attempts: state.attemptCount,
            starts: starts,
            isEveryStartKnown: isKnown,
            dueAt: decider.dueAt(state),
            checkout: state.payment?.opening?.checkout,
            charge: charge,
            sequences: sequences
        )
    }

    /// The details of a merchant-initiated charge; `nil` for payments that a payer makes.
    private var charge: Story.Charge? {
        guard let checkout = state.checkout, checkout.chargesAtCreation else { return nil }
        let refusal =
            checkout.order?.failure.map { decider.advice(onFailure: $0) }
            ?? state.problem.flatMap { standing in
                standing.problem.type.map {
                    decider.catalogue.advice(
                        type: $0,
                        status: standing.problem.status,
                        instrument: nil
                    )
                }
            }
        return Story.Charge(
            reference: checkout.opening.payeeReference,
            isOrderKnown: checkout.order?.id != nil,
            refusal: refusal,
            limits: decider.catalogue.chargeLimits
        )
    }

    /// The events behind the standing: the newest one about it, the standing problem, the requests
    /// of open client actions.
    private var sequences: [SequenceNumber] {
        var places: Set<SequenceNumber> = []
        if newestEvidence > 0 { places.insert(newestEvidence) }
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
    /// Returns the advice on the refused single try of a merchant-initiated charge.
    public func advice(onFailure failure: ProblemDocument) -> ProblemAdvice {
        catalogue.advice(type: failure.type, status: failure.status, instrument: nil)
    }

    /// Returns the advice on a problem, from the catalogue and the engine's own kinds; the event
    /// determines who acts.
    func advice(on problem: Problem, instrument: Instrument?) -> ProblemAdvice {
        var advice = catalogueAdvice(on: problem, instrument: instrument)
        advice.actor = problem.actor
        return advice
    }
}
