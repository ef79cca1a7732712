internal import EventLog

extension SessionEvent {
    /// Whether an earlier build would have recorded this event where these rules decide another
    /// one.
    ///
    /// Earlier builds omitted what was known about the money when an operator ended the session;
    /// named the PSP as the party to act when this installation itself did not send a request;
    /// waited in vain for the status of an order that can't be read; and described problems in
    /// other words.
    package func isEarlierForm(of decided: SessionEvent) -> Bool {
        switch (self, decided) {
        case (.failed(let recorded), .failed(var decided)):
            guard recorded.money == nil else { return false }
            decided.money = nil
            return recorded == decided
        case (.problem(let recorded), .problem(let decided)):
            return recorded.isEarlierForm(of: decided)
        case (.problem(let recorded), .completed(let decided)):
            return recorded.kind == .notConfirmed && decided.evidence == .completeURLReached
        default: return false
        }
    }
}

extension Problem {
    fileprivate func isEarlierForm(of decided: Problem) -> Bool {
        var (recorded, decided) = (self, decided)
        if decided.kind == .requestFailed, recorded.actor == .psp,
            OperationFailed.refusalsHere.contains(where: { decided.detail == .plain($0) })
        {
            decided.actor = .psp
        }
        recorded.title = recorded.title?.inPresentWords
        recorded.detail = recorded.detail?.inPresentWords
        return recorded == decided
    }
}

extension OutsideText {
    /// The text with the phrases of earlier builds replaced by those that the rules record now.
    fileprivate var inPresentWords: OutsideText {
        guard case .plain(var text) = self else { return self }
        for (earlier, present) in Self.rewordings where text.contains(earlier) {
            text = text.rewriting(earlier, as: present)
        }
        return .plain(text)
    }

    /// The phrases of earlier builds in titles and details of problems, each with what the rules
    /// record instead.
    ///
    /// A phrase that was recorded once stays here for good, so that the logs of
    /// that build still agree with the rules.
    private static let rewordings: [(earlier: String, present: String)] = [
        (
            "The order can't be given up now",
            "The order can't be aborted now"
        ),
        (
            "The payment can't be given up now",
            "The payment can't be aborted now"
        ),
        (
            "The PSP refuses to give up the payment now",
            "The PSP refused to abort the payment"
        ),
        (
            "The PSP did not give up the payment",
            "The PSP accepted the abort but did not end the payment"
        ),
        (
            "The charge may have been made; it can't be given up",
            "The charge may have been made, so it can't be aborted"
        ),
        (
            "An earlier request may have charged; its answer never came",
            "An earlier charge got no response and may have succeeded"
        ),
        (
            "Look for the order of this reference at the PSP; do not charge again.",
            "Find the order with this reference at the PSP; do not charge again."
        ),
        (
            "The charge was taken, but the order says neither paid nor failed",
            "The PSP accepted the charge, but the order shows neither a payment nor a failure"
        ),
        (
            "Charge nothing again before the order says what came of it.",
            "Do not charge again until the order shows whether the charge succeeded."
        ),
        (
            "The payment was finished, but the payment order is not paid",
            "The payer finished, but the payment order is not paid"
        ),
        (
            "Nothing is to be delivered before the order says that it is paid.",
            "Do not deliver until the payment order shows that it is paid."
        ),
        (
            "The order is paid with another amount or currency than ordered",
            "The order was paid with another amount or currency than ordered"
        ),
        (
            "Deliver, or give the money back.",
            "Deliver the order, or refund the payment."
        ),
        (
            "The order offers no change of its method",
            "The order's payment method can't be changed"
        ),
        (
            "A link of the merchant backend leads to a domain that is not called",
            "A link from the merchant backend leads to a domain that is not allowed"
        ),
        (
            "The answer offers no ",
            "The merchant backend offers no link to "
        ),
        (
            "The answer to ",
            "The response to "
        ),
        (
            "The PSP's answers can't be read",
            "The PSP's responses can't be read"
        ),
        (
            "The PSP wants ever more client actions",
            "The PSP keeps requesting client actions"
        ),
        (
            "The PSP still waits to hear that the failed attempt was seen",
            "The PSP still expects an acknowledgement of the failed attempt"
        ),
        (
            " is asked for again and again",
            " is requested again and again"
        ),
        (
            "The session offers nothing that can continue it",
            "The session offers no operation that continues the payment"
        ),
        (
            "What was chosen beforehand is not offered",
            "The payment method chosen in advance is not offered"
        ),
        (
            " doesn't let an attempt start",
            " offers no operation that starts an attempt"
        ),
        (
            "The app to pay with could not be opened",
            "The payment app could not be opened"
        ),
        (
            "The payment page could not be shown, or gave up",
            "The payment page failed or could not be shown"
        ),
        (
            "The check-in could not be shown, or gave up",
            "The check-in failed or could not be shown"
        ),
    ]
}
