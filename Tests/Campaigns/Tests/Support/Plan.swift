import Foundation

/// The payments of a campaign: orders at the sandbox, and the intended outcome of each.
struct Plan: Sendable {
    /// One payment that has to end.
    struct Payment: Sendable {
        var number: Int
        var kind: String
        var reference: String
        /// The session URL; `nil` for a checkout.
        var url: String?
        /// The PSP's identifier of the order; `nil` for a checkout.
        var order: String?
        /// The order of a checkout, as JSON.
        var document: String?
        /// The captures of a checkout, in minor units.
        var captures: [Int] = []
        /// What another party does with its money meanwhile; the outcome depends on who is faster.
        var others: String?

        /// The required outcome.
        var goal: String { kind == "abort" ? "canceled" : "completed" }
    }

    /// All kinds of payments.
    static let kinds = [
        "swishHere", "swishThere", "card", "cardByItself", "declinedThenSwish", "newCard", "menu",
        "applePay", "googlePay", "abort", "checkout",
    ]
    /// Saved cards: nothing required, the challenge, the method, both.
    static let cards = [
        "4925000000000004", "5226612199533406", "4111112000003211", "4761739001010416",
    ]

    /// What other parties can do with the money of each kind of payment.
    private static let acts = [
        "swishHere": ["paysBefore", "paysAfter", "reverses"],
        "swishThere": ["paysBefore", "paysAfter", "reverses", "startsLate"],
        "card": ["paysBefore", "paysAfter", "startsLate"],
        "cardByItself": ["paysBefore", "paysAfter"],
        "applePay": ["paysBefore", "paysAfter"],
        "googlePay": ["paysBefore", "paysAfter"],
        "abort": ["paysBeforeAbort"],
        "checkout": ["portalReverses"],
    ]

    /// Creates payments of all kinds, and their orders at the PSP.
    static func payments(
        _ count: Int,
        named prefix: String,
        kinds: [String] = kinds,
        faults: Bool = true,
        others: Bool = false,
        at place: Place,
        using seed: inout Seed
    ) async throws -> [Payment] {
        var payments: [Payment] = []
        for number in 0..<count {
            let kind = kinds[number % kinds.count]
            var payment = Payment(number: number, kind: kind, reference: "\(prefix)-\(number)")
            if others, seed.chance(30), let acts = acts[kind] {
                payment.others = seed.pick(acts)
            }
            let order = try order(for: payment, faults: faults, using: &seed)
            if kind == "checkout" {
                let document = try JSONSerialization.data(
                    withJSONObject: order,
                    options: .sortedKeys
                )
                payment.document = String(decoding: document, as: UTF8.self)
                payment.captures = seed.chance(50) ? [10_000] : [6_000, 4_000]
            } else {
                let response = try await place.call("/psp/paymentorders", ["paymentorder": order])
                let members = try JSONSerialization.jsonObject(with: response) as? [String: Any]
                let operations = members?["operations"] as? [[String: Any]] ?? []
                let session = operations.first { $0["rel"] as? String == "view-paymentsession" }
                payment.url = session?["href"] as? String
                let document = members?["paymentOrder"] as? [String: Any]
                payment.order = (document?["id"] as? String)?.split(separator: "/").last
                    .map(String.init)
                guard payment.url != nil, payment.order != nil else {
                    throw CampaignError("the sandbox made no session")
                }
            }
            payments.append(payment)
        }
        return payments
    }

    /// Writes the jobs of a host.
    static func write(_ payments: [Payment], to name: String, of place: Place) throws {
        var text = ""
        for payment in payments {
            var job: [String: Any] = [
                "number": payment.number, "kind": payment.kind, "reference": payment.reference,
                "provider": place.provider,
            ]
            job["url"] = payment.url
            job["order"] = payment.order
            job["document"] = payment.document
            job["captures"] = payment.document == nil ? nil : payment.captures
            let line = try JSONSerialization.data(withJSONObject: job, options: .sortedKeys)
            text += String(decoding: line, as: UTF8.self) + "\n"
        }
        try place.write(text, to: name)
    }

