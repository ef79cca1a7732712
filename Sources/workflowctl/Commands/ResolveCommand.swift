internal import ArgumentParser
internal import EventLog
internal import Inspection
internal import SwedbankPay
internal import Workflow

/// `resolve`: records what a person found out at the PSP about money whose outcome is unknown.
struct ResolveCommand: SessionCommand {
    static let configuration = CommandConfiguration(
        commandName: "resolve",
        abstract: "Record what you found out at the PSP about a payment whose outcome is unknown.",
        discussion: """
            Use this for payments that 'at-risk' lists as unknown. Nothing is sent to the PSP, \
            and the session is not completed, unless --order names the order that the session \
            lost: then the order is read, as by 'order adopt'. The log records who resolved the payment, how, and \
            on what evidence; from then on, the payment is shown with the outcome that was \
            recorded. If the PSP reports a result later, the PSP's result is used. To correct a \
            wrong resolution, resolve the payment again: both stay in the log. Exits 1 if nothing \
            is unknown.

            Examples:
              workflowctl resolve SESSION --paid --amount '125.00 SEK' \\
                --evidence "admin: number 40106484"
              workflowctl resolve SESSION --not-paid \\
                --evidence "admin: the order is Initialized" --second-person kim
              workflowctl resolve SESSION --refunded \\
                --evidence "admin: reversed on 2 December" --json
            """
    )

    @OptionGroup var given: SessionArgument

    @Flag(help: "The order is paid.")
    var paid = false

    @Flag(name: .customLong("not-paid"), help: "The order is not paid.")
    var notPaid = false

    @Flag(help: "The order was paid and refunded.")
    var refunded = false

    @Option(
        help: ArgumentHelp(
            "The amount that was paid or refunded: 12500 in minor units, or '125.00 SEK'. Default: the full amount.",
            valueName: "amount"
        )
    )
    var amount: AmountArgument?

    @Option(
        help: ArgumentHelp(
            "Where you found this out; recorded in the session's log.",
            valueName: "text"
        )
    )
    var evidence: String?

    @Option(
        name: .customLong("second-person"),
        help: ArgumentHelp(
            "Who confirmed it, as you say: the name is recorded in the session's log with yours, and "
                + "is not checked.",
            valueName: "who"
        )
    )
    var secondPerson: String?

    @Option(
        help: ArgumentHelp(
            "The address or path of the order at the PSP, if the session lost it; the order is read.",
            valueName: "url"
        )
    )
    var order: String?

    @OptionGroup var global: GlobalOptions

    static var commonOptions: Set<String> {
        ["--wait", "--allow-insecure-loopback", "--by", "--reason"]
    }

    func refuseBadArguments() throws(Failure) {
        try given.refuseMalformed()
        if let order { _ = try OrderPath(argument: order) }
        guard verdicts.count == 1 else {
            throw .usage(
                "resolution",
                "exactly one of --paid, --not-paid and --refunded is required",
                hint: "choose the one that the PSP's admin portal or API shows for the order"
            )
        }
        if amount != nil, notPaid {
            throw .usage(
                "amount",
                "--amount requires --paid or --refunded",
                hint: "leave out --amount, or give the amount that was paid with --paid"
            )
        }
        guard evidence?.isEmpty == false else {
            throw .usage(
                "evidence",
                "--evidence is required",
                hint: "state with --evidence TEXT where you found this out"
            )
        }
        guard evidence.map(OperatorText.isEvidence) ?? false else {
            throw Failure(OperatorActed.Flaw.evidence)
        }
        guard secondPerson.map(OperatorText.isName) ?? true else {
            throw Failure(OperatorActed.Flaw.secondPerson)
        }
    }

    private var verdicts: [MoneyResolution.Verdict] {
        [(paid, MoneyResolution.Verdict.paid), (notPaid, .notPaid), (refunded, .refunded)]
            .filter(\.0).map(\.1)
    }

