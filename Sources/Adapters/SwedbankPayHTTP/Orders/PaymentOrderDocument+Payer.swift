internal import SwedbankPay

extension Payer: OrderObject {
    static let blank = Payer()
    static let members: [OrderMember<Payer>] = [
        .optional("consumerProfileRef", \.consumerProfileRef),
        .optional("email", \.email),
        .optional("msisdn", \.msisdn),
        .optional("payerReference", \.payerReference),
        .optional("nationalIdentifier", \.nationalIdentifier),
        .optional("requireConsumerInfo", \.requiresConsumerInfo),
        .optional("digitalProducts", \.buysDigitalProducts),
        .optional(
            "shippingAddressRestrictedToCountryCodes",
            \.shippingAddressRestrictedToCountryCodes
        ),
        .optional("firstName", \.firstName),
        .optional("lastName", \.lastName),
        .optional("workPhoneNumber", \.workPhoneNumber),
        .optional("homePhoneNumber", \.homePhoneNumber),
        .optional("shippingAddress", \.shippingAddress),
        .optional("billingAddress", \.billingAddress),
        .optional("accountInfo", \.accountInfo),
    ]
}

extension NationalIdentifier: OrderObject {
    static let blank = NationalIdentifier(socialSecurityNumber: "", countryCode: "")
    static let members: [OrderMember<NationalIdentifier>] = [
        .required("socialSecurityNumber", \.socialSecurityNumber),
        .required("countryCode", \.countryCode),
    ]
}

extension PayerAddress: OrderObject {
    static let blank = PayerAddress()
    static let members: [OrderMember<PayerAddress>] = [
        .optional("firstName", \.firstName),
        .optional("lastName", \.lastName),
        .optional("email", \.email),
        .optional("msisdn", \.msisdn),
        .optional("streetAddress", \.streetAddress),
        .optional("coAddress", \.coAddress),
        .optional("city", \.city),
        .optional("zipCode", \.zipCode),
        .optional("countryCode", \.countryCode),
    ]
}

extension AccountInfo: OrderObject {
    static let blank = AccountInfo()
    static let members: [OrderMember<AccountInfo>] = [
        .optional("accountAgeIndicator", \.accountAge),
        .optional("accountChangeIndicator", \.accountChange),
        .optional("accountChangePwdIndicator", \.passwordChange),
        .optional("shippingAddressUsageIndicator", \.shippingAddressUsage),
        .optional("shippingNameIndicator", \.shippingName),
        .optional("suspiciousAccountActivity", \.suspiciousActivity),
    ]
}
