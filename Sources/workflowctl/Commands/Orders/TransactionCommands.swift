internal import Adapters
internal import ArgumentParser
internal import Inspection
internal import SwedbankPay

/// What captures and reversals are asked with.
struct TransactionOptions: ParsableArguments, Sendable {
    @Option(
        help: ArgumentHelp(
            "How much: 12500 in minor units, or '125.00 SEK'; default: all that is left.",
            valueName: "amount"
        )
    )
    var amount: AmountArgument?

    @Option(
        help: ArgumentHelp(
            "The tax in it, written as the amount; default: in proportion to the order's.",
            valueName: "amount"
        )
    )
    var vat: AmountArgument?

    @Option(
        help: ArgumentHelp("A file with the order items it is for, or -.", valueName: "file")
    )
    var items: String?

    @Option(help: ArgumentHelp("A receipt's number.", valueName: "text"))
    var receiptReference: String?

    /// Checks what can be checked before the order and its currency are known.
    func check() throws(Failure) {
        guard amount?.isMinor ?? true, vat?.isMinor ?? true else { return }
        _ = try amounts(in: nil)
    }

    /// Returns the amount and its tax in minor units, where they are given.
    ///
    /// - Throws: A usage ``Failure`` for an amount of zero or of another currency, and for a tax
    ///   that is more than the amount.
    private func amounts(
        in currency: String?
    ) throws(Failure) -> (amount: Int64?, vat: Int64?) {
        let amount = try amount.map { amount throws(Failure) in
            try amount.minorUnits(in: currency, "amount")
        }
        let vat = try vat.map { vat throws(Failure) in try vat.minorUnits(in: currency, "vat") }
        let hint = "digits alone are minor units: 10000 is 100.00"
        if let amount, amount < 1 {
            throw .usage("amount", "the amount has to be above zero", hint: hint)
        }
        if let vat, vat > amount ?? .max {
            throw .usage("vat", "the tax can't be more than the amount", hint: hint)
        }
        return (amount, vat)
    }

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
        let given = try amounts(in: order?.currency)
        let left = kind == .capture ? order?.remainingCapture : order?.remainingReversal
        guard let amount = given.amount ?? left, amount > 0 else {
            throw Failure(
                .refused,
                "order.nothing-left",
                "the order shows nothing that is left to \(kind == .capture ? "capture" : "reverse")",
                hint: "'\(show)' reads it anew; --amount says how much"
            )
        }
        var wish = TransactionWish(kind: kind, description: description)
        wish.amount = amount
        wish.vatAmount = given.vat ?? order?.taxShare(of: amount, for: kind) ?? 0
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
            "the items come to \(sum) minor units, and \(amount) are asked for",
            hint: "give the amount of the items with --amount, or other items"
        )
    }
}

/// What every transaction is asked with.
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

/// `order capture`: takes authorised money.
struct OrderCaptureCommand: TransactionCommand {
    static let (kind, word) = (TransactionKind.capture, "Capture")
    static let configuration = CommandConfiguration(
        commandName: "capture",
        abstract: "Take authorised money of a paid order.",
        discussion: """
            It is sent once: after a lost answer the order is read, and it is sent again only \
            when the order does not show it.

            Examples:
              workflowctl order capture SESSION
              workflowctl order capture SESSION --amount '125.00 SEK' --vat '25.00 SEK' --description "Shipment 1"
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
        abstract: "Give captured money back.",
        discussion: """
            Without --amount everything that is left is given back.

            Examples:
              workflowctl order reverse SESSION
              workflowctl order reverse SESSION --amount 50.00 --vat 10.00 --description "Returned goods"
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
