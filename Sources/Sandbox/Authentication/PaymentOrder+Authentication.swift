extension PaymentOrder {
    /// Starts the authentication; frictionless cards are authorized at once.
    mutating func createAuthentication(_ body: JSON, at moment: Moment) throws(ProblemDetail) {
        guard let index = runningIndex,
            let challenge = attempts[index].authenticationUnderWay
        else { return }
        try RequestBodies.createAuthentication(
            body,
            notificationURL: notificationURL(of: challenge)
        )
        if attempts[index].authentication.challenges {
            attempts[index].stage = .challenge(challenge)
        } else {
            authorize(index, at: moment)
        }
    }

    /// Accepts the challenge response; only the issuer's own two are valid.
    mutating func completeAuthentication(_ body: JSON, at moment: Moment) throws(ProblemDetail) {
        guard let index = runningIndex,
            let challenge = attempts[index].authenticationUnderWay
        else { return }
        switch try RequestBodies.completeAuthentication(body) {
        case challenge.response(approved: true): authorize(index, at: moment)
        case challenge.response(approved: false):
            fail(index, with: Challenge.cancelled, at: moment)
        default:
            throw .inputError([
                FieldProblem(name: "cRes", description: "is not the issuer's response")
            ])
        }
    }

    /// The authentication under way with this identifier at the simulated issuer.
    func challenge(_ id: String) -> Challenge? {
        attempts.lazy.compactMap(\.authenticationUnderWay).first { $0.id == id }
            ?? scriptedChallenges.values.first { $0.id == id }
    }

    /// The authentication under way with this notification address.
    func challenge(notification: String) -> Challenge? {
        attempts.lazy.compactMap(\.authenticationUnderWay)
            .first { $0.notification == notification }
    }
}
