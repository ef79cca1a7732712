internal import EventLog

/// A telephone number in international form, as Swish wants it: personal data.
///
/// Source: payment session API, payment methods.
public struct MSISDN: Hashable, Sendable {
    /// The number: `+`, country code and digits, without blanks.
    public let number: String

    /// Reads `+`, then seven to fifteen digits of which the first is not zero.
    ///
    /// - Returns: Nil for any other text; a national number has to be converted by who knows the
    ///   country.
    public init?(_ text: String) {
        let bytes = Array(text.utf8)
        guard (8...16).contains(bytes.count), bytes[0] == UInt8(ascii: "+"),
            bytes[1] != UInt8(ascii: "0"), bytes.dropFirst().allSatisfy(\.isASCIIDigit)
        else { return nil }
        number = text
    }

    /// The number for people, with its middle hidden: `+46•••••0001`.
    ///
    /// At least four digits stay hidden, so short numbers show fewer at their end.
    public var masked: String { Self.masking(number) }

    /// Hides the middle of a text that is meant to be a number, well-formed or not.
    package static func masking(_ text: String) -> String {
        let shown = text.hasPrefix("+") ? 3 : 0
        return text.prefix(shown) + "•••••" + text.suffix(min(4, max(0, text.count - shown - 4)))
    }
}

extension MSISDN: CustomStringConvertible, CustomReflectable {
    /// The masked form.
    public var description: String { masked }

    /// Nothing inside.
    public var customMirror: Mirror { Mirror(self, children: []) }
}
