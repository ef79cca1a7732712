internal import EventLog
internal import HTTPTypes
public import SwedbankPay
public import UVTransport

/// Sends client telemetry to the address that the payment session provides for it.
///
/// Give it a transport of its own: then a host that hangs occupies no connection for payments, and
/// does not affect their retry budgets and circuit breakers.
///
/// - Note: Isolation: any; canceling the calling task cancels the request.
/// - Note: Source: event logging, endpoint and body schema.
public struct EventLoggingSender: BeaconSender {
    private let transport: any Transport
    private let client: ClientProfile
    private let options: SwedbankPayOptions

    /// The time limit for one message.
    ///
    /// - Note: Source: event logging, recommended design.
    public static let deadline: Duration = .seconds(10)
    /// The maximum size of a response in bytes; its content is ignored.
    public static let maximumResponseBytes = 65_536

    /// Creates a sender that uses a transport.
    ///
    /// - Parameters:
    ///   - transport: The transport for the requests; separate from the one for payments.
    ///   - client: How the engine identifies itself, as it does to the session API.
    ///   - options: Whether plain `http` to this machine is permitted, for sandboxes.
    public init(
        transport: any Transport,
        client: ClientProfile = ClientProfile(),
        options: SwedbankPayOptions = SwedbankPayOptions()
    ) {
        self.transport = transport
        self.client = client
        self.options = options
    }

    /// Sends one message; any status from 200 to 299 counts as success.
    public func send(_ beacon: Beacon, to address: String) async -> BeaconOutcome {
        guard
            let url = APIAddress.upgraded(
                address,
                allowsInsecureLoopback: options.allowsInsecureLoopback
            )
        else { return .refused }
        let response: TransportResponse
        do {
            response = try await transport.perform(
                TransportRequest(
                    method: .post,
                    url: url,
                    headers: EncodedRequest.headers,
                    body: Array(body(of: beacon).text.utf8),
                    connectDeadline: Self.deadline,
                    overallDeadline: Self.deadline,
                    maximumResponseBytes: Self.maximumResponseBytes
                )
            )
        } catch {
            if case .refusedURL = error.kind { return .refused }
            return .failed
        }
        switch response.status {
        case 200...299: return .delivered
        case 408, 425, 429: return .failed
        case 400...499: return .refused
        default: return .failed
        }
    }

    /// The JSON of a message; members without a value are omitted.
    func body(of beacon: Beacon) -> ForeignJSON {
        var event: [String: ForeignJSON] = [
            "created": .string(beacon.created.millisecondText),
            "action": .string(beacon.action.rawValue),
        ]
        if let duration = beacon.durationMilliseconds { event["duration"] = .integer(duration) }
        var body: [String: ForeignJSON] = [
            "type": "ClientEvent",
            "client": [
                "userAgent": .string(client.userAgent),
                "screenHeight": .integer(Int64(client.screenHeight)),
                "screenWidth": .integer(Int64(client.screenWidth)),
                "screenColorDepth": .integer(Int64(client.screenColorDepth)),
            ],
            "service": [
                "name": .string(client.serviceName), "version": .string(client.serviceVersion),
            ],
            "event": .object(event),
        ]
        if let request = beacon.request {
            var http: [String: ForeignJSON] = [
                "requestUrl": .string(request.url), "method": .string(request.method),
            ]
            if let status = request.status { http["responseStatusCode"] = .integer(Int64(status)) }
            body["http"] = .object(http)
        }
        if let method = beacon.method {
            body["method"] = [
                "name": .string(method.name), "sdk": .string(client.serviceName),
                "succeeded": .bool(method.succeeded),
            ]
        }
        var values: [String: ForeignJSON] = [:]
        for value in beacon.values { values[value.name] = .string(value.text) }
        if !values.isEmpty { body["extensions"] = ["values": .object(values)] }
        return .object(body)
    }
}
