public import EventLog
public import SwedbankPay

/// The environment of a Google Pay request.
public enum GooglePayEnvironment: String, Hashable, Sendable {
    /// Test cards only.
    case test = "TEST"
    /// Real cards.
    case production = "PRODUCTION"

    /// Parses the PSP's name of the environment.
    ///
    /// - Throws: ``WalletError/unknownEnvironment(member:)`` for any other name: there is no
    ///   default.
    init(_ text: String?, member: String) throws(WalletError) {
        guard let text, !text.isEmpty else { throw .missing(member: member) }
        guard let environment = GooglePayEnvironment(rawValue: text) else {
            throw .unknownEnvironment(member: member)
        }
        self = environment
    }
}

/// The cards accepted in Google Pay.
public struct GooglePayCards: Hashable, Sendable {
    /// The authentication methods: `PAN_ONLY`, `CRYPTOGRAM_3DS`.
    public let authenticationMethods: [String]
    /// Google's names of card networks.
    public let networks: [String]
    /// The PSP's networks for which Google Pay has no name.
    public let unknownNetworks: [String]

    /// Converts the PSP's names to Google's.
    ///
    /// - Throws: ``WalletError`` when no method or network is left.
    init(
        methods: [String],
        methodsMember: String,
        networks given: [String],
        networksMember: String
    ) throws(WalletError) {
        authenticationMethods = methods.map { $0.uppercased() }
        guard !methods.isEmpty else { throw .missing(member: methodsMember) }
        guard authenticationMethods.allSatisfy(Self.knownMethods.contains) else {
            throw .malformed(
                member: methodsMember,
                reason: "it must be one of \(Self.knownMethods.joined(separator: ", "))"
            )
        }
        guard !given.isEmpty else { throw .missing(member: networksMember) }
        networks = given.map { $0.uppercased() }.filter(Self.knownNetworks.contains)
        unknownNetworks = given.filter { !Self.knownNetworks.contains($0.uppercased()) }
        guard !networks.isEmpty else {
            throw .malformed(
                member: networksMember,
                reason: "Google Pay supports none of the networks"
            )
        }
    }

    private static let knownMethods = ["PAN_ONLY", "CRYPTOGRAM_3DS"]

    private static let knownNetworks: Set<String> = [
        "AMEX", "DISCOVER", "ELECTRON", "ELO", "ELO_DEBIT", "INTERAC", "JCB", "MAESTRO",
        "MASTERCARD", "VISA",
    ]

    /// The payment method of type `CARD`.
    ///
    /// - Parameters:
    ///   - billingAddressRequired: Whether the payer must provide an address; `nil` omits the
    ///     member.
    ///   - gateway: The gateway that the token is created for; `nil` omits it.
    /// - Returns: The payment method as JSON.
    func method(
        billingAddressRequired: Bool? = nil,
        gateway: (name: String, merchant: String)? = nil
    ) -> JSONValue {
        var parameters: [JSONValue.Member] = [
            .init("allowedAuthMethods", .texts(authenticationMethods)),
            .init("allowedCardNetworks", .texts(networks)),
        ]
        if let billingAddressRequired {
            parameters.append(.init("billingAddressRequired", .bool(billingAddressRequired)))
        }
        var members: [JSONValue.Member] = [
            .init("type", .string("CARD")), .init("parameters", .object(parameters)),
        ]
        if let gateway {
            members.append(
                .init(
                    "tokenizationSpecification",
                    .object([
                        .init("type", .string("PAYMENT_GATEWAY")),
                        .init(
                            "parameters",
                            .object([
                                .init("gateway", .string(gateway.name)),
                                .init("gatewayMerchantId", .string(gateway.merchant)),
                            ])
                        ),
                    ])
                )
            )
        }
        return .object(members)
    }

    /// An `IsReadyToPayRequest` for these cards.
    ///
    /// - Parameter existingPaymentMethodRequired: Whether the payer must already have such a card.
    /// - Returns: The request as JSON.
    func isReadyToPay(existingPaymentMethodRequired: Bool) -> JSONValue {
        .object(
            Self.version + [
                .init("allowedPaymentMethods", .array([method()])),
                .init(
                    "existingPaymentMethodRequired",
                    .bool(existingPaymentMethodRequired)
                ),
            ]
        )
    }

    /// The version of Google's API that all requests use.
    static let version: [JSONValue.Member] = [
        .init("apiVersion", .integer(2)), .init("apiVersionMinor", .integer(0)),
    ]
}

/// The requests that determine whether Google Pay can be offered.
///
/// - Note: Source: payment session API, payment methods.
public struct GooglePayReadiness: Hashable, Sendable {
    /// The environment of the requests.
    public let environment: GooglePayEnvironment
    /// The accepted cards.
    public let cards: GooglePayCards

    /// Creates the requests for an offered method.
    ///
    /// - Throws: ``WalletError``, which names the missing or unusable member.
    public init(_ method: OfferedMethod) throws(WalletError) {
        environment = try GooglePayEnvironment(method.environment, member: "environment")
        cards = try GooglePayCards(
            methods: method.allowedCardAuthMethods,
            methodsMember: "allowedCardAuthMethods",
            networks: method.cardBrands,
            networksMember: "cardBrands"
        )
    }

    /// An `IsReadyToPayRequest`.
    ///
    /// - Parameter existingPaymentMethodRequired: Whether the payer must already have such a card.
    /// - Returns: The request as JSON.
    public func isReadyToPay(existingPaymentMethodRequired: Bool) -> JSONValue {
        cards.isReadyToPay(existingPaymentMethodRequired: existingPaymentMethodRequired)
    }
}
