package import EventLog

extension OrderFetched: CanonicalForm {
    package func write(to writer: inout CanonicalWriter) {
        writer.object { writer in
            writer.member("cause", cause)
            writer.member("digest", digest)
            writer.member("durationMilliseconds", durationMilliseconds)
            writer.member("order", order)
        }
    }

    package static func read(
        from reader: inout CanonicalReader
    ) throws(EventDecodingError) -> OrderFetched {
        var object = try reader.beginObject()
        let cause: Rel = try reader.require("cause", in: &object)
        let digest: Digest256 = try reader.require("digest", in: &object)
        let durationMilliseconds: Int64? = try reader.find("durationMilliseconds", in: &object)
        let order: OrderSnapshot? = try reader.find("order", in: &object)
        try reader.endObject(&object)
        return OrderFetched(
            cause: cause,
            digest: digest,
            durationMilliseconds: durationMilliseconds,
            order: order
        )
    }
}

extension InstrumentChosen: CanonicalForm {
    package func write(to writer: inout CanonicalWriter) {
        writer.object { writer in
            writer.member("instrument", instrument)
        }
    }

    package static func read(
        from reader: inout CanonicalReader
    ) throws(EventDecodingError) -> InstrumentChosen {
        var object = try reader.beginObject()
        let instrument: PaymentMethodName = try reader.require("instrument", in: &object)
        try reader.endObject(&object)
        return InstrumentChosen(
            instrument: instrument
        )
    }
}

extension HandedOver: CanonicalForm {
    package func write(to writer: inout CanonicalWriter) {
        writer.object { writer in
            writer.member("session", session)
        }
    }

    package static func read(
        from reader: inout CanonicalReader
    ) throws(EventDecodingError) -> HandedOver {
        var object = try reader.beginObject()
        let session: SessionID = try reader.require("session", in: &object)
        try reader.endObject(&object)
        return HandedOver(
            session: session
        )
    }
}

extension HandedBack: CanonicalForm {
    package func write(to writer: inout CanonicalWriter) {
        writer.object { writer in
            writer.member("outcome", outcome)
            writer.member("session", session)
        }
    }

    package static func read(
        from reader: inout CanonicalReader
    ) throws(EventDecodingError) -> HandedBack {
        var object = try reader.beginObject()
        let outcome: Outcome? = try reader.find("outcome", in: &object)
        let session: SessionID = try reader.require("session", in: &object)
        try reader.endObject(&object)
        return HandedBack(
            session: session,
            outcome: outcome
        )
    }
}

extension OrderConfirmed: CanonicalForm {
    package func write(to writer: inout CanonicalWriter) {
        writer.object { writer in
            writer.member("amount", amount)
            writer.member("currency", currency)
            writer.member("instrument", instrument)
            writer.member("number", number)
            writer.member("order", order)
            writer.member("transactionType", transactionType)
        }
    }

    package static func read(
        from reader: inout CanonicalReader
    ) throws(EventDecodingError) -> OrderConfirmed {
        var object = try reader.beginObject()
        let amount: Int64? = try reader.find("amount", in: &object)
        let currency: String? = try reader.find("currency", in: &object)
        let instrument: PaymentMethodName? = try reader.find("instrument", in: &object)
        let number: Int64? = try reader.find("number", in: &object)
        let order: String = try reader.require("order", in: &object)
        let transactionType: String? = try reader.find("transactionType", in: &object)
        try reader.endObject(&object)
        return OrderConfirmed(
            order: order,
            number: number,
            instrument: instrument,
            currency: currency,
            amount: amount,
            transactionType: transactionType
        )
    }
}

extension TransactionRequest: CanonicalForm {
    package func write(to writer: inout CanonicalWriter) {
        writer.object { writer in
            writer.member("amount", amount)
            writer.member("description", description)
            writer.member("kind", kind)
            writer.member("orderItems", orderItems)
            writer.member("payeeReference", payeeReference)
            writer.member("receiptReference", receiptReference)
            writer.member("vatAmount", vatAmount)
        }
    }

    package static func read(
        from reader: inout CanonicalReader
    ) throws(EventDecodingError) -> TransactionRequest {
        var object = try reader.beginObject()
        let amount: Int64? = try reader.find("amount", in: &object)
        let description: OutsideText = try reader.require("description", in: &object)
        let kind: TransactionKind = try reader.require("kind", in: &object)
        let orderItems: Sealed? = try reader.find("orderItems", in: &object)
        let payeeReference: String = try reader.require("payeeReference", in: &object)
        let receiptReference: String? = try reader.find("receiptReference", in: &object)
        let vatAmount: Int64? = try reader.find("vatAmount", in: &object)
        try reader.endObject(&object)
        return TransactionRequest(
            kind: kind,
            payeeReference: payeeReference,
            amount: amount,
            vatAmount: vatAmount,
            description: description,
            receiptReference: receiptReference,
            orderItems: orderItems
        )
    }
}

extension TransactionSettled: CanonicalForm {
    package func write(to writer: inout CanonicalWriter) {
        writer.object { writer in
            writer.member("payeeReference", payeeReference)
            writer.member("result", result)
        }
    }

    package static func read(
        from reader: inout CanonicalReader
    ) throws(EventDecodingError) -> TransactionSettled {
        var object = try reader.beginObject()
        let payeeReference: String = try reader.require("payeeReference", in: &object)
        let result: TransactionResult = try reader.require("result", in: &object)
        try reader.endObject(&object)
        return TransactionSettled(
            payeeReference: payeeReference,
            result: result
        )
    }
}
