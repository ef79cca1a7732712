extension PaymentOrder {
    /// The order as the merchant sees it.
    ///
    /// - Note: Source: payment order API; `paid` and `failedAttempts` always come expanded.
    func document() -> JSON {
        let path = "/psp/paymentorders/\(id)"
        var members: [String: JSON] = [
            "id": .string(path), "created": .string(Timestamp.text(created)),
            "updated": .string(Timestamp.text(updated)),
            "operation": .string(request.purpose.rawValue), "status": .string(status),
            "currency": .string(request.currency), "amount": .integer(request.amount),
            "vatAmount": .integer(request.vatAmount),
            "description": .string(request.description),
            "language": .string(request.language), "number": .integer(number),
            "availableInstruments": .strings(methods),
            "instrumentMode": .bool(instrumentMode != nil),
            "guestMode": .bool(request.payerReference == nil),
            "urls": request.urls.document,
            "payeeInfo": [
                "payeeReference": .string(request.payeeReference),
                "payeeName": .optional(request.payeeName),
            ],
            "failedAttempts": [
                "id": .string(path + "/failedattempts"),
                "failedAttemptList": .array(failedAttempts()),
            ],
        ]
        switch outcome {
        case .paid(let number): members["paid"] = paid(attempts[number - 1], path: path)
        case .aborted(let reason):
            members["aborted"] = [
                "id": .string(path + "/aborted"), "abortReason": .string(reason),
            ]
        case .failed, nil: break
        }
        return ["paymentOrder": .object(members), "operations": .array(operations(path: path))]
    }

    private func paid(_ attempt: Attempt, path: String) -> JSON {
        let isSale = attempt.method == MethodName.swish
        let type = isSale ? "Sale" : "Authorization"
        return [
            "id": .string(path + "/paid"), "instrument": .string(attempt.method),
            "number": .integer(attempt.transaction),
            "payeeReference": .string(request.payeeReference),
            "transactionType": request.purpose == .verify ? "Verification" : .string(type),
            "amount": .integer(request.amount), "submittedAmount": .integer(request.amount),
            "feeAmount": 0, "discountAmount": 0,
        ]
    }

    private func failedAttempts() -> [JSON] {
        attempts.compactMap { attempt in
            var members: [String: JSON] = [
                "created": .string(Timestamp.text(attempt.started)),
                "instrument": .string(attempt.method), "number": .integer(attempt.transaction),
            ]
            switch attempt.stage {
            case .failed(let problem):
                members["status"] = "Failed"
                members["problem"] = problem.document
            case .aborted:
                members["status"] = "Aborted"
            case .swish, .authentication, .challenge, .wallet, .acquirer, .paid:
                return nil
            }
            return .object(members)
        }
    }

    private func operations(path: String) -> [JSON] {
        func operation(_ rel: String, _ method: String, _ href: String, _ type: String) -> JSON {
            [
                "rel": .string(rel), "method": .string(method), "href": .string(href),
                "contentType": .string(type),
            ]
        }
        guard outcome == nil else { return [] }
        let script = "\(baseURL)/psp/scripts/\(scriptToken)"
        return [
            operation("view-checkout", "GET", script, "application/javascript"),
            operation("view-paymentsession", "GET", sessionURL, "application/json"),
            operation("abort", "PATCH", baseURL + path, "application/json"),
        ]
    }
}
