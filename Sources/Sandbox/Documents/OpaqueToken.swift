/// Generates the unguessable part of addresses and payment tokens.
enum OpaqueToken {
    /// 128 random bits as 32 hexadecimal digits.
    static func make() -> String {
        var generator = SystemRandomNumberGenerator()
        return hexadecimal(generator.next()) + hexadecimal(generator.next())
    }

    /// A random identifier in the form of a UUID.
    static func identifier() -> String {
        let digits = Array(make())
        return [0..<8, 8..<12, 12..<16, 16..<20, 20..<32]
            .map { String(digits[$0]) }
            .joined(separator: "-")
    }

    private static func hexadecimal(_ value: UInt64) -> String {
        let digits = String(value, radix: 16)
        return String(repeating: "0", count: 16 - digits.count) + digits
    }
}
