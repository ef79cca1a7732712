internal import Adapters
internal import ArgumentParser
internal import Inspection
internal import SwedbankPay

/// The options of captures and reversals.
struct TransactionOptions: ParsableArguments, Sendable {
    @Option(
        help: ArgumentHelp(
            "How much, in minor units; default: all that is left.",
            valueName: "number"
        )
    )
    var amount: Int64?

    @Option(
        help: ArgumentHelp(
            "The tax in it, in minor units; default: in proportion to the order's.",
            valueName: "number"
        )
    )
    var vat: Int64?

    @Option(
        help: ArgumentHelp("A file with the order items it is for, or -.", valueName: "file")
    )
    var items: String?

    @Option(help: ArgumentHelp("A receipt's number.", valueName: "text"))
    var receiptReference: String?

    func check() throws(Failure) {
        if let amount, amount < 1 {
            throw .usage("amount", "an amount is 1 or more", hint: Self.unitsHint)
        }
        if let vat, vat < 0 || vat > amount ?? .max {
            throw .usage(
                "vat",
                "the tax is 0 or more, and not more than the amount",
                hint: Self.unitsHint
            )
        }
    }

    private static let unitsHint = "amounts are minor units: 10000 is 100.00"

    /// Returns the requested transaction, for the remaining amount where none is given.
    ///
    /// `show` is the command that reads the order again.
    func wish(
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
                "the order shows nothing that is left to \(kind == .capture ? "capture" : "reverse")",
                hint: "'\(show)' reads it anew; --amount says how much"
            )
        }
        var wish = TransactionWish(kind: kind, description: description)
        wish.amount = amount
        wish.vatAmount = vat ?? order?.taxShare(of: amount, for: kind) ?? 0
        wish.receiptReference = receiptReference
        wish.payeeReference = payeeReference
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
            wish.orderItems = PaymentOrderDocument.text(of: read)
        }
        return wish
    }
}

extension TransactionOptions {
    /// Refuses items whose total differs from the requested amount: that would be another capture.
    private static func check(_ items: [OrderItem], comeTo amount: Int64) throws(Failure) {
        var sum: Int64 = 0
        for item in items {
            let (next, overflow) = sum.addingReportingOverflow(item.amount)
            sum = overflow ? .max : next
        }
        guard sum != amount else { return }
        throw .usage(
            "amount",
            "the items come to \(sum) minor units, and \(amount) are asked for",
            hint: "give the amount of the items with --amount, or other items"
        )
    }
}

/// The names that every transaction has.
struct TransactionNames: ParsableArguments, Sendable {
    @Option(help: ArgumentHelp("What the payer may read of it.", valueName: "text"))
    var description: String?

    @Option(
        help: ArgumentHelp(
            "The merchant's unique reference; asking again with it is the same transaction.",
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
            throw .usage("payee-reference", "a reference is 1 to 30 letters and digits")
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
            try transaction.wish(
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

/// `order capture`: captures authorised money.
struct OrderCaptureCommand: TransactionCommand {
    static let (kind, word) = (TransactionKind.capture, "Capture")
    static let configuration = CommandConfiguration(
        commandName: "capture",
        abstract: "Take authorised money of a paid order.",
        discussion: """
            Amounts are minor units. It is sent once: after a lost answer the order is read, and it is sent again only \
            when the order does not show it.

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

/// `order reverse`: refunds captured money.
struct OrderReverseCommand: TransactionCommand {
    static let (kind, word) = (TransactionKind.reversal, "Reversal")
    static let configuration = CommandConfiguration(
        commandName: "reverse",
        abstract: "Give captured money back.",
        discussion: """
            Amounts are minor units; without --amount everything that is left is given back.

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
        abstract: "Release everything that was authorised and not captured.",
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
            var wish = TransactionWish(
                kind: .cancel,
                description: names.description ?? "Cancellation"
            )
            wish.payeeReference = names.payeeReference
            return wish
        }
    }
}
