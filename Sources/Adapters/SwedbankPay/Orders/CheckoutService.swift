internal import EventLog
public import SwedbankPay

/// The host's own way to payment orders, in place of a backend that speaks the PSP's protocol.
///
/// The rules of a checkout are the same; only who is asked differs (``Workflow/OrderGateway/custom``). Where links are
/// wanted later, the host puts them into ``OrderAnswer/operations``: `view-checkout` or `view-paymentorder` for the page,
/// `view-paymentsession` for native payments, `set-instrument` and `abort` where it offers these.
///
/// - Note: Isolation: any; a cancelled task means that nobody waits for the answer any more.
/// - Note: Source: merchant backend API, custom backend.
public protocol CheckoutService: Sendable {
    /// Begins a check-in.
    func startCheckIn(_ consumer: ConsumerTerms) async throws -> ConsumerCheckIn

    /// Creates an order.
    ///
    /// - Parameters:
    ///   - document: What the checkout was opened with: the host decides what it means.
    ///   - consumerProfileRef: Who checked in.
    func createOrder(_ document: String, consumerProfileRef: String?) async throws -> OrderAnswer

    /// Locks an order to another method.
    ///
    /// - Parameter link: The `set-instrument` link of the order.
    func setInstrument(
        _ instrument: PaymentMethodName,
        at link: String
    ) async throws -> OrderAnswer

    /// Gives up an order.
    ///
    /// - Parameter link: The `abort` link of the order.
    /// - Returns: The order, where the host knows it.
    func abort(at link: String, reason: String) async throws -> OrderAnswer?

    /// Reads an order.
    func order(_ id: String) async throws -> OrderAnswer

    /// Whether what failed may be tried again; by default everything but what is not supported.
    func isRetryable(_ error: any Error) -> Bool
}

/// A service does not offer this.
public struct CheckoutServiceUnsupported: Error {
    /// The service has no such thing.
    public init() {}
}

extension CheckoutService {
    /// No check-in.
    public func startCheckIn(_ consumer: ConsumerTerms) async throws -> ConsumerCheckIn {
        throw CheckoutServiceUnsupported()
    }

    /// No change of the method.
    public func setInstrument(
        _ instrument: PaymentMethodName,
        at link: String
    ) async throws -> OrderAnswer {
        throw CheckoutServiceUnsupported()
    }

    /// No giving up.
    public func abort(at link: String, reason: String) async throws -> OrderAnswer? {
        throw CheckoutServiceUnsupported()
    }

    /// No reading: a checkout is then complete by the client's account alone, and not confirmed.
    public func order(_ id: String) async throws -> OrderAnswer {
        throw CheckoutServiceUnsupported()
    }

    /// Everything but what is not supported.
    public func isRetryable(_ error: any Error) -> Bool { !(error is CheckoutServiceUnsupported) }
}

extension CheckoutService {
    /// Performs one request of the engine and reports what came of it.
    func outcome(
        of request: ProviderRequest,
        secrets: inout SecretTable
    ) async -> ProviderAnswer.Outcome {
        var opened: [String] = [request.address]
        func open(_ sealed: Sealed?) -> String? {
            let text = sealed.flatMap { request.secrets[$0] }
            if let text { opened.append(text) }
            return text
        }
        do {
            let answer: OrderAnswer?
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
                answer = try await createOrder(
                    document,
                    consumerProfileRef: open(submission.consumerProfileRef)
                )
            case .instrument(let name):
                answer = try await setInstrument(name, at: request.address)
            case .abortReason(let reason):
                answer = try await abort(at: request.address, reason: reason)
            case .orderQuery(let id, _): answer = try await order(id)
            default: throw CheckoutServiceUnsupported()
            }
            guard let answer else { return .empty(status: 200) }
            var sealer = OrderSealer(request, known: opened)
            let snapshot = sealer.snapshot(answer)
            secrets.merge(sealer.secrets)
            return .order(snapshot, status: 200)
        } catch is CheckoutServiceUnsupported {
            return .failed(
                reach: .notSent,
                code: OperationFailed.unsupportedCode,
                isTransient: false
            )
        } catch {
            // The host knows whether trying again helps; nobody knows how far the call got.
            return .failed(
                reach: .maybeSent,
                code: "order.service-failed",
                isTransient: isRetryable(error)
            )
        }
    }
}

extension ProviderAnswer.Outcome {
    fileprivate static let secretMissing = ProviderAnswer.Outcome.failed(
        reach: .notSent,
        code: OperationRequest.Refusal.secretMissing.rawValue,
        isTransient: false
    )
}
