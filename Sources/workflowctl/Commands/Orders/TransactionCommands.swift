internal import Adapters
internal import ArgumentParser
internal import EventLog
internal import Inspection
internal import SwedbankPay

/// The options of captures and reversals.
struct TransactionOptions: ParsableArguments, Sendable {
    @Option(
        help: ArgumentHelp(
            "The amount: 12500 in minor units, or '125.00 SEK'. Default: the sum of the items, or all that remains.",
            valueName: "amount"
        )
    )
    var amount: AmountArgument?

    @Option(
        help: ArgumentHelp(
            "The VAT included, written like the amount. Default: the VAT of the items, or in proportion to the order's VAT.",
            valueName: "amount"
        )
    )
    var vat: AmountArgument?

    @Option(
        help: ArgumentHelp(
            "A file with the order items, or - for standard input.",
            valueName: "file"
        )
    )
    var items: String?

    @Option(help: ArgumentHelp("The receipt number.", valueName: "text"))
    var receiptReference: String?

    /// Checks the options as far as that is possible without the order and its currency.
    func check() throws(Failure) {
        if let receiptReference {
            try TransactionNames.check(
                TransactionRequest(
                    kind: .capture,
                    payeeReference: "1",
                    amount: 1,
                    vatAmount: 0,
                    description: .plain("1"),
                    receiptReference: receiptReference
                )
            )
        }
        guard amount?.isMinor ?? true, vat?.isMinor ?? true else { return }
        _ = try amounts(in: nil)
    }

    /// Returns the amount and its tax, where they are given.
    ///
    /// - Throws: A usage ``Failure`` for an amount of zero or of another currency, and for a tax
    ///   that is more than the amount.
    private func amounts(
        in currency: String?
    ) throws(Failure) -> (amount: Amount?, vat: Amount?) {
        let amount = try amount.map { amount throws(Failure) in
            try amount.value(in: currency, "amount")
        }
        let vat = try vat.map { vat throws(Failure) in try vat.value(in: currency, "vat") }
        let hint = "digits alone are minor units: 10000 is 100.00"
        if let amount, amount < 1 {
            throw .usage("amount", "the amount has to be above zero", hint: hint)
        }
        if let vat, let amount, vat > amount {
            throw .usage("vat", "the tax can't be more than the amount", hint: hint)
        }
        return (amount, vat)
    }

    /// Returns the requested transaction: of the given amount, otherwise of the items', otherwise
    /// of the remaining one.
    ///
    /// `show` is the command that reads the order again.
    func request(
        _ kind: TransactionKind,
        _ description: String,
        _ payeeReference: String?,
        of order: OrderSnapshot?,
        show: String,
        _ invocation: Invocation
    ) throws(Failure) -> NewTransaction {
        let given = try amounts(in: order?.currency)
        let items = try items.map { path throws(Failure) in try Self.items(in: path, invocation) }
        var request: NewTransaction
        do throws(NewTransactionError) {
            request = try NewTransaction(
                kind,
                amount: given.amount,
                vatAmount: given.vat,
                items: items,
                description: description,
                of: order
            )
        } catch {
            throw Failure(error, in: order?.currency, show: show)
        }
        request.receiptReference = receiptReference
        request.payeeReference = payeeReference
        return request
    }
}

extension TransactionOptions {
    private static func items(
        in path: String,
        _ invocation: Invocation
    ) throws(Failure) -> [OrderItem] {
        let bytes =
            path == "-"
            ? try invocation.readInput(FileBytes.valueLimit)
            : try FileBytes.read(path, limit: FileBytes.valueLimit)
        do {
            return try PaymentOrderDocument.readItems(bytes)
        } catch {
            throw Failure(.usage, error.code, Screen.safe(error.description))
        }
    }
}

extension Failure {
    /// Translates the failure to request a transaction; `show` is the command that reads the order
    /// again.
    fileprivate init(_ error: NewTransactionError, in currency: String?, show: String) {
        func differing(_ option: String, _ name: String, _ sum: Amount, _ asked: Amount) -> Failure
        {
            .usage(
                option,
                "the items add up to \(MinorUnits.words(sum, of: currency)), but the \(name) is "
                    + MinorUnits.words(asked, of: currency),
                hint: "correct or leave out --\(option), or correct the items"
            )
        }
        switch error {
        case .nothingLeft(let kind):
            self.init(
                .refused,
                "order.nothing-left",
                "nothing is left to \(kind == .capture ? "capture" : "reverse") on the order",
                hint: "run '\(show)' to read the order again, or set the amount with --amount"
            )
        case .items(let error): self.init(.usage, error.code, Screen.safe(error.description))
        case .otherAmount(let sum, let asked): self = differing("amount", "amount", sum, asked)
        case .otherTax(let sum, let asked): self = differing("vat", "VAT", sum, asked)
        }
    }
}

