public import EventLog
public import SwedbankPay

extension PageFailure {
    /// Returns the failure as JSON.
    ///
    /// - Parameter disclosure: Whether text that may quote a secret is shown.
    /// - Returns: The failure.
    public func json(disclosing disclosure: Disclosure) -> JSONValue {
        func text(_ text: OutsideText?) -> JSONValue {
            disclosure.text(text).map { .string($0) } ?? .null
        }
        return .object([
            .init("origin", text(origin)), .init("messageId", text(messageID)),
            .init("details", text(details)),
        ])
    }
}
