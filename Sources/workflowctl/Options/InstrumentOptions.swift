internal import ArgumentParser
internal import SwedbankPay

/// The parameters of instruments.
struct InstrumentOptions: ParsableArguments, Sendable {
    @Option(
        help: ArgumentHelp(
            "With \(Self.numbered), the payer's telephone number, to pay on another device.",
            valueName: "number"
        )
    )
    var msisdn: String?

    @Option(help: ArgumentHelp("With card, the rank of the saved card.", valueName: "rank"))
    var prefill: Int?

    @Option(
        help: ArgumentHelp(
            "With card, the masked number of the saved card, as 'show' prints it, or a file with its token.",
            valueName: "number|file"
        )
    )
    var card: String?

    @Flag(
        inversion: .prefixedNo,
        help: "With new-card, whether the page asks for consent to save the card."
    )
    var consentCheckbox = true

    @Option(
        help: ArgumentHelp("With apple-pay, the merchant identifier.", valueName: "identifier")
    )
    var merchantId: String?

    /// The names of the instruments that take a telephone number.
    private static let numbered = Instrument.allCases.filter(\.takesNumber).map(\.rawValue)
        .joined(separator: " or ")

    /// Returns the request for an attempt with an instrument.
    ///
    /// - Throws: A usage failure when a parameter is missing, malformed, or belongs to another
    ///   instrument.
    func attempt(
        _ instrument: Instrument,
        in invocation: Invocation? = nil
    ) throws(Failure) -> AttemptRequest {
        try refuseStrayParameters(of: [instrument])
        return try choice(instrument, in: invocation) { prefill throws(Failure) in
            guard let prefill else {
                throw .usage(
                    "prefill",
                    "'card' requires --card NUMBER or --prefill RANK",
                    hint: "'show' lists the saved cards; use --card with a masked number"
                )
            }
            return ShownRank(rank: prefill)
        }
    }

    /// Returns the preselected choices, in order of preference.
    func preferences(
        _ instruments: [Instrument],
        in invocation: Invocation? = nil
    ) throws(Failure) -> [PreferenceRequest] {
        try refuseStrayParameters(of: instruments)
        var preferences: [PreferenceRequest] = []
        for instrument in instruments {
            preferences.append(try choice(instrument, in: invocation) { $0 })
        }
        return preferences
    }

    /// Returns the choice of an instrument with its parameters.
    ///
    /// `ranked` converts a rank, or `nil` when none was given.
    private func choice<Rank>(
        _ instrument: Instrument,
        in invocation: Invocation?,
        ranked: (Int?) throws(Failure) -> Rank
    ) throws(Failure) -> PaymentChoice<MSISDN, CardReference<Rank, String>> {
        func savedCard() throws(Failure) -> CardReference<Rank, String> {
            guard let card else { return .ranked(try ranked(try prefill.map(rank))) }
            if SeenCard.isMasked(card) { return .seen(SeenCard(maskedPan: card)) }
            return .token(try token(in: card, invocation))
        }
        guard
            let choice = try PaymentChoice(
                instrument,
                msisdn: number,
                card: savedCard,
                showsConsent: { () throws(Failure) in consentCheckbox },
                merchantIdentifier: merchant
            )
        else {
            throw .usage(
                "instrument",
                "web-based methods are paid on the PSP's page, not with 'attempt'",
                hint: "use 'menu', or choose from: "
                    + Instrument.forAttempts.map(\.rawValue).joined(separator: ", ")
            )
        }
        return choice
    }

    /// Reads the token in a file, without surrounding white space; nothing is read before the
    /// command is performed.
    private func token(in path: String, _ invocation: Invocation?) throws(Failure) -> String {
        guard let invocation else { return "" }
        let bytes =
            path == "-"
            ? try invocation.readInput(FileBytes.valueLimit)
            : try FileBytes.read(path, limit: FileBytes.valueLimit)
        let text = String(decoding: bytes, as: UTF8.self)
        guard let token = text.split(whereSeparator: \.isWhitespace).first else {
            throw .usage(
                "card",
                "the file given with --card contains no token",
                hint:
                    "name a file that contains only the card's token, or use the card's masked number"
            )
        }
        return String(token)
    }

    private func number() throws(Failure) -> MSISDN? {
        guard let msisdn else { return nil }
        return try SessionArgument.msisdn(msisdn)
    }

    private func rank(_ number: Int) throws(Failure) -> Int {
        guard number > 0 else {
            throw .usage(
                "prefill",
                "ranks start at 1",
                hint: "'show' lists the saved cards with their ranks"
            )
        }
        return number
    }

    private func merchant() throws(Failure) -> String {
        guard let merchantId, !merchantId.isEmpty, merchantId.utf8.count <= 200 else {
            throw .usage(
                "merchant-id",
                "'apple-pay' requires --merchant-id with 1 to 200 bytes",
                hint:
                    "use the identifier that is registered with Apple, such as merchant.example.shop"
            )
        }
        return merchantId
    }

    private func refuseStrayParameters(of instruments: [Instrument]) throws(Failure) {
        if msisdn != nil, !instruments.contains(where: \.takesNumber) {
            throw .usage("stray-option", "--msisdn requires the instrument \(Self.numbered)")
        }
        if prefill != nil, !instruments.contains(.card) {
            throw .usage("stray-option", "--prefill requires the instrument card")
        }
        if card != nil, !instruments.contains(.card) {
            throw .usage("stray-option", "--card requires the instrument card")
        }
        if card != nil, prefill != nil {
            throw .usage(
                "card",
                "--card and --prefill cannot be combined",
                hint: "--card selects the same card even if the order of the list has changed"
            )
        }
        if merchantId != nil, !instruments.contains(.applePay) {
            throw .usage("stray-option", "--merchant-id requires the instrument apple-pay")
        }
    }
}
