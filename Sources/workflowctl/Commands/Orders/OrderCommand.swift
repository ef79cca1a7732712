internal import ArgumentParser
internal import Inspection
internal import SwedbankPay

/// `order`: manages payment orders.
struct OrderCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "order",
        abstract: "Create payment orders, read them, capture, cancel, reverse.",
        discussion: """
            An order is a session of this store: each command and each answer is recorded. A merchant backend creates \
            and shows orders; capturing, cancelling and reversing need the PSP's access token (--psp, --token-file).

            Examples:
              workflowctl order create order.json --psp https://api.payex.com/ --token-file token
              workflowctl order show SESSION
              workflowctl order capture SESSION --amount 12500 --vat 2500 --description "Shipment 1"
            """,
        subcommands: [
            OrderCreateCommand.self, OrderShowCommand.self, OrderCaptureCommand.self,
            OrderCancelCommand.self, OrderReverseCommand.self, OrderAbortCommand.self,
        ]
    )
}

/// `order create`: creates an order without showing it to a payer.
struct OrderCreateCommand: DrivingCommand {
    static let configuration = CommandConfiguration(
        commandName: "create",
        abstract: "Create a payment order.",
        discussion: """
            The file holds the order as the PSP's API takes it, as {"paymentorder":{…}} or the inner object. Sums, \
            lengths and addresses are checked before anything is sent. What the order can be paid with is shown by \
            'checkout native' or 'menu'.

            With --operation recur or unscheduled the order charges the token in --stored-token-file at once: it needs no \
            page, and nobody is asked. Its reference is never replaced by another, so an answer that was lost charges \
            nobody twice; 'explain' tells what is to be done then.

            Examples:
              workflowctl order create order.json --psp https://api.payex.com/ --token-file token
              workflowctl order create - --backend https://shop.example/api/ < order.json
              workflowctl order create charge.json --operation recur --stored-token-file stored --psp URL --token-file token
            """
    )

    @OptionGroup var order: OrderOptions
    @OptionGroup var charge: ChargeOptions
    @OptionGroup var gateway: GatewayOptions
    @OptionGroup var driving: DrivingOptions
    @OptionGroup var global: GlobalOptions

    func refuseBadArguments() throws(Failure) {
        try order.check()
        _ = try gateway.choice(global)
    }

    func perform(in invocation: Invocation) async throws(Failure) -> ExitStatus {
        let (kind, address) = try gateway.choice(global)
        var request = try order.request(
            kind,
            at: address.text,
            global,
            invocation,
            charging: charge
        )
        request.presents = false
        return try await Driver.open(request, at: address.host, for: self, in: invocation)
    }
}

/// `order show`: reads an order from the PSP.
struct OrderShowCommand: DrivingCommand, SessionCommand {
    static let configuration = CommandConfiguration(
        commandName: "show",
        abstract: "Read a payment order anew and show how it stands.",
        discussion: """
            'show' tells what the store knows; this command asks again.

            Examples:
              workflowctl order show SESSION
              workflowctl order show SESSION --json
            """
    )

    @OptionGroup var given: SessionArgument
    @OptionGroup var driving: DrivingOptions
    @OptionGroup var global: GlobalOptions

    func perform(in invocation: Invocation) async throws(Failure) -> ExitStatus {
        let session = try session
        return try await Driver.drive(session, with: self, in: invocation) {
            driver throws(EngineError) in
            try await driver.engine.refetch(session, by: driver.who)
        }
    }
}

/// `order abort`: aborts an order.
struct OrderAbortCommand: DrivingCommand, SessionCommand {
    static let configuration = CommandConfiguration(
        commandName: "abort",
        abstract: "Give up a payment order that is not paid.",
        discussion: """
            Examples:
              workflowctl order abort SESSION
              workflowctl order abort SESSION --json
            """
    )

    @OptionGroup var given: SessionArgument
    @OptionGroup var driving: DrivingOptions
    @OptionGroup var global: GlobalOptions

    func perform(in invocation: Invocation) async throws(Failure) -> ExitStatus {
        let session = try session
        return try await Driver.drive(session, with: self, in: invocation) {
            driver throws(EngineError) in
            try await driver.engine.abort(session, by: driver.who)
        }
    }
}
