internal import EventLog
internal import Sandbox
internal import SwedbankPay

/// A course of payments in a training store: how often it occurs, in which sandbox scenario, and
/// who does what.
struct TrainingCase: Sendable {
    /// Its name in the summary.
    var name: String
    /// The name of the scenario's file, without its extension.
    var scenario: String
    /// The frequency, relative to the other cases.
    var weight: Int
    /// Whether the order may be in a currency other than SEK, the only one for Swish.
    var takesAnyCurrency = false
    /// For a payment that is still open at the end of the month: how many minutes before that it
    /// begins.
    var minutesBeforeEnd: ClosedRange<Int64>?
    /// How many days before the end of the month it begins at the latest; more than one for a
    /// course that goes on the next day, so that its ending is in the store.
    var days: Int64 = 1
    /// The script of the payer and the merchant.
    var play: Play

    typealias Play = @Sendable (inout TrainingPlay) async throws(TrainingStop) -> Void

    /// All cases.
    static let all = paid + unpaid + troubled + checkouts + underWay

    private static let paid: [TrainingCase] = [
        .init(name: "Swish", scenario: "ordinary", weight: 170, play: Plays.swish),
        .init(
            name: "Swish on another device",
            scenario: "other-device",
            weight: 70,
            play: Plays.swishElsewhere
        ),
        .init(name: "saved card", scenario: "ordinary", weight: 110, play: Plays.card),
        .init(
            name: "saved card without a challenge",
            scenario: "frictionless",
            weight: 60,
            takesAnyCurrency: true,
            play: Plays.card
        ),
        .init(name: "new card", scenario: "ordinary", weight: 50, play: Plays.newCard),
        .init(
            name: "Apple Pay",
            scenario: "wallets",
            weight: 40,
            play: Plays.wallet(.applePay(merchantIdentifier: "merchant.example.shop"))
        ),
        .init(name: "Google Pay", scenario: "wallets", weight: 30, play: Plays.wallet(.googlePay)),
        .init(name: "Click to Pay", scenario: "wallets", weight: 12, play: Plays.clickToPay),
        .init(
            name: "invoice on the PSP's page",
            scenario: "ordinary",
            weight: 20,
            play: Plays.page
        ),
        .init(
            name: "slow acquirer",
            scenario: "slow-acquirer",
            weight: 15,
            takesAnyCurrency: true,
            play: Plays.card
        ),
        .init(
            name: "card declined, then Swish",
            scenario: "declined-card",
            weight: 30,
            play: Plays.declinedThenSwish
        ),
        .init(
            name: "no Swish app, then another device",
            scenario: "other-device",
            weight: 8,
            play: Plays.noApp
        ),
        .init(
            name: "paid on another device",
            scenario: "paid-elsewhere",
            weight: 8,
            play: Plays.paidElsewhere
        ),
    ]

    private static let unpaid: [TrainingCase] = [
        .init(name: "payer cancels", scenario: "ordinary", weight: 40, play: Plays.givesUp),
        .init(
            name: "Swish declined, payer cancels",
            scenario: "ordinary",
            weight: 18,
            play: Plays.swishDeclined
        ),
        .init(
            name: "Swish canceled, then card",
            scenario: "ordinary",
            weight: 15,
            play: Plays.swishCanceledThenCard
        ),
        .init(
            name: "3-D Secure refused",
            scenario: "refused-3d-secure",
            weight: 14,
            play: Plays.cardThenGivesUp
        ),
        .init(
            name: "3-D Secure canceled",
            scenario: "ordinary",
            weight: 14,
            play: Plays.challengeCanceled
        ),
        .init(
            name: "insufficient funds on two cards",
            scenario: "no-funds",
            weight: 12,
            play: Plays.twoCardsThenGivesUp
        ),
        .init(
            name: "payer leaves and never comes back",
            scenario: "ordinary",
            weight: 22,
            play: Plays.leaves
        ),
        .init(
            name: "payer leaves Swish unanswered",
            scenario: "ordinary",
            weight: 14,
            play: Plays.leavesSwish
        ),
        .init(
            name: "cannot be aborted",
            scenario: "refused-abort",
            weight: 5,
            play: Plays.refusedAbort
        ),
    ]

