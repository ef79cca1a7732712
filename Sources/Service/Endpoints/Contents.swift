internal import Adapters
internal import SwedbankPay

/// What the body of a request contains.
protocol RequestContent: Decodable {
    /// The names of its members: a body with another one is refused, since it may be a misspelt
    /// one.
    static var members: Set<String> { get }
}

extension ClientReport: RequestContent {}

/// `POST /v1/sessions`.
struct OpeningContent: RequestContent {
    static let members: Set = [
        "url", "reference", "metadata", "callbackScheme", "amount", "preferences",
    ]

    /// An amount in minor units, with its currency.
    struct Amount: Decodable {
        var minorUnits: Int64
        var currency: String
    }

    var url: String
    var reference: String?
    var metadata: [String: String]?
    var callbackScheme: String?
    var amount: Amount?
    var preferences: [PreferenceContent]?

    /// Refuses texts that are too long or contain control characters.
    func check() throws(ServiceProblem) {
        try HostMembers.check(reference, metadata, callbackScheme)
    }

    /// The amount to be paid.
    func expected() throws(ServiceProblem) -> Money? {
        guard let amount else { return nil }
        do throws(InvalidAmount) {
            return try Money(minorUnits: amount.minorUnits, currency: amount.currency)
        } catch {
            throw ServiceProblem(422, "request.content", "the amount or its currency is not valid")
        }
    }
}

/// What a host says of a session that it opens, in any of the bodies that open one.
enum HostMembers {
    /// Refuses texts that are too long or contain control characters.
    static func check(
        _ reference: String?,
        _ metadata: [String: String]?,
        _ callbackScheme: String?
    ) throws(ServiceProblem) {
        func refuse(_ name: String) -> ServiceProblem {
            ServiceProblem(
                422,
                "request.content",
                "the member '\(name)' must have 1 to \(HostText.bytes) bytes and no control characters"
            )
        }
        guard reference.map(HostText.isText) ?? true else { throw refuse("reference") }
        let notes = metadata ?? [:]
        guard notes.count <= HostText.notes,
            notes.allSatisfy({ !$0.key.isEmpty && HostText.isText("\($0.key)=\($0.value)") })
        else { throw refuse("metadata") }
        guard callbackScheme.map({ CallbackScheme($0) != nil }) ?? true else {
            throw ServiceProblem(
                422,
                "request.content",
                "the member 'callbackScheme' is not the scheme of an app"
            )
        }
    }
}

/// `POST /v1/sessions/{session}/attempts`.
struct AttemptContent: RequestContent {
    static let members = InstrumentMembers.names

    let attempt: AttemptRequest

    init(from decoder: any Decoder) throws {
        let members = try InstrumentMembers(from: decoder)
        attempt = try members.choice { rank in
            guard let rank else { throw members.missing(.prefill, in: decoder) }
            return ShownRank(rank: rank)
        }
    }
}

/// What to pay with as soon as the methods are known.
struct PreferenceContent: Decodable {
    let preference: PreferenceRequest

    init(from decoder: any Decoder) throws {
        preference = try InstrumentMembers(from: decoder).choice { $0 }
    }
}

/// The members that choose an instrument.
struct InstrumentMembers {
    enum Name: String, CodingKey, CaseIterable {
        case instrument, msisdn, prefill, card, token, consentCheckbox, merchantIdentifier
    }

    /// Any name that a member may have.
    private struct AnyName: CodingKey {
        let stringValue: String
        var intValue: Int? { nil }

        init(stringValue: String) { self.stringValue = stringValue }
        init?(intValue: Int) { nil }
    }

    static let names = Set(Name.allCases.map(\.rawValue))

    private let members: KeyedDecodingContainer<Name>

    init(from decoder: any Decoder) throws {
        let given = try decoder.container(keyedBy: AnyName.self).allKeys.map(\.stringValue)
        guard given.allSatisfy(Self.names.contains) else {
            throw DecodingError.dataCorrupted(
                DecodingError.Context(codingPath: decoder.codingPath, debugDescription: "")
            )
        }
        members = try decoder.container(keyedBy: Name.self)
    }

