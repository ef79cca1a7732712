internal import Adapters
internal import ArgumentParser
internal import EventLog
internal import Inspection
internal import SwedbankPay

/// `retry`: retries a failed request.
struct RetryCommand: DrivingCommand {
    static let configuration = CommandConfiguration(
        commandName: "retry",
        abstract: "Retry the failed requests of one session or of many.",
        discussion: """
            A retry first reads the session at the PSP, so nothing is paid twice. To retry many \
            sessions, select them with the filters of 'list', as options or with --where, such \
            as 'problem=requestFailed and since=2h and host=api.payex.com'. All conditions must \
            match, and only sessions that have a problem and have not ended are selected. With \
            --dry-run, shows the sessions and what would be done.

            One session is retried first; if its request does not fail again, the others follow \
            at --rate per second. After five failures in a row the command stops with exit code \
            69; run it again to continue.

            Examples:
              workflowctl retry SESSION
              workflowctl retry SESSION --json --wait 5s
              workflowctl retry --problem requestFailed --since 2h --dry-run
              workflowctl retry --where 'problem=requestFailed and since=2h' --rate 2
            """
    )

    @Argument(
        help: ArgumentHelp(
            "The session: its id, at least six characters from the beginning or end of the id, or its reference.",
            valueName: "id"
        ),
        completion: SessionCompletion.sessions
    )
    var id: String?

    @Option(
        name: .customLong("where"),
        help: ArgumentHelp(
            "Select sessions: NAME=VALUE, joined by 'and'. The names are those of the filters below.",
            valueName: "conditions"
        )
    )
    var conditions: [String] = []

    @Option(help: ArgumentHelp("Only sessions with this open problem.", valueName: "problem|any"))
    var problem: String?

    @Option(help: ArgumentHelp("Only sessions opened at or after this time.", valueName: "time"))
    var since: String?

    @Option(
        name: .customLong("before"),
        help: ArgumentHelp("Only sessions opened before this time.", valueName: "time")
    )
    var before: String?

    @Option(help: ArgumentHelp("Only sessions of the PSP at this host.", valueName: "host"))
    var host: String?

    @Option(
        help: ArgumentHelp(
            "Only sessions whose latest attempt used this instrument.",
            valueName: "instrument"
        )
    )
    var instrument: String?

    @Option(help: ArgumentHelp("Only sessions in this phase.", valueName: "phase"))
    var phase: String?

    @Option(help: ArgumentHelp("Only sessions with this money status.", valueName: "status"))
    var money: String?

    @Option(help: ArgumentHelp("Only sessions where this party has to act next.", valueName: "who"))
    var turn: String?

    @Option(
        help: ArgumentHelp(
            "Only sessions with this reference; 'order-*' matches a prefix.",
            valueName: "text"
        )
    )
    var reference: String?

    @Flag(help: "Show the sessions and whether each can be retried; change nothing.")
    var dryRun = false

    @Option(help: ArgumentHelp("Sessions to retry per second. (default: 5)", valueName: "n"))
    var rate: Int?

    @Option(
        help: ArgumentHelp(
            "The maximum number of sessions, oldest first. (default: 1000)",
            valueName: "n"
        )
    )
    var limit: Int?

    @OptionGroup var driving: DrivingOptions
    @OptionGroup var global: GlobalOptions

    var sessionNames: [String] {
        get { id.map { [$0] } ?? [] }
        set { id = newValue.first }
    }

    func refuseBadArguments() throws(Failure) {
        let filter = try filter()
        if let id {
            guard filter.isEmpty, !dryRun, rate == nil, limit == nil else {
                throw .usage(
                    "where",
                    "a session and filters cannot be combined"
                )
            }
            return try SessionNames.refuseMalformed(id)
        }
        guard !filter.isEmpty else {
            throw .usage(
                "where",
                "a session or a filter is required",
                hint:
                    "name a session, or select sessions: --where 'problem=requestFailed and "
                    + "since=2h' --dry-run"
            )
        }
        guard rate.map({ (1...BulkRetry.highestRate).contains($0) }) ?? true else {
            throw .usage("rate", "--rate must be from 1 to \(BulkRetry.highestRate)")
        }
        guard limit.map({ (1...BulkRetry.longestLimit).contains($0) }) ?? true else {
            throw .usage("limit", "--limit must be from 1 to \(BulkRetry.longestLimit)")
        }
    }

    private func filter() throws(Failure) -> SessionFilter {
        var filter = SessionFilter()
        for text in conditions { try filter.add(text) }
        try filter.set(.problem, problem)
        try filter.set(.since, since)
        try filter.set(.before, before)
        try filter.set(.host, host)
        try filter.set(.instrument, instrument)
        try filter.set(.phase, phase)
        try filter.set(.money, money)
        try filter.set(.turn, turn)
        try filter.set(.reference, reference)
        return filter
    }

    func perform(in invocation: Invocation) async throws(Failure) -> ExitStatus {
        guard let id else { return try await retryMany(in: invocation) }
        let session = try SessionArgument.session(id)
        return try await Driver.drive(session, with: self, in: invocation) {
            driver throws(EngineError) in
            try await driver.engine.retry(session, by: driver.who)
        }
    }

    func call(in invocation: Invocation) -> ServiceCall {
        ServiceCall(path: "retry", body: global.reasonBody)
    }

    // MARK: Many sessions

    private func retryMany(in invocation: Invocation) async throws(Failure) -> ExitStatus {
        let (filter, limit) = (try filter(), limit ?? BulkRetry.usualLimit)
        let configuration = try Configuration.read(global, environment: invocation.environment)
        let (rows, isCut) = try await Reader.withStore(for: self, in: invocation) {
            reader throws(Failure) in
            try await BulkRetry.find(filter, limit: limit, with: configuration, by: reader)
        }
        if isCut {
            invocation.note(
                "note: only the first \(limit) sessions were selected; --limit raises the maximum"
            )
        }
        let sessions = rows.filter { $0.refusal == nil }.map(\.summary.session)
        guard !dryRun, !sessions.isEmpty else {
            printResult(rows, invocation)
            if dryRun {
                invocation.note(
                    "note: dry run: \(sessions.count) of \(rows.count) sessions would be "
                        + "retried; nothing was changed"
                )
            }
            return .done
        }
        let rate = rate ?? BulkRetry.usualRate
        invocation.note("retrying \(sessions.count) of \(rows.count) sessions, \(rate) per second")
        return try await Driver.withEngine(for: self, in: invocation, among: sessions) {
            driver throws(Failure) in
            try driver.checkReason(for: intervention)
            do throws(EventStoreError) {
                try await driver.store.confirmLiving()
            } catch {
                throw Failure(error)
            }
            let (rows, isStopped) = await driver.retry(
                rows,
                rate: rate,
                wait: global.wait.duration,
                intervention: intervention
            )
            printResult(rows, invocation)
            let failed = rows.filter(\.failedAgain).count
            guard failed > 0 || isStopped else { return .done }
            throw Failure(
                .unavailable,
                "session.request-failed",
                isStopped
                    ? "the PSP still fails; the remaining sessions were not retried"
                    : "the request failed again in \(failed) of \(rows.count) sessions",
                hint: "run the command again when the PSP is available; sessions that continued "
                    + "are not retried again"
            )
        }
    }

    private func printResult(_ rows: [RetriedSession], _ invocation: Invocation) {
        guard !global.json else { return invocation.print(.array(rows.map(\.json))) }
        let output = invocation.output
        output.write(RetriedSession.table(of: rows, for: output.form).text(for: output))
    }
}
