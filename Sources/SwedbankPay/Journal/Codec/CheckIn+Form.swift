package import EventLog

extension EndpointsDiscovered: CanonicalForm {
    package func write(to writer: inout CanonicalWriter) {
        writer.object { writer in
            writer.member("consumers", endpoints.consumers)
            writer.member("orders", endpoints.orders)
        }
    }

    package static func read(
        from reader: inout CanonicalReader
    ) throws(EventDecodingError) -> EndpointsDiscovered {
        var object = try reader.beginObject()
        let consumers: Sealed? = try reader.find("consumers", in: &object)
        let orders: Sealed = try reader.require("orders", in: &object)
        try reader.endObject(&object)
        return EndpointsDiscovered(
            endpoints: BackendEndpoints(consumers: consumers, orders: orders)
        )
    }
}

extension CheckInOffered: CanonicalForm {
    package func write(to writer: inout CanonicalWriter) {
        writer.object { writer in
            writer.member("script", script)
        }
    }

    package static func read(
        from reader: inout CanonicalReader
    ) throws(EventDecodingError) -> CheckInOffered {
        var object = try reader.beginObject()
        let script: Sealed = try reader.require("script", in: &object)
        try reader.endObject(&object)
        return CheckInOffered(
            script: script
        )
    }
}

extension CheckInRequested: CanonicalForm {
    package func write(to writer: inout CanonicalWriter) {
        writer.object { writer in
            writer.member("action", action)
            writer.member("script", script)
        }
    }

    package static func read(
        from reader: inout CanonicalReader
    ) throws(EventDecodingError) -> CheckInRequested {
        var object = try reader.beginObject()
        let action: ActionID = try reader.require("action", in: &object)
        let script: Sealed = try reader.require("script", in: &object)
        try reader.endObject(&object)
        return CheckInRequested(
            action: action,
            script: script
        )
    }
}

extension PayerCheckedIn: CanonicalForm {
    package func write(to writer: inout CanonicalWriter) {
        writer.object { writer in
            writer.member("action", action)
            writer.member("consumerProfileRef", consumerProfileRef)
        }
    }

    package static func read(
        from reader: inout CanonicalReader
    ) throws(EventDecodingError) -> PayerCheckedIn {
        var object = try reader.beginObject()
        let action: ActionID = try reader.require("action", in: &object)
        let consumerProfileRef: Sealed = try reader.require("consumerProfileRef", in: &object)
        try reader.endObject(&object)
        return PayerCheckedIn(
            action: action,
            consumerProfileRef: consumerProfileRef
        )
    }
}

extension Navigated: CanonicalForm {
    package func write(to writer: inout CanonicalWriter) {
        writer.object { writer in
            writer.member("action", action)
            writer.member("destination", destination)
            writer.member("place", place)
            writer.member("url", url)
        }
    }

    package static func read(
        from reader: inout CanonicalReader
    ) throws(EventDecodingError) -> Navigated {
        var object = try reader.beginObject()
        let action: ActionID = try reader.require("action", in: &object)
        let destination: String? = try reader.find("destination", in: &object)
        let place: Navigated.Place = try reader.require("place", in: &object)
        let url: Sealed? = try reader.find("url", in: &object)
        try reader.endObject(&object)
        return Navigated(
            action: action,
            destination: destination,
            place: place,
            url: url
        )
    }
}
