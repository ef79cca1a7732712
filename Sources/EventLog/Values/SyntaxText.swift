@_spi(_Unicode) internal import Swift

/// Searching text for the marks of a syntax, such as quotation marks and slashes.
///
/// `String` compares whole characters, and a mark followed by a combining one is another character
/// than the mark: `"'\u{301}".contains("'")` is false. Shells, servers and browsers read the mark
/// nevertheless. These functions compare bytes, as `utf8` and `unicodeScalars` do.
extension StringProtocol {
    /// Returns the text with every occurrence of a part replaced.
    package func rewriting(_ part: String, as replacement: String) -> String {
        // Looking for one byte first spares nearly every text the search for several.
        guard part.utf8.first.map({ utf8.contains($0) }) == true else { return String(self) }
        return String(
            decoding: Array(utf8).replacing(part.utf8, with: replacement.utf8),
            as: UTF8.self
        )
    }

    /// The text with U+FFFD for each NUL, which PostgreSQL cannot store and C takes for the end.
    package var withoutNUL: String {
        utf8.contains(0) ? rewriting("\0", as: "\u{FFFD}") : String(self)
    }

    /// The text in Unicode's composed form (NFC), in which equal texts have equal bytes: a letter
    /// with an accent can be written as one character or as two.
    package var composed: String {
        utf8.allSatisfy { $0 < 0x80 }
            ? String(self) : String(String.UnicodeScalarView(String(self)._nfc))
    }

    /// Returns the pieces of the text between marks, like `split(separator:)`.
    package func pieces(
        between mark: String,
        maxSplits: Int = .max,
        omittingEmptySubsequences: Bool = true
    ) -> [SubSequence] {
        // The search for several bytes is not specialised, and takes thirty times as long.
        guard let byte = mark.utf8.first, mark.utf8.count == 1 else {
            return utf8.split(
                separator: mark.utf8,
                maxSplits: maxSplits,
                omittingEmptySubsequences: omittingEmptySubsequences
            )
            .map { self[$0.startIndex..<$0.endIndex] }
        }
        return utf8.split(
            separator: byte,
            maxSplits: maxSplits,
            omittingEmptySubsequences: omittingEmptySubsequences
        )
        .map { self[$0.startIndex..<$0.endIndex] }
    }
}
