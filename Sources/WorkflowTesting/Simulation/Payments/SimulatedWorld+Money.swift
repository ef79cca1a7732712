internal import EventLog
internal import Inspection
internal import SwedbankPay

/// Compares the statements about money with the PSP's books: at every record, and at rest.
extension SimulatedWorld where Scenario == PaymentScenario {
    /// Checks the statements after each event that has just become durable.
    mutating func checkTold(
        _ events: ArraySlice<RecordedEvent>,
        _ states: [SessionState],
        _ number: Int
    ) {
        let session = residents[number].id
        for (recorded, (before, state)) in zip(events, zip(states, states.dropFirst())) {
            if let request = scenario.responded(by: recorded.event, of: session, before),
                let books = scenario.files[session]?.shown[request]
            {
                scenario.files[session]?.newest = books
            }
            let money = reportedMoney(of: state)
            if let wrong = wrong(money, state, number) {
                let place = "\(state.session) at \(state.sequence)"
                return violation(.moneyToldTrue, "\(place): \(money.standing.rawValue), \(wrong)")
            }
        }
    }

    /// The statement about the money of a session: the projection's, or what a broken engine makes
    /// of it.
    private func reportedMoney(of state: SessionState) -> MoneyState {
        (nodes[0].driver as? any MoneyReporter)?.reportedMoney(of: state) ?? state.money
    }

    /// The error in a statement; `nil` when it is true.
    private func wrong(_ money: MoneyState, _ state: SessionState, _ number: Int) -> String? {
        let books = scenario.files[state.session]?.newest ?? []
        if let wrong = wrongRequested(money, state, books) { return wrong }
        switch money.standing {
        case .none, .intended:
            if !books.isEmpty, books.allSatisfy(\.isUnclear) { return "and the view was unclear" }
            if !books.isEmpty, books.allSatisfy(\.isTaken) { return "and the books had it as paid" }
            if !books.isEmpty, books.allSatisfy(\.isRunning) {
                return "and an attempt was under way"
            }
            // With a clock that jumped, it is unknown how long ago a request was sent.
            let hasJumped = nodes.contains { $0.jumps > 0 }
            if residents[number].onTheWay.values.contains(where: \.mayTakeMoney), !hasJumped,
                !provider.books(of: state.session).isOver
            {
                return "and a request is on its way that may take money"
            }
            return state.outcome == nil ? nil : wrongEnd(money, state, number)
        case .confirmed:
            guard let net = money.taken?.net else {
                return books.contains(where: \.isTaken) || books.isEmpty
                    ? nil : "and the books had no money"
            }
            return books.isEmpty || books.contains { $0.net == net && !$0.isUnclear }
                ? nil : "\(net) of it, and the books had \(books.map(\.net))"
        case .underWay, .unknown: return nil
        }
    }

    /// The error in what is told of a transaction that was accepted and is not performed yet.
    private func wrongRequested(
        _ money: MoneyState,
        _ state: SessionState,
        _ books: [SimulatedBooks]
    ) -> String? {
        guard let newest = state.checkout?.transactions.last, newest.result == .accepted,
            !books.isEmpty,
            books.allSatisfy({ $0.pending?.reference == newest.request.payeeReference })
        else { return nil }
        let isTold = money.requested.contains {
            $0.state == .pending && $0.amount == newest.request.amount
        }
        return isTold ? nil : "and \(newest.request.kind.rawValue) was accepted, and is left out"
    }

    /// The error in the end of an unpaid session, which requires a response that was read at its
    /// end.
    private func wrongEnd(_ money: MoneyState, _ state: SessionState, _ number: Int) -> String? {
        if state.checkout != nil, state.checkout?.order == nil { return nil }
        guard let asOf = money.asOf, scenario.files[state.session]?.newest.isEmpty == false else {
            return "and nothing was read"
        }
        guard let end = logs[number].events.first(where: { $0.event.isEnd }) else { return nil }
        if case .expired(let expired) = end.event, expired.reason == .lifetime,
            asOf < state.openedAt + scenario.rules.limits.session
        {
            return "and nothing was read after its limit"
        }
        let isLate = end.at - asOf > .seconds(60)
        return isLate ? "and nothing was read at its end" : nil
    }

    /// Checks that each sentence that claims a read has the event of a read.
    mutating func checkStory(_ number: Int) {
        let log = logs[number]
        guard log.live.sequence > 0 else { return }
        let story = Story(of: log.session, events: log.events, by: decider)
        for sentence in story.sentences {
            let claims =
                switch sentence.fact {
                case .trouble(let trouble): trouble.isRead || trouble.ending == .tookEffect
                case .interrupted(_, _, let ending, let isRead): isRead || ending == .tookEffect
                default: false
                }
            guard claims else { continue }
            let hasRead = sentence.sequences.contains { sequence in
                switch log.events[sequence.count - 1].event {
                case .fetched, .checkout(.orderFetched): true
                default: false
                }
            }
            if !hasRead {
                violation(
                    .moneyToldTrue,
                    "the story of \(log.session) contains a read that was never made"
                )
            }
        }
    }

    /// Compares the statements with the books once everything has settled, the PSP responds, and
    /// the sessions were read again.
    mutating func compareWithBooks() {
        for number in residents.indices where logs[number].live.sequence > 0 {
            request(.command(.refetch(by: "world")), of: residents[number].id)
        }
        run(for: .seconds(7200), steps: 200_000)
        guard ledger.violations.isEmpty, !isInterrupted() else { return }
        for number in residents.indices where logs[number].live.sequence > 0 {
            let state = logs[number].live
            // A session that has ended here is read again only if there is an order to read.
            guard state.outcome == nil || state.checkout?.order != nil else { continue }
            let books = provider.books(of: state.session)
            let money = reportedMoney(of: state)
            let isEqual: Bool =
                switch money.standing {
                case .none, .intended: !books.isTaken && !books.isRunning
                case .underWay: !books.isTaken
                case .confirmed:
                    !books.isUnclear
                        && (money.taken?.net.map { $0 == books.net } ?? books.isTaken)
                // The client reported that the payer finished, and the order says that it is not
                // paid: that stays open, and so does a view that nobody can understand, or a charge
                // whose order no response contained.
                case .unknown:
                    books.isUnclear || money.doubts.allSatisfy { $0.cause == .clientsWord }
                        || state.checkout.map { $0.chargesAtCreation && $0.order == nil } ?? false
                }
            guard !isEqual else { continue }
            violation(
                .moneyToldTrue,
                "in the end \(state.session) is reported as \(money.standing.rawValue)"
                    + " of \(money.taken?.net ?? 0), and the books have \(books.net)"
            )
        }
    }
}
