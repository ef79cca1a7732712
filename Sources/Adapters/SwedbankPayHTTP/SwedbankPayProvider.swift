internal import EventLog
public import Logging
public import SwedbankPay
public import UVTransport

/// A client of Swedbank Pay's payment session API, and of the payment orders of a merchant backend
/// or of the PSP.
///
/// It holds no session state and no clock other than a stopwatch: what to send, and when to send
/// it again, is decided elsewhere. It caches the endpoints of merchant backends for as long as they
/// allow.
///
/// - Note: Isolation: any; canceling the calling task cancels the request.
/// - Note: Source: payment session API.
public struct SwedbankPayProvider: PaymentProvider {
    private let transport: any Transport
    private let options: SwedbankPayOptions
    private let logger: Logger
    private let service: (any CheckoutService)?
    private let orders: OrderPerformer

    /// Creates a provider that uses a transport.
    ///
    /// - Parameters:
    ///   - transport: The transport for the requests.
    ///   - options: Deadlines and limits.
    ///   - access: The credentials for requests about payment orders, and where the requests may
    ///     go.
    ///   - service: The host's own implementation of payment orders, for checkouts that use it.
    ///   - logger: Receives one line for each response, at the level `debug`, without any address.
    public init(
        transport: any Transport,
        options: SwedbankPayOptions = SwedbankPayOptions(),
        access: OrderAccess = OrderAccess(),
        service: (any CheckoutService)? = nil,
        logger: Logger = Logger(label: "payment-workflow.provider")
    ) {
        self.transport = transport
        self.options = options
        self.logger = logger
        self.service = service
        orders = OrderPerformer(
            sender: OrderSender(transport: transport, options: options, access: access),
            endpoints: EndpointCache()
        )
    }

    /// Performs one request and returns its outcome.
    public func perform(_ request: ProviderRequest) async -> ProviderResponse {
        let start = ContinuousClock.now
        var secrets = SecretTable()
        let outcome = await outcome(of: request, secrets: &secrets)
        let elapsed = (ContinuousClock.now - start).components
        let milliseconds = elapsed.seconds * 1000 + elapsed.attoseconds / 1_000_000_000_000_000
        logger.debug(
            "request performed",
            metadata: [
                "rel":
                    "\(OutsideTextScreen.isName(request.rel.rawValue) ? request.rel.rawValue : "?")",
                "outcome": "\(outcome.label)", "milliseconds": "\(milliseconds)",
            ]
        )
        return ProviderResponse(
            outcome: outcome,
            secrets: secrets,
            durationMilliseconds: milliseconds
        )
    }

    private func outcome(
        of request: ProviderRequest,
        secrets: inout SecretTable
    ) async -> ProviderResponse.Outcome {
        if request.gateway?.gateway == .custom {
            guard let service else { return .unsupported }
            return await service.outcome(of: request, secrets: &secrets)
        }
        if let gateway = request.gateway {
            return await orders.outcome(of: request, by: gateway, secrets: &secrets)
        }
        let encoded: EncodedRequest
        do {
            encoded = try EncodedRequest(request, options: options)
        } catch {
            return .failed(reach: .notSent, code: error.rawValue, isTransient: false)
        }
        let response: TransportResponse
        do {
            response = try await transport.perform(
                TransportRequest(
                    method: encoded.method,
                    url: encoded.address,
                    headers: EncodedRequest.headers,
                    body: encoded.bytes,
                    connectDeadline: options.connectDeadline,
                    overallDeadline: encoded.deadline,
                    maximumResponseBytes: options.maximumResponseBytes
                )
            )
        } catch {
            return .failed(
                reach: Reach(error.reach),
                code: error.code,
                isTransient: error.isTransient
            )
        }
        // Off the loop, which meanwhile continues with other sessions.
        let (outcome, found) = await withTaskExecutorPreference(globalConcurrentExecutor) {
            await read(response, to: request, known: encoded.plaintexts)
        }
        secrets.merge(found)
        return outcome
    }

    /// Reads a response on the executor that the caller's task prefers; it accesses only the
    /// response.
    @concurrent private func read(
        _ response: TransportResponse,
        to request: ProviderRequest,
        known: [String]
    ) async -> (outcome: ProviderResponse.Outcome, secrets: SecretTable) {
        var secrets = SecretTable()
        let outcome = read(response, to: request, known: known, secrets: &secrets)
        return (outcome, secrets)
    }

    private func read(
        _ response: TransportResponse,
        to request: ProviderRequest,
        known: [String],
        secrets: inout SecretTable
    ) -> ProviderResponse.Outcome {
        let limits = options.limits
        guard (200...299).contains(response.status) else {
            return .refusal(response, to: request, known: known, limits, &secrets)
        }
        guard !response.isBlank else { return .empty(status: response.status) }
        do throws(SnapshotRefusal) {
            // Success is 200 to 204; any other status of the class promises no snapshot.
            guard response.status <= 204 else { throw .noPaymentSession }
            let json = try ForeignJSON(response: response.body, limits)
            var reader = SnapshotReader(
                keys: request.keys,
                limits: limits,
                known: known,
                addresses: options.clientAddresses
            )
            let snapshot = try reader.snapshot(
                json,
                knownURLs: request.knownURLs,
                of: request.secrets
            )
            secrets.merge(reader.secrets)
            return .snapshot(snapshot, status: response.status)
        } catch {
            logger.debug("response not readable", metadata: ["code": "\(error.code)"])
            return .unreadable(response, to: request, limits, &secrets)
        }
    }
}

extension ProviderResponse.Outcome {
    /// The kind of outcome, for a log line.
    fileprivate var label: String {
        switch self {
        case .snapshot(_, let status): "snapshot \(status)"
        case .empty(let status): "empty \(status)"
        case .undecodable(let status, _): "undecodable \(status)"
        case .endpoints(_, let status): "endpoints \(status)"
        case .consumer(_, let status): "consumer \(status)"
        case .order(_, let status): "order \(status)"
        case .refused(let status, _, _): "refused \(status)"
        case .failed(let reach, let code, _): "failed \(code) (\(reach.rawValue))"
        }
    }
}

extension Reach {
    /// Converts a transport's reach to the port's type.
    init(_ reach: TransportFailure.Reach) {
        switch reach {
        case .notSent: self = .notSent
        case .maybeSent: self = .maybeSent
        case .responded: self = .responded
        }
    }
}
