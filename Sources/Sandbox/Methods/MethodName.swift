/// The wire names of the payment methods that the sandbox treats specially.
///
/// - Note: Source: payment session API, payment methods. The set is open; other names are offered
///   as methods of the payment menu.
enum MethodName {
    static let swish = "Swish"
    static let creditCard = "CreditCard"
    static let applePay = "ApplePay"
    static let googlePay = "GooglePay"
    static let trustly = "Trustly"

    /// Whether a client can pay with the method through the session API alone.
    static func isNative(_ name: String) -> Bool {
        [swish, creditCard, applePay, googlePay].contains(name)
    }

    /// Whether the payment menu redirects the payer to a page of the method's own.
    static func leavesMenu(_ name: String) -> Bool {
        [trustly, "Vipps", "MobilePay"].contains(name)
    }

    /// Whether the money is taken at once, with nothing left to capture.
    ///
    /// - Note: Source: payment order API, transaction types: Swish and Trustly are sales.
    static func isSale(_ name: String) -> Bool { name == swish || name == trustly }

    /// Whether a bank performs reversals later.
    static func reversesLater(_ name: String) -> Bool { name == trustly }

    /// Whether the method is paid with a payload of a wallet.
    static func isWallet(_ name: String) -> Bool {
        name == applePay || name == googlePay
    }
}
