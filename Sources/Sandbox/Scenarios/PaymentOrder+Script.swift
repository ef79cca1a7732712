extension PaymentOrder {
    /// Returns a literal response, with the order's own addresses inserted.
    mutating func reply(_ response: LiteralResponse, at moment: Moment) -> Reply {
        let isProblem = response.status >= 400
        let type =
            response.contentType
            ?? (isProblem ? "application/problem+json" : "application/json; charset=utf-8")
        let isJSON = type.utf8.contains("json".utf8)
        var order = self
        let text = Placeholder.filled(response.body) { name in
            guard let placeholder = Placeholder(name) else { return "" }
            let value = order.value(of: placeholder, at: moment)
            return isJSON ? Self.escaped(value) : value
        }
        self = order
        let isBodyless = response.status == 204 || response.status == 304
        return Reply(
            status: response.status,
            body: isBodyless ? .none : .raw(text, contentType: type),
            retryAfterSeconds: response.retryAfterSeconds
        )
    }

    /// The text escaped for a JSON string.
    private static func escaped(_ text: String) -> String {
        String(decoding: JSON.string(text).bytes.dropFirst().dropLast(), as: UTF8.self)
    }

    private mutating func value(of placeholder: Placeholder, at moment: Moment) -> String {
        let number = placeholder.number
        switch placeholder.subject {
        case .base: return baseURL
        case .session: return sessionURL
        case .order: return "/psp/paymentorders/\(id)"
        case .completeURL: return request.urls.completeURL
        case .cancelURL: return request.urls.cancelURL ?? ""
        case .paymentURL: return request.urls.paymentURL ?? ""
        case .hostURL: return request.urls.hostURLs.first ?? ""
        case .methodPage: return baseURL + "/acs/method"
        case .challengePage: return baseURL + "/acs/challenge"
        case .notification: return notificationURL(of: scriptedChallenge(number, at: moment))
        case .challengeRequest: return scriptedChallenge(number, at: moment).request
        case .challengeData: return scriptedChallenge(number, at: moment).id
        case .methodData: return scriptedChallenge(number, at: moment).methodData
        case .swishLink: return "swish://paymentrequest?token=\(scriptedToken("swish", number))"
        case .token(let name): return scriptedToken("token:" + name, number)
        case .operation(let rel, let method):
            let key = OperationKey(rel: rel, method: method, round: number)
            return "\(baseURL)/psp/operations/\(token(for: key))"
        case .unknownOperation(let rel):
            return "\(baseURL)/psp/operations/unknown-\(rel)"
        }
    }

    /// The authentication in literal responses, which the simulated issuer knows.
    private mutating func scriptedChallenge(_ number: Int, at moment: Moment) -> Challenge {
        if let challenge = scriptedChallenges[number] { return challenge }
        let challenge = Challenge(deadline: moment.now + timing.challenge)
        issue(challenge.id, .challenge(order: id))
        issue(challenge.notification, .notification(order: id))
        scriptedChallenges[number] = challenge
        return challenge
    }

    private mutating func scriptedToken(_ name: String, _ number: Int) -> String {
        if let token = scriptedTokens["\(name)#\(number)"] { return token }
        let token = OpaqueToken.make()
        scriptedTokens["\(name)#\(number)"] = token
        if name == "swish" { issue(token, .scriptedSwish(order: id)) }
        return token
    }

    /// Ends the attempt with the problem requested by a step, unless it has ended already.
    mutating func impose(_ problem: ProblemDetail, at moment: Moment) {
        imposedProblem = nil
        if let index = runningIndex {
            fail(index, with: problem, at: moment)
        } else if outcome == nil {
            shownProblem = ShownProblem(attempt: attempts.count, problem: problem)
            expanded = nil
        }
    }
}
