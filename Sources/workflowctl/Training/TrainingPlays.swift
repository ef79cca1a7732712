internal import EventLog
internal import Sandbox
internal import SwedbankPay

/// The scripts of payers and merchants in a training store.
enum Plays {}

// MARK: - Completed payments

extension Plays {
    static func swish(_ play: inout TrainingPlay) async throws(TrainingStop) {
        try await begin(&play)
        try await play.attempt(.swish(msisdn: nil))
        try await play.answerAll()
    }

    static func swishElsewhere(_ play: inout TrainingPlay) async throws(TrainingStop) {
        try await begin(&play)
        try await play.attempt(.swish(msisdn: number(of: play)))
        try await play.wait()
    }

    static func card(_ play: inout TrainingPlay) async throws(TrainingStop) {
        try await begin(&play)
        try await play.attempt(.card(rank: 1))
        try await play.answerAll(after: 8...70)
    }

    static func newCard(_ play: inout TrainingPlay) async throws(TrainingStop) {
        try await begin(&play)
        try await play.attempt(.newCard(showsConsent: true))
        try await play.answerAll(after: 30...120)
    }

    /// A wallet in which the payer authorizes.
    static func wallet(_ choice: AttemptRequest) -> TrainingCase.Play {
        { play throws(TrainingStop) in
            try await begin(&play)
            try await play.attempt(choice)
            try await play.answerAll()
        }
    }

    static func clickToPay(_ play: inout TrainingPlay) async throws(TrainingStop) {
        try await begin(&play)
        try await play.attempt(.clickToPay)
        try await play.answerAll(method: "ClickToPay")
    }

    static func page(_ play: inout TrainingPlay) async throws(TrainingStop) {
        try await begin(&play)
        try await play.menu()
        try await play.answerAll(after: 40...180, method: "Invoice-PayExFinancingSe")
    }

    static func declinedThenSwish(_ play: inout TrainingPlay) async throws(TrainingStop) {
        try await begin(&play)
        try await play.attempt(.card(rank: 1))
        try await play.answerAll()
        try await play.think(10...60)
        try await play.attempt(.swish(msisdn: nil))
        try await play.answerAll()
    }

    static func noApp(_ play: inout TrainingPlay) async throws(TrainingStop) {
        try await begin(&play)
        try await play.attempt(.swish(msisdn: nil))
        try await play.failToLaunch()
        try await play.think(10...40)
        try await play.attempt(.swish(msisdn: number(of: play)))
        try await play.wait()
    }

    static func paidElsewhere(_ play: inout TrainingPlay) async throws(TrainingStop) {
        try await begin(&play)
        try await play.attempt(.swish(msisdn: nil))
        try await play.answerAll()
    }

    /// Opens the session, and waits while the payer looks at the methods.
    private static func begin(_ play: inout TrainingPlay) async throws(TrainingStop) {
        try await play.open()
        try await play.wait()
        try await play.think(4...55)
    }

    /// Returns a telephone number that belongs to no one.
    ///
    /// Source: the Swedish numbering plan, which reserves 070-174 06 05 to 06 99 for fiction.
    private static func number(of play: TrainingPlay) -> MSISDN? {
        MSISDN("+467017406\(10 + play.plan.number % 90)")
    }
}

// MARK: - Unsuccessful payments

extension Plays {
    static func givesUp(_ play: inout TrainingPlay) async throws(TrainingStop) {
        try await begin(&play)
        try await play.abort()
        try await play.wait()
    }

    static func swishDeclined(_ play: inout TrainingPlay) async throws(TrainingStop) {
        try await begin(&play)
        try await play.attempt(.swish(msisdn: nil))
        try await play.answerAll(.decline)
        try await leave(&play)
    }

    static func swishCanceledThenCard(_ play: inout TrainingPlay) async throws(TrainingStop) {
        try await begin(&play)
        try await play.attempt(.swish(msisdn: nil))
        try await play.answerAll(.cancel)
        try await play.think(5...30)
        try await play.attempt(.card(rank: 1))
        try await play.answerAll()
    }

    static func cardThenGivesUp(_ play: inout TrainingPlay) async throws(TrainingStop) {
        try await begin(&play)
        try await play.attempt(.card(rank: 1))
        try await play.answerAll()
        try await leave(&play)
    }

    static func challengeCanceled(_ play: inout TrainingPlay) async throws(TrainingStop) {
        try await begin(&play)
        try await play.attempt(.card(rank: 1))
        try await play.answerAll(.cancel)
        try await leave(&play)
    }

    static func twoCardsThenGivesUp(_ play: inout TrainingPlay) async throws(TrainingStop) {
        try await begin(&play)
        try await play.attempt(.card(rank: 1))
        try await play.answerAll()
        try await play.think(10...40)
        try await play.attempt(.card(rank: 2))
        try await play.answerAll()
        try await leave(&play)
    }

    static func leaves(_ play: inout TrainingPlay) async throws(TrainingStop) {
        try await begin(&play)
        try await play.pass(TrainingPlay.patience)
    }

