internal import EventLog
internal import SwedbankPay

extension RiskIndicator: OrderObject {
    static let blank = RiskIndicator()
    static let members: [OrderMember<RiskIndicator>] = [
        OrderMember {
            // Some of the PSP's documents use this second spelling.
            let misspelt = String.read("deliveryEmailAdress", by: &$0)
            $1.deliveryEmailAddress = String.read("deliveryEmailAddress", by: &$0) ?? misspelt
        } write: {
            if let address = $0.deliveryEmailAddress { $1["deliveryEmailAddress"] = address.json }
        },
        .optional("deliveryTimeFrameIndicator", \.deliveryTimeFrame),
        .optional("preOrderDate", \.preOrderDay),
        .optional("preOrderPurchaseIndicator", \.preOrder),
        .optional("shipIndicator", \.shipment),
        .optional("giftCardPurchase", \.isGiftCardPurchase),
        .optional("reOrderPurchaseIndicator", \.reOrder),
        .optional("pickUpAddress", \.pickUpAddress),
    ]
}

extension PickUpAddress: OrderObject {
    static let blank = PickUpAddress()
    static let members: [OrderMember<PickUpAddress>] = [
        .optional("name", \.name),
        .optional("streetAddress", \.streetAddress),
        .optional("coAddress", \.coAddress),
        .optional("city", \.city),
        .optional("zipCode", \.zipCode),
        .optional("countryCode", \.countryCode),
    ]
}

extension Consumer: OrderObject {
    static let blank = Consumer()
    static let members: [OrderMember<Consumer>] = [
        OrderMember { reader, _ in
            let operation = String.read("operation", by: &reader)
            if operation ?? reader.missing("operation", or: "") != Consumer.operation {
                reader.refuse("operation", "must be \(Consumer.operation)")
            }
        } write: {
            $1["operation"] = .string(Consumer.operation)
        },
        .required("language", \.language),
        OrderMember {
            $1.shippingAddressRestrictedToCountryCodes =
                [String].read("shippingAddressRestrictedToCountryCodes", by: &$0) ?? []
        } write: {
            $1["shippingAddressRestrictedToCountryCodes"] =
                $0.shippingAddressRestrictedToCountryCodes.json
        },
    ]
}
