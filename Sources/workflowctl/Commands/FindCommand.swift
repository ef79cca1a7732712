internal import ArgumentParser
internal import EventLog
internal import Inspection
internal import SwedbankPay

/// `find`: finds the sessions to which an identifier, number or reference belongs.
struct FindCommand: Command {
    static let configuration = CommandConfiguration(
        commandName: "find",
        abstract: "Find sessions by reference, identity, order, masked card or telephone number.",
        discussion: """
            The text may be the whole or a part of the merchant's reference, of the session's or the PSP's order's \
            identity, a payee reference, a note or a trace identifier; a masked card number or its last four digits; a \
            telephone number as people write it (070-000 00 00, +46 70 000 00 00, 0046…), the PSP's session identity or address, which logs hold sealed: they are \
            compared by their fingerprints, which needs the keys, and never shown. - reads the text from standard input, so \
            that it does not stand in the list of processes.

            The store's search index finds whole texts, beginnings of their words, their ends, and sessions with notes. What \
            was recorded since the last search is added to it first, where the keys are at hand. When it finds nothing, or \
            with --deep, all logs are read, newest first: that also finds the middle of a word. Exits 1 when nothing was \
            found.

            Examples:
              workflowctl find order-4711
              workflowctl find 476173******1416 --since 24h
              workflowctl find order-4711 --json --limit 1
              workflowctl find order-4711 --deep
            """
    )

    @Argument(help: ArgumentHelp("What to look for; - for standard input.", valueName: "text"))
    var text: String

    @Option(help: ArgumentHelp("Opened at this time or later.", valueName: "time"))
    var since: TimeArgument?

    @Option(help: ArgumentHelp("Opened before this time.", valueName: "time"))
    var until: TimeArgument?

    @OptionGroup var imported: ImportedOption

    @Option(help: ArgumentHelp("Stop when so many are found.", valueName: "n"))
    var limit: Int?

    @Flag(help: "Read all logs, too: that also finds the middle of a word.")
    var deep = false

    @OptionGroup var global: GlobalOptions

    var isPaged: Bool { true }

    func refuseBadArguments() throws(Failure) {
        if text != "-" { _ = try Wanted.reading(text) }
        if let limit, limit < 1 { throw .usage("limit", "the limit is at least 1") }
    }

    func perform(in invocation: Invocation) async throws(Failure) -> ExitStatus {
        let wanted = try wanted(in: invocation)
        let now = invocation.now()
        let query = SessionQuery(
            since: since?.instant(from: now),
            until: until?.instant(from: now),
            origin: imported.origin
        )
        return try await Reader.withStore(for: self, in: invocation) { reader throws(Failure) in
            if wanted.isSealed {
                _ = try reader.location.existingVault(environment: invocation.environment)
            }
            var search = SessionSearch(wanted: wanted, limit: limit, query: query)
            let isIndexed = try await search.readIndex(in: reader)
            let first = search.found
            if !global.json, !first.isEmpty { invocation.print(FoundList(first), asJSON: false) }
            let readsLogs = deep || !isIndexed || first.isEmpty
            if readsLogs { try await search.readLogs(in: reader) }
            tell(search, first.count, invocation)
            if !readsLogs, !search.isCut, invocation.output.isTerminal {
                invocation.note("note: the search index answered; --deep reads all logs, too")
            }
            return search.scan.unreadable > 0
                ? search.scan.status : search.found.isEmpty ? .refused : .done
        }
    }

    private func wanted(in invocation: Invocation) throws(Failure) -> Wanted {
        guard text == "-" else { return try Wanted.reading(text) }
        let bytes = try invocation.readInput(Wanted.longest)
        return try Wanted.reading(String(decoding: bytes, as: UTF8.self))
    }

    private func tell(_ search: SessionSearch, _ told: Int, _ invocation: Invocation) {
        if global.json {
            let ordered = search.found.sorted { $0.row.session > $1.row.session }
            invocation.print(FoundList(ordered), asJSON: true)
        } else if told == 0 || told < search.found.count {
            invocation.print(
                FoundList(Array(search.found.dropFirst(told)), isContinued: told > 0),
                asJSON: false
            )
        }
        if search.found.isEmpty, search.scan.unreadable == 0 {
            let narrowed = since != nil || until != nil ? " opened in that time" : ""
            invocation.note("note: no session\(narrowed) has that in it")
            if search.wanted.isNationalNumber {
                invocation.note(
                    "hint: a telephone number is found with the code of its country, as +46700000000"
                )
            }
        }
        if search.wanted.isSealed, search.locked > 0 {
            invocation.note(
                "note: in \(search.locked) sessions nothing sealed could be compared: their keys are not here, or erased"
            )
        }
        if search.isCut, let limit {
            invocation.note("note: the search ended with the first \(limit); there may be more")
        }
        guard !global.json, invocation.output.isTerminal, search.found.count == 1,
            let only = search.found.first
        else { return }
        invocation.note(
            "hint: '\(global.call(invocation.program)) explain \(only.row.session)' tells what happened"
        )
    }
}

extension Wanted {
    /// Parses the search term.
    ///
    /// - Throws: A usage failure for a text that is too short or too long, and for a whole card
    ///   number.
    fileprivate static func reading(_ text: String) throws(Failure) -> Wanted {
        do {
            return try Wanted(text)
        } catch {
            throw .usage("find", error.description, hint: error.hint)
        }
    }
}
