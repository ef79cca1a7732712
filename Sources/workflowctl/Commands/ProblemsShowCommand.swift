internal import ArgumentParser
internal import EventLog
internal import Inspection
internal import SwedbankPay

/// `problems show`: shows one kind of problem, and what happens next.
struct ProblemsShowCommand: Command {
    static let configuration = CommandConfiguration(
        commandName: "show",
        abstract:
            "Show a problem type: who has to act, what the engine does, and what the payer may be told.",
        discussion: """
            TYPE can be a full type URL or the part after its prefix, as printed by other \
            commands. If a type has several rows, all are shown; --status and --instrument \
            select the row that the engine would use. For a type without a row, shows what the \
            engine does for its status, and exits 1. Problems that the engine itself raises, \
            such as requestFailed or "request failed", are explained too. For a name that is \
            neither, says so and exits 1.

            Examples:
              workflowctl problems show creditcard/carddeclined
              workflowctl problems show inputerror --instrument swish --status 400
              workflowctl problems show trustly/systemerror --json
              workflowctl problems show requestFailed
            """
    )

    @Argument(help: ArgumentHelp("The problem type.", valueName: "type"))
    var type: String

    @Option(help: ArgumentHelp("The HTTP status of the response.", valueName: "number"))
    var status: Int?

    @Option(help: ArgumentHelp("The instrument of the attempt.", valueName: "instrument"))
    var instrument: Instrument?

    @OptionGroup var problems: ProblemsOptions

    @OptionGroup var global: GlobalOptions

    /// A row, or the substitute for one that does not exist.
    private struct Entry {
        var slug: String
        var status: Int?
        var family: String?
        var advice: ProblemAdvice
        var source: String?
    }

    func refuseBadArguments() throws(Failure) {
        guard status.map({ (100...999).contains($0) }) ?? true else {
            throw .usage("status", "--status must be from 100 to 999")
        }
        guard !type.isEmpty, type.utf8.count <= 256 else {
            throw .usage("type", "a type must have 1 to 256 bytes")
        }
    }

    func perform(in invocation: Invocation) async throws(Failure) -> ExitStatus {
        let catalogue = try problems.catalogue(global, invocation)
        let entries = entries(in: catalogue)
        let isKnown = entries.allSatisfy(\.advice.isKnown)
        if global.json {
            invocation.print([
                "catalogue": .string(catalogue.version),
                "known": .bool(isKnown),
                "rows": .array(entries.map(json)),
            ])
        } else if isKnown || ownKind != nil || mayBeType {
            let style = invocation.output.style
            invocation.print(entries.map { text($0, style) }.joined(separator: "\n\n"))
        }
        guard !isKnown, ownKind == nil else { return .done }
        guard mayBeType else {
            noteUnknown(in: catalogue, invocation)
            return .refused
        }
        invocation.note(
            "the catalogue has no row for this type; the engine uses the rule for its family or status"
        )
        return .refused
    }

    /// The engine's own problem that was named, if it is one.
    private var ownKind: EngineProblemKind? { ProblemCatalogue.engineKind(named: type) }

    /// Whether the text may be a type that the catalogue lacks: as commands print types, or with
    /// the status of a response.
    private var mayBeType: Bool { status != nil || type.contains { $0 == "/" || $0 == ":" } }

    /// Says that no problem has this name, without a rule that may seem to be one of its own.
    private func noteUnknown(in catalogue: ProblemCatalogue, _ invocation: Invocation) {
        invocation.note(
            "note: no such problem: the catalogue has no type of this name, and the engine raises "
                + "no problem of this name"
        )
        let meant = catalogue.nearest(to: type).map { "did you mean '\($0)'? " } ?? ""
        invocation.note(
            "hint: \(meant)run 'workflowctl problems list' to see the types; for one that the "
                + "catalogue lacks, give the whole type or --status"
        )
    }

