// A checkout: this service creates the payment order, the payer pays on the PSP's page, and the
// money is captured when the goods are shipped.
//
//     CheckoutAndCapture URL TOKEN     the base of the PSP's API, for example of a sandbox, and its
//                                      access token

import Glibc
import Payments

let arguments = CommandLine.arguments
var configuration = PaymentService.Configuration(store: "payments.db", environment: .sandbox)
configuration.merchant = .psp(at: arguments[1]) { arguments[2] }

try await PaymentService.run(configuration) { service in
    // The order already exists if this process was killed and restarted.
    let known = try await service.payments(referencedBy: "order-4711").first
    let payment =
        if let known { known } else {
            try await service.checkout(lamp, reference: "order-4711")
        }
    for try await action in payment.clientActions {
        guard case .showMenu = action.kind else {
            try await action.report(.canceled)
            continue
        }
        // A web view would show `page.html`, or a web server send it. Here the user says what the
        // payer did.
        let page = try action.page()
        print("show \(page.html.utf8.count) bytes of order \(try await orderID(of: payment))")
        fflush(nil)
        try await action.report(readLine() == "paid" ? .completed : .canceled)
    }
    guard try await payment.outcome == .completed, try await payment.view.confirmed == true else {
        print("not paid")
        return
    }
    // With this reference it happens once, even if this process dies here and repeats the request.
    let capture = try await payment.capture(
        Money(minorUnits: 12_500, currency: "SEK"),
        vat: Money(minorUnits: 2_500, currency: "SEK"),
        description: "Lamp",
        reference: "order4711capture1"
    )
    print("capture \(capture.result?.rawValue ?? "unknown")")
}

/// The PSP's identifier of the order.
func orderID(of payment: Payment) async throws -> String {
    let path = try await payment.view.checkout?.order?.id ?? ""
    return String(path.split(separator: "/").last ?? "")
}
