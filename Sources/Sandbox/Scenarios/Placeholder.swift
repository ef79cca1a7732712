/// A placeholder in a literal response for a value of the order itself.
///
/// Written `{{name}}` or `{{name#2}}`; the number distinguishes several of the same kind. Names:
/// `base`, `session`, `order`, `completeUrl`, `cancelUrl`, `paymentUrl`, `hostUrl`, `swish` (an app
/// link), `acs:method`, `acs:challenge`, `notification`, `creq`, `threeDSSessionData`,
/// `threeDSMethodData`, `token:NAME` (an opaque value that stays the same) and `href:REL` or
/// `href:REL/METHOD` (the address of an operation; the number is that of the attempt).
struct Placeholder: Sendable, Equatable {
    /// The value to insert.
    enum Subject: Sendable, Equatable {
        case base
        case session
        case order
        case completeURL
        case cancelURL
        case paymentURL
        case hostURL
        case swishLink
        case methodPage
        case challengePage
        case notification
        case challengeRequest
        case challengeData
        case methodData
        case token(String)
        case operation(Rel, method: String?)
        /// An operation that the session API does not have; its address is not served.
        case unknownOperation(String)
    }

    let subject: Subject
    let number: Int

    /// Parses the text between the braces; `nil` when it is unknown.
    init?(_ text: String) {
        let parts = text.pieces(between: "#", maxSplits: 1, omittingEmptySubsequences: false)
        guard let name = parts.first, let subject = Self.subject(String(name)) else { return nil }
        if parts.count > 1 {
            guard let number = Int(parts[1]), (0...1_000_000).contains(number) else { return nil }
            self.number = number
        } else {
            number = 0
        }
        self.subject = subject
    }

    private static func subject(_ name: String) -> Subject? {
        switch name {
        case "base": return .base
        case "session": return .session
        case "order": return .order
        case "completeUrl": return .completeURL
        case "cancelUrl": return .cancelURL
        case "paymentUrl": return .paymentURL
        case "hostUrl": return .hostURL
        case "swish": return .swishLink
        case "acs:method": return .methodPage
        case "acs:challenge": return .challengePage
        case "notification": return .notification
        case "creq": return .challengeRequest
        case "threeDSSessionData": return .challengeData
        case "threeDSMethodData": return .methodData
        default: break
        }
        let parts = name.pieces(between: ":", maxSplits: 1).map(String.init)
        guard parts.count == 2, parts[1].allSatisfy(Self.isPlain) else { return nil }
        if parts[0] == "token" { return .token(parts[1]) }
        guard parts[0] == "href" else { return nil }
        let words = parts[1].pieces(between: "/", maxSplits: 1).map(String.init)
        guard let rel = words.first else { return nil }
        guard let known = Rel(rawValue: rel) else { return .unknownOperation(rel) }
        return .operation(known, method: words.count > 1 ? words[1] : nil)
    }

    private static func isPlain(_ character: Character) -> Bool {
        character.isASCII
            && (character.isLetter || character.isNumber || "-_./".contains(character))
    }

    /// The texts between the braces, in order.
    static func names(in text: String) -> [String] {
        var names: [String] = []
        _ = filled(text) { name in
            names.append(name)
            return ""
        }
        return names
    }

    /// The text with every placeholder replaced; unclosed braces stay.
    static func filled(_ text: String, by value: (String) -> String) -> String {
        var output = ""
        var rest = text[...]
        while let opening = rest.unicodeScalars.firstRange(of: "{{".unicodeScalars),
            let closing = rest[opening.upperBound...].unicodeScalars
                .firstRange(of: "}}".unicodeScalars)
        {
            output += rest[..<opening.lowerBound]
            output += value(String(rest[opening.upperBound..<closing.lowerBound]))
            rest = rest[closing.upperBound...]
        }
        return output + rest
    }
}