    func perform(in invocation: Invocation) async throws(Failure) -> ExitStatus {
        let session = try session
        if let remote = try await resolveAtService(session, invocation) { return remote }
        try await record(in: session, invocation)
        if order != nil { try await read(session, invocation) }
        return try await Reader.withStore(for: self, in: invocation, session: session) {
            reader throws(Failure) in
            let log = try await SessionLog.read(session, from: reader.store)
            let story = Story(of: session, events: log.events, by: reader.decider)
            if global.json {
                invocation.print(
                    SessionView(story.state, by: reader.decider, disclosing: .masked).json
                )
            } else {
                let program = global.call(invocation.program, for: story.state)
                invocation.print(StoryReport(story, program: program, why: false), asJSON: false)
            }
            return .done
        }
    }

    /// Records the finding at the service that was chosen; `nil` when none was.
    private func resolveAtService(
        _ session: SessionID,
        _ invocation: Invocation
    ) async throws(Failure) -> ExitStatus? {
        try await RemoteDriver.run(self, in: invocation) { service throws(Failure) in
            guard order == nil, secondPerson == nil else {
                throw .usage(
                    "server",
                    "a service does not accept --order and --second-person",
                    hint: "record them where the store is, with --store URL"
                )
            }
            let currency = try await service.state(of: session).money.currency
            let amount = try amount.map { amount throws(Failure) in
                try amount.value(in: currency, "amount").minorUnits
            }
            let verdict = paid ? "paid" : notPaid ? "not-paid" : "refunded"
            let members: [JSONValue.Member?] = [
                .init("verdict", .string(verdict)),
                .init("evidence", .string(evidence ?? "")),
                amount.map { .init("amount", .integer($0)) },
            ]
            let response = try await service.post(
                "sessions/\(session)/resolution",
                .object(members.compactMap(\.self))
            )
            guard response.status < 300 else { throw Failure(response) }
            try await service.printStory(of: session, self)
            return .done
        }
    }

    /// Reads the order that the session was given, within the command's time.
    private func read(_ session: SessionID, _ invocation: Invocation) async throws(Failure) {
        try await Driver.withEngine(for: self, in: invocation, session: session) {
            driver throws(Failure) in
            do throws(EngineError) {
                try await driver.engine.resume(session)
            } catch {
                throw Failure(error)
            }
            _ = try await driver.follow(
                session,
                until: .settled,
                for: global.wait.duration,
                verbosely: global.verbose
            )
        }
    }

    /// Records the finding.
    private func record(in session: SessionID, _ invocation: Invocation) async throws(Failure) {
        try await Reader.withStore(for: self, in: invocation, session: session) {
            reader throws(Failure) in
            let decider = reader.decider
            var acted = reader.person.acted(OperatorActed.resolving)
            acted.reason = evidence
            acted.resolution = verdicts.first.map {
                MoneyResolution(verdict: $0, secondPerson: secondPerson)
            }
            let path = try order.map { text throws(Failure) in try OrderPath(argument: text) }
            acted.order = path?.text
            let needsSecond = reader.configuration.audit.requiresSecondPerson
            guard secondPerson != nil || !needsSecond else {
                throw .usage(
                    "second-person",
                    "the configuration requires a second person",
                    hint: "name the colleague who checked it at the PSP with --second-person"
                )
            }
            if let flaw = acted.flaw { throw Failure(flaw) }
            let found = acted
            _ = try await reader.withTrail(of: session) { trail throws(Failure) in
                try await trail.append(to: session, cause: "command.resolve") {
                    log throws(Failure) in
                    do throws(EngineError) {
                        try path?.check(against: log.state)
                    } catch {
                        throw Failure(error)
                    }
                    let currency = log.state.money.currency
                    var record = found
                    record.resolution?.amount = try amount.map { amount throws(Failure) in
                        try amount.value(in: currency, "amount")
                    }
                    return try decider.events(of: .command(.recordOperator(record)), on: log)
                }
            }
        }
    }
}
