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
    /// If the PSP's values do not suffice for one, it is null, and only `request` is present.
    package func withPaymentRequest(for choice: Choice) -> ActionView {
        guard case .authorizeWallet(var wallet) = content else { return self }
        var view = self
        wallet.paymentRequest = paymentRequest(for: choice) ?? .null
        view.content = .authorizeWallet(wallet)
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
