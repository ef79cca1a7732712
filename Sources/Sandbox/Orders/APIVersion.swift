/// The version of the payment order API with which an order was created.
///
/// It stays with the order: it determines the names of the order's operations, the responses to
/// captures, cancellations and reversals, and the form of the callbacks.
///
/// - Note: Source: payment order API, conventions: `Content-Type: application/json;version=3.1`,
///   and `productName: Checkout3` where the media type names no version.
public enum APIVersion: String, Sendable {
    /// Check-in and payment menu, `view-paymentorder`, long operation names, `state`.
    case v2 = "2.0"
    /// `view-checkout`, `status`; captures, cancellations and reversals return a transaction.
    case v3 = "3.0"
    /// Like 3.0, but captures, cancellations and reversals return the order.
    case v31 = "3.1"

    /// The version named by a media type; `nil` when it names none.
    static func named(by contentType: String) -> APIVersion? {
        for part in contentType.pieces(between: ";").dropFirst() {
            let words = part.pieces(between: "=", maxSplits: 1)
            guard words.count == 2, words[0].filter({ $0 != " " }).lowercased() == "version" else {
                continue
            }
            let text = String(words[1].unicodeScalars.filter { $0 != " " && $0 != "\"" })
            if let version = APIVersion(rawValue: text) { return version }
            if text.hasPrefix("3.") { return .v31 }
            if text == "2" || text.hasPrefix("2.") { return .v2 }
            if text == "3" { return .v3 }
        }
        return nil
    }

    /// The version of an order, according to its media type and its `productName`.
    static func of(contentType: String, productName: String?) -> APIVersion {
        let named = named(by: contentType)
        guard productName == "Checkout3" else { return named ?? .v2 }
        return named == .v31 ? .v31 : .v3
    }
}
