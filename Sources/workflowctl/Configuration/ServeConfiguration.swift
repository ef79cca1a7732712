internal import EventLog
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

extension ConfigurationReader {
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
            default:
                let limits = PaymentAPI.Limits.members
                guard let limit = limits.first(where: { $0.name == member.name }) else {
                    let others = ["listen", "publicListen", "tlsCertificate", "tlsKey"]
                    throw inner.unknown(member, among: others + limits.map(\.name))
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
