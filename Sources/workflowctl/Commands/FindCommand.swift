internal import ArgumentParser
internal import EventLog
internal import Inspection
internal import SwedbankPay

/// `find`: the sessions that something belongs to.
struct FindCommand: Command {
    static let configuration = CommandConfiguration(
        commandName: "find",
        abstract: "Find sessions by reference, identity, order, masked card or telephone number.",
        discussion: """
            The text may be the whole or a part of the merchant's reference, of the session's or the PSP's order's \
            identity, a payee reference, a note or a trace identifier; a masked card number or its last four digits; a \
            telephone number (+46700000000), the PSP's session identity or address, which logs hold sealed: they are \
            compared by their fingerprints, which needs the keys, and never shown. - reads the text from standard input, so \
            that it does not stand in the list of processes. Exits 1 when nothing was found.

            Examples:
              workflowctl find order-4711
              workflowctl find 476173******1416 --since 24h
              workflowctl find order-4711 --json
            """
    )

    @Argument(help: ArgumentHelp("What to look for; - for standard input.", valueName: "text"))
    var text: String

    @Option(help: ArgumentHelp("Opened at this time or later.", valueName: "time"))
    var since: TimeArgument?

    @Option(help: ArgumentHelp("Opened before this time.", valueName: "time"))
    var until: TimeArgument?

    @OptionGroup var imported: ImportedOption

    @OptionGroup var global: GlobalOptions

    var isPaged: Bool { true }

    func refuseBadArguments() throws(Failure) { if text != "-" { _ = try Wanted.reading(text) } }

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
            let hasKeys =
                (try? reader.location.existingVault(environment: invocation.environment)) != nil
            var found: [Found] = []
            var locked = 0
            var scan = StoreScan()
            try await scan.read(query, in: reader, "looking") { row, log throws(Failure) in
                var matches = wanted.matches(in: log)
                if hasKeys, matches.isEmpty || wanted.isSealed {
                    do throws(Failure) {
                        let keys = try await reader.unrecordedKeys(of: row.session)
                        matches += wanted.sealedMatches(in: log, keys)
                    } catch {
                        locked += 1
                    }
                }
                if !matches.isEmpty { found.append(Found(row: row, matches: matches)) }
            }
            tell(found, invocation)
            if found.isEmpty, scan.unreadable == 0 {
                let narrowed = since != nil || until != nil ? " opened in that time" : ""
                invocation.note("note: no session\(narrowed) has that in it")
                if wanted.isNationalNumber {
                    invocation.note(
                        "hint: a telephone number is found with the code of its country, as +46700000000"
                    )
                }
            }
            if wanted.isSealed, locked > 0 {
                invocation.note(
                    "note: in \(locked) sessions nothing sealed could be compared: their keys are not here, or erased"
                )
            }
            return scan.unreadable > 0 ? scan.status : found.isEmpty ? .refused : .done
        }
    }

    private func wanted(in invocation: Invocation) throws(Failure) -> Wanted {
        guard text == "-" else { return try Wanted.reading(text) }
        let bytes = try invocation.readInput(Wanted.longest)
        return try Wanted.reading(String(decoding: bytes, as: UTF8.self))
    }

    private func tell(_ found: [Found], _ invocation: Invocation) {
        invocation.print(FoundList(found), asJSON: global.json)
        guard !global.json, invocation.output.isTerminal, let only = found.first, found.count == 1
        else { return }
        invocation.note(
            "hint: '\(global.call(invocation.program)) explain \(only.row.session)' tells what happened"
        )
    }
}

extension Wanted {
    /// Reads what is looked for.
    ///
    /// - Throws: A usage failure for a text that is too short or too long, and for the whole number of a card.
    fileprivate static func reading(_ text: String) throws(Failure) -> Wanted {
        do {
            return try Wanted(text)
        } catch {
            throw .usage("find", error.description, hint: error.hint)
        }
    }
}
