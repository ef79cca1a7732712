internal import Adapters
internal import EventLog
internal import SwedbankPay

/// The members that an order of a caller may have at every level; unknown ones are not passed on to
/// the PSP.
///
/// If the PSP accepted `Payer`, or a name in another Unicode form, as `payer`, a caller who used it
/// could see another payer's stored cards; and the effect of an unknown switch has not been
/// reviewed.
///
/// - Note: Source: merchant backend, payment order model.
enum OrderMembers {
    /// The members of an order and of the objects within it, keyed by the path of the object; lists
    /// have the path of their elements.
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

    /// The problems with the names of an order's members.
    ///
    /// - Parameters:
    ///   - order: The order as the caller wrote it.
    ///   - additional: Paths of members that are accepted in addition to the known ones, unchanged
    ///     and with everything within them.
    /// - Returns: The problems; empty when all names are known.
    static func problems(
        in order: [String: ForeignJSON],
        additional: Set<String>
    ) -> [FieldProblem] {
        var problems: [FieldProblem] = []
        visit(.object(order), at: "", additional, &problems)
        return Array(problems.prefix(BackendProblem.maximumFields))
    }

    private static func visit(
        _ json: ForeignJSON,
        at path: String,
        _ additional: Set<String>,
        _ problems: inout [FieldProblem]
    ) {
        if let elements = json.array {
            for element in elements { visit(element, at: path, additional, &problems) }
            return
        }
        guard let members = json.object, let names = known[path] else { return }
        for (name, value) in members.sorted(by: { $0.key < $1.key }) {
            let place = path.isEmpty ? name : path + "." + name
            if names.contains(name) {
                visit(value, at: place, additional, &problems)
            } else if let meant = names.first(where: { folded($0) == folded(name) }) {
                problems.append(
                    FieldProblem(
                        path.isEmpty ? meant : path + "." + meant,
                        "must be written exactly like this"
                    )
                )
            } else if !additional.contains(place) {
                problems.append(FieldProblem(shown(place), "is not accepted from callers"))
            }
        }
    }

    /// A name without case and without the characters between its letters, used to suggest the
    /// intended name.
    private static func folded(_ name: String) -> String {
        String(name.lowercased().unicodeScalars.filter { $0.isASCII && $0.properties.isAlphabetic })
    }

    /// A path that may be quoted.
    static func shown(_ path: String) -> String {
        let isPlain = path.utf8.count <= 200 && path.utf8.allSatisfy { (0x21...0x7E).contains($0) }
        return isPlain ? path : "paymentorder"
    }
}
