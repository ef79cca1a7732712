package import EventLog

extension ActionAnswered: CanonicalForm {
    package func write(to writer: inout CanonicalWriter) {
        writer.object { writer in
            writer.member("action", action)
        }
    }

    package static func read(
        from reader: inout CanonicalReader
    ) throws(EventDecodingError) -> ActionAnswered {
        var object = try reader.beginObject()
        let action: ActionID = try reader.require("action", in: &object)
        try reader.endObject(&object)
        return ActionAnswered(action: action)
    }
}

extension ActionFailed: CanonicalForm {
    package func write(to writer: inout CanonicalWriter) {
        writer.object { writer in
            writer.member("action", action)
            writer.member("error", error)
        }
    }

    package static func read(
        from reader: inout CanonicalReader
    ) throws(EventDecodingError) -> ActionFailed {
        var object = try reader.beginObject()
        let action: ActionID = try reader.require("action", in: &object)
        let error: OutsideText? = try reader.find("error", in: &object)
        try reader.endObject(&object)
        return ActionFailed(action: action, error: error)
    }
}

extension ThreeDSMethodCompleted: CanonicalForm {
    package func write(to writer: inout CanonicalWriter) {
        writer.object { writer in
            writer.member("action", action)
            writer.member("indicator", indicator)
            writer.member("timedOut", timedOut)
        }
    }

    package static func read(
        from reader: inout CanonicalReader
    ) throws(EventDecodingError) -> ThreeDSMethodCompleted {
        var object = try reader.beginObject()
        let action: ActionID = try reader.require("action", in: &object)
        let indicator: CompletionIndicator = try reader.require("indicator", in: &object)
        let timedOut: Bool = try reader.require("timedOut", in: &object)
        try reader.endObject(&object)
        return ThreeDSMethodCompleted(action: action, indicator: indicator, timedOut: timedOut)
    }
}

extension ThreeDSCompleted: CanonicalForm {
    package func write(to writer: inout CanonicalWriter) {
        writer.object { writer in
            writer.member("action", action)
            writer.member("cRes", cRes)
        }
    }

    package static func read(
        from reader: inout CanonicalReader
    ) throws(EventDecodingError) -> ThreeDSCompleted {
        var object = try reader.beginObject()
        let action: ActionID = try reader.require("action", in: &object)
        let cRes: Sealed = try reader.require("cRes", in: &object)
        try reader.endObject(&object)
        return ThreeDSCompleted(action: action, cRes: cRes)
    }
}

extension WalletAuthorized: CanonicalForm {
    package func write(to writer: inout CanonicalWriter) {
        writer.object { writer in
            writer.member("action", action)
            writer.member("payload", payload)
        }
    }

    package static func read(
        from reader: inout CanonicalReader
    ) throws(EventDecodingError) -> WalletAuthorized {
        var object = try reader.beginObject()
        let action: ActionID = try reader.require("action", in: &object)
        let payload: Sealed = try reader.require("payload", in: &object)
        try reader.endObject(&object)
        return WalletAuthorized(action: action, payload: payload)
    }
}

extension MenuClosed: CanonicalForm {
    package func write(to writer: inout CanonicalWriter) {
        writer.object { writer in
            writer.member("action", action)
            writer.member("error", error)
            writer.member("failure", failure)
            writer.member("outcome", outcome)
        }
    }

    package static func read(
        from reader: inout CanonicalReader
    ) throws(EventDecodingError) -> MenuClosed {
        var object = try reader.beginObject()
        let action: ActionID = try reader.require("action", in: &object)
        let error: OutsideText? = try reader.find("error", in: &object)
        let failure: PageFailure? = try reader.find("failure", in: &object)
        let outcome: MenuOutcome = try reader.require("outcome", in: &object)
        try reader.endObject(&object)
        return MenuClosed(action: action, outcome: outcome, error: error, failure: failure)
    }
}

extension PageFailure: CanonicalForm {
    package func write(to writer: inout CanonicalWriter) {
        writer.object { writer in
            writer.member("details", details)
            writer.member("messageId", messageID)
            writer.member("origin", origin)
        }
    }

    package static func read(
        from reader: inout CanonicalReader
    ) throws(EventDecodingError) -> PageFailure {
        var object = try reader.beginObject()
        let details: OutsideText? = try reader.find("details", in: &object)
        let messageID: OutsideText? = try reader.find("messageId", in: &object)
        let origin: OutsideText? = try reader.find("origin", in: &object)
        try reader.endObject(&object)
        return PageFailure(origin: origin, messageID: messageID, details: details)
    }
}

extension Returned: CanonicalForm {
    package func write(to writer: inout CanonicalWriter) {
        writer.object { writer in
            writer.member("form", form)
        }
    }

    package static func read(
        from reader: inout CanonicalReader
    ) throws(EventDecodingError) -> Returned {
        var object = try reader.beginObject()
        let form: ReturnForm = try reader.require("form", in: &object)
        try reader.endObject(&object)
        return Returned(form: form)
    }
}
