internal import Adapters
internal import EventLog
internal import HTTPTypes
internal import Inspection
internal import SwedbankPay

/// The service that a command asks in place of a store: `--server`, or `$WORKFLOWCTL_SERVER`.
struct ServiceAddress: Hashable, Sendable {
    /// The URL, without a slash at its end.
    let url: String
    /// The caller's token, which never appears in output.
    let token: String
    private let isLoopback: Bool
    private let host: String

    /// The variable that names the service.
    static let variable = "WORKFLOWCTL_SERVER"
    /// What to do without a token.
    private static let fileHint =
        "name the file with it: --token-file FILE; 'serve token create --role driver' makes one"
    /// What to do about a token that a service does not accept.
    static let tokenHint =
        "check --token-file; 'workflowctl serve token create --role driver' makes a token"
    /// The beginnings of the tokens that a service makes.
    private static let tokenBeginnings = ["pwt_", "ppt_"]

    /// Reads which service was chosen; `nil` when the command works on a store.
    ///
    /// A store that is named on the command line is preferred to a service in the environment.
    ///
    /// - Throws: A usage failure that quotes neither the address nor the token.
    static func read(
        _ options: GlobalOptions,
        environment: [String: String]
    ) throws(Failure) -> ServiceAddress? {
        if options.server != nil, options.store != nil {
            throw .usage("server", "--server and --store cannot be combined")
        }
        let variable = options.store == nil ? environment[variable].nonEmpty : nil
        guard let text = options.server ?? variable else { return nil }
        guard !options.reveal else {
            throw .usage(
                "reveal",
                "a service does not reveal sealed values",
                hint: "use --reveal where the store and its keys are"
            )
        }
        guard options.by == nil else {
            throw .usage(
                "operator",
                "a service records the name of the token, so --by has no effect",
                hint: "use a token of your own: 'serve token create --role driver --name NAME'"
            )
        }
        return try ServiceAddress(text, token: token(options, environment))
    }

    private init(_ text: String, token: String) throws(Failure) {
        guard let parts = AddressParts(text), let host = parts.host, parts.userinfo == nil,
            parts.query == nil, parts.fragment == nil
        else { throw Self.malformed }
        isLoopback = APIAddress.isLoopback(host)
        guard parts.scheme == "https" || parts.scheme == "http" && isLoopback else {
            throw .usage(
                "server",
                "a service on another machine needs https",
                hint: "a token would be sent readable for everybody in between"
            )
        }
        self.host = parts.port.nonEmpty.map { "\(host):\($0)" } ?? host
        self.token = token
        url = text.hasSuffix("/") ? String(text.dropLast()) : text
    }

    private static let malformed = Failure.usage(
        "server",
        "invalid URL of a service",
        hint: "write it as --server https://HOST, or --server http://127.0.0.1:8092"
    )

    /// Reads the file with the token.
    ///
    /// The file of the environment may have the PSP's access token, which no service gets.
    private static func token(
        _ options: GlobalOptions,
        _ environment: [String: String]
    ) throws(Failure) -> String {
        guard let path = options.tokenFile ?? environment["WORKFLOWCTL_TOKEN_FILE"].nonEmpty else {
            throw Failure(
                .credentials,
                "service.no-credentials",
                "a service needs a token",
                hint: fileHint
            )
        }
        let token = try OrderSecrets.token(in: path)
        guard tokenBeginnings.contains(where: token.hasPrefix) else {
            throw Failure(
                .configuration,
                "configuration.token",
                "the token file contains no token of a service",
                hint: fileHint
            )
        }
        return token
    }

    /// Which hosts a command may contact: this one.
    func reach(_ configured: TransportConfiguration) -> TransportConfiguration {
        var reach = configured
        reach.allowedHostSuffixes = [host]
        reach.allowsInsecureLoopback = isLoopback
        // The pins are those of the PSP.
        reach.pinnedKeyDigests = []
        return reach
    }
}

extension ServiceAddress: CustomStringConvertible, CustomReflectable {
    /// The URL, without the token.
    var description: String { url }

    /// An empty mirror.
    var customMirror: Mirror { Mirror(self, children: []) }
}

