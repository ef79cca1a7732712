import Adapters
import HTTPTypes
import SwedbankPay
import Testing

/// Code that `Documentation/merchant-api.md` shows; ReadmeTests compares the page with this file.
@Suite struct OrderClientTests {
    /// The page's client of a merchant backend, which would call that backend if it were run.
    func orderThroughBackend(
        _ paymentOrder: PaymentOrder,
        on loop: UVLoop
    ) async throws -> (script: OrderOperation, changed: OrderResponse) {
        var configuration = TransportConfiguration()
        configuration.allowedHostSuffixes = ["shop.example"]
        let transport = CurlTransport(on: loop, configuration: configuration)
        let backend = try MerchantBackendClient(
            root: "https://shop.example/payments/",
            transport: transport,
            access: OrderAccess(headers: { _ in [("Authorization", try await signIn())] })
        )
        let order = try await backend.create(paymentOrder, instrument: .creditCard)
        // If the backend does not offer the operation, the error names it.
        let script = try order.required(.viewCheckout)
        let changed = try await backend.setInstrument(.swish, of: order)
        return (script, changed)
    }

    /// The page's client of the PSP, which would capture money if it were run.
    func capture(_ id: String, with vault: TokenVault, on loop: UVLoop) async throws {
        // By default, the transport may call the PSP's hosts.
        let transport = CurlTransport(on: loop)
        let psp = try PaymentOrderClient(
            root: "https://api.payex.com/",
            transport: transport,
            access: OrderAccess(accessToken: { _ in try await vault.token() })
        )
        let order = try await psp.order(id, expanding: ["paid", "financialTransactions"])
        guard order.isPaid else { return }
        try await psp.capture(
            .init(
                payeeReference: "100000000018",
                amount: 12_500,
                vatAmount: 2_500,
                description: "Shipment 1"
            ),
            of: order
        )
    }

    @Test func `the type of an order's problem decides who has to act`() async throws {
        let problems = [
            (type: "mobilesdk/unauthorized", status: 401, act: "sign in again"),
            (type: "inputerror", status: 400, act: "show 1"),
            (type: "forbidden", status: 403, act: "stop"),
            (type: "configurationerror", status: 500, act: "call the merchant"),
            (type: "systemerror", status: 500, act: "try later"),
        ]
        for (type, status, act) in problems {
            let psp = try PaymentOrderClient(
                root: "https://api.payex.com/",
                transport: RefusingPSP(type: type, status: status),
                access: OrderAccess(accessToken: { _ in "token" })
            )
            let error = await #expect(throws: OrderAPIError.self) {
                _ = try await psp.order("/psp/paymentorders/1")
            }
            guard case .problem(let problem)? = error else {
                Issue.record("\(type): \(String(describing: error))")
                continue
            }
            var shop = ProblemHandler()
            shop.handle(problem)
            #expect(shop.acts == [act], "\(type)")
        }
    }
}

/// Where a service keeps the PSP's access token.
struct TokenVault {
    /// Returns the token.
    func token() async throws -> String { "token" }
}

/// Returns what the app signs its requests with.
private func signIn() async throws -> String { "Bearer app" }

/// A service that handles problems as the page recommends, and records what it did.
private struct ProblemHandler {
    var acts: [String] = []

    /// The page's code.
    mutating func handle(_ problem: APIProblem) {
        switch problem {
        case .client(.mobileSDK(.unauthorized)): signInAgain()
        case .client(.swedbankPay(.inputError(let details))): show(details.problems)
        // The request is wrong: do not repeat it.
        case .client: stop()
        case .server(.swedbankPay(.configurationError)): callTheMerchant()
        // A time-out, a broken gateway, or the PSP itself.
        case .server: tryLater()
        }
    }

    private mutating func signInAgain() { acts.append("sign in again") }

    private mutating func show(_ problems: [ProblemDetails.FieldIssue]) {
        acts.append("show \(problems.count)")
    }

    private mutating func stop() { acts.append("stop") }

    private mutating func callTheMerchant() { acts.append("call the merchant") }

    private mutating func tryLater() { acts.append("try later") }
}

/// A PSP that refuses every request with the same problem.
private struct RefusingPSP: Transport {
    let type: String
    let status: Int

    /// Returns the problem, whatever was requested.
    func perform(_ request: TransportRequest) async throws(TransportFailure) -> TransportResponse {
        let document = """
            {"type": "https://api.payex.com/psp/errordetail/\(type)", "status": \(status),
             "problems": [{"name": "amount", "description": "must not be negative"}]}
            """
        return TransportResponse(
            status: status,
            headers: [.contentType: "application/problem+json"],
            body: Array(document.utf8),
            protocolVersion: "HTTP/1.1",
            duration: .zero
        )
    }
}
