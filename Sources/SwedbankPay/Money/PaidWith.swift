/// What is known about how a session was paid.
///
/// A session does not name the instrument that it was paid with, and other devices can pay in it at
/// any time. Only its order names the method; everything else follows from what this session had in
/// progress when the PSP first reported it as paid.
public enum PaidWith: Hashable, Sendable {
    /// The order names the method; with the attempt of this session that used it, if there is one.
    case named(PaymentMethodName, attempt: Int?)
    /// This attempt, or without a number the PSP's page, was in progress, and nothing else of this
    /// session can have been paid with.
    case probable(attempt: Int?, Instrument)
    /// This attempt, or without a number the PSP's page, may have been paid with, but so may
    /// something else.
    case possible(attempt: Int?, Instrument, because: Reservation)
    /// No attempt of this session can have been paid with.
    case elsewhere

    /// Why an attempt is not even probably the one that was paid with.
    public enum Reservation: String, Hashable, Sendable, CaseIterable {
        /// The PSP had refused one of its requests, but may have carried it out.
        case refused
        /// It was left before the PSP reported its result.
        case left
        /// It still waited for the payer: their challenge or wallet was not finished here.
        case unfinished
        /// It was in progress, and so may have been an earlier one.
        case several
    }

    /// The attempt that it is known, or likely, to have been paid with; `nil` when there is none.
    public var attempt: Int? {
        switch self {
        case .named(_, let attempt), .probable(let attempt, _), .possible(let attempt, _, _):
            attempt
        case .elsewhere: nil
        }
    }
}

/// Something of a session that may take money at the PSP: an attempt, or the PSP's page.
struct Contender: Hashable, Sendable {
    /// The number of the attempt; `nil` for the page without one.
    var attempt: Int?
    /// The instrument of the attempt; for the page, any.
    var instrument: Instrument
    /// Why it is less than probable that it was paid with; `nil` while it is in progress.
    var reservation: PaidWith.Reservation?
}

/// What may have been paid with, from the first request that may take money.
extension PaymentState {
    var contender: Contender? {
        guard let attempt else {
            return page == nil ? nil : Contender(attempt: nil, instrument: .web)
        }
        let running = progress.running.map { movesMoney($0.start.rel) } ?? false
        guard running || attempt.beginning != .chosen || attempt.page != nil else { return nil }
        let isWaiting = !running && progress.actions.contains { $0.isOpen && $0.kind.isNeeded }
        return Contender(
            attempt: attempt.number,
            instrument: attempt.choice.instrument,
            reservation: attempt.isRefused ? .refused : isWaiting ? .unfinished : nil
        )
    }

    var paidWith: PaidWith? {
        guard progress.book.finding == nil, !isVerification, paidMoney != nil else { return nil }
        let name = reported?.order?.paid?.instrument ?? progress.confirmation?.instrument
        guard let name else { return firstPaidWith }
        return .named(name, attempt: paidContender.flatMap { $0.uses(name) ? $0.attempt : nil })
    }

    private var paidContender: Contender? {
        switch firstPaidWith {
        case .probable(let attempt, let instrument), .possible(let attempt, let instrument, _):
            Contender(attempt: attempt, instrument: instrument)
        case .named, .elsewhere, nil: nil
        }
    }

    /// Records, once, what was in progress when the PSP first reported the payment.
    ///
    /// - Parameters:
    ///   - event: The event, already folded.
    ///   - before: What was in progress before it.
    ///   - isDoubted: Whether the result of anything was in doubt before it.
    mutating func recordContenders(
        of event: SessionEvent,
        since before: MoneyMark,
        isDoubted: Bool
    ) {
        guard firstPaidWith == nil else { return }
        let isPaid =
            switch event {
            case .fetched: progress.book.shown == .paid
            case .completed: true
            case .checkout(.orderFetched(let fetched)): fetched.order?.isSaidPaid == true
            default: false
            }
        if isPaid {
            firstPaidWith = PaidWith(before.contender, left: leftContender, isDoubted: isDoubted)
        } else {
            recordLeft(by: event, since: before)
        }
    }

    private mutating func recordLeft(by event: SessionEvent, since before: MoneyMark) {
        if case .problem(let problem) = event, problem.origin == .session {
            // The PSP reports that the attempt failed.
            if before.contender == nil || before.contender?.attempt == leftContender?.attempt {
                leftContender = nil
            }
            return
        }
        guard var left = before.contender else { return }
        if case .operationFailed(let failed) = event, failed.isRefusal, failed.reach != .notSent,
            !failed.isSafeToResend, movesMoney(failed.rel)
        {
            // The attempt may go on at the PSP, so it is recorded before that is known.
            left.reservation = .refused
            leftContender = left
            return
        }
        if let contender, contender.attempt == left.attempt { return }
        if case .operationFailed(let failed) = event {
            guard failed.reach != .notSent, !failed.isSafeToResend else { return }
        }
        if left.reservation != .refused { left.reservation = .left }
        leftContender = left
    }
}

extension PaidWith {
    /// Creates what is known when the PSP first reports a payment.
    ///
    /// - Parameters:
    ///   - contender: What was in progress.
    ///   - left: What was in progress before, and the PSP did not report as failed.
    ///   - isDoubted: Whether the result of anything was in doubt.
    fileprivate init(_ contender: Contender?, left: Contender?, isDoubted: Bool) {
        guard let paid = contender ?? left else {
            self = .elsewhere
            return
        }
        let isSame = left?.attempt == paid.attempt
        let isRefused = left?.reservation == .refused && isSame
        let isOneOfSeveral = left != nil && !isSame && isDoubted
        let reservation: Reservation? = isRefused ? .refused : isOneOfSeveral ? .several : nil
        if let reservation = paid.reservation ?? reservation {
            self = .possible(attempt: paid.attempt, paid.instrument, because: reservation)
        } else {
            self = .probable(attempt: paid.attempt, paid.instrument)
        }
    }
}

extension Contender {
    /// Whether it can have been paid with a method that the order names.
    fileprivate func uses(_ name: PaymentMethodName) -> Bool {
        instrument.method.map { $0 == name } ?? true
    }
}

extension ClientAction.Kind {
    /// Whether the PSP cannot carry out the attempt before the client reports that it is done.
    fileprivate var isNeeded: Bool {
        switch self {
        case .show3DS, .authorizeWallet: true
        case .launchApp, .load3DSMethod, .showMenu, .checkIn: false
        }
    }
}

extension OperationFailed {
    /// Whether the PSP refused the request permanently.
    fileprivate var isRefusal: Bool {
        retryAt == nil && status.map { (400...499).contains($0) } == true
    }
}