    private static func order(
        for payment: Payment,
        faults: Bool,
        using seed: inout Seed
    ) throws -> [String: Any] {
        // A repeated start pays twice, and the ledger shows it.
        var sandbox: [String: Any] = [
            "acceptRepeatedStarts": true, "eventLogging": false,
            "methods": ["Swish", "CreditCard", "ApplePay", "GooglePay", "Trustly"],
            "savedCards": [seed.pick(cards)],
        ]
        if payment.kind == "swishHere" { sandbox["swishWaitsForPayer"] = true }
        if ["swishThere", "declinedThenSwish"].contains(payment.kind) {
            sandbox["swishApprovalMilliseconds"] = Int.random(in: 100...2500, using: &seed)
        }
        if faults { sandbox["faults"] = mishaps(of: payment, using: &seed) }
        switch payment.others {
        case "reverses":
            let delay = Int.random(in: 50...3000, using: &seed)
            sandbox["methodReversesAfterMilliseconds"] = delay
        case "startsLate":
            sandbox["savedCards"] = ["4925000000000004"]
            // What was refused starts after all: the PSP refuses another start then.
            sandbox["acceptRepeatedStarts"] = false
        default: break
        }
        let isDeclined = payment.kind == "declinedThenSwish"
        if isDeclined { sandbox["savedCards"] = ["4925000000000004"] }
        let amount = isDeclined ? 900_361 : 10_000
        return [
            "operation": "Purchase", "currency": "SEK", "amount": amount, "vatAmount": amount / 5,
            "description": "Lamp", "language": "sv-SE", "userAgent": "campaign/1",
            "productName": "Checkout3", "sandbox": sandbox,
            "urls": [
                "hostUrls": ["https://shop.example/"],
                "completeUrl": "https://shop.example/complete",
                "cancelUrl": "https://shop.example/cancel",
                "paymentUrl": "https://shop.example/pay",
            ],
            "payeeInfo": [
                "payeeId": "shop",
                "payeeReference": payment.reference.filter { $0 != "-" },
                "orderReference": payment.reference,
            ],
            "payer": ["payerReference": "payer-\(payment.reference)"],
        ]
    }

    /// Returns the faults between engine and PSP, beside the kills.
    private static func mishaps(
        of payment: Payment,
        using seed: inout Seed
    ) -> [[String: Any]] {
        // Slow responses, so that kills hit requests in progress.
        let mutations =
            payment.kind == "checkout"
            ? ["paymentorders", "capture"]
            : ["start-payment-attempt", "prepare-payment", "expand-method", "abort-payment"]
        var mishaps: [[String: Any]] = mutations.map { rel in
            [
                "rel": rel, "first": 2, "kind": "delay", "takesEffect": true,
                "milliseconds": Int.random(in: 5...250, using: &seed),
            ]
        }
        if let others = payment.others {
            if let act = act(others, using: &seed) { mishaps.insert(act, at: 0) }
        } else if seed.chance(40) {
            let rel = payment.kind == "checkout" ? "capture" : "start-payment-attempt"
            let kind = seed.pick(["resetBefore", "resetAfter", "status"])
            mishaps.insert(["rel": rel, "nth": 1, "kind": kind, "status": 503], at: 0)
            if kind != "status" { mishaps[0]["status"] = nil }
        }
        return mishaps
    }

    /// Returns another party's act, as a fault of the sandbox; `nil` when no request triggers it.
    private static func act(_ name: String, using seed: inout Seed) -> [String: Any]? {
        switch name {
        case "paysBefore":
            [
                "rel": "expand-method", "kind": "act", "act": "devicePays",
                "method": "CreditCard",
            ]
        case "paysAfter": ["rel": "start-payment-attempt", "kind": "act", "act": "devicePays"]
        case "paysBeforeAbort":
            ["rel": "abort-payment", "kind": "act", "act": "devicePays", "isFirst": true]
        case "startsLate":
            [
                "rel": "start-payment-attempt", "kind": "status",
                "status": seed.pick([403, 422, 504]), "effectAfterReads": 1,
            ]
        case "portalReverses":
            ["rel": "capture", "kind": "act", "act": "portalReverses", "amount": 1_000]
        default: nil
        }
    }
}
