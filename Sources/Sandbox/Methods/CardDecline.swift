/// Declines card payments of certain amounts.
///
/// - Note: Source: magic amounts of the PSP's test data; the problem types behind 900330, 900351,
///   900362 and 900391 are inferred.
enum CardDecline {
    /// Returns the problem for an amount in minor units; `nil` when the payment succeeds.
    ///
    /// - Parameters:
    ///   - amount: The amount of the order.
    ///   - tries: How often a card was tried for the order, including this time; the amount with
    ///     limits counts them, although the PSP counts the tries of a card over all orders.
    /// - Returns: The problem.
    static func problem(for amount: Int, tries: Int) -> ProblemDetail? {
        if amount == limitedAmount { return limited(tries) }
        guard let (slug, status, title) = table[amount] else { return nil }
        return ProblemDetail(
            slug: "creditcard/\(slug)",
            status: status,
            title: title,
            detail: "The acquirer refused the payment.",
            extensions: amount == modifiedAmount ? modification : [:]
        )
    }

    /// The issuer forbids a retry.
    static let doNotRetry = ProblemDetail(
        slug: "creditcard/acquirererrordonotretry",
        status: 403,
        title: "DONOTRETRY",
        detail: "The acquirer refused the payment."
    )

    private static let limitedAmount = 952_100
    private static let modifiedAmount = 952_507

    private static let modification: [String: JSON] = [
        "modification": [
            "required": "YES", "reason": "Change the request before the next try.",
            "acquirerCode": "07", "acquirerDetail": "MODIFICATIONSREQUIRED",
        ]
    ]

    /// Ten tries a day and fifteen a month; with five or fewer remaining there is a warning.
    private static func limited(_ tries: Int) -> ProblemDetail {
        func problem(_ slug: String, _ title: String, _ more: [String: JSON]) -> ProblemDetail {
            ProblemDetail(
                slug: "creditcard/" + slug,
                status: 403,
                title: title,
                detail: "The acquirer refused the payment.",
                extensions: more
            )
        }
        switch tries {
        case ...5: return problem("acquirererror", "REJECTED_BY_ACQUIRER", [:])
        case ...10:
            let suspension: JSON = [
                "attempts": .integer(tries), "remaining": .integer(10 - tries), "product": "VISA",
                "acquirerCode": "05", "acquirerDetail": "REJECTED_BY_ACQUIRER", "state": "WARNING",
            ]
            return problem(
                "authenticationrequired",
                "SuspensionWarning",
                ["suspension": suspension]
            )
        case ...15: return problem("dailylimitexceeded", "DAILYLIMITEXCEEDED", [:])
        default: return problem("monthlylimitexceeded", "MONTHLYLIMITEXCEEDED", [:])
        }
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
    ]
}
