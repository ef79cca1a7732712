package import EventLog

/// The members of a choice, side by side: what an instrument doesn't need is absent.
private struct ChoiceMembers {
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

    init(_ instrument: Instrument, number: Int? = nil) {
        self.instrument = instrument
        self.number = number
    }

    package func write(to writer: inout CanonicalWriter) {
        writer.object { writer in
            writer.member("cardBrand", cardBrand)
            writer.member("expiry", expiry)
            writer.member("instrument", instrument)
            writer.member("maskedPan", maskedPan)
            writer.member("merchantIdentifier", merchantIdentifier)
            writer.member("msisdn", msisdn)
            writer.member("number", number)
            writer.member("rank", rank)
            writer.member("showsConsent", showsConsent)
            writer.member("token", token)
        }
    }

    init(from reader: inout CanonicalReader) throws(EventDecodingError) {
        var object = try reader.beginObject()
        cardBrand = try reader.find("cardBrand", in: &object)
        expiry = try reader.find("expiry", in: &object)
        instrument = try reader.require("instrument", in: &object)
        maskedPan = try reader.find("maskedPan", in: &object)
        merchantIdentifier = try reader.find("merchantIdentifier", in: &object)
        msisdn = try reader.find("msisdn", in: &object)
        number = try reader.find("number", in: &object)
        rank = try reader.find("rank", in: &object)
        showsConsent = try reader.find("showsConsent", in: &object)
        token = try reader.find("token", in: &object)
        try reader.endObject(&object)
    }

    /// A saved card that was chosen before the methods were known.
    var preferredCard: Preference {
        if let token { return .savedCard(.token(token)) }
        guard let maskedPan else { return .card(rank: rank) }
        return .savedCard(.seen(SeenCard(maskedPan: maskedPan, brand: cardBrand, expiry: expiry)))
    }

    func needed<Value>(
        _ value: Value?,
        _ name: String
    ) throws(EventDecodingError) -> Value {
        guard let value else { throw .missing(member: name) }
        return value
    }
}

extension AttemptStarted: CanonicalForm {
    package func write(to writer: inout CanonicalWriter) {
        var members = ChoiceMembers(choice.instrument, number: number)
        switch choice {
        case .swish(let msisdn): members.msisdn = msisdn
        case .card(let rank, let token):
            members.rank = rank
            members.token = token
        case .newCard(let showsConsent): members.showsConsent = showsConsent
        case .applePay(let identifier): members.merchantIdentifier = identifier
        case .googlePay, .clickToPay: break
        }
        members.write(to: &writer)
    }

    package static func read(
        from reader: inout CanonicalReader
    ) throws(EventDecodingError) -> AttemptStarted {
        let members = try ChoiceMembers(from: &reader)
        let choice: Choice =
            switch members.instrument {
            case .swish: .swish(msisdn: members.msisdn)
            case .card:
                .card(
                    rank: try members.needed(members.rank, "rank"),
                    token: try members.needed(members.token, "token")
                )
            case .newCard:
                .newCard(showsConsent: try members.needed(members.showsConsent, "showsConsent"))
            case .applePay:
                .applePay(
                    merchantIdentifier: try members.needed(
                        members.merchantIdentifier,
                        "merchantIdentifier"
                    )
                )
            case .googlePay: .googlePay
            case .clickToPay: .clickToPay
            case .web: throw .unknownValue("Choice")
            }
        return AttemptStarted(
            number: try members.needed(members.number, "number"),
            choice: choice
        )
    }
}

extension Preference: CanonicalForm {
    package func write(to writer: inout CanonicalWriter) {
        var members: ChoiceMembers
        switch self {
        case .swish(let msisdn):
            members = ChoiceMembers(.swish)
            members.msisdn = msisdn
        case .card(let rank):
            members = ChoiceMembers(.card)
            members.rank = rank
        case .savedCard(.token(let token)):
            members = ChoiceMembers(.card)
            members.token = token
        case .savedCard(.seen(let seen)):
            members = ChoiceMembers(.card)
            members.cardBrand = seen.brand
            members.expiry = seen.expiry
            members.maskedPan = seen.maskedPan
        case .newCard(let showsConsent):
            members = ChoiceMembers(.newCard)
            members.showsConsent = showsConsent
        case .applePay(let identifier):
            members = ChoiceMembers(.applePay)
            members.merchantIdentifier = identifier
        case .googlePay: members = ChoiceMembers(.googlePay)
        case .clickToPay: members = ChoiceMembers(.clickToPay)
        }
        members.write(to: &writer)
    }

    package static func read(
        from reader: inout CanonicalReader
    ) throws(EventDecodingError) -> Preference {
        let members = try ChoiceMembers(from: &reader)
        return switch members.instrument {
        case .swish: .swish(msisdn: members.msisdn)
        case .card: members.preferredCard
        case .newCard:
            .newCard(showsConsent: try members.needed(members.showsConsent, "showsConsent"))
        case .applePay:
            .applePay(
                merchantIdentifier: try members.needed(
                    members.merchantIdentifier,
                    "merchantIdentifier"
                )
            )
        case .googlePay: .googlePay
        case .clickToPay: .clickToPay
        case .web: throw .unknownValue("Preference")
        }
    }
}
