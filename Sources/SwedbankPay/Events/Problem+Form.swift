package import EventLog

extension EventType {
    /// A problem occurred.
    public static let problem = EventType("problem") { .problem($0) }
}

extension Problem: ObjectForm {
    package init(_ members: inout some FormPass, _ value: Given<Self>?) throws(EventDecodingError) {
        self.actor = try members.require("actor", value?.actor)
        code = try members.find("code", value?.code)
        detail = try members.find("detail", value?.detail)
        failure = try members.find("failure", value?.failure)
        kind = try members.find("kind", value?.kind)
        origin = try members.require("origin", value?.origin)
        reference = try members.find("reference", value?.reference)
        rel = try members.find("rel", value?.rel)
        isRetryable = try members.require("retryable", value?.isRetryable)
        status = try members.find("status", value?.status)
        subject = try members.find("subject", value?.subject)
        title = try members.find("title", value?.title)
        type = try members.find("type", value?.type)
    }
}
