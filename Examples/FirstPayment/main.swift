import Payments

try await PaymentService.run(.init(store: "payments.db", environment: .sandbox)) { service in
    let payment = try await service.open(sessionURL, reference: "order-4711", preferring: [.swish])
    for try await action in payment.clientActions {
        switch action.kind {
        case .launchApp(let app):
            try await action.report(await open(app.url) ? .launched : .launchFailed)
        case .show3DS(let form):
            try await action.report(.challengeCompleted(cRes: await show(form)))
        default:
            try await action.report(.canceled)
        }
    }
    print(try await payment.outcome)
}
