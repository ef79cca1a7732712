internal import Adapters
internal import ArgumentParser
internal import Inspection
internal import SwedbankPay

/// The options of captures and reversals.
struct TransactionOptions: ParsableArguments, Sendable {
    @Option(
        help: ArgumentHelp(
            "The amount: 12500 in minor units, or '125.00 SEK'. Default: all that remains.",
            valueName: "amount"
        )
    )
    var amount: AmountArgument?

    @Option(
        help: ArgumentHelp(
            "The VAT included, written like the amount. Default: in proportion to the order's VAT.",
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

    /// Returns the requested transaction, for the remaining amount where none is given.
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
        let left = kind == .capture ? order?.remainingCapture : order?.remainingReversal
        guard let amount = given.amount ?? left, amount > 0 else {
            throw Failure(
                .refused,
                "order.nothing-left",
                "nothing is left to \(kind == .capture ? "capture" : "reverse") on the order",
                hint: "run '\(show)' to read the order again, or set the amount with --amount"
            )
        }
        var request = NewTransaction(kind: kind, description: description)
        request.amount = amount
        request.vatAmount = given.vat ?? order?.taxShare(of: amount, for: kind) ?? 0
        request.receiptReference = receiptReference
        request.payeeReference = payeeReference
        if let items {
            let bytes =
                items == "-"
                ? try invocation.readInput(FileBytes.valueLimit)
                : try FileBytes.read(items, limit: FileBytes.valueLimit)
            let read: [OrderItem]
            do {
                read = try PaymentOrderDocument.readItems(bytes)
            } catch {
                throw Failure(.usage, error.code, Screen.safe(error.description))
            }
            try Self.check(read, comeTo: amount, in: order?.currency)
            request.orderItems = PaymentOrderDocument.text(of: read)
        }
        return request
    }
}

extension TransactionOptions {
    /// Refuses items whose total differs from the requested amount: that would be another capture.
    private static func check(
        _ items: [OrderItem],
        comeTo amount: Amount,
        in currency: String?
    ) throws(Failure) {
        let sum = items.reduce(Amount.zero) { $0 + $1.amount }
        guard sum != amount else { return }
        throw .usage(
            "amount",
            "the items add up to \(MinorUnits.words(sum, of: currency)), but the amount is "
                + MinorUnits.words(amount, of: currency),
            hint: "correct --amount or the items"
        )
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

    func check() throws(Failure) {
        if let description { try Notes.check(description, "description") }
        guard let payeeReference else { return }
        let isPlain = payeeReference.utf8.allSatisfy {
            switch $0 {
            case 0x30...0x39, 0x41...0x5A, 0x61...0x7A: true
            default: false
            }
        }
        guard isPlain, (1...30).contains(payeeReference.utf8.count) else {
            throw .usage("payee-reference", "--payee-reference must be 1 to 30 letters and digits")
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
            try transaction.request(
                Self.kind,
                names.description ?? Self.word,
                names.payeeReference,
                of: order,
                show: "\(global.call(invocation.program)) order show \(given.id)",
                invocation
            )
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
            The capture is sent once. If the response is lost, the order is read, and the capture \
            is sent again only if the order does not show it.

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
            return request
        }
    }
}
