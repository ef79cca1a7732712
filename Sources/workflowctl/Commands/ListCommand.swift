internal import ArgumentParser
internal import EventLog
internal import Inspection
internal import SwedbankPay

/// `list`: the sessions of the store.
struct ListCommand: Command {
    static let configuration = CommandConfiguration(
        commandName: "list",
        abstract: "List sessions, newest first.",
        discussion: """
            A time is 2026-11-20, 2026-11-20T12:00:00Z, or a duration that lies that far back (1h).

            Examples:
              workflowctl list
              workflowctl list --outcome completed --since 24h
              workflowctl list --stuck --json
            """
    )

    @Option(
        help: ArgumentHelp(
            "opening, ready, attempting, awaitingClient, awaitingPSP or ended.",
            valueName: "phase"
        )
    )
    var phase: Phase?

    @Option(
        help: ArgumentHelp("completed, canceled, failed or expired.", valueName: "outcome")
    )
    var outcome: Outcome?

    @Option(
        help: ArgumentHelp("What the newest attempt pays with.", valueName: "instrument")
    )
    var instrument: Instrument?

    @Option(help: ArgumentHelp("Opened at this time or later.", valueName: "time"))
    var since: TimeArgument?

    @Option(help: ArgumentHelp("Opened before this time.", valueName: "time"))
    var until: TimeArgument?

    @Option(help: ArgumentHelp("With this merchant reference.", valueName: "text"))
    var reference: String?

    @Flag(help: "Not ended, and something has been due for more than a minute.")
    var stuck = false

    @OptionGroup var imported: ImportedOption

    @OptionGroup var global: GlobalOptions

    var isPaged: Bool { true }

    func perform(in invocation: Invocation) async throws(Failure) -> ExitStatus {
        let now = invocation.now()
        let query = SessionQuery(
            phase: phase?.rawValue,
            outcome: outcome?.rawValue,
            label: instrument?.rawValue,
            since: since?.instant(from: now),
            until: until?.instant(from: now),
            reference: reference,
            overdueSince: stuck ? now + (.zero - SessionSummary.patience) : nil,
            origin: imported.origin
        )
        return try await Reader.withStore(for: self, in: invocation) { reader throws(Failure) in
            let sessions = try await reader.store.allSessions(matching: query)
            invocation.print(SessionList(sessions), asJSON: global.json)
            return .done
        }
    }
}
