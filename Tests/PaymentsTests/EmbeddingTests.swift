import Foundation
import Logging
import Payments
import Sandbox
import ServiceLifecycle
import Testing

/// Code that `Documentation/embedding.md` shows; ReadmeTests compares the page with this file and
/// with the examples.
@Suite(.timeLimit(.minutes(2))) struct EmbeddingTests {
    /// The page's service, which would call the PSP's production environment if it were run.
    static func runService() async throws {
        let configuration = PaymentService.Configuration(
            store: "payments.db",
            environment: .production
        )
        try await PaymentService.run(configuration) { service in
            try await serveCustomers(with: service)
        }
    }

    private static func serveCustomers(with service: PaymentService) async throws {
        _ = try await service.payments(referencedBy: "order-4711")
    }

    @Test func `a payment at the sandbox is paid once`() async throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let store = folder.appending(path: "payments.db").path

        let sandbox = try await SandboxServer.start()
        let order = try await sandbox.createOrder(SandboxOrder(payerReference: "payer-1"))
        try await PaymentService.run(.init(store: store, environment: .sandbox)) { service in
            let payment = try await service.open(order.sessionURL, preferring: [.swish])
            for try await action in payment.clientActions {
                try await action.report(.launched)
            }
            #expect(try await payment.outcome == .completed)
        }
        #expect(await sandbox.ledger.paidOrders == 1)
        #expect(await sandbox.ledger.doubledOrders == [])
        await sandbox.shutdown()
    }

    @Test func `a service group runs the payment service and shuts it down gracefully`()
        async throws
    {
        let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let sandbox = try await SandboxServer.start()
        let order = try await sandbox.createOrder(SandboxOrder(payerReference: "payer-1"))
        let store = folder.appending(path: "payments.db").path
        let service = try await PaymentService(.init(store: store, environment: .sandbox))
        let group = ServiceGroup(
            services: [PaymentDriver(service: service)],
            logger: Logger(label: "payments")
        )
        async let ended: Void = group.run()
        let payment = try await service.open(order.sessionURL, preferring: [.swish])
        for try await action in payment.clientActions { try await action.report(.launched) }
        #expect(try await payment.outcome == .completed)
        await group.triggerGracefulShutdown()
        try await ended
        await #expect(throws: PaymentError.self) {
            try await service.open(order.sessionURL, preferring: [.swish])
        }
        await sandbox.shutdown()
    }
}

struct PaymentDriver: Service {
    let service: PaymentService
    func run() async throws {
        await cancelWhenGracefulShutdown { await service.run() }
    }
}
