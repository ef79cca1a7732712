/// How card payments of certain amounts are declined.
///
/// - Note: Source: magic amounts of the PSP's test data; the problem types behind 900330, 900351, 900362
///   and 900391 are inferred.
enum CardDecline {
    /// The problem for an amount in minor units; nil when the card pays.
    static func problem(for amount: Int) -> ProblemDetail? {
        guard let (slug, status, title) = table[amount] else { return nil }
        return ProblemDetail(
            slug: "creditcard/\(slug)",
            status: status,
            title: title,
            detail: "The acquirer refused the payment."
        )
    }

    private static let table: [Int: (String, Int, String)] = [
        900_313: ("acquirerinvalidamount", 403, "REJECTED_BY_ACQUIRER_INVALID_AMOUNT"),
        900_330: ("acquirererror", 403, "REJECTED_BY_ACQUIRER_FORMAT_ERROR"),
        900_334: ("acquirerpossiblefraud", 403, "REJECTED_BY_ACQUIRER_POSSIBLE_FRAUD"),
        900_343: ("acquirercardstolen", 403, "REJECTED_BY_ACQUIRER_CARD_STOLEN"),
        900_354: ("acquirercardexpired", 403, "REJECTED_BY_ACQUIRER_CARD_EXPIRED"),
        900_351: ("acquirererror", 403, "REJECTED_BY_ACQUIRER"),
        900_359: ("acquirerpossiblefraud", 403, "REJECTED_BY_ACQUIRER_POSSIBLE_FRAUD"),
        900_361: ("acquirerinsufficientfunds", 403, "REJECTED_BY_ACQUIRER_INSUFFICIENT_FUNDS"),
        900_362: ("acquirererror", 403, "REJECTED_BY_ACQUIRER"),
        900_391: ("acquirergatewayerror", 502, "ACQUIRER_HOST_OFFLINE"),
        952_400: ("acquirererrordonotretry", 403, "DONOTRETRY"),
        952_507: ("authenticationrequired", 403, "MODIFICATIONSREQUIRED"),
        952_100: ("dailylimitexceeded", 403, "DAILYLIMITEXCEEDED"),
    ]
}
