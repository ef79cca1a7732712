internal import EventLog
internal import Workflow

extension PaymentRules {
    /// The ladder: the first rule that applies determines the next step.
    ///
    /// - Note: Source: payment session API, recommended ladder R0 to R23; the rungs carry its
    ///   numbers.
    func next(in state: PaymentState) -> Step {
        guard state.running == nil, state.sequence < limits.events else { return .rest }
        guard state.outcome == nil else { return readingAfterEnd(in: state) ?? .rest }
        guard !state.isStalled else { return stalledStep(in: state) }
        let step = ladder(in: state)
        guard state.isOnlyRead, case .request(let request) = step, !request.onlyReads else {
            return step
        }
        // The payer, or the recovery of what was requested recently, decides about the rest.
        return state.problem == nil ? .record([.problem(.heldBack(request.rel))]) : .rest
    }

    private func ladder(in state: PaymentState) -> Step {
        if let step = readingStep(in: state) { return step }
        guard let snapshot = state.snapshot else { return .rest }
        return configurationStep(in: state, snapshot)  // R2
            ?? openPageStep(in: state, snapshot)
            ?? problemStep(in: state, snapshot)  // R3, R4
            ?? redirectStep(in: state, snapshot)  // R5
            ?? prepareStep(in: state, snapshot)  // R6
            ?? abortStep(in: state, snapshot)  // R7
            ?? overdueStep(in: state)
            ?? offerStep(in: state, snapshot)  // R21
            ?? pageStep(in: state, snapshot)  // R8 to R10
            ?? presentationStep(in: state, snapshot)  // R11
            ?? refusedStep(in: state, snapshot)
            ?? walletStep(in: state, snapshot)  // R12
            ?? authenticationStep(in: state, snapshot)  // R13 to R16
            ?? appLaunchStep(in: state, snapshot)  // R17
            ?? attemptStep(in: state, snapshot)  // R18, R19
            ?? pollStep(in: state, snapshot)  // R20
            ?? doubtStep(in: state)
            ?? deadEndStep(in: state, snapshot)  // R22, R23
    }

    /// After the end, only reads that were requested; what they show is reported if it differs from
    /// how the session ended.
    private func readingAfterEnd(in state: PaymentState) -> Step? {
        guard !state.isStalled else { return nil }
        let kind = state.problem?.problem.kind
        if state.book.shown == .paid, state.outcome != .completed, kind != .orderMismatch {
            return .record([.problem(.paidAfterTheEnd)])
        }
        let isPaid = state.reported?.order?.isSaidPaid ?? (state.book.shown == .paid)
        let newest = state.reported?.order?.status?.rawValue ?? "not paid"
        if !isPaid, let withdrawal = state.withdrawal(newest) { return .record([withdrawal]) }
        return readingStep(in: state)
    }

    /// After the engine gave up: only reads, and the end that they show.
    private func stalledStep(in state: PaymentState) -> Step {
        if state.requests.need == .asked(.closing) {
            return readingStep(in: state) ?? .rest
        }
        return state.snapshot.flatMap { redirectStep(in: state, $0) }
            ?? readingOn(in: state) ?? .rest
    }

    /// Reads on, later and later, while a payment may be taken of which the engine has lost sight.
    private func readingOn(in state: PaymentState) -> Step? {
        guard let problem = state.problem?.problem, problem.isOfReading || problem.isHeldBack,
            state.book.mayBeTaken, let time = lateReading(of: state, or: nextPoll(in: state))
        else { return nil }
        return read(in: state, notBefore: time, isPoll: true)
    }

    /// R0, R1 and every other reason to read the session before anything else.
    private func readingStep(in state: PaymentState) -> Step? {
        guard let need = state.requests.need else { return nil }
        var earliest = need.earliestRead
        if need == .asked(.refetched), let last = state.requests.lastResponseAt {
            // The read was only requested again, without any hint that something has changed.
            earliest = last + limits.pollInterval
        }
        return retriedReading(.session, from: earliest, in: state) { time in
            read(in: state, notBefore: time, isPoll: false)
        }
    }

    /// R2: an order without these addresses can't be completed.
    private func configurationStep(in state: PaymentState, _ snapshot: Snapshot) -> Step? {
        // A running payment is never abandoned because a later response omits an address.
        guard state.offers.isEmpty else { return nil }
        let missing: String
        if state.orderURLs.complete == nil {
            missing = "completeUrl"
        } else if state.orderURLs.cancel == nil {
            missing = "cancelUrl"
        } else if state.orderURLs.cannotTellEnds {
            missing = "cancelUrl other than its completeUrl"
        } else if state.orderURLs.payment == nil,
            snapshot.methods.contains(where: \.name.returnsThroughPaymentURL)
        {
            missing = "paymentUrl"
        } else {
            return nil
        }
        let problem = Problem(
            origin: .engine,
            kind: .configurationFailed,
            code: ProblemCause.missingURL.rawValue,
            subject: missing,
            isRetryable: false,
            actor: .merchant
        )
        return .record([.problem(problem), .failed(Failed(reason: .configuration))])
    }

    /// R5: the PSP redirects the payer, which is how it reports that the session has ended.
    func redirectStep(in state: PaymentState, _ snapshot: Snapshot) -> Step? {
        switch snapshot.end {
        case .complete: return .record([.completed(Completed(evidence: .redirectToCompleteURL))])
        case .cancel:
            let party: Canceled.Party = state.abortRequestedBy == nil ? .psp : .client
            return .record([.canceled(Canceled(by: party))])
        case .payment, .elsewhere, .unreadable, nil: return nil
        }
    }

