internal import EventLog

extension OrderItem {
    func check(_ check: inout OrderCheck, at path: String) {
        let limits = check.limits
        check.text(reference, at: path + ".reference")
        check.text(name, at: path + ".name")
        check.text(category, at: path + ".class")
        check.require(
            category.utf8.allSatisfy {
                $0.isASCIILetter || $0.isASCIIDigit || $0 == UInt8(ascii: "_")
                    || $0 == UInt8(ascii: "-")
            },
            path + ".class",
            "must consist of the letters A-Z and a-z, digits, _ and -, without spaces"
        )
        check.url(itemURL, at: path + ".itemUrl")
        check.url(imageURL, at: path + ".imageUrl")
        check.optionalText(description, at: path + ".description")
        check.optionalText(discountDescription, at: path + ".discountDescription")
        check.require(
            quantity > 0 && quantity <= limits.quantity,
            path + ".quantity",
            "must be more than 0 and at most \(limits.quantity)"
        )
        check.text(quantityUnit, at: path + ".quantityUnit")
        let limit = limits.amount
        let amounts = [
            ("unitPrice", unitPrice), ("discountPrice", discountPrice ?? 0), ("amount", amount),
        ]
        for (name, value) in amounts {
            check.require(
                (-limit...limit).contains(value),
                "\(path).\(name)",
                "must be at most \(limit) minor units"
            )
        }
        check.require(
            (0...limits.vatPercent).contains(vatPercent),
            path + ".vatPercent",
            "must be 0 to \(limits.vatPercent): the percentage times 100"
        )
        // The VAT of a discount is negative, like its amount.
        check.require(
            (min(amount, 0)...max(amount, 0)).contains(vatAmount),
            path + ".vatAmount",
            "must not exceed the item's amount, which includes it, and must have the same sign"
        )
        check.instruments(restrictedToInstruments, at: path + ".restrictedToInstruments")
    }
}

extension PaymentOrderURLs {
    /// Checks the addresses.
    ///
    /// - Parameters:
    ///   - check: The check, which records problems.
    ///   - path: The path of the addresses in the document.
    ///   - withPages: Whether a payer takes part, who is shown a page and returns.
    func check(_ check: inout OrderCheck, at path: String, withPages: Bool) {
        if hosts.isEmpty, withPages {
            check.refuse(path + ".hostUrls", "must contain the URL of the page with the menu")
        }
        for (index, host) in check.list(hosts, at: path + ".hostUrls") {
            check.url(host, at: "\(path).hostUrls[\(index)]")
        }
        if withPages || !complete.isEmpty { check.url(complete, at: path + ".completeUrl") }
        check.url(cancel, at: path + ".cancelUrl")
        check.url(payment, at: path + ".paymentUrl", allowsAppScheme: true)
        check.url(callback, at: path + ".callbackUrl")
        check.url(logo, at: path + ".logoUrl")
        check.url(termsOfService, at: path + ".termsOfServiceUrl")
        let watched = [("cancelUrl", cancel), ("paymentUrl", payment)]
        for case (let name, let url?) in watched where Self.areSame(url, complete) {
            check.refuse(
                "\(path).\(name)",
                "must differ from completeUrl, so that the two can be told apart"
            )
        }
        if let cancel, let payment, Self.areSame(cancel, payment) {
            check.refuse(
                path + ".paymentUrl",
                "must differ from cancelUrl, so that the two can be told apart"
            )
        }
        if let payment, Self.hasSwishItem(payment) {
            check.refuse(path + ".paymentUrl", "must not have a query item swp_ut: Swish adds it")
        }
    }

    /// Whether two addresses can't be distinguished in any link.
    private static func areSame(_ left: String, _ right: String) -> Bool {
        PaymentURL.isEquivalent(left, right) && PaymentURL.isEquivalent(right, left)
    }

    private static func hasSwishItem(_ url: String) -> Bool {
        AddressParts(url)?.queryItems.contains {
            String(decoding: $0.name, as: UTF8.self).lowercased() == "swp_ut"
        } ?? false
    }
}

extension PayeeInfo {
    /// Checks the payee.
    ///
    /// - Parameters:
    ///   - check: The check, which records problems.
    ///   - path: The path of the payee in the document.
    ///   - isSupplied: Whether the identifiers are supplied by another party.
    func check(_ check: inout OrderCheck, at path: String, isSupplied: Bool) {
        let limits = check.limits
        if let payeeID, !payeeID.isEmpty {
            check.text(payeeID, at: path + ".payeeId")
        } else if !isSupplied {
            check.refuse(path + ".payeeId", "is required: the merchant's number at the PSP")
        }
        if let payeeReference, !payeeReference.isEmpty {
            let limit = limits.payeeReference
            check.alphanumeric(payeeReference, at: path + ".payeeReference", upTo: limit)
        } else if !isSupplied {
            check.refuse(
                path + ".payeeReference",
                "is required, and must be unique for every operation"
            )
        }
        check.optionalText(payeeName, at: path + ".payeeName")
        check.optionalText(
            productCategory,
            at: path + ".productCategory",
            upTo: limits.productCategory
        )
        check.optionalText(
            orderReference,
            at: path + ".orderReference",
            upTo: limits.orderReference
        )
        if let subsite { check.alphanumeric(subsite, at: path + ".subsite", upTo: limits.subsite) }
        check.optionalText(siteID, at: path + ".siteId")
    }
}