    /// Returns the substitute for a row of one of the engine's own problems.
    private func entry(of kind: EngineProblemKind, in catalogue: ProblemCatalogue) -> Entry {
        let problem = Problem(origin: .engine, kind: kind, isRetryable: false, actor: kind.actor)
        var advice = SessionDecider(catalogue: catalogue).catalogueAdvice(
            on: problem,
            instrument: instrument
        )
        advice.actor = kind.actor
        advice.operatorMessage = StoryWords.text(problem)
        return Entry(slug: kind.rawValue, advice: advice)
    }

    private func entries(in catalogue: ProblemCatalogue) -> [Entry] {
        if let ownKind { return [entry(of: ownKind, in: catalogue)] }
        let type = catalogue.spelling(of: type)
        let rows = catalogue.rows(of: type)
        guard rows.isEmpty || status != nil || instrument != nil else {
            return rows.map {
                Entry(
                    slug: $0.slug,
                    status: $0.status,
                    family: $0.family,
                    advice: $0.advice,
                    source: $0.source
                )
            }
        }
        let whole = type.contains(":") ? type : ProblemCatalogue.typePrefix + type
        let advice = catalogue.advice(type: whole, status: status, instrument: instrument)
        let row = rows.first { $0.advice == advice }
        return [
            Entry(
                slug: row?.slug ?? ProblemCatalogue.slug(of: whole) ?? type,
                status: row?.status ?? status,
                family: row?.family,
                advice: advice,
                source: row?.source
            )
        ]
    }

    private func json(_ entry: Entry) -> JSONValue {
        let whole =
            entry.slug.contains(":") ? entry.slug : ProblemCatalogue.typePrefix + entry.slug
        return .object(
            [
                .init("slug", .string(entry.slug)),
                .init("type", ownKind == nil ? .string(whole) : .null),
                .init("status", JSONValue(entry.status.map { Int64($0) })),
                .init("family", JSONValue(entry.family)),
            ] + entry.advice.members + [
                .init("source", JSONValue(entry.source)),
                .init(
                    "next",
                    .array(ProblemWords(entry.advice, kind: ownKind).next.map { .string($0) })
                ),
            ]
        )
    }

    private func text(_ entry: Entry, _ style: Style) -> StyledText {
        var lines = [
            style.paint(Screen.safe(entry.slug), .heading)
                + Screen.safe(entry.status.map { "  \($0)" } ?? "")
                + (entry.family.map { "  (\(Screen.safe($0)))" }
                    ?? (ownKind == nil ? "  (not in the catalogue)" : "  (the engine's own)"))
        ]
        func add(_ name: String, _ text: String) {
            lines.append(style.paint(Screen.padded(name, to: 10), .dim) + Screen.safe(text))
        }
        add("actor", entry.advice.actor.rawValue)
        add("class", entry.advice.retryClass.rawValue)
        for (place, step) in ProblemWords(entry.advice, kind: ownKind).next.enumerated() {
            add(place == 0 ? "next" : "", step)
        }
        add("payer", entry.advice.payerMessage)
        if entry.advice.asksFirst, ownKind != .orderMismatch {
            add("", "while the outcome is unknown, tell the payer: \(PayerGuidance.doNotPayAgain)")
        }
        add("operator", entry.advice.operatorMessage)
        if let source = entry.source { add("source", source) }
        return lines.joined(separator: "\n")
    }
}

extension EngineProblemKind {
    /// The party that usually has to act; the problem in a log names the party there.
    fileprivate var actor: SwedbankPay.Actor {
        switch self {
        case .requestFailed, .inconsistency: .psp
        case .configurationFailed, .endReached, .orderMismatch, .notConfirmed: .merchant
        case .threeDSLoadFailed, .abortNotAllowed, .appLaunchFailed, .methodNotAvailable,
            .challengeClosed, .walletFailed, .menuFailed, .deadlineExceeded, .checkInFailed:
            .payer
        }
    }
}
