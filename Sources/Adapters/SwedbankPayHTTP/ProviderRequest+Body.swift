internal import EventLog
internal import FoundationEssentials
internal import SwedbankPay

/// The JSON bodies of the operations; `nil` is written as an explicit `null`.
///
/// - Note: Source: payment session API, operations.
extension ProviderRequest {
    /// The body, and the secrets in it.
    func bodyJSON() throws(EncodedRequest.Refusal) -> (json: ForeignJSON?, plaintexts: [String]) {
        var plaintexts: [String] = []
        func open(_ sealed: Sealed) throws(EncodedRequest.Refusal) -> String {
            guard let text = secrets[sealed] else { throw .secretMissing }
            plaintexts.append(text)
            return text
        }
        let json: ForeignJSON?
        switch body {
        case .none: json = nil
        case .environment: json = environment
        case .method(let name): json = ["paymentMethod": .string(name.rawValue)]
        case .swishAttempt(let msisdn):
            var number: String?
            if let msisdn { number = try open(msisdn) }
            json = [
                "culture": .optional(culture), "msisdn": .optional(number),
                "client": nativeDevice,
            ]
        case .cardAttempt(let token):
            json = [
                "culture": .optional(culture), "paymentToken": .string(try open(token)),
                "client": nativeDevice,
            ]
        case .walletAttempt: json = ["culture": .optional(culture), "client": nativeDevice]
        case .authentication(let indicator, let notificationURL):
            json = [
                "methodCompletionIndicator": .string(indicator.rawValue),
                "notificationUrl": .string(try open(notificationURL)),
                "requestWindowSize": "FULLSCREEN",
                "client": device, "browser": browser,
            ]
        case .challengeResult(let cRes):
            json = [
                "cRes": .string(try open(cRes)),
                "client": ["userAgent": .string(client.userAgent)],
            ]
        case .walletPayload(let method, let payload):
            let encoded = Data(try open(payload).utf8).base64EncodedString()
            json = [
                "paymentMethod": .string(method.rawValue), "paymentPayload": .string(encoded),
            ]
        case .clientFailure(let failure, let errorCode):
            var code: String?
            switch errorCode {
            case .plain(let text)?: code = text
            case .sealed(let sealed)?: code = try open(sealed)
            case nil: break
            }
            json = [
                "problemType": .string(failure.rawValue), "errorCode": .optional(code),
            ]
        case .presentation(let presentation): json = Self.customization(presentation)
        case .consumer, .order, .orderQuery, .instrument, .abortReason, .transaction:
            // Requests about payment orders do not use this path.
            throw .unsupportedMethod
        }
        return (json, plaintexts)
    }

    private var device: ForeignJSON {
        [
            "userAgent": .string(client.userAgent),
            "screenHeight": .integer(Int64(client.screenHeight)),
            "screenWidth": .integer(Int64(client.screenWidth)),
            "screenColorDepth": .integer(Int64(client.screenColorDepth)),
        ]
    }

    private var nativeDevice: ForeignJSON {
        var members = device.object ?? [:]
        members["clientType"] = "Native"
        return .object(members)
    }

    private var browser: ForeignJSON {
        [
            "acceptHeader": .string(client.acceptHeader),
            "language": .string(client.language),
            "timeZoneOffset": .integer(Int64(client.timeZoneOffsetMinutes)),
            "javascriptEnabled": .bool(true),
        ]
    }

    private var environment: ForeignJSON {
        [
            "integration": .string(client.integration),
            "deviceAcceptedWallets": .string(client.acceptedWallets.joined(separator: ";")),
            "client": device, "browser": browser,
            "service": [
                "name": .string(client.serviceName), "version": .string(client.serviceVersion),
            ],
            "presentationSdk": [
                "name": .string(client.presentationName),
                "version": .string(client.presentationVersion),
            ],
        ]
    }

    private static func customization(_ presentation: Presentation) -> ForeignJSON {
        switch presentation {
        case .all: ["paymentMethod": .null, "restrictToPaymentMethods": .null]
        case .restricted(let names):
            [
                "paymentMethod": .null,
                "restrictToPaymentMethods": names.isEmpty
                    ? .null : .array(names.map { .string($0.rawValue) }),
            ]
        case .instrument(let name):
            ["paymentMethod": .string(name.rawValue), "restrictToPaymentMethods": .null]
        case .newCard(let showsConsent):
            [
                "paymentMethod": "CreditCard", "restrictToPaymentMethods": .null,
                "hideStoredPaymentOptions": .bool(true),
                "showConsentAffirmation": .bool(showsConsent),
            ]
        }
    }
}
