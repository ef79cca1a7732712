/// Finds text that looks secret: card and telephone numbers, tokens, e-mail addresses, and the
/// secret parts of addresses.
///
/// It errs towards finding, except for harmless text that is common in logs: session identifiers,
/// times, digests that are named as such, and addresses that the workflow knows.
package struct SecretFinder {
    /// A piece of the text that looks secret.
    package struct Finding {
        /// Its range.
        package var range: Range<Int>
        /// Its kind.
        package var kind: Mask.Kind
        /// Whether it is part of an address, which must remain one.
        package var isInAddress = false
    }

    /// The text.
    let scalars: [Unicode.Scalar]
    /// Which scalars are exempt from the search; an exempt scalar also ends any candidate before
    /// it.
    private(set) var isSpared: [Bool]
    /// The addresses in the text.
    let addresses: [WrittenAddress]
    /// Which scalars are in an address, and which of those between `//` and the path; empty without
    /// addresses.
    private var isInAddress: [Bool] = []
    private var isInAuthority: [Bool] = []

    /// Whether the text was decoded from another text, and must not be decoded again.
    let isDecoded: Bool

    /// The prefixes, in lower case, of addresses that are not secret.
    let harmlessAddresses: [String]

    /// Creates a finder for a text.
    package init(
        _ scalars: [Unicode.Scalar],
        sparing harmlessAddresses: [String],
        isDecoded: Bool = false
    ) {
        self.scalars = scalars
        self.harmlessAddresses = harmlessAddresses
        self.isDecoded = isDecoded
        isSpared = Array(repeating: false, count: scalars.count)
        addresses = WrittenAddress.all(in: scalars)
        for range in HarmlessText.ranges(in: scalars) {
            for place in range { isSpared[place] = true }
        }
        guard !addresses.isEmpty else { return }
        isInAddress = Array(repeating: false, count: scalars.count)
        isInAuthority = isInAddress
        for address in addresses {
            for place in address.range { isInAddress[place] = true }
            for place in address.authority { isInAuthority[place] = true }
        }
    }

    /// The maximum length of text that is searched, in code points; longer text is masked as a
    /// whole.
    package static let maximumLength = 1 << 16

    /// Whether a text contains anything that looks like a secret, or is too long to be searched.
    package static func findsAnything(
        in text: String,
        style: Mask.Style,
        sparing harmlessAddresses: [String]
    ) -> Bool {
        let scalars = Array(text.unicodeScalars)
        guard scalars.count <= maximumLength else { return true }
        return !SecretFinder(scalars, sparing: harmlessAddresses).findings(in: style).isEmpty
    }

    /// Whether an index is in an address.
    func isInAddress(_ place: Int) -> Bool { !isInAddress.isEmpty && isInAddress[place] }

    /// Whether an index is between the `//` of an address and its path.
    func isInAuthority(_ place: Int) -> Bool { !isInAuthority.isEmpty && isInAuthority[place] }

    /// The findings in order; overlapping pieces are merged.
    package func findings(in style: Mask.Style) -> [Finding] {
        var found = cards() + personalNumbers() + telephones() + emailAddresses() + base64Pieces()
        // A merchant's reference has the form of a token, but is not one.
        if style != .word {
            found += securityCodes() + credentials() + namedSecrets() + tokens() + addressParts()
            found += encodedPieces()
        }
        return merged(found)
    }

    /// What distinguishes one secret from another: for numbers only the digits, for other kinds
    /// everything.
    package static func identity(of piece: some Sequence<Unicode.Scalar>, kind: Mask.Kind) -> String
    {
        switch kind {
        case .personalNumber:
            // The number with and without the century identifies the same person.
            return String(
                decoding: piece.compactMap(\.decimalDigit).suffix(10).map { $0 + 0x30 },
                as: UTF8.self
            )
        case .cardNumber, .securityCode:
            return String(
                decoding: piece.compactMap(\.decimalDigit).map { $0 + 0x30 },
                as: UTF8.self
            )
        case .telephoneNumber:
            let digits = piece.compactMap(\.decimalDigit)
            let number =
                digits.starts(with: [0, 0])
                ? digits.dropFirst(2)[...]
                : digits.first == 0 ? ([4, 6] + digits.dropFirst())[...] : digits[...]
            return String(decoding: number.map { $0 + 0x30 }, as: UTF8.self)
        case .emailAddress, .credentials, .token, .value, .text:
            var text = String.UnicodeScalarView()
            text.append(contentsOf: piece)
            return String(text)
        }
    }

    private func merged(_ found: [Finding]) -> [Finding] {
        var result: [Finding] = []
        for var finding in found.sorted(by: { $0.range.lowerBound < $1.range.lowerBound }) {
            finding.range = wholeTriplets(finding.range)
            guard let last = result.last, last.range.upperBound > finding.range.lowerBound else {
                result.append(finding)
                continue
            }
            let index = result.count - 1
            let end = max(last.range.upperBound, finding.range.upperBound)
            result[index].range = last.range.lowerBound..<end
            if finding.kind.saysMore(than: last.kind) { result[index].kind = finding.kind }
        }
        for index in result.indices {
            let start = result[index].range.lowerBound
            result[index].isInAddress = isInAddress(start)
        }
        return result
    }

    /// Extends a range to cover whole percent triplets.
    private func wholeTriplets(_ range: Range<Int>) -> Range<Int> {
        var (start, end) = (range.lowerBound, range.upperBound)
        if start >= 1, scalars[start - 1] == "%" {
            start -= 1
        } else if start >= 2, scalars[start - 2] == "%" {
            start -= 2
        }
        if scalars[end - 1] == "%" {
            end = min(end + 2, scalars.count)
        } else if end - 2 >= start, scalars[end - 2] == "%" {
            end = min(end + 1, scalars.count)
        }
        return start..<end
    }

    /// The run of matching, non-exempt scalars from an index on.
    func run(from start: Int, while fits: (Unicode.Scalar) -> Bool) -> Range<Int> {
        var end = min(start, scalars.count)
        while end < scalars.count, !isSpared[end], fits(scalars[end]) { end += 1 }
        return min(start, end)..<end
    }

    /// The limit when searching backwards: the part before a sign is a name or similar, and never
    /// longer.
    static let longestName = 320

    /// The run of matching, non-exempt scalars before an index.
    func run(before end: Int, while fits: (Unicode.Scalar) -> Bool) -> Range<Int> {
        var start = end
        let floor = max(0, end - Self.longestName)
        while start > floor, !isSpared[start - 1], fits(scalars[start - 1]) { start -= 1 }
        return start..<end
    }
}

