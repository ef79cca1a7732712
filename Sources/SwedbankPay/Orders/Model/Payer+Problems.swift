internal import EventLog

extension Payer {
    func check(_ check: inout OrderCheck, at path: String) {
        check.optionalText(consumerProfileRef, at: path + ".consumerProfileRef")
        check.email(email, at: path + ".email")
        check.msisdn(msisdn, at: path + ".msisdn")
        check.optionalText(payerReference, at: path + ".payerReference")
        check.require(
            consumerProfileRef == nil || payerReference == nil,
            path + ".payerReference",
            "must be left out for a payer who checks in: the PSP refuses it with consumerProfileRef"
        )
        if let payerReference {
            check.require(
                !payerReference.unicodeScalars.contains("@") && MSISDN(payerReference) == nil
                    && payerReference != nationalIdentifier?.socialSecurityNumber,
                path + ".payerReference",
                "must not be an e-mail address, a telephone number or a national identifier; use a hash"
            )
        }
        if let nationalIdentifier {
            let path = path + ".nationalIdentifier"
            check.text(
                nationalIdentifier.socialSecurityNumber,
                at: path + ".socialSecurityNumber"
            )
            check.country(nationalIdentifier.countryCode, at: path + ".countryCode")
        }
        check.countries(
            shippingAddressRestrictedToCountryCodes,
            at: path + ".shippingAddressRestrictedToCountryCodes"
        )
        let texts = [
            ("firstName", firstName), ("lastName", lastName),
            ("workPhoneNumber", workPhoneNumber), ("homePhoneNumber", homePhoneNumber),
        ]
        for (name, text) in texts { check.optionalText(text, at: "\(path).\(name)") }
        shippingAddress?.check(&check, at: path + ".shippingAddress")
        billingAddress?.check(&check, at: path + ".billingAddress")
    }
}

extension PayerAddress {
    func check(_ check: inout OrderCheck, at path: String) {
        // Forms also send empty fields: an empty text is equivalent to an absent one.
        let texts = [
            ("firstName", firstName), ("lastName", lastName), ("streetAddress", streetAddress),
            ("coAddress", coAddress), ("city", city), ("zipCode", zipCode),
        ]
        for case (let name, let text?) in texts where !text.isEmpty {
            check.text(text, at: "\(path).\(name)")
        }
        check.email(email, at: path + ".email")
        check.msisdn(msisdn, at: path + ".msisdn")
        check.country(countryCode, at: path + ".countryCode")
    }
}

extension RiskIndicator {
    func check(_ check: inout OrderCheck, at path: String) {
        check.email(deliveryEmailAddress, at: path + ".deliveryEmailAddress")
        if let preOrderDay {
            check.require(
                Self.isDay(preOrderDay),
                path + ".preOrderDate",
                "must be a date in the form YYYYMMDD"
            )
        }
        guard let pickUpAddress else { return }
        let path = path + ".pickUpAddress"
        check.require(shipment == .pickUp, path, "is allowed only for shipIndicator 04")
        let texts = [
            ("name", pickUpAddress.name), ("coAddress", pickUpAddress.coAddress),
            ("city", pickUpAddress.city), ("zipCode", pickUpAddress.zipCode),
        ]
        for case (let name, let text?) in texts where !text.isEmpty {
            check.text(text, at: "\(path).\(name)")
        }
        if let street = pickUpAddress.streetAddress, !street.isEmpty {
            let limit = check.limits.pickUpStreet
            check.text(street, at: path + ".streetAddress", upTo: limit)
        }
        check.country(pickUpAddress.countryCode, at: path + ".countryCode")
    }

    /// Whether a text is a day of the Gregorian calendar.
    static func isDay(_ text: String) -> Bool {
        guard text.utf8.count == 8, text.utf8.allSatisfy(\.isASCIIDigit), let number = Int(text)
        else { return false }
        let (year, month, day) = (number / 10_000, number / 100 % 100, number % 100)
        let isLeap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)
        let days = [31, isLeap ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]
        return days.indices.contains(month - 1) && (1...days[month - 1]).contains(day)
    }
}

extension Consumer {
    /// The fields that the PSP would refuse.
    public func problems(limits: OrderLimits = OrderLimits()) -> [FieldProblem] {
        var check = OrderCheck(OrderRules(limits: limits))
        check.require(language.isWellFormed, "language", "must be a language such as sv-SE")
        check.countries(
            shippingAddressRestrictedToCountryCodes,
            at: "shippingAddressRestrictedToCountryCodes"
        )
        return check.problems
    }
}
