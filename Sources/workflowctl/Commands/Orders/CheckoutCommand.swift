internal import Adapters
internal import ArgumentParser
internal import EventLog
internal import Inspection
internal import SwedbankPay

/// `checkout`: drives an order from its creation to its payment on the PSP's page.
struct CheckoutCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "checkout",
        abstract: "Let a payer check in and pay an order on the PSP's page.",
        discussion: """
            A checkout is a session, so 'report', 'return', 'retry', 'abort', 'show', 'log' and \
            'replay' work with it. The view's actions say what the payer's app or browser has to \
            show; 'page' writes the HTML for them.

            Examples:
              workflowctl checkout start order.json --backend https://shop.example/api/
              workflowctl checkout instrument SESSION Swish
              workflowctl checkout native SESSION
            """,
        subcommands: [
            CheckoutStartCommand.self, CheckoutInstrumentCommand.self, CheckoutNativeCommand.self,
            CheckoutMenuCommand.self, CheckoutCallbackCommand.self,
        ]
    )
}

/// `checkout start`: creates an order and shows its page.
struct CheckoutStartCommand: DrivingCommand {
    static let configuration = CommandConfiguration(
        commandName: "start",
        abstract: "Create an order, with an optional check-in, and request its payment page.",
        discussion: """
            Examples:
              workflowctl checkout start order.json --backend https://shop.example/api/
              workflowctl checkout start - --psp https://api.payex.com/ \\
                --token-file token < order.json
              workflowctl checkout start order.json --backend https://shop.example/api/ \\
                --generation v2 --check-in SE,NO
            """
    )

    @OptionGroup var order: OrderOptions
    @OptionGroup var gateway: GatewayOptions

    @Option(
        help: ArgumentHelp(
            "Let the payer check in first, with these delivery countries.",
            valueName: "countries"
        )
    )
    var checkIn: String?

    @Option(
        help: ArgumentHelp(
            "Where pages linked from the payment page open: policy, webView or browser.",
            valueName: "where"
        )
    )
    var redirects = CheckoutOptions.Redirects.policy

    @Flag(help: "The merchant shows its own terms of service.")
    var overrideTerms = false

    @Flag(help: "Record the host of each page that the payer is sent to.")
    var recordNavigation = false

    @Option(
        help: ArgumentHelp(
            "Keep pages of this host in the web view, in addition to the known ones; may be repeated.",
            valueName: "pattern"
        )
    )
    var redirectHost: [String] = []

    @Flag(help: "Record the full URL of each such page, sealed.")
    var recordAddresses = false

    @Flag(
        help: ArgumentHelp(
            "The order cannot be read: end the session unconfirmed, based on the client's report."
        )
    )
    var ordersNotReadable = false

    @Option(
        help: ArgumentHelp(
            "The URL scheme of the payer's app, accepted by 'return'.",
            valueName: "scheme"
        )
    )
    var callbackScheme: String?

    @OptionGroup var driving: DrivingOptions
    @OptionGroup var global: GlobalOptions

    /// The maximum number of countries of a check-in.
    private static let countryLimit = 50

    func refuseBadArguments() throws(Failure) {
        try order.check()
        _ = try gateway.choice(global)
        _ = try countries()
        if let callbackScheme, CallbackScheme(callbackScheme) == nil {
            throw .usage("callback-scheme", "invalid app scheme")
        }
        guard redirectHost.allSatisfy({ HostPattern($0) != nil }) else {
            throw .usage(
                "redirect-host",
                "invalid host pattern",
                hint:
                    "use bank.example, *.bank.example for one label before it, or "
                    + "**.bank.example for any number of labels"
            )
        }
        if !redirectHost.isEmpty, redirects != .policy {
            throw .usage(
                "redirect-host",
                "--redirect-host requires --redirects policy",
                hint: "leave out --redirects; with webView or browser, all pages open there"
            )
        }
    }

