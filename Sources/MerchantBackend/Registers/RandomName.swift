internal import Adapters

/// Creates unguessable, unique names.
enum RandomName {
    private static let alphabet = Array(
        "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz".utf8
    )

    /// Creates a name from the given number of random letters and digits.
    static func make(length: Int) -> String {
        var name: [UInt8] = []
        let usable = UInt8(256 / alphabet.count * alphabet.count)
        while name.count < length {
            // Bytes beyond a multiple of the alphabet's length would favor its beginning.
            for byte in SystemRandom().bytes(2 * length) where byte < usable && name.count < length
            {
                name.append(alphabet[Int(byte) % alphabet.count])
            }
        }
        return String(decoding: name, as: UTF8.self)
    }

    /// Creates a reference for the PSP, unique for every operation.
    ///
    /// It has 24 letters and digits of the 30 that are allowed: 142 random bits.
    ///
    /// - Note: Source: payeeReference: `A-Za-z0-9`, up to 30 characters, unique for every
    ///   operation.
    static func payeeReference() -> String { make(length: 24) }

    /// Whether a byte may occur in a name that a configuration or the host application chose.
    static func isNameByte(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "_"):
            true
        default: false
        }
    }

    /// Whether two texts are equal, compared in constant time for a given length.
    static func isSame(_ left: String, _ right: String) -> Bool {
        let left = Array(left.utf8)
        let right = Array(right.utf8)
        guard left.count == right.count else { return false }
        return zip(left, right).reduce(0) { $0 | ($1.0 ^ $1.1) } == 0
    }
}
