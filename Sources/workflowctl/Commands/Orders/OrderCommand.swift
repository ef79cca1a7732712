internal import ArgumentParser
internal import Inspection
internal import SwedbankPay
internal import Workflow

/// `order`: creates and changes payment orders.
struct OrderCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "order",
        abstract: "Create, read, capture, cancel and reverse payment orders.",
        discussion: """
            An order is a session in this store, so every command and every response is \
            recorded. A merchant backend can create and show orders; to capture, cancel or \
            reverse one, the PSP's access token is required (--token-file).

            Examples:
              workflowctl order create order.json --psp https://api.payex.com/ \\
                --token-file token
              workflowctl order show SESSION
              workflowctl order capture SESSION --amount 12500 --vat 2500 \\
                --description "Shipment 1"
            """,
        subcommands: [
            OrderCreateCommand.self, OrderShowCommand.self, OrderCaptureCommand.self,
            OrderCancelCommand.self, OrderReverseCommand.self, OrderAbortCommand.self,
            OrderAdoptCommand.self,
        ]
    )
}

/// `order create`: creates an order without showing its page.
struct OrderCreateCommand: DrivingCommand {
    static let configuration = CommandConfiguration(
        commandName: "create",
        abstract: "Create a payment order.",
        discussion: """
            FILE contains the order in the format of the PSP's API, either as \
            {"paymentorder":{…}} or the inner object alone. Amounts, lengths and URLs are \
            checked before anything is sent. To see how the order can be paid, run 'checkout \
            native' or 'menu'.

            With --operation recur or unscheduled, the order immediately charges the token in \
            --stored-token-file, without the payer. A lost response does not lead to a double \
            charge, because the order keeps its payee reference; 'explain' shows what to do in \
            that case.

            Examples:
              workflowctl order create order.json --psp https://api.payex.com/ \\
                --token-file token
              workflowctl order create - --backend https://shop.example/api/ < order.json
              workflowctl order create charge.json --operation recur \\
                --stored-token-file stored --psp URL --token-file token
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
        return try await Driver.open(request, at: address, for: self, in: invocation)
    }
}

/// `order show`: reads an order again.
struct OrderShowCommand: DrivingCommand, SessionCommand {
    static let configuration = CommandConfiguration(
        commandName: "show",
        abstract: "Read a payment order at the PSP and show its status.",
        discussion: """
            'show' shows what the store has recorded; this command reads the order again.

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
        abstract: "Abort an unpaid payment order.",
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

/// `order adopt`: gives a session the order that it lost.
struct OrderAdoptCommand: DrivingCommand, SessionCommand {
    static let configuration = CommandConfiguration(
        commandName: "adopt",
        abstract: "Give a session the order that it created without getting a response.",
        discussion: """
            Use this when the request to create the order got no response, and the order was \
            found at the PSP by its reference. The order is read, and the session goes on with \
            it: a paid order completes it, and can be captured and refunded. An order with \
            another reference is not accepted. Exits 1 if the session has not lost its order.

            Examples:
              workflowctl order adopt SESSION https://api.payex.com/psp/paymentorders/ID
              workflowctl order adopt SESSION /psp/paymentorders/ID --json
            """
    )

    @OptionGroup var given: SessionArgument

    @Argument(help: ArgumentHelp("The order's address or path at the PSP.", valueName: "url"))
    var order: String

    @OptionGroup var driving: DrivingOptions
    @OptionGroup var global: GlobalOptions

    func refuseBadArguments() throws(Failure) {
        try given.refuseMalformed()
        _ = try OrderPath(argument: order)
    }

    func perform(in invocation: Invocation) async throws(Failure) -> ExitStatus {
        let (session, path) = (try session, try OrderPath(argument: order))
        return try await Driver.withEngine(for: self, in: invocation, session: session) {
            driver throws(Failure) in
            try await driver.refuseUnreachable(session, for: self)
            do throws(EngineError) {
                try path.check(against: try await driver.engine.state(of: session))
                var acted =
                    driver.person?.acted(OperatorActed.adoptingOrder)
                    ?? OperatorActed(by: driver.who, action: OperatorActed.adoptingOrder)
                acted.order = path.text
                try await driver.engine.record(acted, in: session)
            } catch {
                throw await driver.refusal(error, of: session, for: self)
            }
            return try await driver.finish(session, self)
        }
    }
}

extension OrderPath {
    /// Reads the argument of an option or command.
    init(argument: String) throws(Failure) {
        guard let path = OrderPath(argument) else { throw .order }
        self = path
    }
}
