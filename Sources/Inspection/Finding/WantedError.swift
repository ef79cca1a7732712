/// Why a text cannot be searched for.
package enum WantedError: Error, CustomStringConvertible {
    /// The text is too short or too long.
    case length
    /// The text may be a full card number.
    case cardNumber

    /// The error.
    package var description: String {
        switch self {
        case .length:
            "a text to find has \(Wanted.shortest) to \(Wanted.longest) characters"
        case .cardNumber: "that may be the whole number of a card, which nobody should type"
        }
    }

    /// The hint.
    package var hint: String {
        switch self {
        case .length:
            "give a part of the reference, of an identity, a masked card number, or a number as +46700000000"
        case .cardNumber:
            "write it as logs have it: 476173******1416, or only the last four digits"
        }
    }
}
