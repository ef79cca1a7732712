internal import ArgumentParser
internal import SwedbankPay

/// How a merchant charges a stored token, without the payer.
struct ChargeOptions: ParsableArguments, Sendable {
    /// The kind of charge.
    enum Operation: String, Sendable, CaseIterable, ExpressibleByArgument {
        /// A recurring payment.
        case recur
        /// A payment that the merchant starts at irregular intervals.
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
            "Charge a stored token without the payer, whatever operation the file names.",
            valueName: "recur|unscheduled"
        )
    )
    var operation: Operation?

    @Option(
        help: ArgumentHelp(
            "The file of the token to charge; 'tokens save' writes one.",
            valueName: "file"
        )
    )
    var storedTokenFile: String?

    /// Reads the token in the file.
    func token() throws(Failure) -> String? {
        try storedTokenFile.map { path throws(Failure) in try OrderSecrets.token(in: path) }
    }
}

extension PaymentOrder {
    /// Sets the token that the order charges, under the name for its purpose.
    mutating func charge(_ token: String) {
        if purpose == .unscheduledPurchase {
            unscheduledToken = token
        } else {
            recurrenceToken = token
        }
    }
}
