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
            A time is today, yesterday, 2026-11-20, "2026-11-20 09:00" (local time), 2026-11-20T12:00:00Z, or a duration \
            that lies that far back (1h, 2h30m, 1d). On a terminal the newest 50 are shown, a line each that fits; in a \
            pipe all, as whole tab-separated values. The store's index answers all filters. Sessions whose last record an \
            earlier build wrote are not in it with money, turn and host: their logs are read, until 'store reproject' has \
            brought the index up to date.

            Examples:
              workflowctl list
              workflowctl list --outcome completed --since yesterday --limit 20
              workflowctl list --problem requestFailed --wide
              workflowctl list --reference 'order-*' --columns id,amount,reference
              workflowctl list --money unknown --since 1d
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

    @Option(
        help: ArgumentHelp(
            "With this merchant reference, or with one that begins so: 'order-*'.",
            valueName: "text"
        )
    )
    var reference: String?

    @Option(
        help: ArgumentHelp(
            "With this standing problem, as the list shows it, or with any.",
            valueName: "problem|any"
        )
    )
    var problem: String?

    @Option(
        help: ArgumentHelp(
            "none, intended, underWay, unknown or confirmed.",
            valueName: "standing"
        )
    )
    var money: Money.Standing?

    @Option(
        help: ArgumentHelp(
            "Whose move it is: payer, merchant, psp, engine, support or nobody.",
            valueName: "who"
        )
    )
    var turn: TurnArgument?

    @Option(help: ArgumentHelp("Of the PSP at this host.", valueName: "host"))
    var host: String?

    @Flag(help: "Not ended, and something has been due for more than a minute.")
    var stuck = false

    @OptionGroup var imported: ImportedOption

    @Option(
        help: ArgumentHelp(
            "What is shown, separated by commas: "
                + SessionList.Column.allCases.map(\.rawValue).joined(separator: ", ") + ".",
            valueName: "names"
        )
    )
    var columns: String?

    @Flag(help: "On a terminal: more columns, and nothing is cut.")
    var wide = false

    @Option(help: ArgumentHelp("At most so many.", valueName: "n"))
    var limit: Int?

    @Option(help: ArgumentHelp("newest, oldest, last (event) or reference.", valueName: "order"))
    var sort = SessionOrder.newest

    @OptionGroup var global: GlobalOptions

    var isPaged: Bool { true }

    /// How many are shown on a terminal.
    static let shown = 50
    /// The largest limit.
    static let longest = 1_000_000

    func refuseBadArguments() throws(Failure) {
        _ = try chosenColumns()
        guard limit.map({ (1...Self.longest).contains($0) }) ?? true else {
            throw .usage("limit", "the limit is a number from 1 to \(Self.longest)")
        }
    }

    func perform(in invocation: Invocation) async throws(Failure) -> ExitStatus {
        let isForPerson = invocation.output.isTerminal && !global.json
        let limit = limit ?? (isForPerson ? Self.shown : nil)
        let columns =
            try chosenColumns()
            ?? (!isForPerson ? SessionList.full : wide ? SessionList.wide : SessionList.brief)
        return try await Reader.withStore(for: self, in: invocation) { reader throws(Failure) in
            var selection = SessionSelection(
                query: query(at: invocation.now()),
                problem: problem,
                order: sort,
                limit: limit
            )
            let needsFacts = global.json || columns.contains(where: \.needsFacts)
            try await selection.read(from: reader, needsFacts: needsFacts)
            let list = SessionList(selection.rows, columns: columns, isWide: wide)
            invocation.print(list, asJSON: global.json)
            if isForPerson, selection.isCut, let limit {
                invocation.note(
                    "note: there are more than these \(limit); --limit \(limit * 10) shows more, and filters as --since 1d fewer"
                )
            }
            return selection.status
        }
    }

    private func query(at now: Instant) -> SessionQuery {
        let prefix = reference.flatMap { $0.hasSuffix("*") ? String($0.dropLast()) : nil }
        return SessionQuery(
            phase: phase?.rawValue,
            outcome: outcome?.rawValue,
            label: instrument?.rawValue,
            money: money?.rawValue,
            host: host,
            turn: turn?.rawValue,
            since: since?.instant(from: now),
            until: until?.instant(from: now),
            reference: prefix == nil ? reference : nil,
            referencePrefix: prefix,
            overdueSince: stuck ? now + (.zero - SessionSummary.patience) : nil,
            origin: imported.origin
        )
    }

    private func chosenColumns() throws(Failure) -> [SessionList.Column]? {
        guard let columns else { return nil }
        var chosen: [SessionList.Column] = []
        for name in columns.split(separator: ",", omittingEmptySubsequences: false) {
            guard let column = SessionList.Column(rawValue: String(name)) else {
                throw .usage(
                    "columns",
                    "there is no such column",
                    hint: "one or more of: "
                        + SessionList.Column.allCases.map(\.rawValue).joined(separator: ",")
                )
            }
            chosen.append(column)
        }
        return chosen
    }
}

/// Whose move it is, as an argument.
enum TurnArgument: String, CaseIterable, Sendable, ExpressibleByArgument {
    case payer, merchant, psp, engine, support, nobody
}

/// The order of a list of sessions.
enum SessionOrder: String, CaseIterable, Sendable, ExpressibleByArgument {
    /// By when they were opened, or by their last event.
    case newest, oldest, last
    /// By the merchant's reference; sessions without one come last.
    case reference

    /// Whether a session comes before another.
    func isOrdered(_ left: SessionSummary, _ right: SessionSummary) -> Bool {
        switch self {
        case .newest: left.session > right.session
        case .oldest: left.session < right.session
        case .last: (left.lastAt, left.session) > (right.lastAt, right.session)
        case .reference:
            (left.reference == nil ? 1 : 0, left.reference ?? "", left.session)
                < (right.reference == nil ? 1 : 0, right.reference ?? "", right.session)
        }
    }
}