    /// R6: the client's environment is sent before anything else.
    private func prepareStep(in state: PaymentState, _ snapshot: Snapshot) -> Step? {
        guard let operation = snapshot.working(.preparePayment) else { return nil }
        return request(operation, sending: .environment, in: state)
    }

    /// R7: an abort takes precedence over all other requests.
    func abortStep(in state: PaymentState, _ snapshot: Snapshot) -> Step? {
        guard state.abortRequestedBy != nil else { return nil }
        if state.abort?.isAccepted == true {
            guard state.requests.unchangedReads < limits.readsAfterAbort else {
                return .record([
                    .problem(
                        .abortNotAllowed(.abortPayment, .abortWithoutEnd)
                    )
                ])
            }
            let earliest = nextPoll(in: state)
            return read(in: state, notBefore: earliest, isPoll: false)
        }
        guard let operation = snapshot.sessionOperation(.abortPayment) else {
            return .record([
                .problem(
                    .abortNotAllowed(.abortPayment, .noAbort)
                )
            ])
        }
        return request(operation, sending: .none, in: state)
    }

    /// No request is started or continued for a payer who may be gone, until there is a sign of
    /// life.
    func overdueStep(in state: PaymentState) -> Step? {
        state.isOverdue ? .rest : nil
    }

    /// R21: the methods are offered to the client, even while the session may be polled.
    private func offerStep(in state: PaymentState, _ snapshot: Snapshot) -> Step? {
        guard state.attempt == nil, state.menu == nil else { return nil }
        let offers = MethodOffer.offers(in: snapshot)
        if !offers.isEmpty, offers != state.offers, !state.isNarrowedByUs(snapshot) {
            return .record([.methodsOffered(MethodsOffered(methods: offers))])
        }
        return preferenceStep(in: state)
    }

    /// Reads a doubt again once the response can resolve it; meanwhile the session stays open for
    /// the payer.
    private func doubtStep(in state: PaymentState) -> Step? {
        guard state.attempt == nil, state.menu == nil,
            let resolvable = state.book.doubts.compactMap(\.resolvableAt).min()
        else { return nil }
        let earliest = max(resolvable, nextPoll(in: state))
        return read(in: state, notBefore: earliest, isPoll: true)
    }

    /// R22 and R23: a session to which no rule applies is read once more; then it ends.
    private func deadEndStep(
        in state: PaymentState,
        _ snapshot: Snapshot
    ) -> Step {
        if let redirect = snapshot.working(.redirectPayer) {
            let host: String? = if case .elsewhere(let host) = redirect.target { host } else { nil }
            return endReached(.unknownRedirect, host: host)
        }
        if state.attempt == nil, state.menu == nil, !state.offers.isEmpty,
            !snapshot.methods.isEmpty
        {
            return .rest
        }
        if state.problem != nil || state.actions.contains(where: \.isOpen) { return .rest }
        // A payment that has started may take time to show; it is not given up after the first
        // read.
        let reads = state.attempt?.isStarted == true ? limits.readsOfBegunAttempt : 1
        guard state.requests.unchangedReads < reads else {
            if let problem = stillUnacknowledged(in: state, snapshot) {
                return .record([.problem(problem)])
            }
            return endReached(.noOperation, host: nil)
        }
        return read(in: state, notBefore: pauseAfterResponse(in: state), isPoll: false)
    }

    private func endReached(_ cause: ProblemCause, host: String?) -> Step {
        let problem = Problem(
            origin: .engine,
            kind: .endReached,
            code: cause.rawValue,
            isRetryable: false,
            actor: .merchant
        )
        return .record([.problem(problem), .failed(Failed(reason: .endReached, host: host))])
    }
}

extension Problem {
    /// A request that waits until somebody asks for it.
    fileprivate static func heldBack(_ rel: Rel) -> Problem {
        Problem(
            origin: .engine,
            kind: .requestFailed,
            code: ProblemCause.heldBack.rawValue,
            isRetryable: true,
            actor: .payer,
            rel: rel
        )
    }

    /// The payment was made after this session had ended otherwise.
    fileprivate static let paidAfterTheEnd = Problem(
        origin: .engine,
        kind: .orderMismatch,
        code: ProblemCause.paidAfterTheEnd.rawValue,
        isRetryable: false,
        actor: .merchant,
        rel: .session
    )
}

extension PaymentState {
    /// Whether the session shows fewer methods because a page requested that.
    ///
    /// The payer may still choose any of them, because a native attempt switches back first.
    fileprivate func isNarrowedByUs(_ snapshot: Snapshot) -> Bool {
        guard !offers.isEmpty, snapshot.instrumentMode != nil || snapshot.isRestricted else {
            return false
        }
        switch presentation.current {
        case .restricted, .instrument, .newCard: return true
        case .all, nil: return false
        }
    }
}

extension MethodOffer {
    /// The choices that a snapshot offers to a client: one entry per method, and one for a new card
    /// beside saved ones.
    ///
    /// - Note: Source: payment session API, payment methods; a new card is offered whenever cards
    ///   are.
    static func offers(in snapshot: Snapshot) -> [MethodOffer] {
        var offers: [MethodOffer] = []
        for method in snapshot.methods {
            let instrument = Instrument(offering: method.name)
            let prefills = method.prefills.sorted { $0.rank < $1.rank }
            guard method.name == .creditCard else {
                offers.append(
                    MethodOffer(instrument: instrument, method: method.name, prefills: prefills)
                )
                continue
            }
            if !prefills.isEmpty {
                offers.append(
                    MethodOffer(instrument: .card, method: method.name, prefills: prefills)
                )
            }
            offers.append(MethodOffer(instrument: .newCard, method: method.name))
        }
        return offers
    }
}
