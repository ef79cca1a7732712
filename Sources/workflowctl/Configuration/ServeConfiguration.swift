internal import EventLog
internal import MerchantBackend
internal import Service

/// Where `serve` listens, and how.
struct ServeConfiguration: Hashable, Sendable {
    /// The address and port; `nil` for the default.
    var listen: ListenAddress?
    /// Where it listens for payers and the PSP; `nil` for nowhere else.
    var publicListen: ListenAddress?
    /// The file with the certificate; `nil` for no TLS.
    var tlsCertificate: String?
    /// The file with the certificate's key.
    var tlsKey: String?
    /// How much callers may send.
    var limits = PaymentAPI.Limits()
    /// Whether a driver sees and drives only the sessions that it opened.
    var limitsDrivers = false
    /// How payers return into apps, at the listener for payers.
    var returning = ReturnConfiguration()

    /// The default address.
    static let usual = ListenAddress(host: "127.0.0.1", port: 8092)
}

extension PaymentAPI.Limits {
    /// The limits by their names in a configuration.
    static var members: [(name: String, path: WritableKeyPath<Self, Int>)] {
        [
            ("bodyBytes", \.bodyBytes), ("streams", \.streams),
            ("streamsOfCaller", \.streamsOfCaller), ("requestsOfDriver", \.requestsOfDriver),
            ("requestsOfReader", \.requestsOfReader), ("requestsOfPayer", \.requestsOfPayer),
            ("requestsOfAddress", \.requestsOfAddress),
        ]
    }
}

/// How payers return into apps.
struct ReturnConfiguration: Hashable, Sendable {
    /// The address below which payers return; `nil` when they do not return to the service.
    var url: String?
    /// The packages of Android apps.
    var androidPackages: [String] = []
    /// The custom schemes of iOS apps.
    var appleSchemes: [String] = []
    /// The iOS apps that may open the payment URLs themselves.
    var appleAppIDs: [String] = []
    /// The page with the button.
    var trampolineURL: String?

    /// What the listener for payers offers beside the API; `nil` for nothing.
    ///
    /// - Throws: A failure when members cannot be used, or not together.
    func mounted(
        allowsInsecureLoopback: Bool
    ) throws(Failure) -> PaymentAPI.Policies.Mounted? {
        guard let url else { return nil }
        do throws(BackendConfigurationError) {
            let endpoints = try ReturnEndpoints(
                publicURL: url,
                pages: ReturnPages(
                    androidPackages: Set(androidPackages),
                    appleSchemes: Set(appleSchemes),
                    appleAppIDs: appleAppIDs,
                    trampolineURL: trampolineURL,
                    servesTrampoline: trampolineURL != nil,
                    allowsInsecureLoopback: allowsInsecureLoopback
                ),
                allowsInsecureLoopback: allowsInsecureLoopback
            )
            return { head, _, _ in
                endpoints.respond(to: head).map {
                    ServiceResponse(head: $0.head, body: .whole($0.body))
                }
            }
        } catch {
            switch error {
            case .malformed(let member, let reason):
                let name = member == "publicURL" ? "returnURL" : member
                let words = reason.rewriting("publicURL", as: "serve.returnURL")
                throw ConfigurationReader.wrong("serve.\(name) cannot be used: \(words)")
            }
        }
    }
}

extension ConfigurationReader {
    /// The members of the object `serve`.
    private static let serveMembers = [
        "listen", "publicListen", "tlsCertificate", "tlsKey", "ownSessions", "returnURL",
        "androidPackages", "appleSchemes", "appleAppIDs", "trampolineURL",
    ]

    /// Reads where the service listens, and its limits.
    func readServe(
        _ object: JSONValue.Member,
        into serve: inout ServeConfiguration
    ) throws(Failure) {
        let inner = ConfigurationReader(place: path(of: object))
        for member in try members(of: object) {
            switch member.name {
            case "listen": serve.listen = try inner.address(member)
            case "publicListen": serve.publicListen = try inner.address(member)
            case "tlsCertificate": serve.tlsCertificate = try inner.text(member)
            case "tlsKey": serve.tlsKey = try inner.text(member)
            case "ownSessions": serve.limitsDrivers = try inner.flag(member)
            case "returnURL": serve.returning.url = try inner.text(member)
            case "androidPackages": serve.returning.androidPackages = try inner.texts(member)
            case "appleSchemes": serve.returning.appleSchemes = try inner.texts(member)
            case "appleAppIDs": serve.returning.appleAppIDs = try inner.texts(member)
            case "trampolineURL": serve.returning.trampolineURL = try inner.text(member)
            default:
                let limits = PaymentAPI.Limits.members
                guard let limit = limits.first(where: { $0.name == member.name }) else {
                    throw inner.unknown(member, among: Self.serveMembers + limits.map(\.name))
                }
                serve.limits[keyPath: limit.path] = try inner.positive(member)
            }
        }
    }

    private func address(_ member: JSONValue.Member) throws(Failure) -> ListenAddress {
        guard let address = ListenAddress(try text(member)) else {
            throw Self.wrong(
                "\(path(of: member)) must be an address with a port such as \"127.0.0.1:8092\""
            )
        }
        return address
    }
}
