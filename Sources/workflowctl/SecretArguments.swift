/// Removes arguments that may be secrets from error messages.
enum SecretArguments {
    /// Returns the message with dots in place of every argument that looks like a secret.
    static func masked(_ message: String, arguments: [String]) -> String {
        var masked = message
        for argument in arguments {
            let parts = [argument] + argument.split(separator: "=", maxSplits: 1).map(String.init)
            for part in parts where mayBeSecret(part) {
                masked = masked.replacing(part, with: "•••")
            }
        }
        return masked
    }

    /// Whether a text may be a URL, a telephone or card number, or a token.
    static func mayBeSecret(_ text: String) -> Bool {
        if text.contains("://") { return true }
        let digits = text.filter { $0.isASCII && $0.isNumber }.count
        if digits >= 6 { return true }
        return text.utf8.count >= 20 && !text.hasPrefix("--")
    }
}
