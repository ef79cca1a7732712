public import Adapters
public import HTTPTypes
public import Logging
internal import SwedbankPay

/// The merchant backend: what stands between an app and the PSP's API.
///
/// It holds the merchant's token, puts payee and reference into orders, remembers who created which, lets callers do
/// the few things with their own orders that an app needs, and serves the pages that lead payers back into apps.
/// It is no server: a server hands it each request below the root, and below `/.well-known/`, and sends what it
/// answers.
///
/// - Note: Isolation: any; requests may come at the same time.
/// - Note: Source: merchant backend.
public struct PaymentBackend: Sendable {
    /// How it is set up.
    public let configuration: BackendConfiguration

    let authentication: any CallerAuthentication
    let register: any OrderRegister
    let ownership: any PayerOwnership
    let review: any OrderReview
    let listener: (any BackendListener)?
    let psp: PSPClient
    let logger: Logger

    /// A backend with the host's parts.
    ///
    /// - Parameters:
    ///   - configuration: How it is set up.
    ///   - authentication: Finds out who calls.
    ///   - register: Remembers orders and callbacks.
    ///   - review: Has the last word on each order: what things cost is known to the host alone.
    ///   - ownership: Knows which payers' references are the caller's own.
    ///   - listener: Is told of callbacks and of the ends of challenges; without one, neither address exists.
    ///   - transport: What carries the calls of the PSP; it has to allow the host of ``BackendConfiguration/pspURL``.
    ///   - logger: Takes a line for each call; without tokens, addresses and bodies.
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

    /// Answers a request; whatever happens, there is an answer.
    ///
    /// - Parameters:
    ///   - request: The head, with path and query as they were asked for.
    ///   - body: The whole body; a server reads no more than ``BackendConfiguration/maximumBodyBytes`` and one.
    ///   - source: The address that the request came from, as the server knows it.
    public func respond(
        to request: HTTPTypes.HTTPRequest,
        body: [UInt8] = [],
        from source: String? = nil
    ) async -> BackendResponse {
        let call = BackendCall(request: request, body: body, source: source)
        do {
            guard let route = Route(path: call.path, in: configuration) else {
                throw BackendProblem.notFound
            }
            guard request.method == route.method else {
                throw BackendProblem.wrongMethod(route.method)
            }
            guard body.count <= configuration.maximumBodyBytes else {
                throw BackendProblem.badRequest("The body is too large.", status: 413)
            }
            return try await answer(call, at: route)
        } catch let problem as BackendProblem {
            return .problem(problem)
        } catch {
            // A part of the host: its error may say anything, so only its kind is told.
            logger.error("a request failed", metadata: ["error": "\(type(of: error))"])
            return .problem(.internalError)
        }
    }

    private func answer(_ call: BackendCall, at route: Route) async throws -> BackendResponse {
        switch route {
        case .androidReturn: return androidReturn(call)
        case .iosReturn: return iosReturn(call)
        case .trampoline: return trampoline(call)
        case .association: return try association()
        case .callback(let secret): return try await callback(call, secret: secret)
        case .challenge(let reference): return try await challenge(call, reference: reference)
        case .root, .consumers, .orders, .charges, .instrument, .patch, .expand, .tokens,
            .paymentTokens, .paymentToken:
            break
        }
        let caller = try await caller(of: call)
        switch route {
        case .root: return root()
        case .consumers: return try await startCheckIn(call)
        case .orders: return try await createOrder(call, of: caller)
        case .charges: return try await charge(call, of: caller)
        case .instrument(let name): return try await setInstrument(call, name: name, of: caller)
        case .patch: return try await patch(call, of: caller)
        case .expand: return try await expand(call, of: caller)
        case .tokens: return try await tokens(call, of: caller)
        case .paymentTokens(let payer): return try await paymentTokens(of: payer, for: caller)
        case .paymentToken(let payer, let token):
            return try await deletePaymentToken(call, token, of: payer, for: caller)
        case .androidReturn, .iosReturn, .trampoline, .association, .callback, .challenge:
            throw BackendProblem.notFound
        }
    }

    private func caller(of call: BackendCall) async throws -> Caller {
        switch try await authentication.decide(on: call.request) {
        case .caller(let caller): return caller
        case .refused: throw BackendProblem.unauthorized
        case .tooOften(let seconds): throw BackendProblem.tooOften(seconds)
        }
    }
}
