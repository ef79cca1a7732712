/// A transaction of which the merchant must be notified.
struct CallbackNotice: Sendable, Equatable {
    /// The PSP's number of the transaction.
    let transaction: Int
    /// The payment method's wire name.
    let method: String
}

extension PaymentOrder {
    /// Returns the callback about a transaction.
    ///
    /// - Note: Source: payment order API, callbacks: the form follows the version in which the
    ///   order was created.
    func callback(_ notice: CallbackNotice) -> JSON {
        guard request.version != .v31 else {
            var members: [String: JSON] = [
                "paymentOrder": [
                    "id": .string(path), "instrument": .string(notice.method),
                    "number": .integer(notice.transaction),
                ]
            ]
            if let reference = request.details.orderReference {
                members["orderReference"] = .string(reference)
            }
            return .object(members)
        }
        let payment = "/psp/\(notice.method.lowercased())/payments/\(id)"
        return [
            "paymentOrder": ["id": .string(path), "instrument": .string(notice.method)],
            "payment": ["id": .string(payment), "number": .integer(number)],
            "transaction": [
                "id": .string("\(payment)/transactions/\(notice.transaction)"),
                "number": .integer(notice.transaction),
            ],
        ]
    }
}
