internal import EventLog

/// Removes arguments that may be secrets from messages about arguments.
enum SecretArguments {
    /// Returns the message with every argument that may be a secret replaced by dots; `shown` is
    /// one that is not.
    static func masked(
        _ message: String,
        arguments: [String],
        except shown: String? = nil
    ) -> String {
        var masked = message
        for argument in arguments {
            let parts = [argument] + argument.pieces(between: "=", maxSplits: 1).map(String.init)
            for part in parts where part != shown && mayBeSecret(part) {
                masked = masked.rewriting(part, as: "•••")
            }
        }
        return masked
    }

    /// Returns whether a text may be an address, a person's or card's number, or a token.
    static func mayBeSecret(_ text: String) -> Bool {
        if text.utf8.contains("://".utf8) { return true }
        let digits = text.filter { $0.isASCII && $0.isNumber }.count
        if digits >= 6 { return true }
        return text.utf8.count >= 20 && !text.hasPrefix("--")
    }
}
