package import EventLog

/// The members of a choice, side by side: those that an instrument doesn't need are absent.
struct ChoiceMembers {
    var cardBrand: String?
    var expiry: CardExpiry?
    var instrument: Instrument
    var maskedPan: String?
    var merchantIdentifier: String?
    var msisdn: Sealed?
    var number: Int?
    var rank: Int?
    var showsConsent: Bool?
    var token: Sealed?

    /// Processes the members of a choice.
    ///
    /// - Parameters:
    ///   - members: The pass that reads, writes or samples the members.
    ///   - value: The members to write; `nil` when they are being created.
    /// - Throws: ``EventDecodingError`` when the members can't be read.
    init(_ members: inout some FormPass, _ value: Self?) throws(EventDecodingError) {
        cardBrand = try members.find("cardBrand", value?.cardBrand)
        expiry = try members.find("expiry", value?.expiry)
        instrument = try members.require("instrument", value?.instrument)
        maskedPan = try members.find("maskedPan", value?.maskedPan)
        merchantIdentifier = try members.find(
            "merchantIdentifier",
            value?.merchantIdentifier
        )
        msisdn = try members.find("msisdn", value?.msisdn)
        number = try members.find("number", value?.number)
        rank = try members.find("rank", value?.rank)
        showsConsent = try members.find("showsConsent", value?.showsConsent)
        token = try members.find("token", value?.token)
    }

    private init<Card>(parametersOf choice: PaymentChoice<Sealed, Card>) {
        instrument = choice.instrument
        merchantIdentifier = choice.merchantIdentifier
        msisdn = choice.msisdn
        showsConsent = choice.showsConsent
    }

    init(_ started: AttemptStarted) {
        self.init(parametersOf: started.choice)
        number = started.number
        (rank, token) = (started.choice.card?.rank, started.choice.card?.token)
    }

    init(_ preference: Preference) {
        self.init(parametersOf: preference)
        switch preference.card {
        case .ranked(let rank)?: self.rank = rank
        case .token(let token)?: self.token = token
        case .seen(let seen)?:
            (cardBrand, expiry, maskedPan) = (seen.brand, seen.expiry, seen.maskedPan)
        case nil: break
        }
    }

    /// The choice that an attempt was started with.
    func choice() throws(EventDecodingError) -> Choice {
        func card() throws(EventDecodingError) -> ChosenCard {
            ChosenCard(rank: try needed(rank, "rank"), token: try needed(token, "token"))
        }
        return try chosen("Choice", card)
    }

    /// A choice made before the methods were known.
    func preference() throws(EventDecodingError) -> Preference {
        func card() -> CardReference<Int?, Sealed> {
            if let token { return .token(token) }
            guard let maskedPan else { return .ranked(rank) }
            return .seen(SeenCard(maskedPan: maskedPan, brand: cardBrand, expiry: expiry))
        }
        return try chosen("Preference", card)
    }

    private func chosen<Card>(
        _ name: String,
        _ card: () throws(EventDecodingError) -> Card
    ) throws(EventDecodingError) -> PaymentChoice<Sealed, Card> {
        func consent() throws(EventDecodingError) -> Bool {
            try needed(showsConsent, "showsConsent")
        }
        func merchant() throws(EventDecodingError) -> String {
            try needed(merchantIdentifier, "merchantIdentifier")
        }
        guard
            let choice = try PaymentChoice(
                instrument,
                msisdn: { () throws(EventDecodingError) in msisdn },
                card: card,
                showsConsent: consent,
                merchantIdentifier: merchant
            )
        else { throw .unknownValue(name) }
        return choice
    }

    func needed<Value>(_ value: Value?, _ name: String) throws(EventDecodingError) -> Value {
        guard let value else { throw .missing(member: name) }
        return value
    }
}

extension PaymentChoice: ObjectForm, MemberForm, CanonicalForm
where Number == Sealed, Card == CardReference<Int?, Sealed> {
    package init(_ members: inout some FormPass, _ value: Given<Self>?) throws(EventDecodingError) {
        let stored = try ChoiceMembers(&members, value.map { ChoiceMembers($0.whole) })
        self = try stored.preference()
    }
}
