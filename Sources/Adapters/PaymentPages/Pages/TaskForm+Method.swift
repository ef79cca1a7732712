internal import EventLog
internal import FoundationEssentials
internal import SwedbankPay

extension TaskForm {
    /// The URL to which the issuer's hidden page posts when it is done, according to the form's own
    /// message.
    ///
    /// - Returns: `nil` when the message is missing or unreadable.
    /// - Note: Source: EMV 3-D Secure, `threeDSMethodData`.
    var methodNotificationURL: String? {
        guard
            let value = fields.first(where: { $0.name.lowercased() == "threedsmethoddata" })?.value,
            let bytes = Self.base64(value),
            let message = try? JSONValue(parsing: bytes),
            case .string(let url)? = message["threeDSMethodNotificationURL"]
        else { return nil }
        return url
    }

    /// Decodes Base64 in either alphabet, with or without padding.
    private static func base64(_ text: String) -> [UInt8]? {
        var standard = text.rewriting("=", as: "")
            .rewriting("-", as: "+").rewriting("_", as: "/")
        standard += String(repeating: "=", count: (4 - standard.utf8.count % 4) % 4)
        return Data(base64Encoded: standard).map { Array($0) }
    }
}
