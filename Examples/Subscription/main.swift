// A subscription: the payer pays the first month on the PSP's page and allows a token to be stored;
// the merchant charges every later month without the payer.
//
//     Subscription URL TOKEN     the base of the PSP's API, for example of a sandbox, and its
//                                access token

import Glibc
import Payments

let arguments = CommandLine.arguments
var configuration = PaymentService.Configuration(store: "payments.db", environment: .sandbox)
configuration.merchant = .psp(at: arguments[1]) { arguments[2] }

try await PaymentService.run(configuration) { service in
    let first = try await service.checkout(firstMonth, reference: "subscription-7-1")
    for try await action in first.clientActions {
        guard case .showMenu = action.kind else {
            try await action.report(.canceled)
            continue
        }
        let order = try await first.view.checkout?.order?.id?.split(separator: "/").last ?? ""
        print("show the page of order \(order)")
        fflush(nil)
        try await action.report(readLine() == "paid" ? .completed : .canceled)
    }
    print("month 1 \(try await first.outcome)")
    // A real service stores the token like a password, with the subscription that it belongs to.
    guard let token = try await first.tokens.first(where: { $0.type == "unscheduled" }) else {
        return
    }
    for month in 2...3 {
        let charge = try await service.checkout(
            laterMonth(month, with: token.token),
            reference: "subscription-7-\(month)"
        )
        print("month \(month) \(try await charge.outcome)")
    }
}