    func perform(in invocation: Invocation) async throws(Failure) -> ExitStatus {
        let (kind, address) = try gateway.choice(global)
        var request = try order.request(
            kind,
            at: address.text,
            global,
            invocation,
            checksIn: checkIn != nil
        )
        guard !PaymentOrderPurpose(rawValue: request.terms.purpose).chargesToken else {
            throw .usage(
                "order",
                "a stored token cannot be charged in a checkout",
                hint: "use 'order create' instead"
            )
        }
        if let countries = try countries() {
            request.consumer = ConsumerTerms(
                language: request.terms.language ?? "en-US",
                shippingCountries: countries
            )
        }
        let configured = try Configuration.read(global, environment: invocation.environment)
        let hosts = redirects == .policy ? configured.redirectHosts + redirectHost : []
        guard hosts.count <= CheckoutOptions.redirectHostLimit else {
            throw .usage(
                "redirect-host",
                "a checkout accepts at most \(CheckoutOptions.redirectHostLimit) host patterns",
                hint: "cover a domain and all its subdomains with one pattern: **.bank.example"
            )
        }
        request.options = CheckoutOptions(
            redirects: redirects,
            overridesTermsOfService: overrideTerms,
            recordsNavigation: recordNavigation,
            readsOrders: !ordersNotReadable,
            redirectHosts: hosts,
            recordsAddresses: recordAddresses
        )
        request.callbackScheme = callbackScheme
        return try await Driver.open(request, at: address, for: self, in: invocation)
    }

    private func countries() throws(Failure) -> [String]? {
        guard let checkIn else { return nil }
        let codes = checkIn.pieces(between: ",", omittingEmptySubsequences: false).map(String.init)
        guard codes.count <= Self.countryLimit,
            codes.allSatisfy({ code in
                code.utf8.count == 2 && code.utf8.allSatisfy { (0x41...0x5A).contains($0) }
            })
        else {
            throw .usage(
                "check-in",
                "invalid country list; use two capital letters for each "
                    + "country, such as SE,NO"
            )
        }
        return codes
    }
}

/// `checkout instrument`: restricts the order to another method.
struct CheckoutInstrumentCommand: DrivingCommand, SessionCommand {
    static let configuration = CommandConfiguration(
        commandName: "instrument",
        abstract: "Switch an order in instrument mode to another payment method.",
        discussion: """
            Method names are the PSP's, as the view lists them under availableInstruments.

            Examples:
              workflowctl checkout instrument SESSION Swish
              workflowctl checkout instrument SESSION CreditCard --json
            """
    )

    @OptionGroup var given: SessionArgument

    @Argument(help: ArgumentHelp("The payment method.", valueName: "name"))
    var name: String

    @OptionGroup var driving: DrivingOptions
    @OptionGroup var global: GlobalOptions

    func refuseBadArguments() throws(Failure) {
        try given.refuseMalformed()
        _ = try MenuCommand.name(name)
    }

    func perform(in invocation: Invocation) async throws(Failure) -> ExitStatus {
        let (session, method) = (try session, try MenuCommand.name(name))
        return try await Driver.drive(session, with: self, in: invocation) {
            driver throws(EngineError) in
            try await driver.engine.chooseInstrument(session, method)
        }
    }
}

/// `checkout native`: hands the order over to a native session.
struct CheckoutNativeCommand: DrivingCommand, SessionCommand {
    static let configuration = CommandConfiguration(
        commandName: "native",
        abstract: "Hand an order over to a native session and print that session.",
        discussion: """
            Each log refers to the other. 'checkout menu' hands the order back to the PSP's \
            page.

            Examples:
              workflowctl checkout native SESSION
              workflowctl checkout native SESSION --json
            """
    )

    @OptionGroup var given: SessionArgument
    @OptionGroup var driving: DrivingOptions
    @OptionGroup var global: GlobalOptions

    func perform(in invocation: Invocation) async throws(Failure) -> ExitStatus {
        let session = try session
        return try await Driver.withEngine(for: self, in: invocation, session: session) {
            driver throws(Failure) in
            let native: SessionID
            do throws(EngineError) {
                native = try await driver.engine.handOver(
                    session,
                    allowsInsecureLoopback: global.allowInsecureLoopback
                )
            } catch {
                throw await driver.refusal(error, of: session, for: self)
            }
            return try await driver.finish(native, self)
        }
    }
}

/// `checkout menu`: returns the order to the PSP's page.
struct CheckoutMenuCommand: DrivingCommand, SessionCommand {
    static let configuration = CommandConfiguration(
        commandName: "menu",
        abstract: "Hand an order back from a native session to the PSP's page.",
        discussion: """
            The native session and its log are not changed.

            Examples:
              workflowctl checkout menu SESSION
              workflowctl checkout menu SESSION --json
            """
    )

    @OptionGroup var given: SessionArgument
    @OptionGroup var driving: DrivingOptions
    @OptionGroup var global: GlobalOptions

    func perform(in invocation: Invocation) async throws(Failure) -> ExitStatus {
        let session = try session
        return try await Driver.drive(session, with: self, in: invocation) {
            driver throws(EngineError) in
            try await driver.engine.handBack(session)
        }
    }
}
