public import EventLog
internal import SwedbankPay

/// Payers who approve in an app at a time of their own, whether the PSP is polled or not.
extension SimulatedWorld where Scenario == PaymentScenario {
    /// Opens a session that is paid with Swish.
    ///
    /// In a world without faults, the payment must be recorded at most two poll intervals after the
    /// approval (``Guarantee/payersDontWaitForEachOther``).
    ///
    /// - Parameters:
    ///   - decision: How long after the opening the payer approves, or as soon as possible then.
    ///   - pause: The time until the session is opened.
    /// - Returns: The session.
    @discardableResult
    public mutating func openWaiting(
        approvesAfter decision: Duration,
        after pause: Duration = .zero
    ) -> SessionID {
        let session = open(
            payer: .hesitates,
            authentication: .frictionless,
            paysWith: [.swish(msisdn: nil)],
            after: pause
        )
        plan(.approval, for: residents.count - 1, after: pause + decision)
        return session
    }

    /// A payer approves, as soon as an attempt has started.
    mutating func approve(_ number: Int) {
        let session = residents[number].id
        guard scenario.provider.approve(session) else {
            if !logs[number].live.isOver { plan(.approval, for: number, after: .seconds(1)) }
            return
        }
        note(.client, node: nil, number, "approves")
        checkEffects(number)
        guard isCalm, let interval = decider.pollInterval(of: logs[number].live) else { return }
        plan(.record, for: number, after: interval + interval)
    }

    /// Checks that an approved payment was recorded.
    mutating func checkRecord(_ number: Int) {
        let live = logs[number].live
        guard isCalm, live.outcome != .completed else { return }
        violation(
            .payersDontWaitForEachOther,
            "\(live.session) was paid two poll intervals ago, and that is not recorded"
        )
    }

    /// Whether nothing disturbs, or has disturbed, engines, network, store or clients.
    private var isCalm: Bool { !faults.disturbs && !wasDisturbed }
}
