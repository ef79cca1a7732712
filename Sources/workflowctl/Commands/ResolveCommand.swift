internal import ArgumentParser
internal import Inspection
internal import SwedbankPay
internal import Workflow

/// `resolve`: write down what a person found out at the PSP about money that is unknown.
struct ResolveCommand: SessionCommand {
    static let configuration = CommandConfiguration(
        commandName: "resolve",
        abstract: "Write down what became of money that was unknown, as found out at the PSP.",
        discussion: """
            For payments that 'at-risk' shows as unknown. Nothing is asked of the PSP and nothing is completed: the log \
            says who found out what, and by which evidence; from then on the money is told as that, and as a person's \
            word. What the PSP says later goes before it. Refused when nothing is unknown.

            Examples:
              workflowctl resolve SESSION --paid --amount '125.00 SEK' --evidence "admin: number 40106484"
              workflowctl resolve SESSION --not-paid --evidence "admin: the order is Initialized"
              workflowctl resolve SESSION --refunded --evidence "admin: reversed on 2 December" --json
            """
    )

    @OptionGroup var given: SessionArgument

    @Flag(help: "It is paid.")
    var paid = false

    @Flag(name: .customLong("not-paid"), help: "It is not paid.")
    var notPaid = false

    @Flag(help: "It was paid, and given back.")
    var refunded = false

    @Option(
        help: ArgumentHelp(
            "How much was paid or refunded: 12500 in minor units, or '125.00 SEK'; default: all of it.",
            valueName: "amount"
        )
    )
    var amount: AmountArgument?

    @Option(
        help: ArgumentHelp(
            "How it was found out; recorded in the session's log.",
            valueName: "text"
        )
    )
    var evidence: String?

    @OptionGroup var global: GlobalOptions

    func refuseBadArguments() throws(Failure) {
        try given.refuseMalformed()
        guard verdicts.count == 1 else {
            throw .usage(
                "resolution",
                "exactly one of --paid, --not-paid and --refunded has to be given",
                hint: "say what the PSP's admin or API shows of the order"
            )
        }
        if amount != nil, notPaid {
            throw .usage(
                "amount",
                "--amount goes with --paid or --refunded",
                hint: "leave out --amount, or say what was paid with --paid"
            )
        }
        guard evidence?.isEmpty == false else {
            throw .usage(
                "evidence",
                "the evidence has to be given",
                hint: "say with --evidence TEXT where it was found out"
            )
        }
    }

    private var verdicts: [MoneyResolution.Verdict] {
        [(paid, MoneyResolution.Verdict.paid), (notPaid, .notPaid), (refunded, .refunded)]
            .filter(\.0).map(\.1)
    }

    func perform(in invocation: Invocation) async throws(Failure) -> ExitStatus {
        let session = try session
        return try await Reader.withStore(for: self, in: invocation, session: session) {
            reader throws(Failure) in
            let decider = reader.decider
            var acted = reader.person.acted(OperatorActed.resolving)
            acted.reason = evidence
            let (found, verdict) = (acted, verdicts.first)
            _ = try await reader.withTrail(of: session) { trail throws(Failure) in
                try await trail.append(to: session, cause: "command.resolve") {
                    log throws(Failure) in
                    let currency = log.state.money.currency
                    let amount = try amount.map { amount throws(Failure) in
                        try amount.minorUnits(in: currency, "amount")
                    }
                    var record = found
                    record.resolution = verdict.map { MoneyResolution(verdict: $0, amount: amount) }
                    do throws(Rejection) {
                        return try decider.decide(
                            .command(.recordOperator(record)),
                            in: log.state,
                            at: log.state.lastAt
                        )
                    } catch {
                        throw Failure(EngineError.rejected(error))
                    }
                }
            }
            let log = try await SessionLog.read(session, from: reader.store)
            let story = Story(of: session, telling: log.events, by: decider)
            if global.json {
                invocation.print(SessionView(story.state, by: decider, disclosing: .masked).json)
            } else {
                let program = global.call(invocation.program)
                invocation.print(StoryReport(story, program: program, why: false), asJSON: false)
            }
            return .done
        }
    }
}