extension Mask.Kind {
    /// Whether this kind is more specific than another.
    func saysMore(than other: Mask.Kind) -> Bool {
        guard let mine = Self.allCases.firstIndex(of: self),
            let others = Self.allCases.firstIndex(of: other)
        else { return false }
        return mine < others
    }
}

extension Unicode.Scalar {
    /// The value of a decimal digit in any script; `nil` for other scalars.
    var decimalDigit: UInt8? {
        if isASCII { return (0x30...0x39).contains(value) ? UInt8(value - 0x30) : nil }
        guard properties.numericType == .decimal, let number = properties.numericValue else {
            return nil
        }
        return UInt8(exactly: number)
    }

    /// Whether the scalar is an ASCII letter or digit.
    var isASCIIAlphanumeric: Bool {
        isASCII && (UInt8(value).isASCIILetter || UInt8(value).isASCIIDigit)
    }

    /// Whether the scalar is a blank or a control character.
    var isBlankOrControl: Bool {
        value <= 0x20 || value == 0x7F || properties.isWhitespace
    }

    /// The lower-case form of an ASCII letter; other scalars are unchanged.
    var lowercasedASCII: Unicode.Scalar {
        (0x41...0x5A).contains(value) ? Unicode.Scalar(UInt8(value) + 0x20) : self
    }
}
