package import EventLog

extension Snapshot: ObjectForm {
    package init(_ members: inout some FormPass, _ value: Given<Self>?) throws(EventDecodingError) {
        culture = try members.find("culture", value?.culture)
        enabledMethods = try members.find("enabledMethods", value?.enabledMethods)
        instrumentMode = try members.find("instrumentMode", value?.instrumentMode)
        methods = try members.require("methods", value?.methods)
        operations = try members.require("operations", value?.operations)
        particulars = try members.find("particulars", value?.particulars, else: SnapshotDetails())
        problem = try members.find("problem", value?.problem)
        unknown = try members.find("unknown", value?.unknown)
        urls = try members.find("urls", value?.urls, else: OrderURLs())
    }
}

extension OrderAddresses: CanonicalForm, MemberForm, ObjectForm where Address == OutsideText {
    package init(_ members: inout some FormPass, _ value: Given<Self>?) throws(EventDecodingError) {
        cancel = try members.find("cancel", value?.cancel)
        complete = try members.find("complete", value?.complete)
        hosts = try members.find("hosts", value?.hosts, else: [])
        payment = try members.find("payment", value?.payment)
        termsOfService = try members.find("termsOfService", value?.termsOfService)
    }
}

extension SnapshotDetails: ObjectForm {
    package init(_ members: inout some FormPass, _ value: Given<Self>?) throws(EventDecodingError) {
        allowsCustomLogo = try members.find("allowsCustomLogo", value?.allowsCustomLogo)
        allowsCustomStyling = try members.find("allowsCustomStyling", value?.allowsCustomStyling)
        currency = try members.find("currency", value?.currency)
        description = try members.find("description", value?.description)
        id = try members.find("id", value?.id)
        integration = try members.find("integration", value?.integration)
        payeeName = try members.find("payeeName", value?.payeeName)
        paymentMethod = try members.find("paymentMethod", value?.paymentMethod)
        traceID = try members.find("traceId", value?.traceID)
    }
}

extension SessionProblem: ObjectForm {
    package init(_ members: inout some FormPass, _ value: Given<Self>?) throws(EventDecodingError) {
        acknowledge = try members.find("acknowledge", value?.acknowledge)
        detail = try members.find("detail", value?.detail)
        originalDetail = try members.find("originalDetail", value?.originalDetail)
        status = try members.find("status", value?.status)
        title = try members.find("title", value?.title)
        type = try members.require("type", value?.type)
    }
}
