/// Why a text is not looked for.
package enum WantedError: Error, CustomStringConvertible {
    /// It is too short or too long.
    case length
    /// It may be the whole number of a card.
    case cardNumber

    /// What is wrong.
    package var description: String {
        switch self {
        case .length:
            "a text to find has \(Wanted.shortest) to \(Wanted.longest) characters"
        case .cardNumber: "that may be the whole number of a card, which nobody should type"
        }
    }

    /// What to do instead.
    package var hint: String {
        switch self {
        case .length:
            "give a part of the reference, of an identity, a masked card number, or a number as +46700000000"
        case .cardNumber:
            "write it as logs have it: 476173******1416, or only the last four digits"
        }
    }
}
