extension PaymentOrder {
    /// The URL to which the issuer's page sends its result.
    func notificationURL(of challenge: Challenge) -> String {
        "\(baseURL)/notification/\(challenge.notification)"
    }

    /// The expected values of `create-authentication`.
    ///
    /// Without a 3-D Secure method, the server itself sets that there is no indicator to wait for.
    func expectations(of challenge: Challenge, usesMethod: Bool) -> [JSON] {
        let notification: JSON = [
            "name": "NotificationUrl", "type": "string",
            "value": .string(notificationURL(of: challenge)),
        ]
        guard !usesMethod else { return [notification] }
        return [
            notification,
            ["name": "methodCompletionIndicator", "type": "string", "value": "U"],
        ]
    }

    /// The hidden form.
    func methodTask(for challenge: Challenge) -> JSON {
        form("sca-method-request", "/acs/method", ["threeDSMethodData": challenge.methodData])
    }

    /// The visible form.
    func challengeTask(for challenge: Challenge) -> JSON {
        form(
            "sca-redirect",
            "/acs/challenge",
            ["creq": challenge.request, "threeDSSessionData": challenge.id]
        )
    }

    private func form(
        _ rel: String,
        _ path: String,
        _ fields: KeyValuePairs<String, String>
    )
        -> JSON
    {
        [
            "rel": .string(rel), "href": .string(baseURL + path), "method": "POST",
            "contentType": "application/x-www-form-urlencoded",
            "expects": .array(
                fields.map {
                    ["name": .string($0.key), "type": "string", "value": .string($0.value)]
                }
            ),
        ]
    }
}
