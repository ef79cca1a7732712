/// How a mask is written so that the text around it keeps its form.
public enum MaskStyle: Hashable, Sendable {
    /// In prose: `[card number]`.
    case text
    /// In an address, which must remain one: `(card-number)`.
    case address
    /// Replaces a whole reference of letters and digits: `MASKEDCARDNUMBER`.
    case word
}

/// The text that replaces a secret: it names the kind, but never the digits or their count.
///
/// In one session's log the same secret always has the same mask, and different secrets have
/// different masks, numbered from the second on. Texts that were different therefore stay
/// different, and rules that compare them reach the same result.
package enum Mask {
    /// The kind of secret, the most specific first.
    package enum Kind: String, CaseIterable {
        case cardNumber = "card number"
        case securityCode = "security code"
        case personalNumber = "personal number"
        case telephoneNumber = "telephone number"
        case emailAddress = "e-mail address"
        case credentials
        case token
        case value
        case text
    }

    package typealias Style = MaskStyle

    /// The maximum number of digits of a mask's number; a longer number could hide data.
    static let maximumDigits = 5

    /// The mask of the secret with that number.
    package static func text(_ kind: Kind, number: Int, style: Style) -> String {
        let name = name(of: kind, style: style)
        guard number > 1 else { return opening(style) + name + closing(style) }
        let separator =
            switch style {
            case .text: " "
            case .address: "-"
            case .word: ""
            }
        return opening(style) + name + separator + "\(number)" + closing(style)
    }

    /// Whether a text of that style contains a mask; prose may also contain addresses.
    static func occurs(in text: String, style: Style) -> Bool {
        let scalars = Array(text.unicodeScalars)
        switch style {
        case .word: return end(in: scalars, at: 0, style: .word) == scalars.count
        case .text, .address: return scalars.indices.contains { end(in: scalars, at: $0) != nil }
        }
    }

    /// The end of the mask that starts at an offset of a text; `nil` when none does.
    static func end(in scalars: [Unicode.Scalar], at start: Int) -> Int? {
        switch scalars[start] {
        case "[": end(in: scalars, at: start, style: .text)
        case "(": end(in: scalars, at: start, style: .address)
        default: nil
        }
    }

    private static func end(
        in scalars: [Unicode.Scalar],
        at start: Int,
        style: Style
    ) -> Int? {
        for head in heads[style] ?? [] {
            guard scalars[start...].starts(with: head) else { continue }
            var place = start + head.count
            let tail = Array(closing(style).unicodeScalars)
            if scalars[place...].starts(with: tail), style != .word || place == scalars.count {
                return place + tail.count
            }
            if style != .word {
                let separator: Unicode.Scalar = style == .text ? " " : "-"
                guard place < scalars.count, scalars[place] == separator else { continue }
                place += 1
            }
            let digits = scalars[place...].prefix { ("0"..."9").contains($0) }
            place += digits.count
            guard (1...maximumDigits).contains(digits.count), scalars[place...].starts(with: tail)
            else { continue }
            return place + tail.count
        }
        return nil
    }

    /// The beginnings of the masks of each kind.
    private static let heads: [Style: [[Unicode.Scalar]]] = Dictionary(
        uniqueKeysWithValues: [Style.text, .address, .word].map { style in
            (
                style,
                Kind.allCases.map {
                    Array((opening(style) + name(of: $0, style: style)).unicodeScalars)
                }
            )
        }
    )

    private static func name(of kind: Kind, style: Style) -> String {
        switch style {
        case .text: kind.rawValue
        case .address: kind.rawValue.rewriting(" ", as: "-")
        case .word: kind.rawValue.filter { $0.isLetter }.uppercased()
        }
    }

    private static func opening(_ style: Style) -> String {
        switch style {
        case .text: "["
        case .address: "("
        case .word: "MASKED"
        }
    }

    private static func closing(_ style: Style) -> String {
        switch style {
        case .text: "]"
        case .address: ")"
        case .word: ""
        }
    }
}
