// A shop of several nodes that share a PostgreSQL database: an HTTP server with a page for the
// payer, return addresses and an endpoint for the PSP's callbacks. Kill a node, and the others
// continue its payments.
//
//     Shop PORT        with these variables in the environment:
//
//         SHOP_URL         where payers and the PSP reach the shop: a load balancer, or a node
//         SHOP_STORE       postgres://…
//         SHOP_KEY         the master key of the store: 32 bytes as base64, the same for all nodes
//         SHOP_PSP         the base of the PSP's API: a sandbox
//         SHOP_TOKEN       its access token

import Adapters
import Foundation
import Hummingbird
import Payments

let environment = ProcessInfo.processInfo.environment
let port = CommandLine.arguments.dropFirst().first.flatMap { Int($0) } ?? 8080
let token = environment["SHOP_TOKEN"] ?? ""

var configuration = PaymentService.Configuration(
    store: environment["SHOP_STORE"] ?? "",
    environment: .sandbox
)
configuration.vault = try EnvironmentVault(environment: environment, variable: "SHOP_KEY")
configuration.merchant = .psp(at: environment["SHOP_PSP"] ?? "") { token }
configuration.node = "shop-\(port)"
// This long after a node's death the others continue its payments.
configuration.postgreSQL.leaseTime = .seconds(3)

try await PaymentService.run(configuration) { service in
    let shop = Shop(service: service, url: environment["SHOP_URL"] ?? "http://127.0.0.1:\(port)")
    let application = Application(
        router: shop.router(),
        configuration: .init(address: .hostname("127.0.0.1", port: port)),
        onServerRunning: { _ in
            print("ready")
            fflush(nil)
        }
    )
    try await application.runService()
}