/// Sends requests to a service.
struct ServiceClient: Sendable {
    let address: ServiceAddress
    private let transport: CurlTransport

    /// The maximum size of a response, in bytes.
    static let maximumResponseBytes = 64 * 1024 * 1024
    /// What a request may take beside the time that it lets the service wait.
    private static let patience = Duration.seconds(30)
    /// How long a service waits with one request at most.
    static let longestWait = Duration.seconds(60)

    /// What a service responded.
    struct Response: Sendable {
        var status: Int
        var headers: HTTPFields
        var body: [UInt8]

        /// The body as JSON; `nil` for anything else.
        var json: JSONValue? { try? JSONValue(parsing: body, exactNumbers: true) }
    }

    /// Creates a client.
    init(_ address: ServiceAddress, _ configuration: Configuration, on loop: UVLoop) {
        self.address = address
        transport = CurlTransport(
            on: loop,
            configuration: address.reach(configuration.transport)
        )
    }

    /// Ends all requests.
    func shutdown() async { await transport.shutdown() }

    /// Sends a request, and returns the response, whatever its status.
    ///
    /// - Parameters:
    ///   - method: The method.
    ///   - path: The path below `/v1/`, with a query.
    ///   - body: The body.
    ///   - wait: How long the service may wait for the session to settle or to change.
    ///   - fields: Further header fields.
    /// - Returns: The response.
    /// - Throws: ``TransportFailure``.
    func send(
        _ method: HTTPRequest.Method,
        _ path: String,
        _ body: JSONValue? = nil,
        wait: Duration? = nil,
        _ fields: HTTPFields = [:]
    ) async throws(TransportFailure) -> Response {
        var headers = fields
        headers[.authorization] = "Bearer \(address.token)"
        if body != nil { headers[.contentType] = "application/json" }
        if let wait, let name = HTTPField.Name("Prefer") {
            let seconds = min(max(wait, .zero), Self.longestWait).components.seconds
            headers[name] = "wait=\(seconds)"
        }
        let response = try await transport.perform(
            TransportRequest(
                method: method,
                url: "\(address.url)/v1/\(path)",
                headers: headers,
                body: body.map { Array(JSONDocument.text($0).utf8) }
                    ?? (method == .get ? nil : []),
                overallDeadline: Self.patience + min(wait ?? .zero, Self.longestWait),
                maximumResponseBytes: Self.maximumResponseBytes
            )
        )
        return Response(status: response.status, headers: response.headers, body: response.body)
    }
}

// MARK: - Failures

extension Failure {
    /// The failure to reach a service.
    init(_ error: TransportFailure, service: ServiceAddress) {
        self.init(
            .unavailable,
            "service.unavailable",
            "the service cannot be reached: \(error.code)",
            hint: "check --server, and that 'workflowctl serve' runs there"
        )
    }

    /// Translates a problem document of a service: the failure that the command on a store would
    /// have had.
    init(_ response: ServiceClient.Response) {
        let json = response.json
        func text(_ name: String) -> String? {
            guard case .string(let text)? = json?[name] else { return nil }
            return Screen.safe(text)
        }
        guard let code = text("code"), let detail = text("detail") else {
            self.init(
                .unavailable,
                "service.unknown-response",
                "the server responds with status \(response.status), and not as a service does",
                hint: "check --server: it may be another program, or a proxy's error"
            )
            return
        }
        let hint: String? =
            switch response.status {
            case 401: ServiceAddress.tokenHint
            case 403: "use a token with another role"
            default: text("hint")
            }
        self.init(ExitStatus(response.status, code: code), code, detail, hint: hint)
    }
}

extension ExitStatus {
    /// The exit status of a command that a service refused.
    fileprivate init(_ status: Int, code: String) {
        self =
            switch status {
            case _ where code.hasPrefix("usage."): .usage
            case _ where code.hasPrefix("log."): .damaged
            case 400, 405, 415: .usage
            case 401, 403: .credentials
            case 404: .unknown
            case 429: .tryAgain
            case 409 where code.hasPrefix("store."): .tryAgain
            case 503 where code == "store.busy" || code == "engine.overloaded": .tryAgain
            case 503: .unavailable
            case 500: code == "service.defect" ? .defect : .damaged
            default: .refused
            }
    }
}
