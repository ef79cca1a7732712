import SwedbankPay

/// The matching rule once more, written as plainly as possible, without any of the code under test.
enum MatchOracle {
    private struct Parts {
        var scheme: String
        var place: [String?]
        var path: String
        var items: [String]
    }

    static func match(_ url: String, paymentURL: String, callbackScheme: String?) -> ReturnForm? {
        guard let incoming = parts(url), let payment = parts(paymentURL) else { return nil }
        guard incoming.scheme == payment.scheme || incoming.scheme == callbackScheme else {
            return nil
        }
        // The default port is that of the payment URL's scheme.
        let standard = ["https": "443", "http": "80"][payment.scheme]
        func place(_ parts: Parts) -> [String?] {
            parts.place.enumerated().map { $0 == 2 && $1 == standard ? nil : $1 }
        }
        guard place(incoming) == place(payment), slashed(incoming.path) == slashed(payment.path)
        else { return nil }
        var rest = incoming.items
        for item in payment.items {
            guard let index = rest.firstIndex(of: item) else { return nil }
            rest.remove(at: index)
        }
        guard incoming.scheme == payment.scheme else { return .customScheme }
        return rest.isEmpty ? .original : .augmented
    }

    private static func slashed(_ path: String) -> String {
        path.hasSuffix("/") ? path : path + "/"
    }

    /// Returns the parts of an address: RFC 3986, appendix B, with the characters of its appendix
    /// A.
    private static func parts(_ text: String) -> Parts? {
        guard text.utf8.count <= 8_192,
            let whole = text.wholeMatch(
                of: /([A-Za-z][A-Za-z0-9+.\-]*):(?:\/\/([^\/?#]*))?([^?#]*)(?:\?([^#]*))?(?:#(.*))?/
            ), isPart(whole.3, more: "/"), isPart(whole.4 ?? "", more: "/?"),
            isPart(whole.5 ?? "", more: "/?")
        else { return nil }
        var place: [String?] = [nil, nil, nil, whole.5.map { plain($0) }]
        if let authority = whole.2 {
            guard
                let parts = authority.wholeMatch(
                    of: /(?:([^@]*)@)?(\[[0-9A-Fa-f:.]+\]|[^:\[\]@]*)(?::([0-9]{0,5}))?/
                ), isPart(parts.1 ?? "", more: ""),
                parts.2.hasPrefix("[") || isPart(parts.2, more: ""),
                parts.3.map({ $0.isEmpty || (Int($0) ?? 0) <= 65_535 }) ?? true
            else { return nil }
            let port = parts.3.flatMap { $0.isEmpty ? nil : String(Int($0) ?? 0) }
            place = [parts.1.map(String.init), parts.2.lowercased(), port, place[3]]
        }
        return Parts(
            scheme: whole.1.lowercased(),
            place: place,
            path: plain(whole.3),
            items: (whole.4 ?? "").split(separator: "&").map { item in
                // An equals sign that is encoded as %3D does not end the name.
                let halves = item.split(
                    separator: "=",
                    maxSplits: 1,
                    omittingEmptySubsequences: false
                )
                return halves.map { bytes(of: $0) }.joined(separator: " = ")
            }
        )
    }

    private static func isPart(_ text: Substring, more: String) -> Bool {
        var rest = text.replacing(/%[0-9A-Fa-f]{2}/, with: "")
        rest.removeAll {
            "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-._~!$&'()*+,;=:@"
                .contains($0)
                || more.contains($0)
        }
        return rest.isEmpty
    }

    /// Returns a text with the triplets of unreserved characters decoded, and all others in upper
    /// case.
    private static func plain(_ text: Substring) -> String {
        String(text).replacing(/%([0-9A-Fa-f]{2})/) { match in
            let character = Character(Unicode.Scalar(UInt8(match.1, radix: 16) ?? 0))
            let isUnreserved =
                character.isASCII
                && (character.isLetter || character.isNumber || "-._~".contains(character))
            return isUnreserved ? String(character) : "%" + match.1.uppercased()
        }
    }

    /// Returns the decoded bytes as numbers.
    private static func bytes(of text: Substring) -> String {
        var result: [String] = []
        var rest = text
        while let first = rest.popFirst() {
            if first == "%" {
                result.append(String(UInt8(rest.prefix(2), radix: 16) ?? 0))
                rest = rest.dropFirst(2)
            } else {
                result += String(first).utf8.map { String($0) }
            }
        }
        return result.joined(separator: " ")
    }
}
