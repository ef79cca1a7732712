internal import Adapters
internal import ArgumentParser
internal import EventLog
internal import Inspection
internal import SwedbankPay

/// `checkout`: an order from its creation to its payment on the PSP's page.
struct CheckoutCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "checkout",
        abstract: "Let a payer check in and pay an order on the PSP's page.",
        discussion: """
            A checkout is a session: 'report', 'return', 'retry', 'abort', 'show', 'log' and 'replay' work on it. What the \
            payer's app or browser shows stands in the view's actions; 'page' makes a page of them.

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

/// `checkout start`: creates an order and shows it to the payer.
struct CheckoutStartCommand: DrivingCommand {
    static let configuration = CommandConfiguration(
        commandName: "start",
        abstract: "Create an order, after a check-in if wanted, and ask for its page.",
        discussion: """
            Examples:
              workflowctl checkout start order.json --backend https://shop.example/api/
              workflowctl checkout start - --psp https://api.payex.com/ --token-file token < order.json
              workflowctl checkout start order.json --backend https://shop.example/api/ --generation v2 --check-in SE,NO
            """
    )

    @OptionGroup var order: OrderOptions
    @OptionGroup var gateway: GatewayOptions

    @Option(
        help: ArgumentHelp(
            "Let the payer check in first; the countries that may be delivered to.",
            valueName: "countries"
        )
    )
    var checkIn: String?

    @Option(
        help: ArgumentHelp(
            "Where pages open that the payment page leads to: policy, webView, browser.",
            valueName: "where"
        )
    )
    var redirects = CheckoutOptions.Redirects.policy

    @Flag(help: "The merchant shows its own terms.")
    var overrideTerms = false

    @Flag(help: "Record the host of each page that the payer is led to.")
    var recordNavigation = false

    @Option(
        help: ArgumentHelp(
            "Keep pages of this host in the web view, beside the known ones; may be repeated.",
            valueName: "pattern"
        )
    )
    var redirectHost: [String] = []

    @Flag(help: "Record the address of each such page, sealed.")
    var recordAddresses = false

    @Flag(
        help: ArgumentHelp(
            "Nobody lets the order be read: end by the client's account, unconfirmed."
        )
    )
    var ordersNotReadable = false

    @Option(
        help: ArgumentHelp(
            "A scheme of the payer's app that a return may have.",
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
            throw .usage("callback-scheme", "that is no scheme of an app")
        }
        guard redirectHost.allSatisfy({ HostPattern($0) != nil }) else {
            throw .usage(
                "redirect-host",
                "that is no pattern of hosts",
                hint:
                    "write bank.example, *.bank.example for one label before it, **.bank.example for any"
            )
        }
        if !redirectHost.isEmpty, redirects != .policy {
            throw .usage(
                "redirect-host",
                "--redirect-host goes with --redirects policy",
                hint: "leave out --redirects: with webView or browser all pages open there"
            )
        }
    }

    func perform(in invocation: Invocation) async throws(Failure) -> ExitStatus {
        let (kind, address) = try gateway.choice(global)
        var request = try order.request(kind, at: address.text, global, invocation)
        guard !PaymentOrderPurpose(rawValue: request.terms.purpose).chargesToken else {
            throw .usage(
                "order",
                "a charge of a stored token has no payer who checks out",
                hint: "create it with 'order create'"
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
                "a checkout takes at most \(CheckoutOptions.redirectHostLimit) patterns of hosts",
                hint: "name a domain with all below it: **.bank.example"
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
        return try await Driver.open(request, at: address.host, for: self, in: invocation)
    }

    private func countries() throws(Failure) -> [String]? {
        guard let checkIn else { return nil }
        let codes = checkIn.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
        guard codes.count <= Self.countryLimit,
            codes.allSatisfy({ code in
                code.utf8.count == 2 && code.utf8.allSatisfy { (0x41...0x5A).contains($0) }
            })
        else {
            throw .usage("check-in", "countries are written SE,NO: two capital letters each")
        }
        return codes
    }
}

/// `checkout instrument`: restricts the order to another payment method.
struct CheckoutInstrumentCommand: DrivingCommand, SessionCommand {
    static let configuration = CommandConfiguration(
        commandName: "instrument",
        abstract: "Lock an order in instrument mode to another method.",
        discussion: """
            The names are the PSP's, as the view lists them under availableInstruments.

            Examples:
              workflowctl checkout instrument SESSION Swish
              workflowctl checkout instrument SESSION CreditCard --json
            """
    )

    @OptionGroup var given: SessionArgument

    @Argument(help: ArgumentHelp("The method.", valueName: "name"))
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
        abstract: "Hand the order over to a native session, and print that session.",
        discussion: """
            Both logs refer to each other; 'checkout menu' gives the order back to the PSP's page.

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
        abstract: "Give an order back from a native session to the PSP's page.",
        discussion: """
            The native session stays as it is, and its log too.

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
