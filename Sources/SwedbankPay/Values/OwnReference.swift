internal import EventLog

/// The references that this engine makes for a session's captures, cancellations and reversals.
///
/// The first half of each is random. The second half follows from the first and the session, so
/// that such a reference is recognized although the session's log does not contain it.
///
/// - Note: Source: payment order API, payeeReference: letters and digits, at most 30.
enum OwnReference {
    /// The number of characters in each half.
    private static let half = 12

    /// Makes a reference from random bits.
    static func make(for session: SessionID, from bits: UInt64) -> String {
        let start = letters(of: bits)
        return start + end(for: session, after: start)
    }

    /// Whether an engine made a reference for the session.
    static func isOwn(_ reference: String, of session: SessionID) -> Bool {
        guard reference.utf8.count == 2 * half else { return false }
        return reference.hasSuffix(end(for: session, after: String(reference.prefix(half))))
    }

    /// Returns letters and digits for the lowest 60 bits.
    static func letters(of bits: UInt64) -> String {
        let letters = Array("0123456789ABCDEFGHJKMNPQRSTVWXYZ")
        var (text, rest) = ("", bits)
        for _ in 0..<half {
            text.append(letters[Int(rest & 31)])
            rest >>= 5
        }
        return text
    }

    private static func end(for session: SessionID, after start: String) -> String {
        letters(of: HashChain.hash(Array("transaction:\(session):\(start)".utf8)).words.0)
    }
}
