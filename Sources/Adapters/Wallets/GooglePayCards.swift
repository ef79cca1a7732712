public import EventLog
public import SwedbankPay

/// Which of Google Pay's environments a request is for.
public enum GooglePayEnvironment: String, Hashable, Sendable {
    /// Test cards only.
    case test = "TEST"
    /// Real cards.
    case production = "PRODUCTION"

    /// Reads the PSP's word for it.
    ///
    /// - Throws: ``WalletError/unknownEnvironment(member:)`` for anything else: neither is a default.
    init(_ text: String?, member: String) throws(WalletError) {
        guard let text, !text.isEmpty else { throw .missing(member: member) }
        guard let environment = GooglePayEnvironment(rawValue: text) else {
            throw .unknownEnvironment(member: member)
        }
        self = environment
    }
}

/// The cards that may be paid with in Google Pay.
public struct GooglePayCards: Hashable, Sendable {
    /// `PAN_ONLY`, `CRYPTOGRAM_3DS`.
    public let authenticationMethods: [String]
    /// Google's names of card networks.
    public let networks: [String]
    /// Networks of the PSP's that Google Pay has no name for.
    public let unknownNetworks: [String]

    /// Brings the PSP's names into Google's form.
    ///
    /// - Throws: ``WalletError`` when nothing is left.
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
                reason: "it has to be of \(Self.knownMethods.joined(separator: ", "))"
            )
        }
        guard !given.isEmpty else { throw .missing(member: networksMember) }
        networks = given.map { $0.uppercased() }.filter(Self.knownNetworks.contains)
        unknownNetworks = given.filter { !Self.knownNetworks.contains($0.uppercased()) }
        guard !networks.isEmpty else {
            throw .malformed(
                member: networksMember,
                reason: "Google Pay knows none of the networks"
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
    ///   - billingAddressRequired: Whether the payer gives an address; nothing leaves it open.
    ///   - gateway: Who the token is made for; nothing leaves it out.
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

    /// The question whether the payer can pay with Google Pay.
    ///
    /// - Parameter existingPaymentMethodRequired: Whether only a payer counts who has such a card already.
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

    /// The version of Google's API that all requests are written for.
    static let version: [JSONValue.Member] = [
        .init("apiVersion", .integer(2)), .init("apiVersionMinor", .integer(0)),
    ]
}

/// The questions that tell whether Google Pay can be offered at all.
///
/// - Note: Source: payment session API, payment methods.
public struct GooglePayReadiness: Hashable, Sendable {
    /// Where the questions have to be asked.
    public let environment: GooglePayEnvironment
    /// The cards that they are about.
    public let cards: GooglePayCards

    /// The questions for an offered method.
    ///
    /// - Throws: ``WalletError`` naming the member that is missing or unusable.
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
    /// - Parameter existingPaymentMethodRequired: Whether only a payer counts who has such a card already.
    public func isReadyToPay(existingPaymentMethodRequired: Bool) -> JSONValue {
        cards.isReadyToPay(existingPaymentMethodRequired: existingPaymentMethodRequired)
    }
}
