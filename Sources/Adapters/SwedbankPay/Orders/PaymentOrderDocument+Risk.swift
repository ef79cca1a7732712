internal import SwedbankPay

extension RiskIndicator {
    /// The members' names; the second spelling of the address stands in some of the PSP's documents.
    init(reading reader: inout OrderMemberReader) {
        let misspelt = reader.string("deliveryEmailAdress")
        self.init(
            deliveryEmailAddress: reader.string("deliveryEmailAddress") ?? misspelt,
            deliveryTimeFrame: reader.choice(
                "deliveryTimeFrameIndicator",
                as: DeliveryTimeFrame.self
            ),
            preOrderDay: reader.string("preOrderDate"),
            preOrder: reader.choice("preOrderPurchaseIndicator", as: PreOrder.self),
            shipment: reader.choice("shipIndicator", as: Shipment.self),
            isGiftCardPurchase: reader.bool("giftCardPurchase"),
            reOrder: reader.choice("reOrderPurchaseIndicator", as: ReOrder.self),
            pickUpAddress: reader.object("pickUpAddress") { PickUpAddress(reading: &$0) },
            others: reader.others()
        )
    }

    var json: ProviderJSON {
        var writer = OrderMemberWriter(others)
        writer.set("deliveryEmailAddress", deliveryEmailAddress)
        writer.set("deliveryTimeFrameIndicator", deliveryTimeFrame?.rawValue)
        writer.set("preOrderDate", preOrderDay)
        writer.set("preOrderPurchaseIndicator", preOrder?.rawValue)
        writer.set("shipIndicator", shipment?.rawValue)
        writer.set("giftCardPurchase", isGiftCardPurchase)
        writer.set("reOrderPurchaseIndicator", reOrder?.rawValue)
        writer.set("pickUpAddress", pickUpAddress?.json)
        return writer.json
    }
}

extension PickUpAddress {
    init(reading reader: inout OrderMemberReader) {
        self.init(
            name: reader.string("name"),
            streetAddress: reader.string("streetAddress"),
            coAddress: reader.string("coAddress"),
            city: reader.string("city"),
            zipCode: reader.string("zipCode"),
            countryCode: reader.string("countryCode"),
            others: reader.others()
        )
    }

    var json: ProviderJSON {
        var writer = OrderMemberWriter(others)
        writer.set("name", name)
        writer.set("streetAddress", streetAddress)
        writer.set("coAddress", coAddress)
        writer.set("city", city)
        writer.set("zipCode", zipCode)
        writer.set("countryCode", countryCode)
        return writer.json
    }
}

extension Consumer {
    init(reading reader: inout OrderMemberReader) {
        if reader.requiredString("operation") != Consumer.operation {
            reader.refuse("operation", "must be \(Consumer.operation)")
        }
        self.init(
            language: Language(rawValue: reader.requiredString("language")),
            shippingAddressRestrictedToCountryCodes: reader.strings(
                "shippingAddressRestrictedToCountryCodes"
            ) ?? [],
            others: reader.others()
        )
    }

    var json: ProviderJSON {
        var writer = OrderMemberWriter(others)
        writer.set("operation", Consumer.operation)
        writer.set("language", language.rawValue)
        writer.set(
            "shippingAddressRestrictedToCountryCodes",
            shippingAddressRestrictedToCountryCodes
        )
        return writer.json
    }
}
