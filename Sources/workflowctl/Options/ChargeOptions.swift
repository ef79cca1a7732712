internal import ArgumentParser
internal import SwedbankPay

/// How a merchant charges a stored token, without the payer.
struct ChargeOptions: ParsableArguments, Sendable {
    /// What such a charge is.
    enum Operation: String, Sendable, CaseIterable, ExpressibleByArgument {
        /// A recurring payment.
        case recur
        /// A payment that the merchant starts now and then.
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

    /// The token in the file.
    func token() throws(Failure) -> String? {
        try storedTokenFile.map { path throws(Failure) in try OrderSecrets.token(in: path) }
    }
}

extension PaymentOrder {
    /// Takes in the token that the order charges, under the name that its purpose gives it.
    mutating func charge(_ token: String) {
        if purpose == .unscheduledPurchase {
            unscheduledToken = token
        } else {
            recurrenceToken = token
        }
    }
}
