internal import Adapters
internal import EventLog
internal import Inspection
internal import SwedbankPay

extension ActionView {
    /// The action with the wallet's own request beside the PSP's words: a `PKPaymentRequest` or a Google Pay
    /// `PaymentDataRequest`, ready to be handed over.
    ///
    /// What the PSP handed over may not make one; then the member is nothing, and `request` is all there is.
    func withPaymentRequest(for choice: Choice) -> ActionView {
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
