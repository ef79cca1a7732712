package import EventLog

extension OfferedMethod: ObjectForm {
    package init(_ members: inout some FormPass, _ value: Given<Self>?) throws(EventDecodingError) {
        allowedCardAuthMethods = try members.find(
            "allowedCardAuthMethods",
            value?.allowedCardAuthMethods,
            else: []
        )
        amount = try members.find("amount", value?.amount)
        cardBrands = try members.find("cardBrands", value?.cardBrands, else: [])
        environment = try members.find("environment", value?.environment)
        merchantCapabilities = try members.find(
            "merchantCapabilities",
            value?.merchantCapabilities,
            else: []
        )
        operations = try members.find("operations", value?.operations, else: [])
        name = try members.require("paymentMethod", value?.name)
        prefills = try members.find("prefills", value?.prefills, else: [])
    }
}

extension CardExpiry: ObjectForm {
    package init(_ members: inout some FormPass, _ value: Given<Self>?) throws(EventDecodingError) {
        month = try members.require("month", value?.month)
        year = try members.require("year", value?.year)
    }

    package static func sample(by sampler: inout FormSampler) -> CardExpiry {
        CardExpiry(year: .sample(by: &sampler), month: Int(sampler.word() % 12) + 1)
    }
}

extension Prefill: ObjectForm {
    package init(_ members: inout some FormPass, _ value: Given<Self>?) throws(EventDecodingError) {
        let (phone, card) = (value?.phone, value?.savedCard)
        let brand = try members.find("cardBrand", card?.brand)
        let expiry = try members.find("expiry", card?.expiry)
        let masked = try members.find("masked", phone?.masked)
        let maskedPan = try members.find("maskedPan", card?.maskedPan)
        let msisdn = try members.find("msisdn", phone?.msisdn)
        let rank = try members.require("rank", card?.rank ?? phone?.rank)
        let token = try members.find("token", card?.token)
        if let msisdn {
            guard let masked else { throw .missing(member: "masked") }
            self = .swish(rank: rank, msisdn: msisdn, masked: masked)
        } else {
            guard let token else { throw .missing(member: "token") }
            self = .card(
                SavedCard(
                    rank: rank,
                    token: token,
                    brand: brand,
                    maskedPan: maskedPan,
                    expiry: expiry
                )
            )
        }
    }

    private var phone: (rank: Int, msisdn: Sealed, masked: String)? {
        if case .swish(let rank, let msisdn, let masked) = self {
            (rank, msisdn, masked)
        } else {
            nil
        }
    }

    private var savedCard: SavedCard? {
        if case .card(let card) = self { card } else { nil }
    }
}
