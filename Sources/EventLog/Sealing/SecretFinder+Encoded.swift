/// Secrets in encoded text: percent-encoded, or with JSON escapes.
extension SecretFinder {
    /// Pieces of text outside addresses that encode a text with a secret in it; each is reported as
    /// a whole.
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

    /// The kind of secret in the text that an encoded piece represents; `nil` when the piece
    /// represents itself.
    ///
    /// Text that was encoded twice is not decoded again: either it is found by its appearance, or
    /// no program sends it.
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

/// Text with JSON escapes, as it appears within another text.
private enum EscapedText {
    /// The text without escapes: `\u0020` and `\/` are decoded, however many backslashes there are,
    /// and line endings and tabs become blanks.
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
