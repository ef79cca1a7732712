public import EventLog

/// A choice that was made before the methods were known.
public enum Preference: Hashable, Sendable {
    /// Swish, on another device when a number is given.
    case swish(msisdn: Sealed?)
    /// A saved card: the one with this rank, else the first.
    case card(rank: Int?)
    /// The saved card that is meant; without it, the choice is not offered.
    case savedCard(CardIdentity)
    /// A card entered on the PSP's page.
    case newCard(showsConsent: Bool)
    /// Apple Pay.
    case applePay(merchantIdentifier: String)
    /// Google Pay.
    case googlePay
    /// Click to Pay.
    case clickToPay
}

extension Preference: ObjectForm {
    package init(_ members: inout some FormPass, _ value: Self?) throws(EventDecodingError) {
        let stored = try ChoiceMembers(&members, value.map(ChoiceMembers.init), card: .text)
        self = try stored.preference
    }
}
