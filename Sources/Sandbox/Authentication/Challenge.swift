import FoundationEssentials

/// One 3-D Secure authentication of the issuer's stand-in.
struct Challenge: Sendable, Equatable {
    /// Names the authentication at the issuer's stand-in; also the value of `threeDSSessionData`.
    let id = OpaqueToken.make()
    /// The transaction's name at the 3-D Secure server.
    let transaction = OpaqueToken.identifier()
    /// Names the notification address.
    let notification = OpaqueToken.make()
    /// When an unfinished authentication counts as given up.
    let deadline: ContinuousClock.Instant

    /// The challenge request that the client posts to the issuer.
    var request: String {
        Self.encoded([
            "messageType": "CReq", "messageVersion": "2.2.0", "challengeWindowSize": "05",
            "threeDSServerTransID": .string(transaction), "acsTransID": .string(id),
        ])
    }

    /// The data of the hidden method call.
    var methodData: String {
        Self.encoded(["threeDSServerTransID": .string(transaction)])
    }

    /// The challenge response: approved or cancelled by the payer.
    func response(approved: Bool) -> String {
        Self.encoded([
            "messageType": "CRes", "messageVersion": "2.2.0",
            "threeDSServerTransID": .string(transaction), "acsTransID": .string(id),
            "transStatus": approved ? "Y" : "N",
        ])
    }

    /// Base64url without padding, as 3-D Secure carries its messages.
    private static func encoded(_ message: JSON) -> String {
        Data(message.bytes).base64EncodedString()
            .replacing("+", with: "-").replacing("/", with: "_").replacing("=", with: "")
    }
}

extension Challenge {
    /// The payer left the issuer's page, or never came.
    static let cancelled = ProblemDetail(
        slug: "creditcard/3dsecureusercancelled",
        status: 403,
        title: "3-D Secure cancelled",
        detail: "The payer cancelled the authentication."
    )
}
