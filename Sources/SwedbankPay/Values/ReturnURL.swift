/// The recognition of an address that a payer came back with.
public enum ReturnURL {
    /// Which form of a payment URL an address is.
    ///
    /// Every query item of the payment URL has to be there, as often, in any order; further items are
    /// allowed, as Swish and trampoline pages add some. Everything else is the same, but for a slash at
    /// the path's end and a default port. A match only means that the session is worth a look: it proves nothing.
    ///
    /// - Parameters:
    ///   - url: What the payer came back with.
    ///   - paymentURL: The order's payment URL.
    ///   - callbackScheme: The app's own scheme; nil when it has none, and then only the scheme of
    ///     the payment URL is taken.
    /// - Returns: Nil when it is not this payment's.
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
