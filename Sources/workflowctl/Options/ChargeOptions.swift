internal import ArgumentParser
internal import SwedbankPay

/// Options of a merchant's charge of a stored token, without the payer.
struct ChargeOptions: ParsableArguments, Sendable {
    /// The kind of charge.
    enum Operation: String, Sendable, CaseIterable, ExpressibleByArgument {
        /// A recurring payment.
        case recur
        /// An unscheduled payment.
        case unscheduled

        /// The order's purpose.
        var purpose: PaymentOrderPurpose {
            switch self {
            case .recur: .recur
            case .unscheduled: .unscheduledPurchase
            }
        }
    }

    @Option(
        help: ArgumentHelp(
            "Charge a stored token without the payer; overrides the operation in the file.",
            valueName: "recur|unscheduled"
        )
    )
    var operation: Operation?

    @Option(
        help: ArgumentHelp(
            "A file with the token to charge, as written by 'tokens save'.",
            valueName: "file"
        )
    )
    var storedTokenFile: String?

    /// Reads the token from the file.
    func token() throws(Failure) -> String? {
        try storedTokenFile.map { path throws(Failure) in try OrderSecrets.token(in: path) }
    }
}
