package import EventLog

extension Prefill: CanonicalForm {
    package func write(to writer: inout CanonicalWriter) {
        writer.object { writer in
            switch self {
            case .swish(let rank, let msisdn, let masked):
                writer.member("masked", masked)
                writer.member("msisdn", msisdn)
                writer.member("rank", rank)
            case .card(let card):
                writer.member("cardBrand", card.brand)
                writer.member("expiry", card.expiry)
                writer.member("maskedPan", card.maskedPan)
                writer.member("rank", card.rank)
                writer.member("token", card.token)
            }
        }
    }

    package static func read(
        from reader: inout CanonicalReader
    ) throws(EventDecodingError) -> Prefill {
        var object = try reader.beginObject()
        let brand: String? = try reader.find("cardBrand", in: &object)
        let expiry: CardExpiry? = try reader.find("expiry", in: &object)
        let masked: String? = try reader.find("masked", in: &object)
        let maskedPan: String? = try reader.find("maskedPan", in: &object)
        let msisdn: Sealed? = try reader.find("msisdn", in: &object)
        let rank: Int = try reader.require("rank", in: &object)
        let token: Sealed? = try reader.find("token", in: &object)
        try reader.endObject(&object)
        if let msisdn {
            guard let masked else { throw .missing(member: "masked") }
            return .swish(rank: rank, msisdn: msisdn, masked: masked)
        }
        guard let token else { throw .missing(member: "token") }
        return .card(
            SavedCard(rank: rank, token: token, brand: brand, maskedPan: maskedPan, expiry: expiry)
        )
    }
}
