extension Provider {
    /// The authentication that the simulated issuer knows by an identifier, with its notification
    /// address.
    func issuerChallenge(
        _ id: String
    ) throws(ProblemDetail)
        -> (challenge: Challenge, notificationURL: String)
    {
        guard case .challenge(let orderID)? = address(of: id) else { throw .notFound }
        let order = try order(orderID)
        guard let challenge = order.challenge(id) else { throw .notFound }
        return (challenge, order.notificationURL(of: challenge))
    }

    /// The hidden page of the 3-D Secure method.
    func methodPage(_ form: [String: String]) throws(ProblemDetail) -> Reply {
        guard let data = form["threeDSMethodData"], !data.isEmpty else {
            throw .inputError([FieldProblem(name: "threeDSMethodData", description: "is required")])
        }
        return .page(IssuerPage.method)
    }

    /// The page on which the payer approves or cancels.
    func challengePage(_ form: [String: String]) throws(ProblemDetail) -> Reply {
        let (challenge, url) = try issuerChallenge(form["threeDSSessionData"] ?? "")
        guard form["creq"] == challenge.request else {
            throw .inputError([
                FieldProblem(name: "creq", description: "is not the request that was given")
            ])
        }
        return .page(IssuerPage.challenge(challenge, notificationURL: url))
    }

    /// Plays the payer on the issuer's page and returns the challenge response.
    func decideChallenge(_ id: String, decision: String) throws(ProblemDetail) -> Reply {
        guard decision == "approve" || decision == "cancel" else { throw .notFound }
        let (challenge, url) = try issuerChallenge(id)
        return .ok([
            "cres": .string(challenge.response(approved: decision == "approve")),
            "threeDSSessionData": .string(challenge.id), "notificationUrl": .string(url),
        ])
    }

    /// Accepts the issuer's form and redirects to an address with `?cres=`, for clients that cannot
    /// see what is posted.
    func notify(_ token: String, _ form: [String: String]) throws(ProblemDetail) -> Reply {
        guard case .notification? = address(of: token) else { throw .notFound }
        guard let response = form["cres"], !response.isEmpty else {
            throw .inputError([FieldProblem(name: "cres", description: "is required")])
        }
        return Reply(
            status: 303,
            body: .none,
            location: "\(baseURL)/notification/\(token)?cres=\(FormText.escaped(response))"
        )
    }

    /// The page where the payer's browser ends after the challenge.
    func notified(_ token: String) throws(ProblemDetail) -> Reply {
        guard case .notification? = address(of: token) else { throw .notFound }
        return .page(IssuerPage.finished)
    }
}
