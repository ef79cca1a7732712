internal import EventLog

/// The members of a choice, side by side: what an instrument doesn't need is absent.
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

    /// - Parameter card: What masks the names of a card in the clear, where there are some.
    init(
        _ members: inout some FormPass,
        _ value: Self?,
        card mask: MaskStyle? = nil
    ) throws(EventDecodingError) {
        cardBrand = try members.find("cardBrand", value?.cardBrand, mask: mask)
        expiry = try members.find("expiry", value?.expiry)
        instrument = try members.require("instrument", value?.instrument)
        maskedPan = try members.find("maskedPan", value?.maskedPan, mask: mask)
        merchantIdentifier = try members.find(
            "merchantIdentifier",
            value?.merchantIdentifier,
            mask: .text
        )
        msisdn = try members.find("msisdn", value?.msisdn)
        number = try members.find("number", value?.number)
        rank = try members.find("rank", value?.rank)
        showsConsent = try members.find("showsConsent", value?.showsConsent)
        token = try members.find("token", value?.token)
    }

    init(_ choice: Choice, _ number: Int) {
        (instrument, self.number) = (choice.instrument, number)
        switch choice {
        case .swish(let msisdn): self.msisdn = msisdn
        case .card(let rank, let token): (self.rank, self.token) = (rank, token)
        case .newCard(let showsConsent): self.showsConsent = showsConsent
        case .applePay(let identifier): merchantIdentifier = identifier
        case .googlePay, .clickToPay: break
        }
    }

    init(_ preference: Preference) {
        switch preference {
        case .swish(let msisdn): (instrument, self.msisdn) = (.swish, msisdn)
        case .card(let rank): (instrument, self.rank) = (.card, rank)
        case .savedCard(.token(let token)): (instrument, self.token) = (.card, token)
        case .savedCard(.seen(let seen)):
            instrument = .card
            (cardBrand, expiry, maskedPan) = (seen.brand, seen.expiry, seen.maskedPan)
        case .newCard(let consent): (instrument, showsConsent) = (.newCard, consent)
        case .applePay(let name): (instrument, merchantIdentifier) = (.applePay, name)
        case .googlePay: instrument = .googlePay
        case .clickToPay: instrument = .clickToPay
        }
    }

    var choice: Choice {
        get throws(EventDecodingError) {
            switch instrument {
            case .swish: .swish(msisdn: msisdn)
            case .card: .card(rank: try needed(rank, "rank"), token: try needed(token, "token"))
            case .newCard: .newCard(showsConsent: try needed(showsConsent, "showsConsent"))
            case .applePay:
                .applePay(
                    merchantIdentifier: try needed(merchantIdentifier, "merchantIdentifier")
                )
            case .googlePay: .googlePay
            case .clickToPay: .clickToPay
            case .web: throw .unknownValue("Choice")
            }
        }
    }

    /// A choice that was made before the methods were known.
    var preference: Preference {
        get throws(EventDecodingError) {
            switch instrument {
            case .swish: .swish(msisdn: msisdn)
            case .card: preferredCard
            case .newCard: .newCard(showsConsent: try needed(showsConsent, "showsConsent"))
            case .applePay:
                .applePay(
                    merchantIdentifier: try needed(merchantIdentifier, "merchantIdentifier")
                )
            case .googlePay: .googlePay
            case .clickToPay: .clickToPay
            case .web: throw .unknownValue("Preference")
            }
        }
    }

    private var preferredCard: Preference {
        if let token { return .savedCard(.token(token)) }
        guard let maskedPan else { return .card(rank: rank) }
        return .savedCard(.seen(SeenCard(maskedPan: maskedPan, brand: cardBrand, expiry: expiry)))
    }

    func needed<Value>(_ value: Value?, _ name: String) throws(EventDecodingError) -> Value {
        guard let value else { throw .missing(member: name) }
        return value
    }
}
