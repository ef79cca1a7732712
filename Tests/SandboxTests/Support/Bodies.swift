@testable import Sandbox

/// Request bodies as a production client sends them.
enum Bodies {
    static let client: JSON = [
        "userAgent": "tests/1", "screenHeight": "2400", "screenWidth": 1080,
        "screenColorDepth": "24",
    ]

    static let browser: JSON = [
        "acceptHeader": "text/html", "language": "sv-SE", "timeZoneOffset": "-120",
        "javascriptEnabled": true,
    ]

    static let prepare: JSON = [
        "integration": "App", "deviceAcceptedWallets": "ApplePay;ClickToPay", "client": client,
        "browser": browser, "service": ["name": "tests", "version": "1"],
        "presentationSdk": ["name": "tests", "version": "1"],
    ]

    static func expand(_ method: String) -> JSON { ["paymentMethod": .string(method)] }

    static func start(_ extra: [String: JSON]) -> JSON {
        var members: [String: JSON] = ["culture": "sv-SE", "client": nativeClient]
        members.merge(extra) { _, new in new }
        return .object(members)
    }

    static func swish(_ msisdn: String?) -> JSON { start(["msisdn": .optional(msisdn)]) }

    static func card(_ token: String) -> JSON { start(["paymentToken": .string(token)]) }

    static func createAuthentication(_ indicator: String, _ notificationURL: String) -> JSON {
        [
            "methodCompletionIndicator": .string(indicator),
            "notificationUrl": .string(notificationURL), "requestWindowSize": "FULLSCREEN",
            "client": client, "browser": browser,
        ]
    }

    static func completeAuthentication(_ response: String) -> JSON {
        ["cRes": .string(response), "client": ["userAgent": "tests/1"]]
    }

    static func fail(_ kind: String) -> JSON {
        ["problemType": .string(kind), "errorCode": nil]
    }

    static func customize(_ method: String?, only: [String]? = nil) -> JSON {
        [
            "paymentMethod": .optional(method),
            "restrictToPaymentMethods": only.map { .strings($0) } ?? .null,
        ]
    }

    static let event: JSON = [
        "type": "ClientEvent", "client": client, "service": ["name": "tests", "version": "1"],
        "event": [
            "created": "2026-01-15T14:05:09.250+01:00", "action": "HttpRequest", "duration": 1,
        ],
        "http": [
            "requestUrl": "https://psp.example/x", "method": "POST", "responseStatusCode": 200,
        ],
    ]

    static let order: JSON = [
        "operation": "Purchase", "currency": "SEK", "amount": 10000, "vatAmount": 2000,
        "description": "Order 1", "userAgent": "tests/1", "language": "sv-SE",
        "urls": [
            "hostUrls": ["https://shop.example/"], "completeUrl": "https://shop.example/complete",
            "cancelUrl": "https://shop.example/cancel", "paymentUrl": "https://shop.example/pay",
        ],
        "payeeInfo": ["payeeId": "shop", "payeeReference": .string(OpaqueTokenText.reference())],
    ]

    /// Returns an order with a new reference.
    static func freshOrder() -> JSON {
        order.setting("payeeInfo.payeeReference", to: .string(OpaqueTokenText.reference()))
    }

    /// Returns a line of an order.
    static func item(_ amount: Int) -> JSON {
        [
            "reference": "SKU-7", "name": "Lamp", "type": "PRODUCT", "class": "Lighting",
            "quantity": 1, "quantityUnit": "pcs", "unitPrice": .integer(amount),
            "vatPercent": 2500, "amount": .integer(amount), "vatAmount": .integer(amount / 5),
        ]
    }

    private static let nativeClient: JSON = {
        guard case .object(var members) = client else { return .null }
        members["clientType"] = "Native"
        return .object(members)
    }()
}

/// Unique references for orders.
enum OpaqueTokenText {
    static func reference() -> String { String(OpaqueToken.make().prefix(20)) }
}

extension JSON {
    /// Returns the document with the value at a path of member names replaced, or removed for
    /// `nil`.
    func setting(_ path: String, to value: JSON?) -> JSON {
        guard case .object(var members) = self else { return self }
        let steps = path.split(separator: ".", maxSplits: 1).map(String.init)
        if steps.count == 1 {
            members[steps[0]] = value
        } else {
            members[steps[0]] = (members[steps[0]] ?? [:]).setting(steps[1], to: value)
        }
        return .object(members)
    }
}
