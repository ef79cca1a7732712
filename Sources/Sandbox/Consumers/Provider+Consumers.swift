extension Provider {
    /// Starts a check-in for a merchant.
    ///
    /// - Note: Source: payment order API of the older generation, `POST /psp/consumers`.
    func openCheckIn(_ body: JSON) throws(ProblemDetail) -> Reply {
        var reader = BodyReader(body)
        let requested = reader.string("operation")
        if !requested.isEmpty, requested != "initiate-consumer-session" {
            reader.refuse("operation", "must be initiate-consumer-session")
        }
        let language = reader.optionalString("language") ?? "en-US"
        if reader.has("language"), language.pieces(between: "-").count != 2 {
            reader.refuse("language", "must be a language and a country such as sv-SE")
        }
        let countries = reader.optionalStrings("shippingAddressRestrictedToCountryCodes") ?? []
        if countries.contains(where: { $0.count != 2 || $0 != $0.uppercased() }) {
            reader.refuse(
                "shippingAddressRestrictedToCountryCodes",
                "must be ISO 3166 codes of two capital letters"
            )
        }
        try reader.finish()
        let token = try consumers.open(
            ConsumerBook.Session(language: language, countries: countries)
        )
        func operation(_ rel: String, _ page: String, _ type: String) -> JSON {
            [
                "rel": .string(rel), "method": "GET",
                "href": .string("\(baseURL)/psp/consumers/\(token)/\(page)"),
                "contentType": .string(type),
            ]
        }
        return .ok([
            "token": .string(token),
            "operations": [
                operation("redirect-consumer-identification", "page", "text/html"),
                operation(
                    "view-consumer-identification",
                    "script",
                    "application/javascript"
                ),
            ],
        ])
    }

    /// Returns what a browser loads for a check-in: the script, its form, or a page with both.
    func checkIn(_ token: String, _ what: String) throws(ProblemDetail) -> Reply {
        guard let session = consumers.session(token) else { throw .notFound }
        let url = "\(baseURL)/psp/consumers/\(token)"
        switch what {
        case "script":
            let text = ConsumerScript.text(pageURL: url + "/form", origin: baseURL)
            return Reply(status: 200, body: .script(text), isShared: true)
        case "form": return ConsumerPage(url: url, session: session, payer: payer).reply
        case "page": return .page(CheckoutPage.html(script: url + "/script", "consumer"))
        default: throw .notFound
        }
    }

    /// The check-in after the payer has pressed a button.
    func pressCheckIn(
        _ token: String,
        _ button: String,
        _ form: [String: String]
    )
        throws(ProblemDetail) -> Reply
    {
        guard let session = consumers.session(token) else { throw .notFound }
        var page = ConsumerPage(url: "\(baseURL)/psp/consumers/\(token)", session: session)
        switch button {
        case "identify":
            do {
                page.events = events(try consumers.identify(form, in: session, at: moment.now))
            } catch {
                let field = error.fields.first
                page.notice = "\(field?.name ?? "") \(field?.description ?? error.detail)"
            }
        case "fail":
            page.events = [
                [
                    "event": "error", "origin": "consumer", "messageId": "identificationfailed",
                    "details": "The check-in cannot go on.",
                ]
            ]
        default: throw .notFound
        }
        return page.reply
    }

    /// Plays the payer at a check-in without a browser.
    func playCheckIn(_ token: String, _ form: [String: String]) throws(ProblemDetail) -> Reply {
        guard let session = consumers.session(token) else { throw .notFound }
        let profile = try consumers.identify(form, in: session, at: moment.now)
        return .ok([
            "consumerProfileRef": .string(profile.reference), "told": .array(events(profile)),
        ])
    }

    /// The shipping address of a checked-in payer.
    func shippingDetails(_ reference: String) throws(ProblemDetail) -> Reply {
        guard let profile = consumers.profile(reference), profile.endsAt > moment.now else {
            throw .notFound
        }
        return .ok([
            "email": .string(profile.email), "msisdn": .string(profile.msisdn),
            "shippingAddress": profile.address,
        ])
    }

    private func events(_ profile: ConsumerBook.Profile) -> [JSON] {
        let url = "\(baseURL)/psp/consumers/\(profile.reference)"
        return [
            [
                "event": "identified", "actionType": "OnConsumerIdentified",
                "consumerProfileRef": .string(profile.reference), "url": .string(url),
            ],
            [
                "event": "shipping", "actionType": "OnShippingDetailsAvailable",
                "url": .string(url + "/shipping-details"),
            ],
        ]
    }

    /// Sets the payer of a new order from a check-in.
    ///
    /// - Throws: A problem that names the reference, when it cannot be used for an order.
    func checkIn(_ order: inout PaymentOrder) throws(ProblemDetail) {
        guard let reference = order.request.details.consumerProfileRef else { return }
        if let obstacle = consumers.obstacle(reference, at: moment.now) {
            throw .inputError([
                FieldProblem(
                    name: "paymentorder.payer.consumerProfileRef",
                    description: obstacle
                )
            ])
        }
        guard let profile = consumers.use(reference) else { return }
        order.request.msisdn = order.request.msisdn ?? profile.msisdn
        order.note("PayerCheckedIn", by: .payer, at: moment)
    }
}