/// The names that every transaction has.
struct TransactionNames: ParsableArguments, Sendable {
    @Option(help: ArgumentHelp("The description shown to the payer.", valueName: "text"))
    var description: String?

    @Option(
        help: ArgumentHelp(
            "The merchant's unique reference. Sending it again repeats the same transaction.",
            valueName: "text"
        )
    )
    var payeeReference: String?

    @Flag(help: "Send it although the PSP refused several before it.")
    var again = false

    func check() throws(Failure) {
        if let description { try Notes.check(description, "description") }
        try Self.check(
            TransactionRequest(
                kind: .cancel,
                payeeReference: payeeReference ?? "1",
                description: .plain(description ?? "1")
            )
        )
    }

    /// Refuses values that the PSP would refuse.
    static func check(_ request: TransactionRequest) throws(Failure) {
        guard let problem = request.problems().first else { return }
        switch problem.path {
        case "payeeReference":
            throw .usage("payee-reference", "--payee-reference \(problem.advice)")
        case "receiptReference":
            throw .usage("receipt-reference", "--receipt-reference \(problem.advice)")
        default: throw .usage("description", "--\(problem.path) \(problem.advice)")
        }
    }
}

/// A command that captures or reverses money of an order.
protocol TransactionCommand: DrivingCommand, SessionCommand {
    /// The kind of transaction.
    static var kind: TransactionKind { get }
    /// The default description for the payer.
    static var word: String { get }
    /// The amount.
    var transaction: TransactionOptions { get }
    /// Its names.
    var names: TransactionNames { get }
}

extension TransactionCommand {
    func refuseBadArguments() throws(Failure) {
        try given.refuseMalformed()
        try transaction.check()
        try names.check()
    }

    func perform(in invocation: Invocation) async throws(Failure) -> ExitStatus {
        try await Driver.transact(try session, for: self, in: invocation) {
            order throws(Failure) in
            var request = try transaction.request(
                Self.kind,
                names.description ?? Self.word,
                names.payeeReference,
                of: order,
                show: "\(global.call(invocation.program)) order show \(given.id)",
                invocation
            )
            request.again = names.again
            return request
        }
    }
}

/// `order capture`: captures authorized money.
struct OrderCaptureCommand: TransactionCommand {
    static let (kind, word) = (TransactionKind.capture, "Capture")
    static let configuration = CommandConfiguration(
        commandName: "capture",
        abstract: "Capture authorized money of a paid order.",
        discussion: """
            The order is read first. The capture is sent once. If the response is lost, the order \
            is read, and the capture is sent again only if the order does not show it. After five \
            failures in a row, the PSP locks captures, and only its support can unlock them: \
            after four, --again is required.

            Examples:
              workflowctl order capture SESSION
              workflowctl order capture SESSION --amount '125.00 SEK' \\
                --vat '25.00 SEK' --description "Shipment 1"
            """
    )

    @OptionGroup var given: SessionArgument
    @OptionGroup var transaction: TransactionOptions
    @OptionGroup var names: TransactionNames
    @OptionGroup var driving: DrivingOptions
    @OptionGroup var global: GlobalOptions
}

/// `order reverse`: refunds captured money.
struct OrderReverseCommand: TransactionCommand {
    static let (kind, word) = (TransactionKind.reversal, "Reversal")
    static let configuration = CommandConfiguration(
        commandName: "reverse",
        abstract: "Refund captured money.",
        discussion: """
            Without --amount, everything that remains is refunded.

            Examples:
              workflowctl order reverse SESSION
              workflowctl order reverse SESSION --amount 50.00 --vat 10.00 \\
                --description "Returned goods"
            """
    )

    @OptionGroup var given: SessionArgument
    @OptionGroup var transaction: TransactionOptions
    @OptionGroup var names: TransactionNames
    @OptionGroup var driving: DrivingOptions
    @OptionGroup var global: GlobalOptions
}

/// `order cancel`: cancels an authorized amount.
struct OrderCancelCommand: DrivingCommand, SessionCommand {
    static let configuration = CommandConfiguration(
        commandName: "cancel",
        abstract: "Cancel everything that was authorized and not captured.",
        discussion: """
            Examples:
              workflowctl order cancel SESSION
              workflowctl order cancel SESSION --description "Sold out"
            """
    )

    @OptionGroup var given: SessionArgument
    @OptionGroup var names: TransactionNames
    @OptionGroup var driving: DrivingOptions
    @OptionGroup var global: GlobalOptions

    func refuseBadArguments() throws(Failure) {
        try given.refuseMalformed()
        try names.check()
    }

    func perform(in invocation: Invocation) async throws(Failure) -> ExitStatus {
        try await Driver.transact(try session, for: self, in: invocation) {
            _ in
            var request = NewTransaction(
                kind: .cancel,
                description: names.description ?? "Cancellation"
            )
            request.payeeReference = names.payeeReference
            request.again = names.again
            return request
        }
    }
}
