/// Validates the request bodies of the session API strictly.
///
/// - Note: Source: payment session API, operations and their request bodies. Screen sizes and the
///   time zone may be integers or strings of digits, because clients in production send both.
enum RequestBodies {
    static func preparePayment(_ body: JSON) throws(ProblemDetail) {
        var reader = BodyReader(body)
        _ = reader.string("integration")
        _ = reader.string("deviceAcceptedWallets")
        client(&reader)
        browser(&reader)
        for part in ["service", "presentationSdk"] {
            _ = reader.string(part + ".name")
            _ = reader.string(part + ".version")
        }
        try reader.finish()
    }

    static func expandMethod(_ body: JSON, method: String) throws(ProblemDetail) {
        var reader = BodyReader(body)
        let named = reader.string("paymentMethod")
        if !named.isEmpty, named != method { reader.refuse("paymentMethod", "must be \(method)") }
        try reader.finish()
    }

    /// Reads the start of an attempt and returns the reader for the method's own fields.
    static func startPaymentAttempt(_ body: JSON) -> BodyReader {
        var reader = BodyReader(body)
        _ = reader.string("culture")
        client(&reader)
        let kind = reader.string("client.clientType")
        if !kind.isEmpty, kind != "Native" { reader.refuse("client.clientType", "must be Native") }
        return reader
    }

    static func createAuthentication(_ body: JSON, notificationURL: String) throws(ProblemDetail) {
        var reader = BodyReader(body)
        let indicator = reader.string("methodCompletionIndicator")
        if !indicator.isEmpty, !["Y", "N", "U"].contains(indicator) {
            reader.refuse("methodCompletionIndicator", "must be Y, N or U")
        }
        let notification = reader.string("notificationUrl")
        if !notification.isEmpty, notification != notificationURL {
            reader.refuse("notificationUrl", "must be the NotificationUrl that was given")
        }
        let window = reader.string("requestWindowSize")
        if !window.isEmpty, window != "FULLSCREEN" {
            reader.refuse("requestWindowSize", "must be FULLSCREEN")
        }
        client(&reader)
        browser(&reader)
        try reader.finish()
    }

    static func completeAuthentication(_ body: JSON) throws(ProblemDetail) -> String {
        var reader = BodyReader(body)
        let response = reader.string("cRes")
        _ = reader.string("client.userAgent")
        try reader.finish()
        return response
    }

    static func failPaymentAttempt(_ body: JSON) throws(ProblemDetail) -> String {
        var reader = BodyReader(body)
        let kind = reader.string("problemType")
        let kinds = ["UserCancelled", "TechnicalError", "ClientAppLaunchFailed"]
        if !kind.isEmpty, !kinds.contains(kind) {
            reader.refuse("problemType", "must be one of \(kinds.joined(separator: ", "))")
        }
        _ = reader.optionalString("errorCode")
        try reader.finish()
        return kind
    }

    /// The device of the client.
    static func client(_ reader: inout BodyReader) {
        _ = reader.string("client.userAgent")
        for field in ["screenHeight", "screenWidth", "screenColorDepth"] {
            reader.lenientInteger("client." + field)
        }
    }

    private static func browser(_ reader: inout BodyReader) {
        _ = reader.string("browser.acceptHeader")
        _ = reader.string("browser.language")
        reader.lenientInteger("browser.timeZoneOffset")
        _ = reader.bool("browser.javascriptEnabled")
    }
}
