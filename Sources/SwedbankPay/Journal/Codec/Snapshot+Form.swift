package import EventLog

extension Fetched: CanonicalForm {
    package func write(to writer: inout CanonicalWriter) {
        writer.object { writer in
            writer.member("cause", cause)
            writer.member("digest", digest)
            writer.member("durationMilliseconds", durationMilliseconds)
            writer.member("snapshot", snapshot)
        }
    }

    package static func read(
        from reader: inout CanonicalReader
    ) throws(EventDecodingError) -> Fetched {
        var object = try reader.beginObject()
        let cause: Rel = try reader.require("cause", in: &object)
        let digest: Digest256 = try reader.require("digest", in: &object)
        let duration: Int64? = try reader.find("durationMilliseconds", in: &object)
        let snapshot: Snapshot? = try reader.find("snapshot", in: &object)
        try reader.endObject(&object)
        return Fetched(
            cause: cause,
            digest: digest,
            durationMilliseconds: duration,
            snapshot: snapshot
        )
    }
}

extension Snapshot: CanonicalForm {
    package func write(to writer: inout CanonicalWriter) {
        writer.object { writer in
            writer.member("culture", culture)
            if let enabledMethods { writer.members("enabledMethods", enabledMethods) }
            writer.member("instrumentMode", instrumentMode)
            writer.members("methods", methods)
            writer.members("operations", operations)
            if particulars != Particulars() { writer.member("particulars", particulars) }
            writer.member("problem", problem)
            writer.member("unknown", unknown)
            if urls != OrderURLs() { writer.member("urls", urls) }
        }
    }

    package static func read(
        from reader: inout CanonicalReader
    ) throws(EventDecodingError) -> Snapshot {
        var snapshot = Snapshot()
        var object = try reader.beginObject()
        snapshot.culture = try reader.find("culture", in: &object)
        snapshot.enabledMethods = try reader.findList("enabledMethods", in: &object)
        snapshot.instrumentMode = try reader.find("instrumentMode", in: &object)
        snapshot.methods = try reader.requireList("methods", in: &object)
        snapshot.operations = try reader.requireList("operations", in: &object)
        snapshot.particulars = try reader.find("particulars", in: &object) ?? Particulars()
        snapshot.problem = try reader.find("problem", in: &object)
        snapshot.unknown = try reader.find("unknown", in: &object)
        snapshot.urls = try reader.find("urls", in: &object) ?? OrderURLs()
        try reader.endObject(&object)
        return snapshot
    }
}

extension OrderAddresses: CanonicalForm where Address == OutsideText {
    package func write(to writer: inout CanonicalWriter) {
        writer.object { writer in
            writer.member("cancel", cancel)
            writer.member("complete", complete)
            writer.membersIfAny("hosts", hosts)
            writer.member("payment", payment)
            writer.member("termsOfService", termsOfService)
        }
    }

    package static func read(
        from reader: inout CanonicalReader
    ) throws(EventDecodingError) -> OrderURLs {
        var object = try reader.beginObject()
        let cancel: OutsideText? = try reader.find("cancel", in: &object)
        let complete: OutsideText? = try reader.find("complete", in: &object)
        let hosts: [OutsideText]? = try reader.findList("hosts", in: &object)
        let payment: OutsideText? = try reader.find("payment", in: &object)
        let termsOfService: OutsideText? = try reader.find("termsOfService", in: &object)
        try reader.endObject(&object)
        return OrderURLs(
            complete: complete,
            cancel: cancel,
            payment: payment,
            hosts: hosts ?? [],
            termsOfService: termsOfService
        )
    }
}

extension Particulars: CanonicalForm {
    package func write(to writer: inout CanonicalWriter) {
        writer.object { writer in
            writer.member("allowsCustomLogo", allowsCustomLogo)
            writer.member("allowsCustomStyling", allowsCustomStyling)
            writer.member("currency", currency)
            writer.member("description", description)
            writer.member("id", id)
            writer.member("integration", integration)
            writer.member("payeeName", payeeName)
            writer.member("paymentMethod", paymentMethod)
            writer.member("traceId", traceID)
        }
    }

    package static func read(
        from reader: inout CanonicalReader
    ) throws(EventDecodingError) -> Particulars {
        var object = try reader.beginObject()
        let allowsCustomLogo: Bool? = try reader.find("allowsCustomLogo", in: &object)
        let allowsCustomStyling: Bool? = try reader.find("allowsCustomStyling", in: &object)
        let currency: String? = try reader.find("currency", in: &object)
        let description: OutsideText? = try reader.find("description", in: &object)
        let id: Sealed? = try reader.find("id", in: &object)
        let integration: String? = try reader.find("integration", in: &object)
        let payeeName: String? = try reader.find("payeeName", in: &object)
        let paymentMethod: PaymentMethodName? = try reader.find("paymentMethod", in: &object)
        let traceID: String? = try reader.find("traceId", in: &object)
        try reader.endObject(&object)
        return Particulars(
            id: id,
            currency: currency,
            description: description,
            payeeName: payeeName,
            paymentMethod: paymentMethod,
            integration: integration,
            traceID: traceID,
            allowsCustomLogo: allowsCustomLogo,
            allowsCustomStyling: allowsCustomStyling
        )
    }
}
