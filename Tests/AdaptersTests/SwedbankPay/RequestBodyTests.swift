import EventLog
import SwedbankPay
import Testing

@testable import SwedbankPayHTTP

@Suite struct RequestBodyTests {
    private static let device =
        #""userAgent":"agent/1","screenHeight":2400,"screenWidth":1080,"screenColorDepth":24"#
    private static let native = #"{\#(device),"clientType":"Native"}"#
    private static let browser =
        #"{"acceptHeader":"text/html","language":"sv-SE","timeZoneOffset":60,"javascriptEnabled":true}"#

    private func expect(
        _ bench: RequestBench,
        _ body: OperationBody,
        culture: String? = "sv-SE",
        sends json: String,
        location: SourceLocation = #_sourceLocation
    ) throws {
        let request = try EncodedRequest(
            bench.request(.startPaymentAttempt, body, culture: culture),
            options: SwedbankPayOptions()
        )
        let sent = try ForeignJSON(parsing: try #require(request.bytes), maximumDepth: 32)
        let wanted = try ForeignJSON(parsing: Array(json.utf8), maximumDepth: 32)
        #expect(sent == wanted, sourceLocation: location)
    }

    @Test func `preparing a session sends the client's environment, with numbers as JSON numbers`()
        throws
    {
        try expect(
            try RequestBench(),
            .environment,
            sends: #"""
                {"integration":"App","deviceAcceptedWallets":"ApplePay;GooglePay;ClickToPay",
                 "client":{\#(Self.device)},"browser":\#(Self.browser),
                 "service":{"name":"payment-workflow","version":"1"},
                 "presentationSdk":{"name":"Server","version":"1"}}
                """#
        )
    }

    @Test func `expanding a method sends its name`() throws {
        try expect(
            try RequestBench(),
            .method(.creditCard),
            sends: #"{"paymentMethod":"CreditCard"}"#
        )
    }

    @Test func `Swish on this device sends the phone number as an explicit null`() throws {
        try expect(
            try RequestBench(),
            .swishAttempt(msisdn: nil),
            sends: #"{"culture":"sv-SE","msisdn":null,"client":\#(Self.native)}"#
        )
        try expect(
            try RequestBench(),
            .swishAttempt(msisdn: nil),
            culture: nil,
            sends: #"{"culture":null,"msisdn":null,"client":\#(Self.native)}"#
        )
    }

    @Test func `Swish on another device and a saved card send the unsealed number and token`()
        throws
    {
        var bench = try RequestBench()
        let number = bench.seal("+46739000001")
        let token = bench.seal("tok")
        try expect(
            bench,
            .swishAttempt(msisdn: number),
            sends: #"{"culture":"sv-SE","msisdn":"+46739000001","client":\#(Self.native)}"#
        )
        try expect(
            bench,
            .cardAttempt(token: token),
            sends: #"{"culture":"sv-SE","paymentToken":"tok","client":\#(Self.native)}"#
        )
        try expect(
            bench,
            .walletAttempt,
            sends: #"{"culture":"sv-SE","client":\#(Self.native)}"#
        )
    }

    @Test func `3-D Secure starts with the method indicator and the PSP's notification URL`() throws
    {
        var bench = try RequestBench()
        let url = bench.seal("https://psp.example/notify?x=1&y=å\"")
        try expect(
            bench,
            .authentication(indicator: .unknown, notificationURL: url),
            sends: #"""
                {"methodCompletionIndicator":"U","notificationUrl":"https://psp.example/notify?x=1&y=å\"",
                 "requestWindowSize":"FULLSCREEN","client":{\#(Self.device)},"browser":\#(Self.browser)}
                """#
        )
        let result = bench.seal("eyJ0")
        try expect(
            bench,
            .challengeResult(cRes: result),
            sends: #"{"cRes":"eyJ0","client":{"userAgent":"agent/1"}}"#
        )
    }

    @Test func `a wallet's token is sent as base64 of its bytes`() throws {
        var bench = try RequestBench()
        let payload = bench.seal(#"{"data":"å?>~"}"#)
        try expect(
            bench,
            .walletPayload(method: .googlePay, payload: payload),
            sends: #"{"paymentMethod":"GooglePay","paymentPayload":"eyJkYXRhIjoiw6U/Pn4ifQ=="}"#
        )
    }

    @Test func `a client failure is reported with its error code or an explicit null`() throws {
        var bench = try RequestBench()
        try expect(
            bench,
            .clientFailure(.appLaunchFailed, errorCode: nil),
            sends: #"{"problemType":"ClientAppLaunchFailed","errorCode":null}"#
        )
        try expect(
            bench,
            .clientFailure(.technicalError, errorCode: .plain("E 1")),
            sends: #"{"problemType":"TechnicalError","errorCode":"E 1"}"#
        )
        let code = bench.seal("a://b")
        try expect(
            bench,
            .clientFailure(.userCancelled, errorCode: .sealed(code)),
            sends: #"{"problemType":"UserCancelled","errorCode":"a://b"}"#
        )
    }

    @Test(
        arguments: [
            (Presentation.all, #"{"paymentMethod":null,"restrictToPaymentMethods":null}"#),
            (.restricted([]), #"{"paymentMethod":null,"restrictToPaymentMethods":null}"#),
            (
                .restricted([.swish, .creditCard]),
                #"{"paymentMethod":null,"restrictToPaymentMethods":["Swish","CreditCard"]}"#
            ),
            (
                .instrument(.clickToPay),
                #"{"paymentMethod":"ClickToPay","restrictToPaymentMethods":null}"#
            ),
            (
                .newCard(showsConsent: false),
                #"{"paymentMethod":"CreditCard","restrictToPaymentMethods":null,"hideStoredPaymentOptions":true,"showConsentAffirmation":false}"#
            ),
        ])
    func `a session is customized with explicit nulls`(
        presentation: Presentation,
        json: String
    ) throws {
        try expect(try RequestBench(), .presentation(presentation), sends: json)
    }
}
