internal import ArgumentParser
internal import SwedbankPay

/// `attempt`: starts a payment attempt.
struct AttemptCommand: DrivingCommand, SessionCommand {
    static let configuration = CommandConfiguration(
        commandName: "attempt",
        abstract: "Start a payment attempt.",
        discussion: """
            Run 'workflowctl show SESSION' to see which instruments the session accepts. Only \
            one attempt can be open at a time.

            Examples:
              workflowctl attempt SESSION swish
              workflowctl attempt SESSION swish --msisdn +46739000001
              workflowctl attempt SESSION card --prefill 1
              workflowctl attempt SESSION card --card '476173******0416'
              workflowctl attempt SESSION new-card --no-consent-checkbox
              workflowctl attempt SESSION apple-pay --merchant-id merchant.example.shop
            """
    )

    @OptionGroup var given: SessionArgument

    @Argument(
        help: ArgumentHelp(
            "One of: \(Instrument.forAttempts.map(\.rawValue).joined(separator: ", ")).",
            valueName: "instrument"
        )
    )
    var instrument: String

    @OptionGroup var instruments: InstrumentOptions
    @OptionGroup var driving: DrivingOptions
    @OptionGroup var global: GlobalOptions

    func refuseBadArguments() throws(Failure) {
        try given.refuseMalformed()
        _ = try request(in: nil)
    }

    func perform(in invocation: Invocation) async throws(Failure) -> ExitStatus {
        let (session, request) = (try session, try request(in: invocation))
        return try await Driver.drive(session, with: self, in: invocation) {
            driver throws(EngineError) in
            try await driver.engine.attempt(
                session,
                with: try await driver.fromShownList(request, of: session)
            )
        }
    }

    func call(in invocation: Invocation) throws(Failure) -> ServiceCall {
        ServiceCall(path: "attempts", body: try request(in: invocation).body)
    }

    private func request(in invocation: Invocation?) throws(Failure) -> AttemptRequest {
        try instruments.attempt(try SessionArgument.instrument(instrument), in: invocation)
    }
}
