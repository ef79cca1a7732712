internal import Adapters
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
            TIME is today, yesterday, 2026-11-20, "2026-11-20 09:00" (local time), \
            2026-11-20T12:00:00Z, or a duration before now (1h, 2h30m, 1d). A terminal shows the \
            newest 50 sessions, one per line; a pipe gets all of them as tab-separated values. \
            Save a combination of filters and columns with --save NAME and show it again with \
            --view NAME.

            Examples:
              workflowctl list
              workflowctl list --outcome completed --since yesterday --limit 20
              workflowctl list --problem requestFailed --wide
              workflowctl list --reference 'order-*' --columns id,amount,reference
              workflowctl list --money unknown --since 1d
              workflowctl list --stuck --json
              workflowctl list --money unknown --columns id,amount --save unclear
              workflowctl list --saved
            """
    )

    @Option(
        help: ArgumentHelp(
            "Only sessions in this phase.",
            valueName: "phase"
        )
    )
    var phase: Phase?

    @Option(
        help: ArgumentHelp(
            "Only sessions with this outcome.",
            valueName: "outcome"
        )
    )
    var outcome: Outcome?

    @Option(
        help: ArgumentHelp(
            "Only sessions whose latest attempt used this instrument.",
            valueName: "instrument"
        )
    )
    var instrument: Instrument?

    @OptionGroup var opened: OpeningTimeOptions

    @Option(
        help: ArgumentHelp(
            "Only sessions with this merchant reference; 'order-*' matches a prefix.",
            valueName: "text"
        )
    )
    var reference: String?

    @Option(
        help: ArgumentHelp(
            "Only sessions with this open problem, as 'list' prints it; 'any' matches every problem.",
            valueName: "problem|any"
        )
    )
    var problem: String?

    @Option(
        help: ArgumentHelp(
            "Only sessions with this money status.",
            valueName: "status"
        )
    )
    var money: MoneyState.Standing?

    @Option(
        help: ArgumentHelp(
            "Only sessions where this party has to act next.",
            valueName: "who"
        )
    )
    var turn: TurnName?

    @Option(help: ArgumentHelp("Only sessions of the PSP at this host.", valueName: "host"))
    var host: String?

    @Flag(help: "Only open sessions that nothing has moved for a minute, or will by itself.")
    var stuck = false

    @Flag(help: "Only sessions of orders that were paid in several sessions.")
    var possibleDuplicates = false

    @OptionGroup var imported: ImportedOption

    @Option(
        help: ArgumentHelp(
            "The columns to show, separated by commas: "
                + SessionList.Column.allCases.map(\.rawValue).joined(separator: ", ") + ".",
            valueName: "names"
        )
    )
    var columns: String?

    @Flag(help: "On a terminal, show more columns and do not truncate.")
    var wide = false

    @Option(help: ArgumentHelp("The maximum number of sessions.", valueName: "n"))
    var limit: Int?

    @Option(
        help: ArgumentHelp(
            "Sort by opening time (newest, oldest), latest event (last) or reference.",
            valueName: "order"
        )
    )
    var sort = SessionOrder.newest

    @OptionGroup var kept: SavedListOptions
    @OptionGroup var global: GlobalOptions

    static var commonOptions: Set<String> { ["--server", "--color", "--time-zone"] }

    var isPaged: Bool { true }
    static var mayReveal: Bool { false }

    /// The number of sessions shown on a terminal.
    static let shown = 50
    /// The maximum limit.
    static let longest = 1_000_000

    func refuseBadArguments() throws(Failure) {
        _ = try chosenColumns()
        try kept.check()
        guard limit.map({ (1...Self.longest).contains($0) }) ?? true else {
            throw .usage("limit", "--limit must be from 1 to \(Self.longest)")
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
            invocation.note("saved; '\(invocation.program) list --view \(name)' shows this list")
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
            var query = query(at: invocation.now())
            query.origin = try await imported.origin(in: reader, for: global)
            var selection = SessionSelection(
                query: query,
                problem: problem,
                among: try await chosen(by: query, reader),
                order: sort,
                limit: limit
            )
            if global.json {
                var list = JSONLines(on: invocation)
                try await selection.read(from: reader, needsFacts: true) { rows in
                    for row in rows { list.append(row.json) }
                }
                guard !Task.isCancelled else { return .interrupted }
                list.end()
            } else {
                let needsFacts = columns.contains(where: \.needsFacts)
                let rows = try await selection.rows(from: reader, needsFacts: needsFacts)
                let list = SessionList(rows, columns: columns, isWide: wide)
                invocation.print(list, asJSON: false)
            }
            if selection.count == 0 {
                if isForPerson { invocation.note("note: no session matches") }
                noteUnknownProblem(reader.configuration, invocation)
                await imported.noteLeftOut(of: reader)
            }
            if isForPerson, selection.isCut, let limit {
                invocation.note(
                    "note: only the first \(limit) sessions are shown; --limit \(limit * 10) "
                        + "shows more, and filters such as --since 1d narrow the list"
                )
            }
            return selection.status
        }
    }

    /// Returns the sessions to choose from; `nil` for all.
    private func chosen(
        by query: SessionQuery,
        _ reader: Reader
    ) async throws(Failure) -> Set<SessionID>? {
        var chosen = possibleDuplicates ? try await duplicates(reader) : nil
        guard stuck else { return chosen }
        do throws(EventStoreError) {
            let now = reader.invocation.now()
            let stuck = try await StuckSessions(query, in: reader.store, at: now)
            let sessions = Set(stuck.all.map(\.session))
            chosen = chosen?.intersection(sessions) ?? sessions
        } catch {
            throw Failure(error)
        }
        return chosen
    }

    /// Returns the sessions that were paid for an order for which others were paid, too.
    private func duplicates(_ reader: Reader) async throws(Failure) -> Set<SessionID> {
        var sums = MoneySums(of: reader.store, by: reader.decider)
        try await sums.add(
            SessionQuery(origin: .own),
            fromLogs: false,
            showingTo: reader.invocation
        )
        return Set(sums.duplicates.flatMap(\.payments).map(\.session))
    }

    /// Says that no session can have the problem when none of that name is known.
    private func noteUnknownProblem(_ configuration: Configuration, _ invocation: Invocation) {
        guard let problem, problem != "any" else { return }
        let catalogue = configuration.catalogue
        guard !catalogue.knows(problem) else { return }
        let advice =
            catalogue.nearest(to: problem).map { "did you mean '\($0)'?" }
            ?? "'problems list' shows the types"
        invocation.note("note: no such problem is known; \(advice)")
    }

    private func query(at now: Instant) -> SessionQuery {
        let prefix = reference.flatMap { $0.hasSuffix("*") ? String($0.dropLast()) : nil }
        return SessionQuery(
            phase: phase?.rawValue,
            outcome: outcome?.rawValue,
            isOpen: stuck ? true : nil,
            label: instrument?.rawValue,
            since: opened.since?.instant(from: now),
            until: opened.until?.end(from: now),
            reference: prefix == nil ? reference : nil,
            referencePrefix: prefix
        )
        .with(money: money?.rawValue, host: host, turn: turn?.rawValue)
    }

    /// The filters, columns and order that differ from the defaults, by the names of the options.
    private var options: [(name: String, value: String?)] {
        let values: [(name: String, value: String?)] = [
            ("phase", phase?.rawValue), ("outcome", outcome?.rawValue),
            ("instrument", instrument?.rawValue), ("since", opened.since?.text),
            ("until", opened.until?.text),
            ("reference", reference), ("problem", problem), ("money", money?.rawValue),
            ("turn", turn?.rawValue), ("host", host), ("columns", columns),
            ("limit", limit.map { "\($0)" }), ("sort", sort == .newest ? nil : sort.rawValue),
        ]
        let flags = [
            ("stuck", stuck), ("possible-duplicates", possibleDuplicates),
            ("imported", imported.imported), ("wide", wide),
        ]
        return values.filter { $0.value != nil } + flags.filter(\.1).map { ($0.0, nil) }
    }

    /// Returns this list merged with the one saved under a name: typed options take precedence.
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
                "the saved list '\(name)' has an option or value that 'list' does not support",
                hint: "correct \(lists.path), or save the list again"
            )
        }
    }

    private func chosenColumns() throws(Failure) -> [SessionList.Column]? {
        guard let columns else { return nil }
        var chosen: [SessionList.Column] = []
        for name in columns.pieces(between: ",", omittingEmptySubsequences: false) {
            guard let column = SessionList.Column(rawValue: String(name)) else {
                throw .usage(
                    "columns",
                    "no such column",
                    hint: "choose from: "
                        + SessionList.Column.allCases.map(\.rawValue).joined(separator: ",")
                )
            }
            chosen.append(column)
        }
        return chosen
    }
}
