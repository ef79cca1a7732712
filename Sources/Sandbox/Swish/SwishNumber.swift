/// The form in which the PSP accepts a phone number.
enum SwishNumber {
    /// Whether the text is `+`, a country code and 7 to 15 digits in all, without spaces.
    static func isValid(_ text: String) -> Bool {
        let bytes = Array(text.utf8)
        guard bytes.first == UInt8(ascii: "+"), (8...16).contains(bytes.count) else { return false }
        return bytes[1] != UInt8(ascii: "0")
            && bytes.dropFirst().allSatisfy { (0x30...0x39).contains($0) }
    }
}
