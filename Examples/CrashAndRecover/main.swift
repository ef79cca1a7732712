// Dies in the middle of a payment, as a process does that is out of memory: nothing is closed,
// nothing is saved. Start it again, and the payment goes on.
//
//     CrashAndRecover URL      opens the session, lets the payer open Swish, and kills itself
//     CrashAndRecover          finds the payment again, and says how it ended

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
    // Nothing says that it has to go on: the service takes up whatever it finds unfinished in its
    // store.
    for payment in try await service.payments(referencedBy: "order-4711") {
        print(try await payment.outcome)
    }
}
