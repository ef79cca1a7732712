// Dies in the middle of a payment, like a process that is out of memory: nothing is closed or
// saved. Start it again, and the payment continues.
//
//     CrashAndRecover URL      opens the session, lets the payer open Swish, and kills itself
//     CrashAndRecover          finds the payment again, and prints its outcome

import Glibc
import Payments

try await PaymentService.run(.init(store: "payments.db", environment: .sandbox)) { service in
    if let sessionURL = CommandLine.arguments.dropFirst().first {
        let payment = try await service.open(
            sessionURL,
            reference: "order-4711",
            preferring: [.swish]
        )
        for try await action in payment.clientActions {
            guard case .launchApp(let app) = action.kind else { continue }
            print("open \(app.url)")
            fflush(nil)
            kill(getpid(), SIGKILL)
        }
    }
    // No call resumes it: the service continues every unfinished payment in its store.
    for payment in try await service.payments(referencedBy: "order-4711") {
        print(try await payment.outcome)
    }
}
