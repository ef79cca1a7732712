package import EventLog

extension ProblemDocument: ObjectForm {
    package init(_ members: inout some FormPass, _ value: Given<Self>?) throws(EventDecodingError) {
        detail = try members.find("detail", value?.detail)
        raw = try members.find("raw", value?.raw)
        status = try members.find("status", value?.status)
        title = try members.find("title", value?.title)
        type = try members.require("type", value?.type)
        isWellFormed = try members.require("wellFormed", value?.isWellFormed)
    }
}

extension PageFailure: ObjectForm {
    package init(_ members: inout some FormPass, _ value: Given<Self>?) throws(EventDecodingError) {
        details = try members.find("details", value?.details)
        messageID = try members.find("messageId", value?.messageID)
        origin = try members.find("origin", value?.origin)
    }
}
