package import EventLog
internal import SwedbankPay

/// A story in the form that `explain` prints.
package struct StoryReport: Explanation {
    private let story: Story
    /// The end with fixed texts, for programs.
    private let end: StoryEnd
    private let program: String
    private let namesEvents: Bool
    private let isImported: Bool
    private let possibleDuplicates: [SessionID]

    /// Creates a report on a story.
    ///
    /// - Parameters:
    ///   - story: The story.
    ///   - program: The program's name in commands.
    ///   - namesEvents: Whether the text lists the events behind each sentence; the JSON document
    ///     always does.
    ///   - isImported: Whether the session was opened elsewhere and can be driven only there.
    ///   - possibleDuplicates: The other paid sessions of the same order.
    package init(
        _ story: Story,
        program: String,
        why namesEvents: Bool,
        isImported: Bool = false,
        possibleDuplicates: [SessionID] = []
    ) {
        self.story = story
        self.isImported = isImported
        self.possibleDuplicates = possibleDuplicates
        end = StoryEnd(story)
        self.program = program
        self.namesEvents = namesEvents
    }

    private var begin: Instant { story.sentences.first?.at ?? story.state.openedAt }

    /// The text; on a terminal it is wrapped to the width, elsewhere never.
    package func text(for form: TextForm) -> StyledText {
        let (style, clock) = (form.style, form.clock)
        let end = StoryEnd(story, by: clock)
        var page = Paragraphs(form)
        page.add("Session", "\(story.session)", .heading)
        if let reference = story.state.reference {
            page.add("Reference", Screen.safe(reference), nil)
        }
        page.add("Started", clock.second(begin), nil)
        let amount = story.amountWords
        if !amount.isEmpty { page.add("Amount", amount, nil) }
        page.add(
            "Summary",
            end.summary + reasons(story.standing.sequences),
            .heading
        )
        page.add("")
        let texts = StoryText(story, by: clock).sentences
        for (sentence, text) in zip(story.sentences, texts) {
            let role: Style.Role? =
                switch sentence.fact.tone {
                case .good: .good
                case .bad: .bad
                case .waiting: .dim
                case .plain: nil
                }
            page.add(
                Self.offset(sentence.at, begin),
                text + reasons(sentence.sequences),
                role
            )
        }
        page.add("")
        let standing = reasons(story.standing.sequences)
        page.add("Money", end.money + reasons(story.standing.starts), nil)
        if let duplicates { page.add("Duplicate?", duplicates, .bad) }
        let turn =
            duplicates != nil && end.isForNobody
            ? "The merchant has to decide about the possible duplicate." : end.turn
        page.add("Next move", turn + standing, nil)
        if let message = end.payerMessage { page.add("Payer", "Tell them: \"\(message)\"", nil) }
        for (number, step) in steps.enumerated() {
            page.add(number == 0 ? "To do" : step.relation.rawValue, step.words, nil)
            // A command to paste stays on one line.
            if let command = step.command {
                page.add(verbatim: style.paint(shortened(command, form), .accent))
            }
        }
        return page.text
    }

    /// The command, on a terminal with the short identifier, so that it fits a line.
    private func shortened(_ command: String, _ form: TextForm) -> String {
        form.isTerminal
            ? command.rewriting("\(story.session)", as: story.session.short) : command
    }

    /// What is said of other payments for the same order; `nil` when there are none.
    private var duplicates: String? {
        guard !possibleDuplicates.isEmpty else { return nil }
        let order = story.state.orderReference.map { " " + Screen.safe($0) } ?? ""
        let sessions = possibleDuplicates.map(\.short).joined(separator: ", ")
        return "The same order\(order) was also paid in \(sessions). Find out whether the payer "
            + "meant to pay twice; if not, cancel or refund one of the payments."
    }

    /// Whether it proposes commands, all of which need the session's store.
    package var proposesCommands: Bool { steps.contains { $0.command != nil } }

    /// The next step; for an imported session, only what is possible here.
    private var steps: [NextStep] {
        let steps = end.steps(program)
        guard isImported else { return steps }
        var readable = steps.filter { step in
            guard let command = step.command else { return true }
            return ["show", "verify"].contains { command.hasPrefix("\(program) \($0) ") }
        }
        guard readable.count < steps.count else { return steps }
        let isOver = story.standing.outcome != nil
        let elsewhere = NextStep(
            words: isOver
                ? "act on it in the installation that opened it"
                : "continue it in the installation that opened it",
            command: nil
        )
        if !readable.isEmpty { readable[0].relation = .addition }
        return [elsewhere] + readable
    }

    private func reasons(_ sequences: [SequenceNumber]) -> String {
        namesEvents && !sequences.isEmpty ? " [" + Self.ranges(sequences) + "]" : ""
    }

    /// The numbers as ranges: `3-5, 8`.
    package static func ranges(_ sequences: [SequenceNumber]) -> String {
        var parts: [(SequenceNumber, SequenceNumber)] = []
        for sequence in sequences.sorted() {
            if let last = parts.last, last.1 + 1 >= sequence {
                parts[parts.count - 1].1 = sequence
            } else {
                parts.append((sequence, sequence))
            }
        }
        return parts.map { $0.0 == $0.1 ? "\($0.0)" : "\($0.0)-\($0.1)" }.joined(separator: ", ")
    }

    /// The time since the beginning, for a column: `+0:46.0`, `+1:02:03`, `+21d 7:42`; from 1000
    /// days on, only the days.
    package static func offset(_ instant: Instant, _ begin: Instant) -> String {
        let milliseconds = max(0, (instant.microseconds - begin.microseconds) / 1000)
        let seconds = milliseconds / 1000
        func digits(_ number: Int64) -> String { number < 10 ? "0\(number)" : "\(number)" }
        if seconds < 3600 {
            return "+\(seconds / 60):\(digits(seconds % 60)).\(milliseconds % 1000 / 100)"
        }
        let (hours, minutes) = (seconds / 3600, digits(seconds / 60 % 60))
        switch hours / 24 {
        case 0: return "+\(hours):\(minutes):\(digits(seconds % 60))"
        case ..<1000: return "+\(hours / 24)d \(hours % 24):\(minutes)"
        default: return "+\(hours / 24)d"
        }
    }

    /// The report as one JSON document.
    package var json: JSONValue {
        let standing = story.standing
        let state = story.state
        // Each text stands alone, since a program may show one of them.
        let texts = story.sentences.map { StoryWords.text($0.fact, in: story) }
        return .object([
            .init("session", .string("\(story.session)")),
            .init("reference", JSONValue(state.reference)),
            .init("openedAt", .string("\(begin)")),
            .init("lastAt", .string("\(state.lastAt)")),
            .init("lastSeq", .sequence(state.sequence)),
            .init("phase", .string(standing.phase.rawValue)),
            .init("outcome", JSONValue(standing.outcome?.rawValue)),
            .init("summary", cited(end.summary, standing.sequences)),
            .init("story", .array(zip(story.sentences, texts).map { json(of: $0, $1) })),
            .init(
                "money",
                .object(
                    standing.money.json.members + [
                        .init("text", .string(end.money)),
                        .init("starts", .array(standing.starts.map { .sequence($0) })),
                        .init("attempts", .integer(Int64(standing.attempts))),
                    ]
                )
            ),
            .init(
                "nextMove",
                .object([
                    .init("who", .string(standing.turn.word)), .init("text", .string(end.turn)),
                    .init("seqs", .array(standing.sequences.map { .sequence($0) })),
                    .init("dueAt", JSONValue(standing.dueAt?.description)),
                ])
            ),
            .init(
                "possibleDuplicates",
                .array(possibleDuplicates.map { .string("\($0)") })
            ),
            .init("payerMessage", JSONValue(end.payerMessage)),
            .init("newAttempt", .string(standing.guidance.newAttempt.rawValue)),
            .init(
                "toDo",
                .array(
                    steps.map {
                        .object([
                            .init("text", .string($0.words)),
                            .init("command", JSONValue($0.command)),
                        ])
                    }
                )
            ),
        ])
    }

    private func cited(_ text: String, _ sequences: [SequenceNumber]) -> JSONValue {
        .object([
            .init("text", .string(text)),
            .init("seqs", .array(sequences.map { .sequence($0) })),
        ])
    }

    private func json(of sentence: Story.Sentence, _ text: String) -> JSONValue {
        var members: [JSONValue.Member] = [
            .init("at", .string("\(sentence.at)")),
            .init("afterMilliseconds", .integer((sentence.at - begin).wholeMilliseconds)),
            .init("kind", .string(sentence.fact.kind)),
            .init("text", .string(text)),
            .init("seqs", .array(sentence.sequences.map { .sequence($0) })),
        ]
        switch sentence.fact {
        case .attemptFailed(_, let problem, let advice), .problem(let problem, let advice):
            members.append(
                .init(
                    "problem",
                    .object([
                        .init("kind", JSONValue(problem.kind?.rawValue)),
                        .init("type", JSONValue(problem.type)),
                        .init("status", JSONValue(problem.status.map { Int64($0) })),
                        .init("actor", .string(problem.actor.rawValue)),
                        .init(
                            "retryable",
                            .bool(
                                problem.origin != .session && problem.isRetryable
                                    && story.standing.money.permitsRetry
                            )
                        ),
                        .init("newAttempt", .string(advice.newAttempt.rawValue)),
                        .init("payerMessage", .string(advice.payerMessage)),
                    ])
                )
            )
        default: break
        }
        return .object(members)
    }
}

extension Story {
    /// The amount to be paid, or the amount that was paid if it is known; empty if no amount is
    /// known.
    package var amountWords: String { state.money.amountWords }
}

extension MoneyState {
    /// The amount to be paid, or the amount that was paid if it is known; empty if no amount is
    /// known, and for a verification.
    var amountWords: String {
        isVerification ? "" : StoryWords.money(taken?.amount ?? amount, currency, "")
    }
}

extension JSONValue {
    /// The members of an object.
    fileprivate var members: [Member] {
        if case .object(let members) = self { members } else { [] }
    }
}

extension Story.Fact {
    /// The tone of a sentence.
    fileprivate enum Tone { case plain, waiting, good, bad }

    fileprivate var tone: Tone {
        switch self {
        case .ended(.paid): .good
        case .ended, .order(.refused),
            .attemptFailed, .problem, .trouble, .interrupted, .unreadable,
            .notAcknowledged:
            .bad
        case .silence: .waiting
        default: .plain
        }
    }
}
