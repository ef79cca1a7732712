internal import EventLog
internal import SwedbankPay

extension PaymentOrder: OrderObject {
    static let blank = PaymentOrder(
        currency: "",
        amount: nil,
        vatAmount: nil,
        description: "",
        urls: PaymentOrderURLs()
    )
    static let members: [OrderMember<PaymentOrder>] = [
        // Only responses contain this member.
        OrderMember { _, _ in
        } write: {
            $1["initiatingSystemUserAgent"] = nil
        },
        .required("operation", \.purpose),
        .optional("productName", \.productName),
        .required("currency", \.currency),
        .optional("amount", \.amount),
        .optional("vatAmount", \.vatAmount),
        .required("description", \.description),
        .optional("userAgent", \.userAgent),
        .required("language", \.language),
        .optional("instrument", \.instrument),
        .optional("generateRecurrenceToken", \.generatesRecurrenceToken),
        .optional("generateUnscheduledToken", \.generatesUnscheduledToken),
        .optional("generatePaymentToken", \.generatesPaymentToken),
        .optional("disableStoredPaymentDetails", \.disablesStoredPaymentDetails),
        .optional("enablePaymentDetailsConsentCheckbox", \.enablesPaymentDetailsConsentCheckbox),
        .optional("restrictedToInstruments", \.restrictedToInstruments),
        .optional("expandFirstInstrument", \.expandsFirstInstrument),
        .optional("disablePaymentMenu", \.disablesPaymentMenu),
        OrderMember { reader, order in
            // An order without a payer present may have no pages.
            let hasPages = !order.purpose.chargesToken
            let urls = reader.object("urls") {
                PaymentOrderURLs(reading: &$0, members: PaymentOrderURLs.parts(hasPages: hasPages))
            }
            order.urls = urls ?? PaymentOrderURLs()
            if urls == nil, hasPages { reader.refuse("urls", "is required") }
        } write: {
            $1["urls"] = $0.urls.json
        },
        .optional("payeeInfo", \.payeeInfo),
        .optional("payer", \.payer),
        .optional("orderItems", \.orderItems),
        .optional("riskIndicator", \.riskIndicator),
        .optional("paymentToken", \.paymentToken),
        .optional("recurrenceToken", \.recurrenceToken),
        .optional("unscheduledToken", \.unscheduledToken),
        OrderMember {
            $1.metadata = $0.freeForm("metadata")
        } write: {
            if let metadata = $0.metadata { $1["metadata"] = FreeFormValue.members(metadata).json }
        },
    ]
}

extension PaymentOrderURLs: OrderObject {
    static let blank = PaymentOrderURLs()
    static let members = parts(hasPages: true)

    /// The members for an order whose payer is shown pages, or for one that charges a token.
    static func parts(hasPages: Bool) -> [OrderMember<PaymentOrderURLs>] {
        [
            OrderMember {
                $1.hosts =
                    [String].read("hostUrls", by: &$0)
                    ?? (hasPages ? $0.missing("hostUrls", or: []) : [])
            } write: {
                if !$0.hosts.isEmpty { $1["hostUrls"] = $0.hosts.json }
            },
            OrderMember {
                $1.complete =
                    String.read("completeUrl", by: &$0)
                    ?? (hasPages ? $0.missing("completeUrl", or: "") : "")
            } write: {
                if !$0.complete.isEmpty { $1["completeUrl"] = $0.complete.json }
            },
            .optional("cancelUrl", \.cancel),
            .optional("paymentUrl", \.payment),
            .optional("callbackUrl", \.callback),
            .optional("logoUrl", \.logo),
            .optional("termsOfServiceUrl", \.termsOfService),
        ]
    }
}

extension PayeeInfo: OrderObject {
    static let blank = PayeeInfo()
    static let members: [OrderMember<PayeeInfo>] = [
        .optional("payeeId", \.payeeID),
        .optional("payeeReference", \.payeeReference),
        .optional("payeeName", \.payeeName),
        .optional("productCategory", \.productCategory),
        .optional("orderReference", \.orderReference),
        .optional("subsite", \.subsite),
        .optional("siteId", \.siteID),
    ]
}

extension OrderItem: OrderObject {
    static let blank = OrderItem(
        reference: "",
        name: "",
        kind: .other,
        category: "",
        unitPrice: 0,
        vatPercent: 0,
        amount: 0,
        vatAmount: 0
    )
    static let members: [OrderMember<OrderItem>] = [
        .required("reference", \.reference),
        .required("name", \.name),
        .required("type", \.kind),
        .required("class", \.category),
        .optional("itemUrl", \.itemURL),
        .optional("imageUrl", \.imageURL),
        .optional("description", \.description),
        .optional("discountDescription", \.discountDescription),
        .required("quantity", \.quantity),
        .required("quantityUnit", \.quantityUnit),
        .required("unitPrice", \.unitPrice),
        .optional("discountPrice", \.discountPrice),
        OrderMember {
            let advice = "must be a whole number, the percentage times 100: 2500 for 25 %"
            $1.vatPercent = $0.integer("vatPercent", advice) ?? $0.missing("vatPercent", or: 0)
        } write: {
            $1["vatPercent"] = .integer($0.vatPercent)
        },
        .required("amount", \.amount),
        .required("vatAmount", \.vatAmount),
        .optional("restrictedToInstruments", \.restrictedToInstruments),
    ]
}
