public import EventLog

/// The instrument of an attempt with its parameters: sealed for the rules, in the clear for a host.
public enum PaymentChoice<Number: Hashable & Sendable, Card: Hashable & Sendable>: Hashable,
    Sendable
{
    /// Swish; with a number the request goes to that telephone, without one to an app on this
    /// device.
    case swish(msisdn: Number?)
    /// A saved card.
    case card(Card)
    /// A card entered on the PSP's page, and whether that page shows the consent checkbox.
    case newCard(showsConsent: Bool)
    /// Apple Pay for a merchant identifier.
    case applePay(merchantIdentifier: String)
    /// Google Pay.
    case googlePay
    /// Click to Pay.
    case clickToPay
}

/// The payer's choice, with the parameters of the attempt.
public typealias Choice = PaymentChoice<Sealed, ChosenCard>

/// The payer's requested choice, in terms of a list of offers.
public typealias ChoiceRequest = PaymentChoice<Sealed, CardReference<ShownRank, Sealed>>

/// A choice made before the methods were known; without a rank, the first saved card.
public typealias Preference = PaymentChoice<Sealed, CardReference<Int?, Sealed>>

/// A host's request for an attempt: in the clear, to be sealed before any rule sees it.
public typealias AttemptRequest = PaymentChoice<MSISDN, CardReference<ShownRank, String>>

/// A host's choice made before the methods are known; without a rank, the first saved card.
public typealias PreferenceRequest = PaymentChoice<MSISDN, CardReference<Int?, String>>

extension PaymentChoice {
    /// Creates the choice of an instrument with its parameters; `nil` for methods that can be paid
    /// only on the PSP's page.
    package init?<Failure: Error>(
        _ instrument: Instrument,
        msisdn: () throws(Failure) -> Number?,
        card: () throws(Failure) -> Card,
        showsConsent: () throws(Failure) -> Bool,
        merchantIdentifier: () throws(Failure) -> String
    ) throws(Failure) {
        switch instrument {
        case .swish: self = .swish(msisdn: try msisdn())
        case .card: self = .card(try card())
        case .newCard: self = .newCard(showsConsent: try showsConsent())
        case .applePay: self = .applePay(merchantIdentifier: try merchantIdentifier())
        case .googlePay: self = .googlePay
        case .clickToPay: self = .clickToPay
        case .web: return nil
        }
    }

    /// The same choice with another number and card.
    package func map<OtherNumber, OtherCard, Failure: Error>(
        msisdn: (Number) throws(Failure) -> OtherNumber,
        card: (Card) throws(Failure) -> OtherCard
    ) throws(Failure) -> PaymentChoice<OtherNumber, OtherCard> {
        switch self {
        case .swish(nil): .swish(msisdn: nil)
        case .swish(let number?): .swish(msisdn: try msisdn(number))
        case .card(let chosen): .card(try card(chosen))
        case .newCard(let showsConsent): .newCard(showsConsent: showsConsent)
        case .applePay(let identifier): .applePay(merchantIdentifier: identifier)
        case .googlePay: .googlePay
        case .clickToPay: .clickToPay
        }
    }

    /// The instrument of the choice.
    public var instrument: Instrument {
        switch self {
        case .swish: .swish
        case .card: .card
        case .newCard: .newCard
        case .applePay: .applePay
        case .googlePay: .googlePay
        case .clickToPay: .clickToPay
        }
    }

    /// The method's name on the wire, which is `CreditCard` for a new card.
    public var method: PaymentMethodName {
        guard let method = instrument.method else {
            preconditionFailure("\(instrument) can't be chosen")
        }
        return method
    }

    /// The number of another device that the request is sent to, if any.
    package var msisdn: Number? {
        // Without a default, so that the compiler asks for a new instrument's number.
        switch self {
        case .swish(let number): number
        case .card, .newCard, .applePay, .googlePay, .clickToPay: nil
        }
    }

    /// The saved card, if the choice is one.
    var card: Card? { if case .card(let card) = self { card } else { nil } }

    /// Whether the page for a new card shows the consent checkbox.
    var showsConsent: Bool? { if case .newCard(let shows) = self { shows } else { nil } }

    /// The merchant identifier at Apple.
    var merchantIdentifier: String? { if case .applePay(let name) = self { name } else { nil } }
}

extension PaymentChoice where Card == ChosenCard {
    /// A saved card: the token of the prefill with that rank.
    public static func card(rank: Int, token: Sealed) -> Self {
        .card(ChosenCard(rank: rank, token: token))
    }
}

extension PaymentChoice {
    /// The saved card with that rank in the list that the client saw.
    ///
    /// `seenAt` is the ``SessionState/sequence`` of the state from which the list was taken. If
    /// another card has that rank by now, nothing is paid (``Rejection/prefillChanged(rank:)``);
    /// without `seenAt`, the same applies if another card ever had that rank.
    public static func card<Token>(rank: Int, seenAt: SequenceNumber? = nil) -> Self
    where Card == CardReference<ShownRank, Token> {
        .card(.ranked(ShownRank(rank: rank, seenAt: seenAt)))
    }

    /// A saved card: the one with this rank, otherwise the first.
    public static func card<Token>(rank: Int?) -> Self where Card == CardReference<Int?, Token> {
        .card(.ranked(rank))
    }
}
