internal import EventLog
public import SwedbankPay

/// The host's own implementation of payment orders, in place of a backend that speaks the PSP's
/// protocol.
///
/// The rules of a checkout stay the same; only the party that is called differs
/// (``Workflow/OrderGateway/custom``). Links that are needed later are provided by the host in
/// ``OrderResponse/operations``: `view-checkout` or `view-paymentorder` for the page,
/// `view-paymentsession` for native payments, `set-instrument` and `abort` if it offers these.
///
/// - Note: Isolation: any; when the task is canceled, the result is no longer needed.
/// - Note: Source: merchant backend API, custom backend.
public protocol CheckoutService: Sendable {
    /// Starts a check-in.
    func startCheckIn(_ consumer: ConsumerTerms) async throws -> ConsumerCheckIn

    /// Creates an order.
    ///
    /// - Parameters:
    ///   - document: The document that the checkout was opened with; the host decides what it
    ///     means.
    ///   - consumerProfileRef: The consumer who checked in.
    /// - Returns: The created order.
    /// - Throws: Any error; ``isRetryable(_:)`` determines whether the call may be repeated.
    func createOrder(_ document: String, consumerProfileRef: String?) async throws -> OrderResponse

    /// Locks an order to another method.
    ///
    /// - Parameters:
    ///   - instrument: The method.
    ///   - link: The `set-instrument` link of the order.
    /// - Returns: The order.
    /// - Throws: Any error; ``isRetryable(_:)`` determines whether the call may be repeated.
    func setInstrument(
        _ instrument: PaymentMethodName,
        at link: String
    ) async throws -> OrderResponse

    /// Aborts an order.
    ///
    /// - Parameters:
    ///   - link: The `abort` link of the order.
    ///   - reason: The reason.
    /// - Returns: The order, if the host knows it.
    /// - Throws: Any error; ``isRetryable(_:)`` determines whether the call may be repeated.
    func abort(at link: String, reason: String) async throws -> OrderResponse?

    /// Reads an order.
    func order(_ id: String) async throws -> OrderResponse

    /// Whether a failed call may be retried; by default every error except an unsupported
    /// operation.
    func isRetryable(_ error: any Error) -> Bool
}

/// The service does not support an operation.
public struct CheckoutServiceUnsupported: Error {
    /// Creates the error.
    public init() {}
}

extension CheckoutService {
    /// Always throws: by default, check-in is not supported.
    public func startCheckIn(_ consumer: ConsumerTerms) async throws -> ConsumerCheckIn {
        throw CheckoutServiceUnsupported()
    }

    /// Always throws: by default, changing the method is not supported.
    public func setInstrument(
        _ instrument: PaymentMethodName,
        at link: String
    ) async throws -> OrderResponse {
        throw CheckoutServiceUnsupported()
    }

    /// Always throws: by default, aborting is not supported.
    public func abort(at link: String, reason: String) async throws -> OrderResponse? {
        throw CheckoutServiceUnsupported()
    }

    /// Always throws: without reading, a checkout completes on the client's report alone,
    /// unconfirmed.
    public func order(_ id: String) async throws -> OrderResponse {
        throw CheckoutServiceUnsupported()
    }

    /// Whether an error is anything but an unsupported operation.
    public func isRetryable(_ error: any Error) -> Bool { !(error is CheckoutServiceUnsupported) }
}

extension CheckoutService {
    /// Performs one request of the engine and returns its outcome.
    func outcome(
        of request: ProviderRequest,
        secrets: inout SecretTable
    ) async -> ProviderResponse.Outcome {
        var opened: [String] = [request.address]
        func open(_ sealed: Sealed?) -> String? {
            let text = sealed.flatMap { request.secrets[$0] }
            if let text { opened.append(text) }
            return text
        }
        do {
            let response: OrderResponse?
            switch request.body {
            case .consumer(let language, let countries):
                let terms = ConsumerTerms(language: language, shippingCountries: countries)
                let view = try await startCheckIn(terms).view
                var sealer = OrderSealer(request, known: opened)
                let operation = view.flatMap { sealer.operation($0) }
                secrets.merge(sealer.secrets)
                return .consumer(view: operation, status: 200)
            case .order(let submission):
                guard let document = open(submission.document) else { return .secretMissing }
                response = try await createOrder(
                    document,
                    consumerProfileRef: open(submission.consumerProfileRef)
                )
            case .instrument(let name):
                response = try await setInstrument(name, at: request.address)
            case .abortReason(let reason):
                response = try await abort(at: request.address, reason: reason)
            case .orderQuery(let id, _): response = try await order(id)
            default: throw CheckoutServiceUnsupported()
            }
            guard let response else { return .empty(status: 200) }
            var sealer = OrderSealer(request, known: opened)
            let snapshot = sealer.snapshot(response)
            secrets.merge(sealer.secrets)
            return .order(snapshot, status: 200)
        } catch is CheckoutServiceUnsupported {
            return .unsupported
        } catch {
            // The host knows whether a retry can help; how far the call got is unknown.
            return .failed(
                reach: .maybeSent,
                code: "order.service-failed",
                isTransient: isRetryable(error)
            )
        }
    }
}
