/// Why a text cannot be searched for.
package enum WantedError: Error, CustomStringConvertible {
    /// The text is too short or too long.
    case length
    /// The text may be a full card number.
    case cardNumber

    /// What is wrong.
    package var description: String {
        switch self {
        case .length:
            "a text to find must have \(Wanted.shortest) to \(Wanted.longest) characters"
        case .cardNumber: "the text may be a full card number, which must not be entered"
        }
    }

    /// What to do instead.
    package var hint: String {
        switch self {
        case .length:
            "give part of a reference or an id, a masked card number, or a telephone number such as +46700000000"
        case .cardNumber:
            "write it as in the logs: 476173******1416, or only the last four digits"
        }
    }
}
