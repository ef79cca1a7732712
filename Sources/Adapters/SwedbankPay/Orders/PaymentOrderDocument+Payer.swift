internal import SwedbankPay

extension Payer {
    init(reading reader: inout OrderMemberReader) {
        self.init(
            consumerProfileRef: reader.string("consumerProfileRef"),
            email: reader.string("email"),
            msisdn: reader.string("msisdn"),
            payerReference: reader.string("payerReference"),
            nationalIdentifier: reader.object("nationalIdentifier") {
                NationalIdentifier(reading: &$0)
            },
            requiresConsumerInfo: reader.bool("requireConsumerInfo"),
            buysDigitalProducts: reader.bool("digitalProducts"),
            shippingAddressRestrictedToCountryCodes: reader.strings(
                "shippingAddressRestrictedToCountryCodes"
            ),
            firstName: reader.string("firstName"),
            lastName: reader.string("lastName"),
            workPhoneNumber: reader.string("workPhoneNumber"),
            homePhoneNumber: reader.string("homePhoneNumber"),
            shippingAddress: reader.object("shippingAddress") { PayerAddress(reading: &$0) },
            billingAddress: reader.object("billingAddress") { PayerAddress(reading: &$0) },
            accountInfo: reader.object("accountInfo") { AccountInfo(reading: &$0) },
            others: reader.others()
        )
    }

    var json: ProviderJSON {
        var writer = OrderMemberWriter(others)
        writer.set("consumerProfileRef", consumerProfileRef)
        writer.set("email", email)
        writer.set("msisdn", msisdn)
        writer.set("payerReference", payerReference)
        writer.set("nationalIdentifier", nationalIdentifier?.json)
        writer.set("requireConsumerInfo", requiresConsumerInfo)
        writer.set("digitalProducts", buysDigitalProducts)
        writer.set(
            "shippingAddressRestrictedToCountryCodes",
            shippingAddressRestrictedToCountryCodes
        )
        writer.set("firstName", firstName)
        writer.set("lastName", lastName)
        writer.set("workPhoneNumber", workPhoneNumber)
        writer.set("homePhoneNumber", homePhoneNumber)
        writer.set("shippingAddress", shippingAddress?.json)
        writer.set("billingAddress", billingAddress?.json)
        writer.set("accountInfo", accountInfo?.json)
        return writer.json
    }
}

extension NationalIdentifier {
    init(reading reader: inout OrderMemberReader) {
        self.init(
            socialSecurityNumber: reader.requiredString("socialSecurityNumber"),
            countryCode: reader.requiredString("countryCode"),
            others: reader.others()
        )
    }

    var json: ProviderJSON {
        var writer = OrderMemberWriter(others)
        writer.set("socialSecurityNumber", socialSecurityNumber)
        writer.set("countryCode", countryCode)
        return writer.json
    }
}

extension PayerAddress {
    init(reading reader: inout OrderMemberReader) {
        self.init(
            firstName: reader.string("firstName"),
            lastName: reader.string("lastName"),
            email: reader.string("email"),
            msisdn: reader.string("msisdn"),
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
        writer.set("firstName", firstName)
        writer.set("lastName", lastName)
        writer.set("email", email)
        writer.set("msisdn", msisdn)
        writer.set("streetAddress", streetAddress)
        writer.set("coAddress", coAddress)
        writer.set("city", city)
        writer.set("zipCode", zipCode)
        writer.set("countryCode", countryCode)
        return writer.json
    }
}

extension AccountInfo {
    init(reading reader: inout OrderMemberReader) {
        self.init(
            accountAge: reader.choice("accountAgeIndicator", as: Age.self),
            accountChange: reader.choice("accountChangeIndicator", as: Recency.self),
            passwordChange: reader.choice("accountChangePwdIndicator", as: Age.self),
            shippingAddressUsage: reader.choice(
                "shippingAddressUsageIndicator",
                as: Recency.self
            ),
            shippingName: reader.choice("shippingNameIndicator", as: NameMatch.self),
            suspiciousActivity: reader.choice("suspiciousAccountActivity", as: Suspicion.self),
            others: reader.others()
        )
    }

    var json: ProviderJSON {
        var writer = OrderMemberWriter(others)
        writer.set("accountAgeIndicator", accountAge?.rawValue)
        writer.set("accountChangeIndicator", accountChange?.rawValue)
        writer.set("accountChangePwdIndicator", passwordChange?.rawValue)
        writer.set("shippingAddressUsageIndicator", shippingAddressUsage?.rawValue)
        writer.set("shippingNameIndicator", shippingName?.rawValue)
        writer.set("suspiciousAccountActivity", suspiciousActivity?.rawValue)
        return writer.json
    }
}
