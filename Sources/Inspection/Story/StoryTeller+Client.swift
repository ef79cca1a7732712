internal import EventLog
internal import SwedbankPay

/// Describes which client actions were requested, and their results.
extension StoryTeller {
    /// Adds what follows from an event alone.
    mutating func describe(_ part: EventDescription.StoryPart, _ recorded: RecordedEvent) {
        switch part {
        case .nothing: break
        case .fact(.person(let acted, _)):
            say(.person(acted, currency: money.currency), recorded)
        case .fact(let fact): say(fact, recorded)
        case .question(let step, let action): ask(step, action, recorded)
        // A page that is shown is part of the request; the payer's action on it is a separate
        // sentence once it is known.
        case .shown(let action): add(recorded.sequence, to: asked[action]?.sentence)
        case .reported(let action, let result):
            if result == .opened { leftAt = recorded.at }
            reported(action, result, recorded)
        }
    }

    private mutating func ask(
        _ step: Story.ClientStep,
        _ action: ActionID,
        _ recorded: RecordedEvent
    ) {
        newestEvidence = recorded.sequence
        asked[action] = (sentences.count, step, recorded.at)
        say(.asked(step, response: nil, after: .zero), recorded)
    }

    /// Adds a result to the sentence about its request, unless there is another sentence in
    /// between.
    private mutating func reported(
        _ action: ActionID,
        _ response: Story.ActionResult,
        _ recorded: RecordedEvent
    ) {
        guard let question = asked[action] else { return }
        let after = recorded.at - question.at
        guard question.sentence == sentences.count - 1 else {
            say(
                .reported(question.step, response, after: after),
                recorded,
                also: sentences[question.sentence].sequences.prefix(1).map { $0 }
            )
            return
        }
        sentences[question.sentence].fact = .asked(question.step, response: response, after: after)
        add(recorded.sequence, to: question.sentence)
    }
}

/// Describes the events that only checkouts have.
extension StoryTeller {
    mutating func describe(_ confirmed: OrderConfirmed, _ recorded: RecordedEvent) {
        newestEvidence = recorded.sequence
        let fact = Story.OrderFact.confirmed(
            amount: confirmed.amount,
            currency: confirmed.currency,
            isRead: orderSource?.onlyReads ?? true
        )
        say(.order(fact), recorded)
    }

    mutating func describe(
        _ request: TransactionRequest,
        _ before: SessionState,
        _ recorded: RecordedEvent
    ) {
        let checkout = before.checkout
        let currency = checkout?.order?.currency ?? checkout?.opening.terms.currency
        say(.order(.transactionAsked(request, currency: currency)), recorded)
    }

    /// Describes what the newest response changed of the order.
    mutating func describeOrder(_ before: SessionState, _ recorded: RecordedEvent) {
        guard let order = state.checkout?.order else { return }
        let known = before.checkout?.order
        if known == nil {
            say(.order(.created(amount: order.amount, currency: order.currency)), recorded)
        }
        if let status = order.status, status != known?.status, status != .initialized {
            say(.order(.status(status)), recorded)
        }
        if let failure = order.failure, known?.failure == nil {
            newestEvidence = recorded.sequence
            say(.order(.refused(failure, decider.advice(onFailure: failure))), recorded)
        }
    }
}
