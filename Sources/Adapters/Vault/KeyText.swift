internal import EventLog
internal import FoundationEssentials
internal import SwedbankPay

/// Parses keys of 32 bytes from text.
enum KeyText {
    /// Parses 64 hexadecimal digits, or base64 of 32 bytes; surrounding whitespace is ignored.
    ///
    /// - Returns: `nil` for any other text.
    static func bytes(_ text: String) -> [UInt8]? {
        let blank: Set<Character> = [" ", "\n", "\r", "\r\n", "\t"]
        let trimmed = String(
            text.drop(while: blank.contains).reversed().drop(while: blank.contains).reversed()
        )
        if let digest = Digest256(hexadecimal: trimmed.lowercased()) { return digest.bytes }
        guard let data = Data(base64Encoded: trimmed), data.count == 32 else { return nil }
        return [UInt8](data)
    }
}
