internal import Adapters
internal import ArgumentParser
internal import EventLog
internal import SwedbankPay

/// The gateway that creates an order, for commands that open a session for one.
struct GatewayOptions: ParsableArguments, Sendable {
    @Option(help: ArgumentHelp("The root URL of a merchant backend.", valueName: "url"))
    var backend: String?

    @Option(
        help: ArgumentHelp(
            "The base URL of the PSP's API; requires --token-file.",
            valueName: "url"
        )
    )
    var psp: String?

    /// Returns the gateway and its URL.
    ///
    /// - Throws: A ``Failure`` when neither or both are given, or the URL is not valid.
    func choice(
        _ global: GlobalOptions
    ) throws(Failure) -> (gateway: OrderGateway, address: SessionAddress) {
        let given: (OrderGateway, String)
        switch (backend, psp) {
        case (let backend?, nil): given = (.merchantBackend, backend)
        case (nil, let psp?): given = (.psp, psp)
        default:
            throw .usage(
                "gateway",
                "--backend or --psp is required",
                hint: "use --backend URL for a merchant backend, or --psp URL for the PSP's API"
            )
        }
        do {
            return (
                given.0,
                try SessionAddress(
                    given.1,
                    allowsInsecureLoopback: global.allowInsecureLoopback
                )
            )
        } catch {
            let hint =
                error == .loopbackNotAllowed
                ? "add --allow-insecure-loopback to use a sandbox"
                : "use https://HOST/PATH without user, password, query or fragment"
            throw Failure(
                .usage,
                "usage.gateway",
                "the gateway's address cannot be used: "
                    + error.description.rewriting("session URL", as: "address"),
                hint: hint
            )
        }
    }
}

/// The credentials of requests for orders, which are read from files, never from arguments.
struct OrderSecrets: Sendable {
    /// The PSP's access token.
    let accessToken: String?
    /// Headers for a merchant backend.
    let headers: OrderAccess.Headers

    /// The maximum number of headers in a file.
    static let headerLimit = 32

    /// The access token, if it has been given.
    init(accessToken: String) {
        self.accessToken = accessToken
        headers = []
    }

    /// Reads the files that the options, the environment or the configuration name; both may be
    /// absent.
    init(
        _ global: GlobalOptions,
        environment: [String: String],
        configuration: Configuration
    ) throws(Failure) {
        let paths = try Self.paths(global, environment, configuration.file)
        accessToken = try paths.token.map { path throws(Failure) in try Self.token(in: path) }
        headers =
            try paths.headers.map { path throws(Failure) in try Self.headers(in: path) } ?? []
    }

    /// The paths of the files.
    static func paths(
        _ global: GlobalOptions,
        _ environment: [String: String],
        _ file: ConfigurationFile
    ) throws(Failure) -> (token: String?, headers: String?) {
        let token = try file.value(
            "tokenFile",
            typed: global.tokenFile,
            variable: "WORKFLOWCTL_TOKEN_FILE",
            in: environment
        )
        let headers = try file.value(
            "headersFile",
            typed: global.headersFile,
            variable: "WORKFLOWCTL_HEADERS_FILE",
            in: environment
        )
        return (token?.text, headers?.text)
    }

    /// The access for the adapter.
    var access: OrderAccess {
        OrderAccess(headers: { _ in headers }, accessToken: { _ in accessToken })
    }

    /// Reads the token in a file that contains nothing else.
    static func token(in path: String) throws(Failure) -> String {
        let token = try text(path).filter { !$0.isWhitespace }
        guard !token.isEmpty, token.utf8.allSatisfy({ (0x21...0x7E).contains($0) }) else {
            throw Failure(.configuration, "configuration.token", "the token file contains no token")
        }
        return token
    }

    /// Reads the headers in a file, one in each line.
    static func headers(in path: String) throws(Failure) -> OrderAccess.Headers {
        var headers: OrderAccess.Headers = []
        for line in try text(path).split(whereSeparator: \.isNewline) {
            guard !line.allSatisfy(\.isWhitespace) else { continue }
            guard let colon = line.unicodeScalars.firstIndex(of: ":"), colon != line.startIndex,
                line[..<colon].utf8.allSatisfy({ isTokenByte($0) }),
                headers.count < headerLimit
            else {
                throw Failure(
                    .configuration,
                    "configuration.headers",
                    "the headers file is invalid",
                    hint: "write one header per line, 'Name: value', at most \(headerLimit)"
                )
            }
            let value = line[line.unicodeScalars.index(after: colon)...]
                .drop(while: \.isWhitespace)
            headers.append((String(line[..<colon]), String(value)))
        }
        return headers
    }

    private static func isTokenByte(_ byte: UInt8) -> Bool {
        switch byte {
        case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, 0x2D, 0x5F: true
        default: false
        }
    }

    private static func text(_ path: String) throws(Failure) -> String {
        let bytes = try FileBytes.read(path, limit: 1 << 16) { facts throws(Failure) in
            try ConfigurationSecrets.check(facts, of: "the file \(path)", path)
        }
        guard let text = String(validating: bytes, as: UTF8.self) else {
            throw Failure(
                .configuration,
                "configuration.secret-file",
                "the file is empty or not text"
            )
        }
        return text
    }
}
