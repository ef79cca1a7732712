internal import Adapters
internal import EventLog
internal import Inspection
internal import SwedbankPay

extension ActionView {
    /// Returns the action with the wallet's own request beside the PSP's data.
    ///
    /// It is a complete `PKPaymentRequest` or Google Pay `PaymentDataRequest`. The member is absent
    /// when the PSP's data is not sufficient; the client then has only `request`.
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
