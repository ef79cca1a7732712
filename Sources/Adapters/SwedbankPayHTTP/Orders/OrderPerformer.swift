internal import EventLog
internal import SwedbankPay
internal import UVTransport

/// Performs the engine's requests about payment orders.
///
/// - Note: Source: merchant backend API, endpoints; payment order API, payment order operations.
struct OrderPerformer: Sendable {
    let sender: OrderSender
    let endpoints: EndpointCache

    /// Performs one request and returns its outcome.
    func outcome(
        of request: ProviderRequest,
        by access: GatewayAccess,
        secrets: inout SecretTable
    ) async -> ProviderResponse.Outcome {
        let routes = OrderRoutes(access)
        if case .none = request.body, let known = endpoints.endpoints(of: access.root) {
            var sealer = OrderSealer(request, known: [])
            defer { secrets.merge(sealer.secrets) }
            return .endpoints(sealer.endpoints(known), status: 200)
        }
        let orderRequest: OrderRequest
        var opened: [String] = []
        do throws(Obstacle) {
            orderRequest = try self.orderRequest(for: request, by: routes, opened: &opened)
        } catch {
            return error.outcome
        }
        do {
            let response = try await sender.send(orderRequest, by: routes)
            return read(
                response,
                to: request,
                at: orderRequest.address,
                by: routes,
                known: opened + [orderRequest.address],
                secrets: &secrets
            )
        } catch {
            return error.outcome
        }
    }

    /// Why a request cannot be translated.
    private enum Obstacle: Error {
        case secretMissing
        case refused(OrderAPIError)

        var outcome: ProviderResponse.Outcome {
            switch self {
            case .secretMissing: .secretMissing
            case .refused(let error): error.outcome
            }
        }
    }

    private func orderRequest(
        for request: ProviderRequest,
        by routes: OrderRoutes,
        opened: inout [String]
    ) throws(Obstacle) -> OrderRequest {
        do {
            return try make(request, by: routes, opened: &opened)
        } catch let error as Obstacle {
            throw error
        } catch let error as OrderAPIError {
            throw .refused(error)
        } catch {
            throw .refused(.malformedValue("the request"))
        }
    }

    private func make(
        _ request: ProviderRequest,
        by routes: OrderRoutes,
        opened: inout [String]
    ) throws -> OrderRequest {
        func open(_ sealed: Sealed?) throws(Obstacle) -> String? {
            guard let sealed else { return nil }
            guard let text = request.secrets[sealed] else { throw .secretMissing }
            opened.append(text)
            return text
        }
        let limits = sender.options.limits
        let address = request.address.isEmpty ? nil : request.address
        switch request.body {
        case .none: return routes.discovery
        case .consumer(let language, let countries):
            return try routes.consumers(
                at: address,
                OrderBodies.consumer(language: language, shippingCountries: countries)
            )
        case .order(let submission):
            let overrides = OrderBodies.Overrides(
                instrument: submission.instrument,
                consumerProfileRef: try open(submission.consumerProfileRef),
                payeeReference: submission.payeeReference,
                userAgent: request.client.userAgent
            )
            let document = try open(submission.document) ?? ""
            return try routes.create(
                at: address,
                OrderBodies.order(document, overrides, limits: limits)
            )
        case .orderQuery(let id, let names): return try routes.read(id, expanding: names)
        case .instrument(let name):
            return routes.change(
                request.rel,
                at: request.address,
                OrderBodies.setInstrument(name)
            )
        case .abortReason(let reason):
            return routes.change(
                request.rel,
                at: request.address,
                OrderBodies.abort(reason: reason)
            )
        case .transaction(let transaction):
            let items = try open(transaction.orderItems)
            guard let description = request.secrets.clear(transaction.description) else {
                throw Obstacle.secretMissing
            }
            return try routes.transaction(
                request.rel,
                at: request.address,
                OrderBodies.transaction(
                    transaction,
                    description: description,
                    orderItems: items,
                    limits: limits
                )
            )
        case .environment, .method, .swishAttempt, .cardAttempt, .walletAttempt,
            .authentication, .challengeResult, .walletPayload, .clientFailure, .presentation:
            throw OrderAPIError.missingOperation(request.rel)
        }
    }

    private func read(
        _ response: TransportResponse,
        to request: ProviderRequest,
        at address: String,
        by routes: OrderRoutes,
        known: [String],
        secrets: inout SecretTable
    ) -> ProviderResponse.Outcome {
        let limits = sender.options.limits
        switch sender.content(of: response) {
        case .refusal:
            return .refusal(response, to: request, known: known, limits, &secrets)
        case .empty: return .empty(status: response.status)
        case .object(let object):
            var sealer = OrderSealer(request, known: known)
            defer { secrets.merge(sealer.secrets) }
            do {
                let outcome = try outcome(
                    of: object,
                    in: response,
                    to: request,
                    at: address,
                    by: routes,
                    &sealer
                )
                if let outcome { return outcome }
            } catch let error as OrderAPIError {
                return error.outcome(after: .responded)
            } catch {
                break
            }
        case .unreadable: break
        }
        return .unreadable(response, to: request, limits, &secrets)
    }

    /// The outcome in the object of a successful response; `nil` when it is not what was requested.
    private func outcome(
        of object: ResponseObject,
        in response: TransportResponse,
        to request: ProviderRequest,
        at address: String,
        by routes: OrderRoutes,
        _ sealer: inout OrderSealer
    ) throws -> ProviderResponse.Outcome? {
        let reader = OrderResponseReader(
            limits: sender.options.limits,
            address: address,
            gateway: routes.gateway
        )
        switch request.body {
        case .none:
            guard
                let found = try MerchantBackendEndpoints(
                    object,
                    from: address,
                    allowed: sender.allowed(by: routes)
                )
            else { return nil }
            endpoints.keep(found, of: routes.root, headers: response.headers)
            return .endpoints(sealer.endpoints(found), status: response.status)
        case .consumer:
            let view = try reader.operations(of: object).first { $0.rel == .viewConsumer }
            return .consumer(
                view: view.flatMap { sealer.operation($0) },
                status: response.status
            )
        default:
            guard let order = try reader.order(object) else { return nil }
            return .order(sealer.snapshot(order), status: response.status)
        }
    }
}

extension OrderAPIError {
    /// The outcome of a request that ended with this error.
    fileprivate var outcome: ProviderResponse.Outcome { outcome(after: reach) }

    fileprivate func outcome(after reach: TransportFailure.Reach) -> ProviderResponse.Outcome {
        .failed(reach: Reach(reach), code: code, isTransient: isTransient)
    }
}
