internal import SwedbankPay

extension PaymentOrder {
    init(reading reader: inout OrderMemberReader) {
        let purpose = PaymentOrderPurpose(rawValue: reader.requiredString("operation"))
        // Where no payer takes part there may be no pages.
        let hasPages = !purpose.chargesToken
        self.init(
            purpose: purpose,
            productName: reader.string("productName"),
            currency: reader.requiredString("currency"),
            amount: reader.integer("amount"),
            vatAmount: reader.integer("vatAmount"),
            description: reader.requiredString("description"),
            userAgent: reader.string("userAgent"),
            language: Language(rawValue: reader.requiredString("language")),
            instrument: reader.string("instrument").map(PaymentMethodName.init(rawValue:)),
            generatesRecurrenceToken: reader.bool("generateRecurrenceToken"),
            generatesUnscheduledToken: reader.bool("generateUnscheduledToken"),
            generatesPaymentToken: reader.bool("generatePaymentToken"),
            disablesStoredPaymentDetails: reader.bool("disableStoredPaymentDetails"),
            enablesPaymentDetailsConsentCheckbox: reader.bool(
                "enablePaymentDetailsConsentCheckbox"
            ),
            restrictedToInstruments: reader.instruments("restrictedToInstruments"),
            expandsFirstInstrument: reader.bool("expandFirstInstrument"),
            disablesPaymentMenu: reader.bool("disablePaymentMenu"),
            urls: reader.object("urls") { PaymentOrderURLs(reading: &$0, hasPages: hasPages) }
                ?? (hasPages
                    ? reader.missing("urls", or: PaymentOrderURLs()) : PaymentOrderURLs()),
            payeeInfo: reader.object("payeeInfo") { PayeeInfo(reading: &$0) },
            payer: reader.object("payer") { Payer(reading: &$0) },
            orderItems: reader.objects("orderItems") { OrderItem(reading: &$0) },
            riskIndicator: reader.object("riskIndicator") { RiskIndicator(reading: &$0) },
            paymentToken: reader.string("paymentToken"),
            recurrenceToken: reader.string("recurrenceToken"),
            unscheduledToken: reader.string("unscheduledToken"),
            metadata: reader.freeForm("metadata"),
            others: reader.others()
        )
    }

    var json: ProviderJSON {
        var writer = OrderMemberWriter(others)
        writer.remove("initiatingSystemUserAgent")
        writer.set("operation", purpose.rawValue)
        writer.set("productName", productName)
        writer.set("currency", currency)
        writer.set("amount", amount)
        writer.set("vatAmount", vatAmount)
        writer.set("description", description)
        writer.set("userAgent", userAgent)
        writer.set("language", language.rawValue)
        writer.set("instrument", instrument?.rawValue)
        writer.set("generateRecurrenceToken", generatesRecurrenceToken)
        writer.set("generateUnscheduledToken", generatesUnscheduledToken)
        writer.set("generatePaymentToken", generatesPaymentToken)
        writer.set("disableStoredPaymentDetails", disablesStoredPaymentDetails)
        writer.set("enablePaymentDetailsConsentCheckbox", enablesPaymentDetailsConsentCheckbox)
        writer.set("restrictedToInstruments", restrictedToInstruments?.map(\.rawValue))
        writer.set("expandFirstInstrument", expandsFirstInstrument)
        writer.set("disablePaymentMenu", disablesPaymentMenu)
        writer.set("urls", urls.json)
        writer.set("payeeInfo", payeeInfo?.json)
        writer.set("payer", payer?.json)
        writer.set("orderItems", orderItems.map { .array($0.map(\.json)) })
        writer.set("riskIndicator", riskIndicator?.json)
        writer.set("paymentToken", paymentToken)
        writer.set("recurrenceToken", recurrenceToken)
        writer.set("unscheduledToken", unscheduledToken)
        writer.set("metadata", metadata.map { FreeFormValue.members($0).json })
        return writer.json
    }
}

extension PaymentOrderURLs {
    init(reading reader: inout OrderMemberReader, hasPages: Bool) {
        self.init(
            hosts: reader.strings("hostUrls")
                ?? (hasPages ? reader.missing("hostUrls", or: []) : []),
            complete: hasPages
                ? reader.requiredString("completeUrl") : reader.string("completeUrl") ?? "",
            cancel: reader.string("cancelUrl"),
            payment: reader.string("paymentUrl"),
            callback: reader.string("callbackUrl"),
            logo: reader.string("logoUrl"),
            termsOfService: reader.string("termsOfServiceUrl"),
            others: reader.others()
        )
    }

    var json: ProviderJSON {
        var writer = OrderMemberWriter(others)
        writer.set("hostUrls", hosts.isEmpty ? nil : hosts)
        writer.set("completeUrl", complete.isEmpty ? nil : complete)
        writer.set("cancelUrl", cancel)
        writer.set("paymentUrl", payment)
        writer.set("callbackUrl", callback)
        writer.set("logoUrl", logo)
        writer.set("termsOfServiceUrl", termsOfService)
        return writer.json
    }
}

extension PayeeInfo {
    init(reading reader: inout OrderMemberReader) {
        self.init(
            payeeID: reader.string("payeeId"),
            payeeReference: reader.string("payeeReference"),
            payeeName: reader.string("payeeName"),
            productCategory: reader.string("productCategory"),
            orderReference: reader.string("orderReference"),
            subsite: reader.string("subsite"),
            siteID: reader.string("siteId"),
            others: reader.others()
        )
    }

    var json: ProviderJSON {
        var writer = OrderMemberWriter(others)
        writer.set("payeeId", payeeID)
        writer.set("payeeReference", payeeReference)
        writer.set("payeeName", payeeName)
        writer.set("productCategory", productCategory)
        writer.set("orderReference", orderReference)
        writer.set("subsite", subsite)
        writer.set("siteId", siteID)
        return writer.json
    }
}

extension OrderItem {
    init(reading reader: inout OrderMemberReader) {
        self.init(
            reference: reader.requiredString("reference"),
            name: reader.requiredString("name"),
            kind: reader.requiredChoice("type", or: .other),
            category: reader.requiredString("class"),
            itemURL: reader.string("itemUrl"),
            imageURL: reader.string("imageUrl"),
            description: reader.string("description"),
            discountDescription: reader.string("discountDescription"),
            quantity: reader.requiredQuantity("quantity"),
            quantityUnit: reader.requiredString("quantityUnit"),
            unitPrice: reader.requiredInteger("unitPrice"),
            discountPrice: reader.integer("discountPrice"),
            vatPercent: reader.requiredPercentage("vatPercent"),
            amount: reader.requiredInteger("amount"),
            vatAmount: reader.requiredInteger("vatAmount"),
            restrictedToInstruments: reader.instruments("restrictedToInstruments"),
            others: reader.others()
        )
    }

    var json: ProviderJSON {
        var writer = OrderMemberWriter(others)
        writer.set("reference", reference)
        writer.set("name", name)
        writer.set("type", kind.rawValue)
        writer.set("class", category)
        writer.set("itemUrl", itemURL)
        writer.set("imageUrl", imageURL)
        writer.set("description", description)
        writer.set("discountDescription", discountDescription)
        writer.set("quantity", quantity)
        writer.set("quantityUnit", quantityUnit)
        writer.set("unitPrice", unitPrice)
        writer.set("discountPrice", discountPrice)
        writer.set("vatPercent", vatPercent)
        writer.set("amount", amount)
        writer.set("vatAmount", vatAmount)
        writer.set("restrictedToInstruments", restrictedToInstruments?.map(\.rawValue))
        return writer.json
    }
}
