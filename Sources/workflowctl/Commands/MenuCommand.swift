internal import ArgumentParser
internal import SwedbankPay

/// `menu`: starts a payment on the PSP's own page.
struct MenuCommand: DrivingCommand, SessionCommand {
    static let configuration = CommandConfiguration(
        commandName: "menu",
        abstract: "Pay on the PSP's own page: all methods, some, or one.",
        discussion: """
            The names are the PSP's, as 'show' lists them under paymentMethod. The page is shown by the payer's app or \
            browser; 'report' says how it was left. An attempt may be started while the page is open: it is closed then.

            Examples:
              workflowctl menu SESSION
              workflowctl menu SESSION --only Trustly,Invoice-PayExFinancingSe
              workflowctl menu SESSION --instrument Trustly
            """
    )

    @OptionGroup var given: SessionArgument

    @Option(
        help: ArgumentHelp("Show only these methods, separated by commas.", valueName: "names")
    )
    var only: String?

    @Option(help: ArgumentHelp("Show this method alone, without a menu.", valueName: "name"))
    var instrument: String?

    @OptionGroup var driving: DrivingOptions
    @OptionGroup var global: GlobalOptions

    /// The maximum length of a method's name in bytes, and the maximum number of methods.
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

    private func mode() throws(Failure) -> MenuMode {
        guard only == nil || instrument == nil else {
            throw .usage("menu", "give --only or --instrument, not both")
        }
        if let instrument { return .instrument(try Self.name(instrument)) }
        guard let only else { return .menu }
        var names: [PaymentMethodName] = []
        for name in only.split(separator: ",", omittingEmptySubsequences: false) {
            names.append(try Self.name(String(name)))
        }
        guard names.count <= Self.countLimit else {
            throw .usage("menu", "that are more than \(Self.countLimit) methods")
        }
        return .restricted(names)
    }

    static func name(_ text: String) throws(Failure) -> PaymentMethodName {
        guard !text.isEmpty, text.utf8.count <= nameLimit,
            text.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7f })
        else {
            throw .usage(
                "menu",
                "that is no name of a payment method",
                hint: "'show' lists the names: Trustly, CreditCard, …"
            )
        }
        return PaymentMethodName(rawValue: text)
    }
}
