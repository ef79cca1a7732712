/// Secrets in base64, which need not look random: encoded digits consist of only a few different
/// letters.
extension SecretFinder {
    /// The length of base64 that encodes a number of thirteen digits.
    private static let shortestBase64 = 16
    /// The maximum length of a piece that is examined.
    private static let longestBase64 = 4096

    /// Pieces of base64 that encode a text with a secret in it; each is reported as a whole.
    func base64Pieces() -> [Finding] {
        guard !isDecoded else { return [] }
        var found: [Finding] = []
        var start = 0
        for place in 0...scalars.count {
            if place < scalars.count, isInBase64(place) { continue }
            if let kind = secret(inBase64: start..<place) {
                let padding = scalars[place...].prefix(2).prefix { $0 == "=" }
                found.append(Finding(range: start..<padding.endIndex, kind: kind))
            } else {
                // In a path, list or reference, base64 may be enclosed by signs that also belong to
                // its alphabet.
                found += parts(of: start..<place).compactMap { part in
                    secret(inBase64: part).map { Finding(range: part, kind: $0) }
                }
            }
            start = place + 1
        }
        return found
    }

    private func isInBase64(_ place: Int) -> Bool {
        // An equals sign ends base64; a name precedes it.
        guard scalars[place] == "=" else { return scalars[place].isBase64 && !isSpared[place] }
        return false
    }

    private func parts(of range: Range<Int>) -> [Range<Int>] {
        let signs: Set<Unicode.Scalar> = ["/", "-", "_", "+"]
        guard scalars[range].contains(where: signs.contains) else { return [] }
        return range.split { signs.contains(scalars[$0]) }.map { $0.startIndex..<$0.endIndex }
    }

    private func secret(inBase64 range: Range<Int>) -> Mask.Kind? {
        guard range.count >= Self.shortestBase64, range.count <= Self.longestBase64,
            let text = Self.decoded(scalars[range])
        else { return nil }
        let kinds: Set<Mask.Kind> = [.cardNumber, .personalNumber, .telephoneNumber, .emailAddress]
        return SecretFinder(
            Array(text.unicodeScalars),
            sparing: harmlessAddresses,
            isDecoded: true
        ).findings(in: .text)
            .map(\.kind).filter(kinds.contains).min { $0.saysMore(than: $1) }
    }

    /// The text that base64 encodes, in either alphabet; `nil` when it does not encode text.
    private static func decoded(_ scalars: ArraySlice<Unicode.Scalar>) -> String? {
        var bytes: [UInt8] = []
        var (bits, count) = (UInt32(0), 0)
        for scalar in scalars {
            guard let value = value(of: scalar) else { return nil }
            bits = bits << 6 | value
            count += 6
            guard count >= 8 else { continue }
            count -= 8
            bytes.append(UInt8(truncatingIfNeeded: bits >> UInt32(count)))
        }
        return String(validating: bytes, as: UTF8.self)
    }

    private static func value(of scalar: Unicode.Scalar) -> UInt32? {
        switch scalar {
        case "A"..."Z": scalar.value - 0x41
        case "a"..."z": scalar.value - 0x61 + 26
        case "0"..."9": scalar.value - 0x30 + 52
        case "+", "-": 62
        case "/", "_": 63
        default: nil
        }
    }
}
