internal import Adapters
internal import SwedbankPay

/// Which members an order of a caller may have, at every level: what nobody knows is not passed on to the PSP.
///
/// A PSP that takes `Payer` or a name in another Unicode form for `payer` would show another payer's stored cards to whoever
/// writes it so; and a switch that nobody here knows is one that nobody here has looked at.
///
/// - Note: Source: merchant backend, payment order model.
enum OrderMembers {
    /// The members of an order and of what lies in it, by the path of the object; lists have the path of their elements.
    private static let known: [String: Set<String>] = [
        "": [
            "operation", "productName", "currency", "amount", "vatAmount", "description",
            "userAgent", "language", "instrument", "generateRecurrenceToken",
            "generateUnscheduledToken", "generatePaymentToken", "disableStoredPaymentDetails",
            "enablePaymentDetailsConsentCheckbox", "restrictedToInstruments",
            "expandFirstInstrument", "urls", "payeeInfo", "payer", "orderItems", "riskIndicator",
            "disablePaymentMenu", "paymentToken", "metadata", "initiatingSystemUserAgent",
        ],
        "urls": [
            "hostUrls", "completeUrl", "cancelUrl", "paymentUrl", "callbackUrl", "logoUrl",
            "termsOfServiceUrl",
        ],
        "payeeInfo": [
            "payeeId", "payeeReference", "payeeName", "productCategory", "orderReference",
            "subsite", "siteId",
        ],
        "payer": [
            "consumerProfileRef", "email", "msisdn", "payerReference", "nationalIdentifier",
            "requireConsumerInfo", "digitalProducts", "shippingAddressRestrictedToCountryCodes",
            "firstName", "lastName", "workPhoneNumber", "homePhoneNumber", "shippingAddress",
            "billingAddress", "accountInfo",
        ],
        "payer.nationalIdentifier": ["socialSecurityNumber", "countryCode"],
        "payer.shippingAddress": address,
        "payer.billingAddress": address,
        "payer.accountInfo": [
            "accountAgeIndicator", "accountChangeIndicator", "accountChangePwdIndicator",
            "shippingAddressUsageIndicator", "shippingNameIndicator",
            "suspiciousAccountActivity",
        ],
        "orderItems": [
            "reference", "name", "type", "class", "itemUrl", "imageUrl", "description",
            "discountDescription", "quantity", "quantityUnit", "unitPrice", "discountPrice",
            "vatPercent", "amount", "vatAmount", "restrictedToInstruments",
        ],
        "riskIndicator": [
            "deliveryEmailAddress", "deliveryEmailAdress", "deliveryTimeFrameIndicator",
            "preOrderDate", "preOrderPurchaseIndicator", "shipIndicator", "giftCardPurchase",
            "reOrderPurchaseIndicator", "pickUpAddress",
        ],
        "riskIndicator.pickUpAddress": address,
    ]

    private static let address: Set<String> = [
        "name", "firstName", "lastName", "addressee", "streetAddress", "coAddress", "city",
        "zipCode", "countryCode", "email", "msisdn",
    ]

    /// What is wrong with the names of an order's members.
    ///
    /// - Parameters:
    ///   - order: The order as the caller wrote it.
    ///   - additional: Paths of members that are taken beside the known ones, as they are, with all that lies in them.
    static func problems(
        in order: [String: ProviderJSON],
        additional: Set<String>
    ) -> [FieldProblem] {
        var problems: [FieldProblem] = []
        look(.object(order), at: "", additional, &problems)
        return Array(problems.prefix(BackendProblem.maximumFields))
    }

    private static func look(
        _ json: ProviderJSON,
        at path: String,
        _ additional: Set<String>,
        _ problems: inout [FieldProblem]
    ) {
        if let elements = json.array {
            for element in elements { look(element, at: path, additional, &problems) }
            return
        }
        guard let members = json.object, let names = known[path] else { return }
        for (name, value) in members.sorted(by: { $0.key < $1.key }) {
            let place = path.isEmpty ? name : path + "." + name
            if names.contains(name) {
                look(value, at: place, additional, &problems)
            } else if let meant = names.first(where: { folded($0) == folded(name) }) {
                problems.append(
                    FieldProblem(
                        path.isEmpty ? meant : path + "." + meant,
                        "must be written exactly so"
                    )
                )
            } else if !additional.contains(place) {
                problems.append(FieldProblem(shown(place), "is not taken from callers"))
            }
        }
    }

    /// A name without case and without what stands between its letters, to say which one was meant.
    private static func folded(_ name: String) -> String {
        String(name.lowercased().unicodeScalars.filter { $0.isASCII && $0.properties.isAlphabetic })
    }

    /// A path that is fit to be quoted.
    static func shown(_ path: String) -> String {
        let isPlain = path.utf8.count <= 200 && path.utf8.allSatisfy { (0x21...0x7E).contains($0) }
        return isPlain ? path : "paymentorder"
    }
}
