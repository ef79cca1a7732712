import FoundationEssentials

/// One 3-D Secure authentication of the simulated issuer.
struct Challenge: Sendable, Equatable {
    /// Identifies the authentication at the simulated issuer; also the value of
    /// `threeDSSessionData`.
    let id = OpaqueToken.make()
    /// The transaction's identifier at the 3-D Secure server.
    let transaction = OpaqueToken.identifier()
    /// The token of the notification address.
    let notification = OpaqueToken.make()
    /// When an unfinished authentication counts as canceled.
    let deadline: ContinuousClock.Instant

    /// The challenge request that the client posts to the issuer.
    var request: String {
        Self.encoded([
            "messageType": "CReq", "messageVersion": "2.2.0", "challengeWindowSize": "05",
            "threeDSServerTransID": .string(transaction), "acsTransID": .string(id),
        ])
    }

    /// The data of the hidden 3-D Secure method.
    var methodData: String {
        Self.encoded(["threeDSServerTransID": .string(transaction)])
    }

    /// The challenge response: approved or canceled by the payer.
    func response(approved: Bool) -> String {
        Self.encoded([
            "messageType": "CRes", "messageVersion": "2.2.0",
            "threeDSServerTransID": .string(transaction), "acsTransID": .string(id),
            "transStatus": approved ? "Y" : "N",
        ])
    }

    /// Base64url without padding, as 3-D Secure encodes its messages.
    private static func encoded(_ message: JSON) -> String {
        Data(message.bytes).base64EncodedString()
            .rewriting("+", as: "-").rewriting("/", as: "_").rewriting("=", as: "")
    }
}

extension Challenge {
    /// The payer left the issuer's page, or never opened it.
    static let cancelled = ProblemDetail(
        slug: "creditcard/3dsecureusercancelled",
        status: 403,
        title: "3-D Secure cancelled",
        detail: "The payer cancelled the authentication."
    )
}
