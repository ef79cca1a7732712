/// Secrets in text that stands for another text: percent-encoded, or with the escapes of JSON.
extension SecretFinder {
    /// Pieces of text outside of addresses that stand for a text with a secret in it; each goes as a whole.
    func encodedPieces() -> [Finding] {
        guard !isDecoded else { return [] }
        var found: [Finding] = []
        var start = 0
        for place in 0...scalars.count {
            if place < scalars.count, isInPiece(place) { continue }
            if let kind = encodedSecret(in: start..<place) {
                found.append(Finding(range: start..<place, kind: kind))
            }
            start = place + 1
        }
        return found
    }

    /// What is found in the text that an encoded piece stands for; nothing when it stands for itself.
    ///
    /// What is encoded twice is not taken apart again: it is found by its look, or is nothing that programs send.
    func encodedSecret(in piece: Range<Int>) -> Mask.Kind? {
        guard !isDecoded, scalars[piece].contains(where: { $0 == "%" || $0 == "\\" }) else {
            return nil
        }
        let text = String(String.UnicodeScalarView(scalars[piece]))
        let decoded = EscapedText.plain(
            String(decoding: PercentEncoding.decoded(text.utf8), as: UTF8.self)
        )
        guard decoded != text else { return nil }
        let finder = SecretFinder(
            Array(decoded.unicodeScalars),
            sparing: harmlessAddresses,
            isDecoded: true
        )
        return finder.findings(in: .text).map(\.kind).min { $0.saysMore(than: $1) }
    }

    private func isInPiece(_ place: Int) -> Bool {
        let scalar = scalars[place]
        return !isSpared[place] && !isInAddress(place) && !scalar.isBlankOrControl
            && !"\"'`<>".unicodeScalars.contains(scalar)
    }
}

/// Text as JSON writes it within a text.
private enum EscapedText {
    /// The text without escapes: `\u0020` and `\/` are what they stand for, however many backslashes there are; line ends
    /// and tabs are blanks.
    static func plain(_ text: String) -> String {
        guard text.unicodeScalars.contains("\\") else { return text }
        let scalars = Array(text.unicodeScalars)
        var plain = String.UnicodeScalarView()
        var place = 0
        while place < scalars.count {
            guard scalars[place] == "\\" else {
                plain.append(scalars[place])
                place += 1
                continue
            }
            while place < scalars.count, scalars[place] == "\\" { place += 1 }
            guard place < scalars.count else { break }
            switch scalars[place] {
            case "u":
                guard let scalar = codePoint(scalars[(place + 1)...]) else {
                    plain.append("\\")
                    continue
                }
                plain.append(scalar)
                place += 5
            case "n", "r", "t":
                plain.append(" ")
                place += 1
            default: continue
            }
        }
        return String(plain)
    }

    private static func codePoint(_ rest: ArraySlice<Unicode.Scalar>) -> Unicode.Scalar? {
        var value: UInt32 = 0
        let digits = rest.prefix(4)
        guard digits.count == 4 else { return nil }
        for digit in digits {
            guard digit.isASCII, let number = UInt8(digit.value).hexadecimalValue else {
                return nil
            }
            value = value << 4 | UInt32(number)
        }
        return Unicode.Scalar(value)
    }
}
