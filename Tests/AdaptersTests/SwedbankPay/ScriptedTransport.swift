import EventLog
import HTTPTypes
import SwedbankPay
import Synchronization
import Testing

@testable import Adapters

/// A transport that always returns one response, and records its requests.
final class ScriptedTransport: Transport {
    private let response: Result<TransportResponse, TransportFailure>
    private let requests = Mutex<[TransportRequest]>([])

    init(_ response: Result<TransportResponse, TransportFailure>) { self.response = response }

    convenience init(
        status: Int,
        body: String = "",
        headers: HTTPFields = [:]
    ) {
        self.init(
            .success(
                TransportResponse(
                    status: status,
                    headers: headers,
                    body: Array(body.utf8),
                    protocolVersion: "HTTP/1.1",
                    duration: .milliseconds(1)
                )
            )
        )
    }

    /// The requests, in order.
    var asked: [TransportRequest] { requests.withLock { $0 } }

    func perform(_ request: TransportRequest) async throws(TransportFailure) -> TransportResponse {
        requests.withLock { $0.append(request) }
        return try response.get()
    }
}

/// The parts of one session's requests.
struct RequestBench {
    let keys: SessionKeys
    var secrets = SecretTable()

    init() throws {
        keys = try #require(SessionKeys(dataKey: [UInt8](repeating: 9, count: 32)))
    }

    mutating func seal(_ text: String) -> Sealed { secrets.seal(text, with: keys) }

    func request(
        _ rel: Rel,
        _ body: OperationBody = .none,
        method: String? = nil,
        address: String = "https://api.payex.com/psp/paymentsessions/0a1b2c3d4e5f",
        culture: String? = "sv-SE",
        knownURLs: OrderURLs? = nil
    ) -> ProviderRequest {
        var client = ClientProfile()
        client.userAgent = "agent/1"
        client.acceptHeader = "text/html"
        return ProviderRequest(
            rel: rel,
            method: method,
            address: address,
            body: body,
            culture: culture,
            client: client,
            secrets: secrets,
            keys: keys,
            knownURLs: knownURLs
        )
    }

    /// Returns the outcome for a body of the PSP.
    func respond(
        to rel: Rel = .session,
        status: Int = 200,
        body: String,
        headers: HTTPFields = [:],
        options: SwedbankPayOptions = .init(),
        knownURLs: OrderURLs? = nil
    ) async -> ProviderResponse {
        let transport = ScriptedTransport(status: status, body: body, headers: headers)
        return await SwedbankPayProvider(transport: transport, options: options)
            .perform(request(rel, knownURLs: knownURLs))
    }

    /// Returns the snapshot for a body of the PSP.
    func snapshot(
        _ body: String,
        knownURLs: OrderURLs? = nil
    ) async throws -> (
        Snapshot, SecretTable
    ) {
        let response = await respond(body: body, knownURLs: knownURLs)
        guard case .snapshot(let snapshot, 200) = response.outcome else {
            Issue.record("no snapshot but \(response.outcome)")
            throw NoSnapshot()
        }
        return (snapshot, response.secrets)
    }

    struct NoSnapshot: Error {}
}
