internal import EventLog

/// A telephone number in international form, as Swish requires it: personal data.
///
/// - Note: Source: payment session API, payment methods.
public struct MSISDN: Hashable, Sendable {
    /// The number: `+`, country code and digits, without blanks.
    public let number: String

    /// Reads `+`, followed by seven to fifteen digits of which the first is not zero.
    ///
    /// Returns `nil` for any other text; a national number must be converted by a caller that knows
    /// the country.
    public init?(_ text: String) {
        let bytes = Array(text.utf8)
        guard (8...16).contains(bytes.count), bytes[0] == UInt8(ascii: "+"),
            bytes[1] != UInt8(ascii: "0"), bytes.dropFirst().allSatisfy(\.isASCIIDigit)
        else { return nil }
        number = text
    }

    /// The number with its middle masked, for display: `+46•••••0001`.
    ///
    /// At least four digits remain hidden, so a short number shows fewer at its end.
    public var masked: String { Self.masking(number) }

    /// Masks the middle of a text that is meant to be a number, well-formed or not.
    package static func masking(_ text: String) -> String {
        let shown = text.hasPrefix("+") ? 3 : 0
        return text.prefix(shown) + "•••••" + text.suffix(min(4, max(0, text.count - shown - 4)))
    }
}

extension MSISDN: CustomStringConvertible, CustomReflectable {
    /// The masked form.
    public var description: String { masked }

    /// An empty mirror.
    public var customMirror: Mirror { Mirror(self, children: []) }
}
