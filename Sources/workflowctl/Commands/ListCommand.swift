internal import ArgumentParser
internal import EventLog
internal import Inspection
internal import SwedbankPay

/// `list`: lists the sessions of the store.
struct ListCommand: Command {
    static let configuration = CommandConfiguration(
        commandName: "list",
        abstract: "List sessions, newest first.",
        discussion: """
            A time is today, yesterday, 2026-11-20, "2026-11-20 09:00" (local time), 2026-11-20T12:00:00Z, or a duration \
            that lies that far back (1h, 2h30m, 1d). On a terminal the newest 50 are shown, a line each that fits; in a \
            pipe all, as whole tab-separated values. The store's index answers all filters. Sessions whose last record an \
            earlier build wrote are not in it with money, turn and host: their logs are read, until 'store reproject' has \
            brought the index up to date. Filters and columns that are needed often can be saved under a name.

            Examples:
              workflowctl list
              workflowctl list --outcome completed --since yesterday --limit 20
              workflowctl list --problem requestFailed --wide
              workflowctl list --reference 'order-*' --columns id,amount,reference
              workflowctl list --money unknown --since 1d
              workflowctl list --stuck --json
              workflowctl list --money unknown --columns id,amount,reference --save unclear
              workflowctl list --saved
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

    @OptionGroup var kept: SavedListOptions
    @OptionGroup var global: GlobalOptions

    var isPaged: Bool { true }

    /// The default limit on a terminal.
    static let shown = 50
    /// The maximum limit.
    static let longest = 1_000_000

    func refuseBadArguments() throws(Failure) {
        _ = try chosenColumns()
        try kept.check()
        guard limit.map({ (1...Self.longest).contains($0) }) ?? true else {
            throw .usage("limit", "the limit is a number from 1 to \(Self.longest)")
        }
    }

    func perform(in invocation: Invocation) async throws(Failure) -> ExitStatus {
        if kept.saved {
            invocation.print(
                SavedListTable(try SavedLists(invocation.environment)),
                asJSON: global.json
            )
            return .done
        }
        if let name = kept.forget {
            var lists = try SavedLists(invocation.environment)
            try lists.forget(name)
            return .done
        }
        let list = try merged(with: kept.view, invocation)
        if let name = kept.save {
            var lists = try SavedLists(invocation.environment)
            try lists.save(SavedLists.List(name: name, options: list.options))
            invocation.note("saved: '\(invocation.program) list --view \(name)' shows this list")
        }
        return try await list.show(in: invocation)
    }

    private func show(in invocation: Invocation) async throws(Failure) -> ExitStatus {
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

    /// The filters, columns and order that differ from the default, by the names of their options.
    private var options: [(name: String, value: String?)] {
        let values: [(name: String, value: String?)] = [
            ("phase", phase?.rawValue), ("outcome", outcome?.rawValue),
            ("instrument", instrument?.rawValue), ("since", since?.text), ("until", until?.text),
            ("reference", reference), ("problem", problem), ("money", money?.rawValue),
            ("turn", turn?.rawValue), ("host", host), ("columns", columns),
            ("limit", limit.map { "\($0)" }), ("sort", sort == .newest ? nil : sort.rawValue),
        ]
        let flags = [("stuck", stuck), ("imported", imported.imported), ("wide", wide)]
        return values.filter { $0.value != nil } + flags.filter(\.1).map { ($0.0, nil) }
    }

    /// Returns this list on top of a saved one; options that are given override the saved ones.
    private func merged(
        with name: String?,
        _ invocation: Invocation
    ) throws(Failure) -> ListCommand {
        guard let name else { return self }
        let lists = try SavedLists(invocation.environment)
        let known = try lists.list(name)
        let typed = SavedLists.List(name: name, options: options)
        do {
            var list = try ListCommand.parse(known.words + typed.words)
            try list.refuseBadArguments()
            list.global = global
            return list
        } catch {
            throw Failure(
                .configuration,
                "configuration.lists",
                "the saved list '\(name)' has an option or a value that 'list' does not know",
                hint: "correct \(lists.path), or save the list anew"
            )
        }
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

/// The party that has to act next, as an argument.
enum TurnArgument: String, CaseIterable, Sendable, ExpressibleByArgument {
    case payer, merchant, psp, engine, support, nobody
}

/// The sort order of a list of sessions.
enum SessionOrder: String, CaseIterable, Sendable, ExpressibleByArgument {
    /// By the time of opening, or by the time of the last event.
    case newest, oldest, last
    /// By the merchant's reference; sessions without one come last.
    case reference

    /// Whether one session comes before another.
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
