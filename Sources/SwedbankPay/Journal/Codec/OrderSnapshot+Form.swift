package import EventLog

extension OrderSnapshot: CanonicalForm {
    package func write(to writer: inout CanonicalWriter) {
        writer.object { writer in
            writer.member("abortReason", abortReason)
            writer.member("amount", amount)
            writer.membersIfAny("availableInstruments", availableInstruments)
            writer.member("currency", currency)
            writer.member("failedAttempts", failedAttempts)
            writer.member("failure", failure)
            writer.member("id", id)
            writer.member("instrument", instrument)
            writer.member("instrumentMode", isInstrumentMode)
            writer.member("number", number)
            writer.membersIfAny("operations", operations)
            writer.member("paid", paid)
            writer.member("purpose", purpose)
            writer.member("remainingCancellation", remainingCancellation)
            writer.member("remainingCapture", remainingCapture)
            writer.member("remainingReversal", remainingReversal)
            writer.member("status", status)
            if let transactions { writer.members("transactions", transactions) }
            writer.member("urls", urls)
            writer.member("vatAmount", vatAmount)
        }
    }

    package static func read(
        from reader: inout CanonicalReader
    ) throws(EventDecodingError) -> OrderSnapshot {
        var object = try reader.beginObject()
        let abortReason: OutsideText? = try reader.find("abortReason", in: &object)
        let amount: Int64? = try reader.find("amount", in: &object)
        let availableInstruments: [PaymentMethodName]? = try reader.findList(
            "availableInstruments",
            in: &object
        )
        let currency: String? = try reader.find("currency", in: &object)
        let failedAttempts: Int? = try reader.find("failedAttempts", in: &object)
        let failure: ProblemDocument? = try reader.find("failure", in: &object)
        let id: String? = try reader.find("id", in: &object)
        let instrument: PaymentMethodName? = try reader.find("instrument", in: &object)
        let isInstrumentMode: Bool? = try reader.find("instrumentMode", in: &object)
        let number: Int64? = try reader.find("number", in: &object)
        let operations: [Operation]? = try reader.findList("operations", in: &object)
        let paid: PaidDetails? = try reader.find("paid", in: &object)
        let purpose: String? = try reader.find("purpose", in: &object)
        let remainingCancellation: Int64? = try reader.find("remainingCancellation", in: &object)
        let remainingCapture: Int64? = try reader.find("remainingCapture", in: &object)
        let remainingReversal: Int64? = try reader.find("remainingReversal", in: &object)
        let status: OrderStatus? = try reader.find("status", in: &object)
        let transactions: [FinancialTransaction]? = try reader.findList("transactions", in: &object)
        let urls: OrderURLs = try reader.require("urls", in: &object)
        let vatAmount: Int64? = try reader.find("vatAmount", in: &object)
        try reader.endObject(&object)
        return OrderSnapshot(
            id: id,
            number: number,
            status: status,
            purpose: purpose,
            currency: currency,
            amount: amount,
            vatAmount: vatAmount,
            remainingCapture: remainingCapture,
            remainingCancellation: remainingCancellation,
            remainingReversal: remainingReversal,
            instrument: instrument,
            availableInstruments: availableInstruments ?? [],
            isInstrumentMode: isInstrumentMode,
            urls: urls,
            operations: operations ?? [],
            paid: paid,
            failedAttempts: failedAttempts,
            transactions: transactions,
            abortReason: abortReason,
            failure: failure
        )
    }
}

extension PaidDetails: CanonicalForm {
    package func write(to writer: inout CanonicalWriter) {
        writer.object { writer in
            writer.member("amount", amount)
            writer.member("instrument", instrument)
            writer.member("number", number)
            writer.member("orderReference", orderReference)
            writer.member("payeeReference", payeeReference)
            writer.member("transactionType", transactionType)
        }
    }

    package static func read(
        from reader: inout CanonicalReader
    ) throws(EventDecodingError) -> PaidDetails {
        var object = try reader.beginObject()
        let amount: Int64? = try reader.find("amount", in: &object)
        let instrument: PaymentMethodName? = try reader.find("instrument", in: &object)
        let number: Int64? = try reader.find("number", in: &object)
        let orderReference: String? = try reader.find("orderReference", in: &object)
        let payeeReference: String? = try reader.find("payeeReference", in: &object)
        let transactionType: String? = try reader.find("transactionType", in: &object)
        try reader.endObject(&object)
        return PaidDetails(
            instrument: instrument,
            number: number,
            payeeReference: payeeReference,
            orderReference: orderReference,
            transactionType: transactionType,
            amount: amount
        )
    }
}

extension FinancialTransaction: CanonicalForm {
    package func write(to writer: inout CanonicalWriter) {
        writer.object { writer in
            writer.member("amount", amount)
            writer.member("number", number)
            writer.member("payeeReference", payeeReference)
            writer.member("type", type)
            writer.member("vatAmount", vatAmount)
        }
    }

    package static func read(
        from reader: inout CanonicalReader
    ) throws(EventDecodingError) -> FinancialTransaction {
        var object = try reader.beginObject()
        let amount: Int64? = try reader.find("amount", in: &object)
        let number: Int64? = try reader.find("number", in: &object)
        let payeeReference: String? = try reader.find("payeeReference", in: &object)
        let type: String = try reader.require("type", in: &object)
        let vatAmount: Int64? = try reader.find("vatAmount", in: &object)
        try reader.endObject(&object)
        return FinancialTransaction(
            type: type,
            number: number,
            payeeReference: payeeReference,
            amount: amount,
            vatAmount: vatAmount
        )
    }
}
