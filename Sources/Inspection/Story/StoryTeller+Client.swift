internal import EventLog
internal import SwedbankPay

/// What the payer's app or browser was asked to do, and did.
extension StoryTeller {
    mutating func tellClient(_ recorded: RecordedEvent) {
        switch recorded.event {
        case .externalAppRequested(let requested):
            ask(.app(scheme: requested.request.task.scheme), requested.request.action, recorded)
        case .threeDSMethodRequested(let requested): ask(.methodCall, requested.action, recorded)
        case .threeDSRequested(let requested): ask(.challenge, requested.action, recorded)
        case .walletRequested(let requested):
            ask(.wallet(requested.method), requested.request.action, recorded)
        case .menuRequested(let requested): ask(.page(requested.mode), requested.action, recorded)
        case .externalAppLaunched(let answer):
            leftAt = recorded.at
            answered(answer.action, .opened, recorded)
        case .externalAppLaunchFailed(let failure): answered(failure.action, .failed, recorded)
        case .threeDSMethodCompleted(let completed):
            answered(
                completed.action,
                completed.timedOut ? .timedOut : completed.indicator == .failed ? .failed : .done,
                recorded
            )
        case .threeDSShown(let answer), .menuShown(let answer):
            // On the screen: part of what was asked; what the payer did there is told when it is known.
            add(recorded.sequence, to: asked[answer.action]?.sentence)
        case .threeDSCompleted(let completed): answered(completed.action, .finished, recorded)
        case .threeDSClosed(let answer): answered(answer.action, .closed, recorded)
        case .threeDSLoadFailed(let failure): answered(failure.action, .failed, recorded)
        case .walletAuthorized(let authorized): answered(authorized.action, .finished, recorded)
        case .walletCanceled(let answer): answered(answer.action, .closed, recorded)
        case .walletFailed(let failure): answered(failure.action, .failed, recorded)
        case .menuClosed(let closed):
            let answer: Story.Answer =
                switch closed.outcome {
                case .completed: .finished
                case .canceled: .closed
                case .failed: .failed
                }
            answered(closed.action, answer, recorded)
        case .menuChosen(let chosen): say(.page(chosen.mode), recorded)
        case .returned(let returned):
            say(.returned(returned.form, after: leftAt.map { recorded.at - $0 }), recorded)
            leftAt = nil
        default: break
        }
    }

    mutating func ask(_ step: Story.ClientStep, _ action: ActionID, _ recorded: RecordedEvent) {
        newestWord = recorded.sequence
        asked[action] = (sentences.count, step, recorded.at)
        say(.asked(step, answer: nil, after: .zero), recorded)
    }

    /// An answer is told in the same breath as the question, unless something else was told between.
    mutating func answered(
        _ action: ActionID,
        _ answer: Story.Answer,
        _ recorded: RecordedEvent
    ) {
        guard let question = asked[action] else { return }
        let after = recorded.at - question.at
        guard question.sentence == sentences.count - 1 else {
            say(
                .answered(question.step, answer, after: after),
                recorded,
                also: sentences[question.sentence].sequences.prefix(1).map { $0 }
            )
            return
        }
        sentences[question.sentence].fact = .asked(question.step, answer: answer, after: after)
        add(recorded.sequence, to: question.sentence)
    }
}

/// What only checkouts have.
extension StoryTeller {
    mutating func tell(
        _ event: CheckoutEvent,
        _ before: SessionState,
        _ recorded: RecordedEvent
    ) {
        switch event {
        case .checkoutOpened(let opened):
            say(
                .takenIn(host: opened.host, isCheckout: true, isHandedOver: false),
                recorded
            )
        case .checkInRequested(let requested): ask(.checkIn, requested.action, recorded)
        case .checkInShown(let answer):
            add(recorded.sequence, to: asked[answer.action]?.sentence)
        case .payerCheckedIn(let checkedIn): answered(checkedIn.action, .finished, recorded)
        case .checkInClosed(let answer): answered(answer.action, .closed, recorded)
        case .checkInFailed(let failure): answered(failure.action, .failed, recorded)
        case .orderFetched: tellOrder(before, recorded)
        case .instrumentChosen(let chosen): say(.order(.instrument(chosen.instrument)), recorded)
        case .handedOver(let handed): say(.order(.handedOver(handed.session)), recorded)
        case .handedBack(let handed):
            say(.order(.handedBack(handed.session, handed.outcome)), recorded)
        case .orderConfirmed(let confirmed):
            newestWord = recorded.sequence
            say(
                .order(.confirmed(amount: confirmed.amount, currency: confirmed.currency)),
                recorded
            )
        case .transactionRequested(let request):
            let checkout = before.checkout
            let currency = checkout?.order?.currency ?? checkout?.opening.terms.currency
            say(.order(.transactionAsked(request, currency: currency)), recorded)
        case .transactionSettled(let settled):
            say(.order(.transactionSettled(settled)), recorded)
        case .endpointsDiscovered, .checkInOffered, .externalContentOpened, .navigated,
            .termsOfServiceOpened:
            break
        }
    }

    private mutating func tellOrder(_ before: SessionState, _ recorded: RecordedEvent) {
        guard let order = state.checkout?.order else { return }
        let known = before.checkout?.order
        if known == nil {
            say(.order(.created(amount: order.amount, currency: order.currency)), recorded)
        }
        if let status = order.status, status != known?.status, status != .initialized {
            say(.order(.status(status)), recorded)
        }
        if let failure = order.failure, known?.failure == nil {
            newestWord = recorded.sequence
            say(.order(.refused(failure, decider.advice(onFailure: failure))), recorded)
        }
    }
}
