internal import EventLog
package import Inspection
package import SwedbankPay

extension SessionView {
    /// Adds the wallet's own request to each action that needs one.
    package mutating func addPaymentRequests() {
        guard let choice = attempt?.choice else { return }
        actions = actions.map { $0.withPaymentRequest(for: choice) }
    }
}

extension ActionView {
    /// Returns the action with the wallet's own request added: a `PKPaymentRequest` or a Google Pay
    /// `PaymentDataRequest`, ready to be used.
    ///
    /// If the PSP's values do not suffice for one, the member is `nil`, and only `request` is
    /// present.
    package func withPaymentRequest(for choice: Choice) -> ActionView {
        guard kind == "authorizeWallet" else { return self }
        var view = self
        view.members.append(
            ("paymentRequest", paymentRequest(for: choice).map { .json($0) } ?? .null)
        )
        return view
    }

    private func paymentRequest(for choice: Choice) -> JSONValue? {
        guard let configuration = try? WalletConfiguration(self) else { return nil }
        switch choice {
        case .applePay(let merchant):
            return (try? ApplePayRequest(configuration, merchantIdentifier: merchant))?.json
        case .googlePay: return (try? GooglePayRequest(configuration))?.paymentDataRequest
        default: return nil
        }
    }
}
