internal import Adapters
internal import ArgumentParser
internal import EventLog
internal import Inspection
internal import SwedbankPay

/// `find`: finds the sessions that contain a value.
struct FindCommand: Command {
    static let configuration = CommandConfiguration(
        commandName: "find",
        abstract: "Find sessions by reference, id, order, masked card or telephone number.",
        discussion: """
            TEXT can be all or part of a merchant reference, a session or order id, a payee \
            reference, a note or a trace id; a masked card number or its last four digits; a \
            telephone number in any common notation (070-000 00 00, +46 70 000 00 00, 0046…); or \
            the PSP's session id or URL. Telephone numbers and the PSP's session ids and URLs are \
            sealed in the logs; they are compared by fingerprint, which requires the keys, and \
            are never shown. Use - to read TEXT from standard input, which keeps it out of the \
            process list.

            The search index finds whole values, beginnings of words, endings, and sessions with \
            notes. It is first brought up to date if the keys are available. All logs are read, \
            newest first, with --deep, if the index could not be brought up to date, and, in a \
            store of at most 100,000 records, if it has no match; this also finds text inside \
            words. In a larger store, notes and the ends of session ids are compared only if \
            nothing else was found. At most 2,000 sessions of the index are compared; a note says \
            if there are more. Exits 1 if nothing was found.

            Examples:
              workflowctl find order-4711
              workflowctl find 476173******1416 --since 24h
              workflowctl find order-4711 --json --limit 1
              workflowctl find order-4711 --deep
            """
    )

    @Argument(help: ArgumentHelp("The text to find, or - for standard input.", valueName: "text"))
    var text: String

    @OptionGroup var opened: OpeningTimeOptions

    @OptionGroup var imported: ImportedOption

    @Option(help: ArgumentHelp("Stop after this many matches.", valueName: "n"))
    var limit: Int?

    @Flag(help: "Read all logs, which also finds text inside words.")
    var deep = false

    @OptionGroup var global: GlobalOptions

    var isPaged: Bool { true }
    static var commonOptions: Set<String> { ["--server"] }
    static var mayReveal: Bool { false }

    func refuseBadArguments() throws(Failure) {
        if text != "-" { _ = try Wanted.reading(text) }
        if let limit, limit < 1 { throw .usage("limit", "--limit must be at least 1") }
    }

    func perform(in invocation: Invocation) async throws(Failure) -> ExitStatus {
        let wanted = try wanted(in: invocation)
        let now = invocation.now()
        let query = opened.query(at: now)
        if let found = try await findAtService(wanted, query, invocation) { return found }
        return try await Reader.withStore(for: self, in: invocation) { reader throws(Failure) in
            var query = query
            query.origin = try await imported.origin(in: reader, for: global)
            if wanted.isSealed {
                _ = try reader.location.existingVault(environment: invocation.environment)
            }
            var search = SessionSearch(wanted, limit: limit, query: query, in: reader)
            let isSmall: Bool
            do throws(LogReadingError) { isSmall = try await search.isSmall() } catch {
                throw Failure(error)
            }
            let isIndexed = try await search.readIndex(in: reader, isSmall: isSmall)
            let first = search.found
            if !global.json, !first.isEmpty { invocation.print(FoundList(first), asJSON: false) }
            let readsLogs = deep || !isIndexed || (first.isEmpty && isSmall)
            if readsLogs { try await search.readLogs(in: reader) }
            printResult(search, first.count, invocation)
            if search.found.isEmpty { await imported.noteLeftOut(of: reader) }
            if !readsLogs, !search.isCut, invocation.output.isTerminal || first.isEmpty {
                invocation.note("note: only the search index was read; --deep also reads all logs")
            }
            if !readsLogs, !search.isCut { noteNotCompared(search, invocation) }
            return search.scan.unreadable > 0
                ? search.scan.status : search.found.isEmpty ? .refused : .done
        }
    }

    /// Searches at the service that was chosen, which has the index and the keys; `nil` when none
    /// was.
    private func findAtService(
        _ wanted: Wanted,
        _ query: SessionQuery,
        _ invocation: Invocation
    ) async throws(Failure) -> ExitStatus? {
        try await RemoteDriver.run(self, in: invocation) { service throws(Failure) in
            guard !deep, !imported.imported else {
                throw .usage(
                    "server",
                    "a service does not accept --deep and --imported",
                    hint: "search where the store is, with --store URL"
                )
            }
            let (all, isComplete) = try await service.search(for: wanted.text)
            let inTime = all.filter { found in
                (query.since.map { found.row.openedAt >= $0 } ?? true)
                    && (query.until.map { found.row.openedAt < $0 } ?? true)
            }
            let found = Array(inTime.prefix(limit ?? .max))
            invocation.print(FoundList(found), asJSON: global.json)
            if found.isEmpty {
                let narrowed = opened.isBounded ? " opened in that period" : ""
                invocation.note("note: no session\(narrowed) matches")
            }
            if !isComplete {
                invocation.note(
                    "note: there may be more: the service's index is not up to date, or has more "
                        + "than the service returns"
                )
            }
            return found.isEmpty ? .refused : .done
        }
    }

    private func wanted(in invocation: Invocation) throws(Failure) -> Wanted {
        guard text == "-" else { return try Wanted.reading(text) }
        let bytes = try invocation.readInput(Wanted.longest)
        return try Wanted.reading(String(decoding: bytes, as: UTF8.self))
    }

    /// Says that the index has more sessions than were compared.
    private func noteNotCompared(_ search: SessionSearch, _ invocation: Invocation) {
        let most = SearchIndex.mostCandidates
        if search.hasMoreCandidates {
            invocation.note(
                "note: more sessions may match: only \(most) of those that the search index has "
                    + "for this text were compared; give more of the text, or a period with "
                    + "--since and --until"
            )
        }
        if search.hasMoreNotes {
            invocation.note(
                "note: more notes may match: only those of \(most) sessions were compared; give a "
                    + "period with --since and --until, or --deep"
            )
        }
    }

    private func printResult(_ search: SessionSearch, _ told: Int, _ invocation: Invocation) {
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
            let narrowed = opened.isBounded ? " opened in that period" : ""
            invocation.note("note: no session\(narrowed) matches")
            if search.wanted.isNationalNumber {
                invocation.note(
                    search.isWithoutKeys
                        ? "hint: telephone numbers are sealed, and the store's keys are missing; set "
                            + "WORKFLOWCTL_KEY_FILE"
                        : "hint: only Danish, Finnish, Norwegian and Swedish telephone numbers are "
                            + "found without their country code; write others like +46700000000"
                )
            }
        }
        if search.wanted.isSealed || search.wanted.isNationalNumber, search.locked > 0 {
            invocation.note(
                "note: sealed values could not be compared in \(search.locked) sessions: their "
                    + "keys are missing or destroyed"
            )
        }
        if search.isCut, let limit {
            invocation.note("note: stopped after \(limit) matches; there may be more")
        }
        guard !global.json, invocation.output.isTerminal, search.found.count == 1,
            let only = search.found.first
        else { return }
        invocation.note(
            "hint: '\(global.call(invocation.program)) explain \(only.row.session.short)' shows what happened"
        )
    }
}

extension Wanted {
    /// Reads the value to search for.
    ///
    /// - Throws: A usage failure for a text that is too short or too long, and for a full card
    ///   number.
    fileprivate static func reading(_ text: String) throws(Failure) -> Wanted {
        do {
            return try Wanted(text)
        } catch {
            throw .usage("find", error.description, hint: error.hint)
        }
    }
}
