extension PaymentOrder {
    /// The order's id: a path below the API's address.
    var path: String { "/psp/paymentorders/\(id)" }

    /// The order as seen by the merchant: parts that are not expanded are links.
    ///
    /// - Note: Source: payment order API; the older generation uses `state` for `status`.
    func document(expanding parts: Set<OrderPart> = []) -> JSON {
        var members: [String: JSON] = [
            "id": .string(path), "created": .string(Timestamp.text(created)),
            "updated": .string(Timestamp.text(updated)),
            "operation": .string(request.purpose.rawValue),
            "currency": .string(request.currency), "amount": .integer(request.amount),
            "vatAmount": .integer(request.vatAmount),
            "description": .string(request.description),
            "language": .string(request.language), "number": .integer(number),
            "availableInstruments": .strings(methods),
            "implementation": "PaymentsOnly", "integration": "HostedView",
            "instrumentMode": .bool(instrumentMode != nil),
            "guestMode": .bool(request.payerReference == nil),
        ]
        members[request.version == .v2 ? "state" : "status"] = .string(shownStatus)
        if let instrument = instrumentMode ?? paidAttempt?.method {
            members["instrument"] = .string(instrument)
        }
        if case .paid? = outcome {
            let balance = balance
            members["remainingCaptureAmount"] = .integer(balance.capturable)
            members["remainingCancellationAmount"] = .integer(balance.capturable)
            members["remainingReversalAmount"] = .integer(balance.reversible)
        }
        for part in OrderPart.allCases {
            guard let content = content(of: part) else { continue }
            members[part.rawValue] =
                parts.contains(part) ? content : ["id": .string(address(of: part))]
        }
        return ["paymentOrder": .object(members), "operations": .array(operations())]
    }

    /// One part of the order, as returned by its own address; `nil` when the order has none.
    func document(of part: OrderPart) -> JSON? {
        guard let content = content(of: part) else { return nil }
        return ["paymentOrder": .string(path), part.rawValue: content]
    }

    /// The address of a part.
    func address(of part: OrderPart) -> String { "\(path)/\(part.segment)" }

    /// The attempt that the order was paid with.
    var paidAttempt: Attempt? {
        guard case .paid(let number)? = outcome else { return nil }
        return attempts.first { $0.number == number }
    }

    /// The operations for the merchant, first those that show something to the payer.
    private func operations() -> [JSON] {
        func operation(_ rel: String, _ method: String, _ href: String, _ type: String) -> JSON {
            [
                "rel": .string(rel), "method": .string(method), "href": .string(href),
                "contentType": .string(type),
            ]
        }
        let isTwo = request.version == .v2
        var operations: [JSON] = []
        if outcome == nil {
            let script = "\(baseURL)/psp/scripts/\(scriptToken)"
            let page = "\(baseURL)/psp/checkout/\(scriptToken)"
            operations += [
                operation(
                    isTwo ? "view-paymentorder" : "view-checkout",
                    "GET",
                    script,
                    "application/javascript"
                ),
                operation(
                    isTwo ? "redirect-paymentorder" : "redirect-checkout",
                    "GET",
                    page,
                    "text/html"
                ),
                operation("view-paymentsession", "GET", sessionURL, "application/json"),
            ]
        } else if isTwo, let part = resultPart {
            operations.append(
                operation(
                    "\(part.rawValue)-paymentorder",
                    "GET",
                    baseURL + address(of: part),
                    "application/json"
                )
            )
        }
        for rel in merchantOffers() {
            guard let name = rel.name(in: request.version) else { continue }
            let (method, place) = Self.place(of: rel)
            operations.append(operation(name, method, baseURL + path + place, "application/json"))
        }
        return operations
    }

    /// The part with the result of an order of the older generation.
    private var resultPart: OrderPart? {
        switch outcome {
        case .paid: .paid
        case .failed: .failed
        case .aborted, nil: nil
        }
    }

    private static func place(of rel: MerchantRel) -> (method: String, place: String) {
        switch rel {
        case .create, .read: ("GET", "")
        case .updateOrder, .abort, .abortPaymentAttempt, .setInstrument, .expandInstrument:
            ("PATCH", "")
        case .capture: ("POST", "/captures")
        case .cancel: ("POST", "/cancellations")
        case .reversal: ("POST", "/reversals")
        }
    }
}