    func missing(_ name: Name, in decoder: any Decoder) -> DecodingError {
        .keyNotFound(
            name,
            DecodingError.Context(codingPath: decoder.codingPath, debugDescription: "")
        )
    }

    private func wrong(_ name: Name) -> DecodingError {
        .dataCorruptedError(forKey: name, in: members, debugDescription: "")
    }

    /// The choice; `ranked` converts the rank of a saved card, which may be missing.
    func choice<Rank>(
        _ ranked: (Int?) throws -> Rank
    ) throws -> PaymentChoice<MSISDN, CardReference<Rank, String>> {
        let name = try members.decode(String.self, forKey: .instrument)
        guard let instrument = Instrument(rawValue: name) else { throw wrong(.instrument) }
        let choice = try PaymentChoice<MSISDN, CardReference<Rank, String>>(
            instrument,
            msisdn: {
                guard let text = try members.decodeIfPresent(String.self, forKey: .msisdn)
                else { return nil }
                guard let number = MSISDN(text) else { throw wrong(.msisdn) }
                return number
            },
            card: {
                if let token = try members.decodeIfPresent(String.self, forKey: .token) {
                    return .token(token)
                }
                if let masked = try members.decodeIfPresent(String.self, forKey: .card) {
                    // A whole number would be recorded.
                    guard SeenCard.isMasked(masked) else { throw wrong(.card) }
                    return .seen(SeenCard(maskedPan: masked))
                }
                return .ranked(try ranked(try members.decodeIfPresent(Int.self, forKey: .prefill)))
            },
            showsConsent: {
                try members.decodeIfPresent(Bool.self, forKey: .consentCheckbox) ?? true
            },
            merchantIdentifier: {
                let text = try members.decode(String.self, forKey: .merchantIdentifier)
                guard (1...200).contains(text.utf8.count) else { throw wrong(.merchantIdentifier) }
                return text
            }
        )
        guard let choice else { throw wrong(.instrument) }
        return choice
    }
}

/// `POST /v1/sessions/{session}/menu`: all methods, some, or one in instrument mode.
struct MenuContent: RequestContent {
    static let members: Set = ["only", "instrument"]

    var only: [String]?
    var instrument: String?

    var mode: MenuMode {
        if let instrument { return .instrument(PaymentMethodName(rawValue: instrument)) }
        if let only { return .restricted(only.map { PaymentMethodName(rawValue: $0) }) }
        return .menu
    }
}

/// `POST /v1/sessions/{session}/return`.
struct ReturnContent: RequestContent {
    static let members: Set = ["url"]

    var url: String
}

/// `POST /v1/sessions/{session}/retry` and `/abort`.
struct ReasonContent: RequestContent {
    static let members: Set = ["reason"]

    var reason: String?
}

/// `POST /v1/sessions/{session}/close`.
struct CloseContent: RequestContent {
    static let members: Set = ["reason"]

    var reason: String
}

/// `POST /v1/sessions/{session}/notes`.
struct NoteContent: RequestContent {
    static let members: Set = ["text"]

    var text: String
}

/// `POST /v1/search`.
struct SearchContent: RequestContent {
    static let members: Set = ["text"]

    var text: String
}

/// `POST /v1/sessions/{session}/payer-tokens`.
struct TokenContent: RequestContent {
    static let members: Set = ["seconds"]

    var seconds: Int64?
}

/// `POST /v1/sessions/{session}/resolution`.
struct ResolutionContent: RequestContent {
    static let members: Set = ["verdict", "amount", "evidence"]

    var verdict: String
    var amount: Int64?
    var evidence: String

    var found: MoneyResolution.Verdict? {
        switch verdict {
        case "paid": .paid
        case "not-paid": .notPaid
        case "refunded": .refunded
        default: nil
        }
    }
}