    static func leavesSwish(_ play: inout TrainingPlay) async throws(TrainingStop) {
        try await begin(&play)
        try await play.attempt(.swish(msisdn: nil))
        try await play.ignoreNext()
        try await play.pass(TrainingPlay.patience)
    }

    static func leavesChallenge(_ play: inout TrainingPlay) async throws(TrainingStop) {
        try await begin(&play)
        try await play.attempt(.card(rank: 2))
        try await play.ignoreNext()
        try await play.pass(TrainingPlay.patience)
    }

    static func refusedAbort(_ play: inout TrainingPlay) async throws(TrainingStop) {
        try await begin(&play)
        try await play.abort()
        try await play.wait()
        try await play.pass(TrainingPlay.patience)
    }

    static func opensOnly(_ play: inout TrainingPlay) async throws(TrainingStop) {
        try await play.open()
        try await play.wait(.seconds(120))
        try await play.pass(TrainingPlay.patience)
    }

    /// Lets the payer cancel.
    private static func leave(_ play: inout TrainingPlay) async throws(TrainingStop) {
        try await play.think(5...60)
        try await play.abort()
        try await play.wait()
    }
}

// MARK: - Problems

extension Plays {
    static func swishTwice(_ play: inout TrainingPlay) async throws(TrainingStop) {
        try await swish(&play)
        try await play.think(20...60)
        try await play.attempt(.swish(msisdn: nil))
        try await play.answerAll()
    }

    static func outage(_ play: inout TrainingPlay) async throws(TrainingStop) {
        try await stranded(&play)
        try await play.note("The payer asked whether she has paid: she has.", by: "anna")
    }

    static func resolvedPaid(_ play: inout TrainingPlay) async throws(TrainingStop) {
        try await stranded(&play)
        try await play.note("Called: the money is reserved on her account.", by: "anna")
        try await play.resolve(
            .paid,
            evidence: "portal of the PSP: the order is paid",
            by: "anna"
        )
    }

    static func resolvedUnpaid(_ play: inout TrainingPlay) async throws(TrainingStop) {
        try await stranded(&play)
        try await play.resolve(
            .notPaid,
            evidence: "portal of the PSP: the order is Initialized",
            by: "björn"
        )
    }

    static func unknown(_ play: inout TrainingPlay) async throws(TrainingStop) {
        try await stranded(&play)
        try await play.pass(TrainingPlay.patience)
    }

    static func closed(_ play: inout TrainingPlay) async throws(TrainingStop) {
        try await stranded(&play)
        try await play.close(
            reason: "the PSP does not respond, and the order was placed again",
            by: "björn"
        )
    }

    /// Loses the response of a card payment, and lets support investigate it the next morning.
    private static func stranded(_ play: inout TrainingPlay) async throws(TrainingStop) {
        try await card(&play)
        try await play.pass(.seconds(3_600 * Int64(play.random(1...9))))
    }
}

// MARK: - Orders of a merchant backend

extension Plays {
    static func captured(_ play: inout TrainingPlay) async throws(TrainingStop) {
        try await paidCheckout(&play)
        try await play.transact(.capture)
    }

    static func capturedAtSecondTry(_ play: inout TrainingPlay) async throws(TrainingStop) {
        try await captured(&play)
        try await play.pass(.seconds(1_800))
        try await play.transact(.capture)
    }

    static func capturedInPart(_ play: inout TrainingPlay) async throws(TrainingStop) {
        try await paidCheckout(&play)
        try await play.transact(.capture, percent: 60)
        try await play.pass(.seconds(2 * 24 * 3_600))
        try await play.transact(.cancel)
        try await play.note("The second parcel was sold out.", by: "anna")
    }

    static func givenBack(_ play: inout TrainingPlay) async throws(TrainingStop) {
        try await captured(&play)
        try await play.pass(.seconds(3_600 * Int64(play.random(40...190))))
        try await play.transact(.reversal)
    }

    static func givenBackInPart(_ play: inout TrainingPlay) async throws(TrainingStop) {
        try await captured(&play)
        try await play.pass(.seconds(3_600 * Int64(play.random(40...190))))
        try await play.transact(.reversal, percent: 30)
        try await play.note("One of the pieces was damaged.", by: "björn")
    }

    static func canceledByMerchant(_ play: inout TrainingPlay) async throws(TrainingStop) {
        try await paidCheckout(&play)
        try await play.transact(.cancel)
    }

    static func checkoutCanceled(_ play: inout TrainingPlay) async throws(TrainingStop) {
        try await play.openCheckout()
        try await play.answerAll(.cancel, after: 20...90)
    }

    static func leavesCheckout(_ play: inout TrainingPlay) async throws(TrainingStop) {
        try await play.openCheckout()
        try await play.ignoreNext()
        try await play.pass(TrainingPlay.patience)
    }

    /// Pays an order on the PSP's page, and captures it a day or two later.
    private static func paidCheckout(_ play: inout TrainingPlay) async throws(TrainingStop) {
        try await play.openCheckout()
        try await play.answerAll(after: 25...140)
        try await play.pass(.seconds(3_600 * Int64(play.random(5...50))))
    }
}
