extension PaymentOrder {
    /// Returns the session as seen by the client, with everything that it may do now.
    ///
    /// - Note: Source: payment session API, resource model.
    mutating func snapshot() -> JSON {
        let offers = offers()
        var session: [String: JSON] = [
            "id": .string("/psp/paymentorders/\(id)"),
            "culture": .string(request.language),
            "currency": .string(request.currency),
            "description": .string(request.description),
            "payeeName": .optional(request.payeeName),
            "paymentMethod": .optional(runningIndex.map { attempts[$0].method }),
            "instrumentModePaymentMethod": .optional(instrumentMode),
            "settings": [
                "enabledPaymentMethods": .strings(methods), "allowCustomLogo": false,
                "allowCustomStyling": false, "integration": "App", "traceId": .string(traceID),
            ],
            "urls": request.urls.document,
        ]
        session["methods"] = .array(
            isPrepared && outcome == nil
                ? visibleMethods.map { method($0, offers.methods[$0] ?? []) } : []
        )
        let operations = offers.session.map { operation($0) }
        return [
            "paymentSession": .object(session), "operations": .array(operations),
            "problem": problemDocument(),
        ]
    }

    private mutating func problemDocument() -> JSON {
        guard let shownProblem, case .object(var members) = shownProblem.problem.document else {
            return .null
        }
        if request.scenario.acknowledgesProblems {
            let key = OperationKey(rel: .acknowledgeFailedAttempt, round: shownProblem.attempt)
            members["operation"] = operation(Offer(key: key))
        }
        return .object(members)
    }

    private mutating func operation(_ offer: Offer) -> JSON {
        var href = "\(baseURL)/psp/operations/\(token(for: offer.key))"
        if offer.key.rel == .redirectPayer, let outcome, let target = redirectURL(after: outcome) {
            href = target
        }
        return [
            "rel": .string(offer.key.rel.rawValue), "href": .string(href),
            "method": .string(offer.key.rel.httpMethod), "next": .bool(offer.next),
            "tasks": .array(offer.tasks), "expects": .array(offer.expects),
            "contentType": .string(
                offer.key.rel == .viewPayment ? "application/javascript" : "application/json"
            ),
        ]
    }

    private mutating func method(_ name: String, _ offers: [Offer]) -> JSON {
        var members: [String: JSON] = [
            "paymentMethod": .string(name), "operations": .array(offers.map { operation($0) }),
        ]
        switch name {
        case MethodName.swish:
            // Source: payment session API, payment methods: Swish may name the amount.
            members["amount"] = .integer(request.amount)
            members["prefills"] = .array(
                request.msisdn.map { [["rank": 1, "msisdn": .string($0)]] } ?? []
            )
        case MethodName.creditCard:
            members["prefills"] = .array(
                cards.enumerated().map { $0.element.prefill(rank: $0.offset + 1) }
            )
            members["cardBrands"] = ["Visa", "MasterCard", "Amex"]
        case MethodName.applePay:
            members["cardBrands"] = ["visa", "mastercard"]
            members["merchantCapabilities"] = ["supports3DS", "supportsDebit", "supportsCredit"]
        case MethodName.googlePay:
            members["cardBrands"] = ["VISA", "MASTERCARD"]
            members["allowedCardAuthMethods"] = ["PAN_ONLY", "CRYPTOGRAM_3DS"]
            members["environment"] = "TEST"
        default:
            break
        }
        return .object(members)
    }
}
