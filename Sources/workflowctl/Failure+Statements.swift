internal import SwedbankPay

extension Failure {
    /// Translates what is wrong with an operator's statement for the command line.
    init(_ flaw: OperatorActed.Flaw) {
        self =
            switch flaw {
            case .name:
                .usage(
                    "operator",
                    "invalid operator name",
                    hint:
                        "use a name or account on one line, with at most "
                        + "\(OperatorText.nameLimit) bytes"
                )
            case .reason:
                .usage(
                    "reason",
                    "the reason cannot be recorded",
                    hint:
                        "write one line of at most \(OperatorText.reasonLimit) bytes without "
                        + "URLs, tokens or numbers of \(OperatorText.digitsLimit) digits or more, "
                        + "because a reason is not sealed"
                )
            case .evidence:
                .usage(
                    "evidence",
                    "the evidence cannot be recorded",
                    hint:
                        "write one line of at most \(OperatorText.reasonLimit) bytes without card, "
                        + "telephone and personal numbers, e-mail addresses, tokens, and links "
                        + "with secret parts, because it is not sealed; a 'note' is"
                )
            case .amount:
                .usage(
                    "amount",
                    "the amount is greater than the payment's",
                    hint: "'explain' shows the payment's amount; leave out --amount for all of it"
                )
            case .order: .order
            case .secondPerson:
                .usage(
                    "second-person",
                    "--second-person must be a name, and not that of the person who runs the "
                        + "command",
                    hint: "leave it out, or name the colleague who checked it at the PSP"
                )
            }
    }

    /// The failure for a text that names no payment order.
    static var order: Failure {
        .usage(
            "order",
            "this is not the address of a payment order",
            hint: "give its address or path, such as /psp/paymentorders/ID; the PSP's admin portal "
                + "and API show it"
        )
    }
}
