public import Adapters
public import HTTPTypes
public import Logging
internal import SwedbankPay

/// The merchant backend between an app and the PSP's API.
///
/// It holds the merchant's token, adds payee and reference to orders, records who created each
/// order, lets callers perform the few operations on their own orders that an app needs, and serves
/// the pages that lead payers back into apps. It is not a server: a server passes it each request
/// below the root and below `/.well-known/`, and sends the response that it returns.
///
/// - Note: Isolation: any; requests may be concurrent.
/// - Note: Source: merchant backend.
public struct PaymentBackend: Sendable {
    /// The configuration.
    public let configuration: BackendConfiguration

    let authentication: any CallerAuthentication
    let register: any OrderRegister
    let ownership: any PayerOwnership
    let review: any OrderReview
    let listener: (any BackendListener)?
    let psp: PSPClient
    let logger: Logger

    /// Creates a backend with the host application's parts.
    ///
    /// - Parameters:
    ///   - configuration: The configuration.
    ///   - authentication: Identifies callers.
    ///   - register: Stores orders and callbacks.
    ///   - review: Decides on each order, because only the host application knows prices.
    ///   - ownership: Knows which payer references are the caller's own.
    ///   - listener: Called for callbacks and for the ends of challenges; without one, neither
    ///     address exists.
    ///   - transport: Sends the requests to the PSP; it must allow the host of
    ///     ``BackendConfiguration/pspURL``.
    ///   - logger: Logs a line for each request, without tokens, addresses and bodies.
    public init(
        configuration: BackendConfiguration,
        authentication: any CallerAuthentication,
        register: any OrderRegister,
        review: any OrderReview,
        ownership: any PayerOwnership = GuestsOnly(),
        listener: (any BackendListener)? = nil,
        transport: any Transport,
        logger: Logger = Logger(label: "payment-workflow.merchant-backend")
    ) {
        self.configuration = configuration
        self.authentication = authentication
        self.register = register
        self.ownership = ownership
        self.review = review
        self.listener = listener
        self.logger = logger
        psp = PSPClient(transport: transport, configuration: configuration, logger: logger)
    }

    /// Responds to a request; there is always a response.
    ///
    /// - Parameters:
    ///   - head: The head, with path and query as requested.
    ///   - body: The whole body; a server need not read more than
    ///     ``BackendConfiguration/maximumBodyBytes`` plus one byte.
    ///   - source: The address that the request came from, as known to the server.
    /// - Returns: The response.
    public func respond(
        to head: HTTPRequest,
        body: [UInt8] = [],
        from source: String? = nil
    ) async -> BackendResponse {
        let request = BackendRequest(head: head, body: body, source: source)
        do {
            guard let route = Route(path: request.path, in: configuration) else {
                throw BackendProblem.notFound
            }
            guard head.method == route.method else {
                throw BackendProblem.wrongMethod(route.method)
            }
            guard body.count <= configuration.maximumBodyBytes else {
                throw BackendProblem.badRequest("The body is too large.", status: 413)
            }
            return try await respond(request, at: route)
        } catch let problem as BackendProblem {
            return .problem(problem)
        } catch {
            // The error comes from a part of the host application and may contain anything, so only
            // its type is logged.
            logger.error("a request failed", metadata: ["error": "\(type(of: error))"])
            return .problem(.internalError)
        }
    }

    private func respond(_ request: BackendRequest, at route: Route) async throws -> BackendResponse
    {
        let returning = ReturnEndpoints(at: configuration.place, configuration.returnPages, logger)
        if let response = returning.respond(request, at: route) { return response }
        switch route {
        case .callback(let secret): return try await callback(request, secret: secret)
        case .challenge(let reference): return try await challenge(request, reference: reference)
        case .root, .consumers, .orders, .charges, .instrument, .patch, .expand, .tokens,
            .paymentTokens, .paymentToken, .androidReturn, .iosReturn, .trampoline, .association:
            break
        }
        let caller = try await caller(of: request)
        switch route {
        case .root: return root()
        case .consumers: return try await startCheckIn(request)
        case .orders: return try await createOrder(request, of: caller)
        case .charges: return try await charge(request, of: caller)
        case .instrument(let name): return try await setInstrument(request, name: name, of: caller)
        case .patch: return try await patch(request, of: caller)
        case .expand: return try await expand(request, of: caller)
        case .tokens: return try await tokens(request, of: caller)
        case .paymentTokens(let payer): return try await paymentTokens(of: payer, for: caller)
        case .paymentToken(let payer, let token):
            return try await deletePaymentToken(request, token, of: payer, for: caller)
        case .androidReturn, .iosReturn, .trampoline, .association, .callback, .challenge:
            throw BackendProblem.notFound
        }
    }

    private func caller(of request: BackendRequest) async throws -> Caller {
        switch try await authentication.decide(on: request.head) {
        case .caller(let caller): return caller
        case .refused: throw BackendProblem.unauthorized
        case .tooOften(let seconds): throw BackendProblem.tooOften(seconds)
        }
    }
}
