internal import ArgumentParser
internal import Workflow

/// The parameters of instruments.
struct InstrumentOptions: ParsableArguments, Sendable {
    @Option(
        help: ArgumentHelp(
            "swish: the payer's number, for another device.",
            valueName: "number"
        )
    )
    var msisdn: String?

    @Option(help: ArgumentHelp("card: which saved card.", valueName: "rank"))
    var prefill: Int?

    @Flag(
        inversion: .prefixedNo,
        help: "new-card: whether the page asks for consent to save the card."
    )
    var consentCheckbox = true

    @Option(
        help: ArgumentHelp("apple-pay: the merchant identifier.", valueName: "identifier")
    )
    var merchantId: String?

    /// The request for an attempt with an instrument.
    ///
    /// - Throws: A usage failure when a parameter is missing, malformed, or another instrument's.
    func attempt(_ instrument: Instrument) throws(Failure) -> AttemptRequest {
        try refuseStrayParameters(of: [instrument])
        switch instrument {
        case .swish: return .swish(try number())
        case .card:
            guard let prefill else {
                throw .usage(
                    "prefill",
                    "a saved card needs --prefill RANK",
                    hint: "'show' lists the saved cards with their ranks: --prefill 1"
                )
            }
            return .card(rank: try rank(prefill))
        case .newCard: return .newCard(showsConsent: consentCheckbox)
        case .applePay: return .applePay(merchantIdentifier: try merchant())
        case .googlePay: return .googlePay
        case .clickToPay: return .clickToPay
        case .web: throw Self.needsMenu
        }
    }

    /// The choices made before the methods are known, in order of preference.
    func preferences(_ instruments: [Instrument]) throws(Failure) -> [PreferenceRequest] {
        try refuseStrayParameters(of: instruments)
        var preferences: [PreferenceRequest] = []
        for instrument in instruments {
            switch instrument {
            case .swish: preferences.append(.swish(try number()))
            case .card: preferences.append(.card(rank: try prefill.map(rank)))
            case .newCard: preferences.append(.newCard(showsConsent: consentCheckbox))
            case .applePay: preferences.append(.applePay(merchantIdentifier: try merchant()))
            case .googlePay: preferences.append(.googlePay)
            case .clickToPay: preferences.append(.clickToPay)
            case .web: throw Self.needsMenu
            }
        }
        return preferences
    }

    private static let needsMenu = Failure.usage(
        "instrument",
        "web-based methods are paid on the PSP's page, not by an attempt",
        hint: "choose one of swish, card, new-card, apple-pay, google-pay, click-to-pay"
    )

    private func number() throws(Failure) -> MSISDN? {
        guard let msisdn else { return nil }
        return try SessionArgument.msisdn(msisdn)
    }

    private func rank(_ number: Int) throws(Failure) -> Int {
        guard number > 0 else { throw .usage("prefill", "ranks are counted from 1") }
        return number
    }

    private func merchant() throws(Failure) -> String {
        guard let merchantId, !merchantId.isEmpty, merchantId.utf8.count <= 200 else {
            throw .usage(
                "merchant-id",
                "apple-pay needs --merchant-id IDENTIFIER",
                hint: "it is what the shop is registered as at Apple: merchant.com.example.shop"
            )
        }
        return merchantId
    }

    private func refuseStrayParameters(of instruments: [Instrument]) throws(Failure) {
        if msisdn != nil, !instruments.contains(.swish) {
            throw .usage("stray-option", "--msisdn belongs to swish")
        }
        if prefill != nil, !instruments.contains(.card) {
            throw .usage("stray-option", "--prefill belongs to card")
        }
        if merchantId != nil, !instruments.contains(.applePay) {
            throw .usage("stray-option", "--merchant-id belongs to apple-pay")
        }
    }
}
