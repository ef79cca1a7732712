import Adapters
import EventLog
import Foundation
import Inspection
import Payments
import Sandbox
import Testing

/// Code that `Documentation/pages.md` shows; ReadmeTests compares the page with this file.
@Suite(.timeLimit(.minutes(2))) struct PageAndSheetTests {
    /// Returns the page for a client action; `nil` for an app or a wallet.
    func page(for action: ActionView) throws -> Page? {
        switch action.kind {
        case .load3DSMethod: try Page.threeDSMethod(TaskForm(action))
        case .show3DS: try Page.challenge(TaskForm(action))
        case .showMenu: try Page.menu(PaymentMenu(action))
        case .checkIn: try Page.checkIn(CheckIn(action))
        case .launchApp, .authorizeWallet: nil
        }
    }

    /// Returns the page for the browser that posted a challenge's result to the notification URL.
    func page(afterChallenge body: [UInt8]) throws -> Page {
        try Page.notification(ChallengeResult(body: body))
    }

    /// Returns the request for a wallet's sheet; `nil` for an action of another kind.
    func sheet(for action: Payment.ClientAction) throws -> JSONValue? {
        guard case .authorizeWallet(let wallet) = action.kind else { return nil }
        let configuration = try WalletConfiguration(action.view)
        switch wallet.wallet {
        case .applePay:
            let merchant = "merchant.example.shop"
            return try ApplePayRequest(configuration, merchantIdentifier: merchant).json
        case .googlePay: return try GooglePayRequest(configuration).paymentDataRequest
        default: return nil
        }
    }

    @Test func `a wallet's sheet gets a request that is made from the PSP's data, and no page`()
        async throws
    {
        try await withSandbox { sandbox, folder in
            let store = folder.appending(path: "payments.db").path
            try await PaymentService.run(.init(store: store, environment: .sandbox)) { service in
                let wallets: [(choice: PreferenceRequest, member: String)] = [
                    (.applePay(merchantIdentifier: "merchant.example.shop"), "merchantIdentifier"),
                    (.googlePay, "allowedPaymentMethods"),
                ]
                for (choice, member) in wallets {
                    var order = SandboxOrder(payerReference: "payer-1")
                    order.scenario.methods = ["Swish", "CreditCard", "ApplePay", "GooglePay"]
                    let session = try await sandbox.createOrder(order)
                    let payment = try await service.open(session.sessionURL, preferring: [choice])
                    for try await action in payment.clientActions {
                        let request = try sheet(for: action)
                        #expect(request?[member] != nil, "\(action)")
                        #expect(try page(for: action.view) == nil)
                        break
                    }
                }
            }
        }
    }

    @Test func `the page after a challenge says how the challenge ended`() throws {
        let completed = try page(afterChallenge: Array("cres=eyJ9".utf8))
        let failed = try page(afterChallenge: Array("errorCode=101".utf8))
        #expect(completed != failed)
        #expect(throws: ChallengeResultError.missing) { _ = try page(afterChallenge: []) }
    }
}
