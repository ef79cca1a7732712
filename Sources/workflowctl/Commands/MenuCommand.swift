internal import ArgumentParser
internal import EventLog
internal import SwedbankPay

/// `menu`: opens the PSP's own payment page.
struct MenuCommand: DrivingCommand, SessionCommand {
    static let configuration = CommandConfiguration(
        commandName: "menu",
        abstract: "Show the PSP's payment page with all methods, some of them, or one.",
        discussion: """
            Method names are the PSP's, as 'show' prints them under paymentMethod. The payer's \
            app or browser shows the page; record how the payer left it with 'report'. You can \
            start an attempt while the page is open, which closes the page.

            Examples:
              workflowctl menu SESSION
              workflowctl menu SESSION --only Trustly,Invoice-PayExFinancingSe
              workflowctl menu SESSION --instrument Trustly
            """
    )

    @OptionGroup var given: SessionArgument

    @Option(
        help: ArgumentHelp("The methods to show, separated by commas.", valueName: "names")
    )
    var only: String?

    @Option(help: ArgumentHelp("Show only this method, without a menu.", valueName: "name"))
    var instrument: String?

    @OptionGroup var driving: DrivingOptions
    @OptionGroup var global: GlobalOptions

    /// The maximum length of a method's name, in bytes, and the maximum number of methods.
    private static let (nameLimit, countLimit) = (100, 100)

    func refuseBadArguments() throws(Failure) {
        try given.refuseMalformed()
        _ = try mode()
    }

    func perform(in invocation: Invocation) async throws(Failure) -> ExitStatus {
        let (session, mode) = (try session, try mode())
        return try await Driver.drive(session, with: self, in: invocation) {
            driver throws(EngineError) in
            try await driver.engine.menu(session, showing: mode)
        }
    }

    func call(in invocation: Invocation) throws(Failure) -> ServiceCall {
        ServiceCall(path: "menu", body: try mode().body)
    }

    private func mode() throws(Failure) -> MenuMode {
        guard only == nil || instrument == nil else {
            throw .usage("menu", "--only and --instrument cannot be combined")
        }
        if let instrument { return .instrument(try Self.name(instrument)) }
        guard let only else { return .menu }
        var names: [PaymentMethodName] = []
        for name in only.pieces(between: ",", omittingEmptySubsequences: false) {
            names.append(try Self.name(String(name)))
        }
        guard names.count <= Self.countLimit else {
            throw .usage("menu", "--only accepts at most \(Self.countLimit) methods")
        }
        return .restricted(names)
    }

    static func name(_ text: String) throws(Failure) -> PaymentMethodName {
        guard !text.isEmpty, text.utf8.count <= nameLimit,
            text.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7f })
        else {
            throw .usage(
                "menu",
                "invalid payment method name",
                hint: "'show' lists the names, such as Trustly or CreditCard"
            )
        }
        return PaymentMethodName(rawValue: text)
    }
}
