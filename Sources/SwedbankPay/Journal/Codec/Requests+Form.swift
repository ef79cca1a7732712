package import EventLog

/// The members of a request to the client, side by side.
private struct RequestMembers {
    var request: TaskRequested
    var callbackURL: OutsideText?
    var method: PaymentMethodName?

    init(_ request: TaskRequested) {
        self.request = request
    }

    package func write(to writer: inout CanonicalWriter) {
        writer.object { writer in
            writer.member("action", request.action)
            writer.member("attempt", request.attempt)
            writer.member("callbackURL", callbackURL)
            writer.member("key", request.key)
            writer.member("notificationURL", request.notificationURL)
            writer.member("paymentMethod", method)
            writer.member("task", request.task)
        }
    }

    init(from reader: inout CanonicalReader) throws(EventDecodingError) {
        var object = try reader.beginObject()
        let action: ActionID = try reader.require("action", in: &object)
        let attempt: Int? = try reader.find("attempt", in: &object)
        callbackURL = try reader.find("callbackURL", in: &object)
        let key: TaskKey = try reader.require("key", in: &object)
        let notificationURL: Sealed? = try reader.find("notificationURL", in: &object)
        method = try reader.find("paymentMethod", in: &object)
        let task: IntegrationTask = try reader.require("task", in: &object)
        try reader.endObject(&object)
        request = TaskRequested(
            action: action,
            key: key,
            attempt: attempt,
            task: task,
            notificationURL: notificationURL
        )
    }
}

extension TaskRequested: CanonicalForm {
    package func write(to writer: inout CanonicalWriter) {
        RequestMembers(self).write(to: &writer)
    }

    package static func read(
        from reader: inout CanonicalReader
    ) throws(EventDecodingError) -> TaskRequested {
        try RequestMembers(from: &reader).request
    }
}

extension ExternalAppRequested: CanonicalForm {
    package func write(to writer: inout CanonicalWriter) {
        var members = RequestMembers(request)
        members.callbackURL = callbackURL
        members.write(to: &writer)
    }

    package static func read(
        from reader: inout CanonicalReader
    ) throws(EventDecodingError) -> ExternalAppRequested {
        let members = try RequestMembers(from: &reader)
        return ExternalAppRequested(request: members.request, callbackURL: members.callbackURL)
    }
}

extension WalletRequested: CanonicalForm {
    package func write(to writer: inout CanonicalWriter) {
        var members = RequestMembers(request)
        members.method = method
        members.write(to: &writer)
    }

    package static func read(
        from reader: inout CanonicalReader
    ) throws(EventDecodingError) -> WalletRequested {
        let members = try RequestMembers(from: &reader)
        guard let method = members.method else { throw .missing(member: "paymentMethod") }
        return WalletRequested(request: members.request, method: method)
    }
}
