/// Recognizes the address that a payer returned with.
public enum ReturnURL {
    /// The form of the payment URL that an address has.
    ///
    /// Every query item of the payment URL must be present, equally often, in any order; further
    /// items are allowed, because Swish and trampoline pages add some. Everything else must be the
    /// same, except for a slash at the path's end and a default port. A match only means that the
    /// session should be read; it proves nothing.
    ///
    /// - Parameters:
    ///   - url: The address that the payer returned with.
    ///   - paymentURL: The order's payment URL.
    ///   - callbackScheme: The app's own scheme; `nil` when it has none, in which case only the
    ///     scheme of the payment URL is accepted.
    /// - Returns: The form; `nil` when the address is not this payment's.
    ///
    /// - Note: Source: payment URL matching rule.
    public static func match(
        _ url: String,
        paymentURL: String,
        callbackScheme: String?
    ) -> ReturnForm? {
        guard let left = AddressParts(url), let right = AddressParts(paymentURL) else { return nil }
        let isOwnScheme = left.scheme == right.scheme
        guard isOwnScheme || left.scheme == callbackScheme?.lowercased() else { return nil }
        guard left.hasSamePlace(as: right, scheme: right.scheme),
            let extra = left.extraQueryItems(over: right)
        else { return nil }
        guard isOwnScheme else { return .customScheme }
        return extra == 0 ? .original : .augmented
    }
}
