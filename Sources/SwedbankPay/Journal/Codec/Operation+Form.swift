package import EventLog

extension Operation: CanonicalForm {
    package func write(to writer: inout CanonicalWriter) {
        writer.object { writer in
            writer.member("contentType", contentType)
            writer.membersIfAny("expects", expects)
            writer.member("href", href)
            writer.member("method", method)
            writer.member("next", isNext)
            writer.member("rel", rel)
            writer.member("target", target)
            writer.membersIfAny("tasks", tasks)
        }
    }

    package static func read(
        from reader: inout CanonicalReader
    ) throws(EventDecodingError) -> Operation {
        var object = try reader.beginObject()
        let contentType: String? = try reader.find("contentType", in: &object)
        let expects: [Expectation]? = try reader.findList("expects", in: &object)
        let href: Sealed? = try reader.find("href", in: &object)
        let method: String? = try reader.find("method", in: &object)
        let isNext: Bool = try reader.require("next", in: &object)
        let rel: Rel = try reader.require("rel", in: &object)
        let target: RedirectTarget? = try reader.find("target", in: &object)
        let tasks: [IntegrationTask]? = try reader.findList("tasks", in: &object)
        try reader.endObject(&object)
        return Operation(
            rel: rel,
            method: method,
            href: href,
            isNext: isNext,
            tasks: tasks ?? [],
            expects: expects ?? [],
            target: target,
            contentType: contentType
        )
    }
}

extension IntegrationTask: CanonicalForm {
    package func write(to writer: inout CanonicalWriter) {
        writer.object { writer in
            writer.member("contentType", contentType)
            writer.membersIfAny("expects", expects)
            writer.member("href", href)
            writer.member("method", method)
            writer.member("rel", rel)
            writer.member("scheme", scheme)
        }
    }

    package static func read(
        from reader: inout CanonicalReader
    ) throws(EventDecodingError) -> IntegrationTask {
        var object = try reader.beginObject()
        let contentType: String? = try reader.find("contentType", in: &object)
        let expects: [Expectation]? = try reader.findList("expects", in: &object)
        let href: Sealed? = try reader.find("href", in: &object)
        let method: String? = try reader.find("method", in: &object)
        let rel: TaskRel = try reader.require("rel", in: &object)
        let scheme: String? = try reader.find("scheme", in: &object)
        try reader.endObject(&object)
        return IntegrationTask(
            rel: rel,
            href: href,
            scheme: scheme,
            method: method,
            contentType: contentType,
            expects: expects ?? []
        )
    }
}
