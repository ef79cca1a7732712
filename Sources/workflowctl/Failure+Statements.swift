internal import SwedbankPay

extension Failure {
    /// Translates what is wrong with an operator's statement for the command line.
    init(_ flaw: OperatorActed.Flaw) {
        self =
            switch flaw {
            case .amount:
                .usage(
                    "amount",
                    "the amount is greater than the payment's",
                    hint: "'explain' shows the payment's amount; leave out --amount for all of it"
                )
            case .secondPerson:
                .usage(
                    "second-person",
                    "--second-person must be a name, and not that of the person who runs the "
                        + "command",
                    hint: "leave it out, or name the colleague who checked it at the PSP"
                )
            }
    }
}
