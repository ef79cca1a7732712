import Foundation
import FoundationNetworking
import Payments
import Sandbox
import SwedbankPay
import Testing

/// A payment service without the PSP's access token, whose orders are created by a merchant
/// backend.
@Suite(.timeLimit(.minutes(10))) struct FrontDoorTests {
    @Test func `a service pays an order through a merchant backend and may not capture it`()
        async throws
    {
        try await withDirectory { directory in
            var conditions = SandboxConfiguration.patient
            conditions.accessToken = CheckoutFlow.accessToken
            let sandbox = try await SandboxServer.start(conditions)
            let backend = try await RunningBackend(before: sandbox)
            var configuration = PaymentService.Configuration(
                store: directory.appending(path: "payments.db").path,
                environment: .sandbox
            )
            configuration.merchant = .backend(at: backend.root) {
                [("Authorization", "Bearer " + RunningBackend.caller)]
            }
            try await PaymentService.run(configuration) { service in
                let payment = try await service.checkout(try CheckoutFlow.order())
                for try await action in payment.clientActions {
                    guard case .showMenu = action.kind else { continue }
                    let order = try await payment.view.checkout?.order?.id ?? ""
                    let id = order.split(separator: "/").last ?? ""
                    var request = URLRequest(
                        url: try #require(
                            URL(
                                string:
                                    "\(sandbox.baseURL)/sandbox/menu/\(id)/pay?method=CreditCard"
                            )
                        )
                    )
                    request.httpMethod = "POST"
                    _ = try await URLSession.shared.data(for: request)
                    try await action.report(.completed)
                }
                #expect(try await payment.outcome == .completed)
                #expect(try await payment.view.confirmed == true)
                let refused = await #expect(throws: PaymentError.self) {
                    try await payment.capture(
                        Money(minorUnits: 1, currency: "SEK"),
                        vat: Money(minorUnits: 0, currency: "SEK"),
                        description: "No"
                    )
                }
                #expect(refused?.code == "order.transactions-not-possible")
            }
            #expect(await sandbox.ledger.paidOrders == 1)
            await backend.shutdown()
            await sandbox.shutdown()
        }
    }
}
