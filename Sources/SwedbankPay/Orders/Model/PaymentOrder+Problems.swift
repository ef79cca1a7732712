extension PaymentOrder {
    /// The fields that the PSP would refuse, in the order of the fields.
    ///
    /// - Note: Source: payment order model.
    public func problems(under rules: OrderRules = OrderRules()) -> [FieldProblem] {
        var check = OrderCheck(rules)
        checkBasics(&check)
        checkAmounts(&check)
        checkTokens(&check)
        checkCharge(&check)
        urls.check(&check, at: "urls", withPages: !purpose.chargesToken)
        checkPayee(&check)
        payer?.check(&check, at: "payer")
        checkItems(&check)
        riskIndicator?.check(&check, at: "riskIndicator")
        return check.problems
    }

    /// Throws if the PSP would refuse the order.
    ///
    /// - Throws: ``PaymentOrderError/invalid(_:)`` with everything that ``problems(under:)`` finds.
    public func validate(under rules: OrderRules = OrderRules()) throws(PaymentOrderError) {
        let problems = problems(under: rules)
        guard problems.isEmpty else { throw .invalid(problems) }
    }

    private func checkBasics(_ check: inout OrderCheck) {
        check.text(purpose.rawValue, at: "operation")
        check.require(purpose != .payout, "operation", "must not be Payout, which is not supported")
        check.optionalText(productName, at: "productName")
        check.require(
            currency.utf8.count == 3 && currency.utf8.allSatisfy { (0x41...0x5A).contains($0) },
            "currency",
            "must be three capital letters, a currency of ISO 4217"
        )
        let limits = check.limits
        check.text(description, at: "description", upTo: limits.description)
        if let userAgent {
            check.text(userAgent, at: "userAgent")
        } else if !check.rules.supplied.contains(.userAgent) {
            check.refuse("userAgent", "is required")
        }
        check.require(language.isWellFormed, "language", "must be a language such as sv-SE")
        check.optionalText(instrument?.rawValue, at: "instrument")
        check.instruments(restrictedToInstruments, at: "restrictedToInstruments")
        if restrictedToInstruments?.isEmpty == true {
            check.refuse("restrictedToInstruments", "must contain a method, or be left out")
        }
    }

    private func checkAmounts(_ check: inout OrderCheck) {
        guard purpose != .verify else {
            let advice = "must be 0 or left out: nothing is charged for Verify"
            check.require(amount ?? 0 == 0, "amount", advice)
            check.require(vatAmount ?? 0 == 0, "vatAmount", advice)
            return
        }
        let limit = check.limits.amount
        guard let amount else {
            check.refuse("amount", "is required: minor units, 10000 is 100.00")
            return check.require(vatAmount != nil, "vatAmount", "is required: minor units")
        }
        check.require(
            (1...limit).contains(amount),
            "amount",
            "must be 1 to \(limit) minor units; use Verify to charge nothing"
        )
        guard let vatAmount else { return check.refuse("vatAmount", "is required: minor units") }
        check.require(vatAmount >= 0, "vatAmount", "must not be negative")
        check.require(
            vatAmount <= max(amount, 0),
            "vatAmount",
            "must not exceed amount, which includes it"
        )
    }

    private func checkTokens(_ check: inout OrderCheck) {
        let isVerify = purpose == .verify
        if let disables = disablesStoredPaymentDetails, isVerify {
            check.refuse(
                "disableStoredPaymentDetails",
                disables ? "must not be used for Verify" : "must be left out for Verify"
            )
        }
        if let enables = enablesPaymentDetailsConsentCheckbox {
            let path = "enablePaymentDetailsConsentCheckbox"
            if isVerify {
                check.refuse(
                    path,
                    enables ? "must not be used for Verify" : "must be left out for Verify"
                )
            } else if enables, disablesStoredPaymentDetails != true {
                check.refuse(path, "needs disableStoredPaymentDetails to be true")
            }
        }
        guard let paymentToken else { return }
        check.text(paymentToken, at: "paymentToken")
        check.require(
            payer?.payerReference?.isEmpty == false,
            "payer.payerReference",
            "is required with paymentToken: it identifies the payer who owns the token"
        )
    }

    /// Checks that a stored token is charged only by an order of its own purpose, which has no
    /// payer and no choice of method.
    ///
    /// - Note: Source: payment order API, recurring and unscheduled.
    private func checkCharge(_ check: inout OrderCheck) {
        let tokens: [(name: String, token: String?, purpose: PaymentOrderPurpose)] = [
            ("recurrenceToken", recurrenceToken, .recur),
            ("unscheduledToken", unscheduledToken, .unscheduledPurchase),
        ]
        for (name, token, owner) in tokens {
            if purpose == owner {
                guard let token, !token.isEmpty else {
                    let source = "the token that a paid order returned"
                    check.refuse(name, "is required for \(owner.rawValue): \(source)")
                    continue
                }
                check.text(token, at: name)
            } else if token != nil {
                check.refuse(name, "is allowed only for \(owner.rawValue)")
            }
        }
        guard purpose.chargesToken else { return }
        let advice = "must be left out for \(purpose.rawValue): a stored token is charged"
        let excluded = [
            ("paymentToken", paymentToken != nil),
            ("generateRecurrenceToken", generatesRecurrenceToken == true),
            ("generateUnscheduledToken", generatesUnscheduledToken == true),
            ("generatePaymentToken", generatesPaymentToken == true),
            ("instrument", instrument != nil),
        ]
        for (name, isWanted) in excluded where isWanted { check.refuse(name, advice) }
    }

    private func checkPayee(_ check: inout OrderCheck) {
        let isSupplied = check.rules.supplied.contains(.payee)
        guard let payeeInfo else {
            return check.require(isSupplied, "payeeInfo", "is required")
        }
        payeeInfo.check(&check, at: "payeeInfo", isSupplied: isSupplied)
    }

    private func checkItems(_ check: inout OrderCheck) {
        guard let orderItems else { return }
        guard !orderItems.isEmpty else {
            return check.refuse("orderItems", "must contain an item, or be left out")
        }
        let limit = check.limits.orderItems
        for (index, item) in check.list(orderItems, at: "orderItems", upTo: limit) {
            item.check(&check, at: "orderItems[\(index)]")
        }
        guard purpose != .verify, orderItems.count <= limit else { return }
        guard let totals = OrderTotals(of: orderItems) else {
            return check.refuse("orderItems", "must not add up to more than 2^53 - 1")
        }
        if let amount, amount != totals.amount {
            check.refuse(
                "amount",
                "must be \(totals.amount), the sum of the order items' amounts, but is \(amount)"
            )
        }
        if let vatAmount, vatAmount != totals.vatAmount {
            check.refuse(
                "vatAmount",
                "must be \(totals.vatAmount), the sum of the order items' VAT, but is \(vatAmount)"
            )
        }
    }
}

extension [OrderItem] {
    /// The fields of these items that the PSP would refuse, for example in a capture.
    ///
    /// - Parameters:
    ///   - amount: The required sum of their amounts.
    ///   - vatAmount: The required sum of their VAT.
    ///   - limits: The limits of the fields.
    /// - Returns: The problems; empty when the items are valid.
    public func problems(
        amount: Amount?,
        vatAmount: Amount?,
        limits: OrderLimits = OrderLimits()
    ) -> [FieldProblem] {
        var check = OrderCheck(OrderRules(limits: limits))
        for (index, item) in check.list(self, at: "orderItems", upTo: limits.orderItems) {
            item.check(&check, at: "orderItems[\(index)]")
        }
        guard let totals = OrderTotals(of: self) else {
            check.refuse("orderItems", "must not add up to more than 2^53 - 1")
            return check.problems
        }
        if let amount, amount != totals.amount {
            check.refuse(
                "amount",
                "must be \(totals.amount), the sum of the items, but is \(amount)"
            )
        }
        if let vatAmount, vatAmount != totals.vatAmount {
            check.refuse(
                "vatAmount",
                "must be \(totals.vatAmount), the sum of the items' VAT, but is \(vatAmount)"
            )
        }
        return check.problems
    }
}
