internal import ArgumentParser
internal import EventLog
internal import Inspection
internal import SwedbankPay

/// `retry`: retries a failed request.
struct RetryCommand: DrivingCommand {
    static let configuration = CommandConfiguration(
        commandName: "retry",
        abstract: "Do again what failed in a retryable way, in one session or in many.",
        discussion: """
            Trying again begins with reading the session at the PSP: nothing is paid twice. Many sessions are chosen by the \
            filters of 'list', as options or with --where, such as 'problem=requestFailed and since=2h and host=api.payex.com'; \
            all must hold, and only sessions with a problem that are not over are meant. With --dry-run they are shown, with \
            what would be done. One goes first, and the others follow, --rate in a second, when its request did not fail again; \
            five in a row that fail end it with 69. The same command goes on where it ended.

            Examples:
              workflowctl retry SESSION
              workflowctl retry SESSION --json --wait 5s
              workflowctl retry --problem requestFailed --since 2h --dry-run
              workflowctl retry --where 'problem=requestFailed and since=2h' --rate 2
            """
    )

    @Argument(
        help: ArgumentHelp(
            "The session: its id, at least six characters of the id's beginning or end, or its reference.",
            valueName: "id"
        ),
        completion: SessionCompletion.sessions
    )
    var id: String?

    @Option(
        name: .customLong("where"),
        help: ArgumentHelp(
            "Sessions for which this holds: NAME=VALUE with 'and' between them; names are the filters below.",
            valueName: "conditions"
        )
    )
    var conditions: [String] = []

    @Option(help: ArgumentHelp("With this standing problem.", valueName: "problem|any"))
    var problem: String?

    @Option(help: ArgumentHelp("Opened at this time or later.", valueName: "time"))
    var since: String?

    @Option(
        name: .customLong("before"),
        help: ArgumentHelp("Opened before this time.", valueName: "time")
    )
    var before: String?

    @Option(help: ArgumentHelp("Of the PSP at this host.", valueName: "host"))
    var host: String?

    @Option(help: ArgumentHelp("What the newest attempt pays with.", valueName: "instrument"))
    var instrument: String?

    @Option(help: ArgumentHelp("In this phase.", valueName: "phase"))
    var phase: String?

    @Option(help: ArgumentHelp("Whose money stands like this.", valueName: "standing"))
    var money: String?

    @Option(help: ArgumentHelp("Whose move it is.", valueName: "who"))
    var turn: String?

    @Option(
        help: ArgumentHelp(
            "With this reference, or with one that begins so: 'order-*'.",
            valueName: "text"
        )
    )
    var reference: String?

    @Flag(help: "Only show the sessions, and whether each may be tried again.")
    var dryRun = false

    @Option(help: ArgumentHelp("So many sessions in a second. (default: 5)", valueName: "n"))
    var rate: Int?

    @Option(
        help: ArgumentHelp(
            "At most so many sessions, the oldest first. (default: 1000)",
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
                    "a session is named, and sessions are filtered; give one of both"
                )
            }
            return try SessionNames.refuseMalformed(id)
        }
        guard !filter.isEmpty else {
            throw .usage(
                "where",
                "no session is named, and no filter",
                hint:
                    "name a session, or say which are meant: --where 'problem=requestFailed and since=2h' --dry-run"
            )
        }
        guard rate.map({ (1...BulkRetry.highestRate).contains($0) }) ?? true else {
            throw .usage("rate", "the rate is a number from 1 to \(BulkRetry.highestRate)")
        }
        guard limit.map({ (1...BulkRetry.longestLimit).contains($0) }) ?? true else {
            throw .usage("limit", "the limit is a number from 1 to \(BulkRetry.longestLimit)")
        }
    }

    private func filter() throws(Failure) -> SessionFilter {
        var filter = SessionFilter()
        for text in conditions { try filter.add(text) }
        try filter.set(.problem, problem)
        try filter.set(.since, since)
        try filter.set(.until, before)
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

    // MARK: Several sessions

    private func retryMany(in invocation: Invocation) async throws(Failure) -> ExitStatus {
        let (filter, limit) = (try filter(), limit ?? BulkRetry.usualLimit)
        let (rows, isCut) = try await Reader.withStore(for: self, in: invocation) {
            reader throws(Failure) in
            try await BulkRetry.find(filter, limit: limit, by: reader)
        }
        if isCut {
            invocation.note("note: there are more than these \(limit); --limit takes more at once")
        }
        let sessions = rows.filter { $0.refusal == nil }.map(\.summary.session)
        guard !dryRun, !sessions.isEmpty else {
            tell(rows, invocation)
            if dryRun {
                invocation.note(
                    "note: a dry run: \(sessions.count) of \(rows.count) would be tried again, nothing was changed"
                )
            }
            return .done
        }
        let rate = rate ?? BulkRetry.usualRate
        invocation.note("trying \(sessions.count) of \(rows.count) again, \(rate) in a second")
        return try await Driver.withEngine(for: self, in: invocation, among: sessions) {
            driver throws(Failure) in
            try driver.checkReason(for: intervention)
            do throws(EventStoreError) {
                try await driver.store.confirmLiving()
            } catch {
                throw Failure(error)
            }
            let bulk = BulkRetry(
                by: driver,
                rate: rate,
                wait: global.wait.duration,
                intervention: intervention
            )
            let (rows, isStopped) = await bulk.retry(rows)
            tell(rows, invocation)
            let failed = rows.filter(\.failedAgain).count
            guard failed > 0 || isStopped else { return .done }
            throw Failure(
                .unavailable,
                "session.request-failed",
                isStopped
                    ? "the PSP still fails: the others were not tried"
                    : "in \(failed) of \(rows.count) sessions a request failed again",
                hint: "run it again when the PSP answers; what went on is not tried twice"
            )
        }
    }

    private func tell(_ rows: [BulkRetry.Row], _ invocation: Invocation) {
        guard !global.json else { return invocation.print(.array(rows.map(\.json))) }
        let table = Table(columns: BulkRetry.Row.columns, rows: rows.map(\.cells))
        invocation.output.write(table.text(for: invocation.output))
    }
}
