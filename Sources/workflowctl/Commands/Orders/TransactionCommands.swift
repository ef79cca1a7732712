internal import Adapters
internal import ArgumentParser
internal import Inspection
internal import SwedbankPay

/// What captures and reversals are asked with.
struct TransactionOptions: ParsableArguments, Sendable {
    @Option(
        help: ArgumentHelp(
            "The amount, in minor units. Default: all that remains.",
            valueName: "number"
        )
    )
    var amount: Int64?

    @Option(
        help: ArgumentHelp(
            "The VAT included, in minor units. Default: in proportion to the order's VAT.",
            valueName: "number"
        )
    )
    var vat: Int64?

    @Option(
        help: ArgumentHelp(
            "A file with the order items, or - for standard input.",
            valueName: "file"
        )
    )
    var items: String?

    @Option(help: ArgumentHelp("The receipt number.", valueName: "text"))
    var receiptReference: String?

    func check() throws(Failure) {
        if let amount, amount < 1 {
            throw .usage("amount", "--amount must be at least 1", hint: Self.unitsHint)
        }
        if let vat, vat < 0 || vat > amount ?? .max {
            throw .usage(
                "vat",
                "--vat must be from 0 to the amount",
                hint: Self.unitsHint
            )
        }
    }

    private static let unitsHint = "amounts are in minor units: 10000 is 100.00"

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
    ) throws(Failure) -> TransactionWish {
        let left = kind == .capture ? order?.remainingCapture : order?.remainingReversal
        guard let amount = amount ?? left, amount > 0 else {
            throw Failure(
                .refused,
                "order.nothing-left",
                "nothing is left to \(kind == .capture ? "capture" : "reverse") on the order",
                hint: "run '\(show)' to read the order again, or set the amount with --amount"
            )
        }
        var request = TransactionWish(kind: kind, description: description)
        request.amount = amount
        request.vatAmount = vat ?? order?.taxShare(of: amount, for: kind) ?? 0
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
            try Self.check(read, comeTo: amount)
            request.orderItems = PaymentOrderDocument.text(of: read)
        }
        return request
    }
}

extension TransactionOptions {
    /// Items that come to another amount than is asked for would be a capture of something else.
    private static func check(_ items: [OrderItem], comeTo amount: Int64) throws(Failure) {
        var sum: Int64 = 0
        for item in items {
            let (next, overflow) = sum.addingReportingOverflow(item.amount)
            sum = overflow ? .max : next
        }
        guard sum != amount else { return }
        throw .usage(
            "amount",
            "the items add up to \(sum) minor units, but the amount is \(amount)",
            hint: "correct --amount or the items"
        )
    }
}

/// What every transaction is asked with.
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

/// A command that moves some of an order's money.
protocol TransactionCommand: DrivingCommand, SessionCommand {
    /// Which way the money goes.
    static var kind: TransactionKind { get }
    /// What the payer reads of it when nothing else is given.
    static var word: String { get }
    /// How much.
    var transaction: TransactionOptions { get }
    /// What it is called.
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

/// `order capture`: takes authorised money.
struct OrderCaptureCommand: TransactionCommand {
    static let (kind, word) = (TransactionKind.capture, "Capture")
    static let configuration = CommandConfiguration(
        commandName: "capture",
        abstract: "Capture authorized money of a paid order.",
        discussion: """
            Amounts are in minor units. The capture is sent once. If the response is lost, the \
            order is read, and the capture is sent again only if the order does not show it.

            Examples:
              workflowctl order capture SESSION
              workflowctl order capture SESSION --amount 12500 --vat 2500 --description "Shipment 1"
            """
    )

    @OptionGroup var given: SessionArgument
    @OptionGroup var transaction: TransactionOptions
    @OptionGroup var names: TransactionNames
    @OptionGroup var driving: DrivingOptions
    @OptionGroup var global: GlobalOptions
}

/// `order reverse`: gives money back.
struct OrderReverseCommand: TransactionCommand {
    static let (kind, word) = (TransactionKind.reversal, "Reversal")
    static let configuration = CommandConfiguration(
        commandName: "reverse",
        abstract: "Refund captured money.",
        discussion: """
            Amounts are in minor units. Without --amount, everything that remains is refunded.

            Examples:
              workflowctl order reverse SESSION
              workflowctl order reverse SESSION --amount 5000 --vat 1000 --description "Returned goods"
            """
    )

    @OptionGroup var given: SessionArgument
    @OptionGroup var transaction: TransactionOptions
    @OptionGroup var names: TransactionNames
    @OptionGroup var driving: DrivingOptions
    @OptionGroup var global: GlobalOptions
}

/// `order cancel`: releases authorised money.
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
            var request = TransactionWish(
                kind: .cancel,
                description: names.description ?? "Cancellation"
            )
            request.payeeReference = names.payeeReference
            return request
        }
    }
}