    private static let troubled: [TrainingCase] = [
        .init(name: "PSP busy", scenario: "busy", weight: 16, play: Plays.swish),
        .init(
            name: "Swish out of order",
            scenario: "swish-trouble",
            weight: 10,
            play: Plays.swishTwice
        ),
        .init(name: "lost response", scenario: "lost-answer", weight: 12, play: Plays.card),
        .init(name: "outage, read later", scenario: "outage", weight: 8, play: Plays.outage),
        .init(
            name: "outage, resolved as paid",
            scenario: "vanished",
            weight: 5,
            days: 3,
            play: Plays.resolvedPaid
        ),
        .init(
            name: "outage, resolved as not paid",
            scenario: "vanished",
            weight: 4,
            days: 3,
            play: Plays.resolvedUnpaid
        ),
        .init(
            name: "outage, money unknown",
            scenario: "vanished",
            weight: 8,
            days: 3,
            play: Plays.unknown
        ),
        .init(
            name: "outage, closed",
            scenario: "vanished",
            weight: 3,
            days: 3,
            play: Plays.closed
        ),
        .init(
            name: "agreement without sessions",
            scenario: "misconfigured",
            weight: 5,
            play: Plays.opensOnly
        ),
        .init(
            name: "session that the PSP does not know",
            scenario: "unknown-session",
            weight: 4,
            play: Plays.opensOnly
        ),
    ]

    private static let checkouts: [TrainingCase] = [
        .init(
            name: "checkout, captured",
            scenario: "ordinary",
            weight: 60,
            takesAnyCurrency: true,
            play: Plays.captured
        ),
        .init(
            name: "checkout, partly captured, rest canceled",
            scenario: "ordinary",
            weight: 12,
            play: Plays.capturedInPart
        ),
        .init(
            name: "checkout, refunded",
            scenario: "ordinary",
            weight: 14,
            takesAnyCurrency: true,
            play: Plays.givenBack
        ),
        .init(
            name: "checkout, partly refunded",
            scenario: "ordinary",
            weight: 10,
            play: Plays.givenBackInPart
        ),
        .init(
            name: "checkout, canceled by the merchant",
            scenario: "ordinary",
            weight: 8,
            play: Plays.canceledByMerchant
        ),
        .init(
            name: "checkout, canceled by the payer",
            scenario: "ordinary",
            weight: 14,
            play: Plays.checkoutCanceled
        ),
        .init(
            name: "checkout, capture response lost",
            scenario: "lost-capture",
            weight: 6,
            play: Plays.captured
        ),
        .init(
            name: "checkout, capture refused first",
            scenario: "refused-capture",
            weight: 6,
            play: Plays.capturedAtSecondTry
        ),
    ]

    private static let underWay: [TrainingCase] = [
        .init(
            name: "under way: Swish open",
            scenario: "ordinary",
            weight: 5,
            minutesBeforeEnd: 1...4,
            play: Plays.leavesSwish
        ),
        .init(
            name: "under way: 3-D Secure challenge",
            scenario: "ordinary",
            weight: 4,
            minutesBeforeEnd: 1...6,
            play: Plays.leavesChallenge
        ),
        .init(
            name: "under way: choosing",
            scenario: "ordinary",
            weight: 5,
            minutesBeforeEnd: 2...50,
            play: Plays.opensOnly
        ),
        .init(
            name: "under way: checkout open",
            scenario: "ordinary",
            weight: 4,
            minutesBeforeEnd: 2...20,
            play: Plays.leavesCheckout
        ),
    ]
}
