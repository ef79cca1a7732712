package import EventLog
internal import SwedbankPay

/// The attempts of a session, and their results.
package struct AttemptHistory: Sendable {
    /// One attempt.
    struct Entry: Sendable {
        var number: Int
        var choice: Choice
        var startedAt: Instant
        var endedAt: Instant?
        /// The result: `running`, `failed`, the session's outcome, `unknown` while that of the
        /// money is, `probablyCompleted` when the PSP does not say that it was paid with this
        /// attempt, or `resolvedAsPaid` when a person found it paid.
        var result: String
        /// The problem that ended it.
        var problem: Problem?
    }

    private(set) var entries: [Entry] = []

    /// Creates the history of a log's attempts.
    package init(_ log: SessionLog) {
        var state = SessionState(session: log.session)
        for recorded in log.events {
            let before = state.payment?.attempt
            state.apply(recorded.event, at: recorded.at)
            if case .attemptStarted(let started) = recorded.event {
                entries.append(
                    Entry(
                        number: started.number,
                        choice: started.choice,
                        startedAt: recorded.at,
                        result: Self.running
                    )
                )
            } else if before != nil, state.payment?.attempt == nil, !entries.isEmpty {
                let last = entries.count - 1
                entries[last].endedAt = recorded.at
                entries[last].result = state.outcome?.rawValue ?? "failed"
                if case .problem(let problem) = recorded.event { entries[last].problem = problem }
            }
        }
        if let paidWith = state.money.paidWith { record(paidWith) }
        guard let last = entries.indices.last, state.money.paidWith == nil,
            entries[last].result != Outcome.completed.rawValue
        else { return }
        if state.money.standing == .unknown {
            entries[last].result = Self.unknown
        } else if state.money.taken?.evidence == .person {
            entries[last].result = Self.resolvedAsPaid
        }
    }

    /// Records which attempt it was paid with, as far as that is known.
    private mutating func record(_ paidWith: PaidWith) {
        for index in entries.indices {
            if entries[index].number == paidWith.attempt {
                entries[index].result =
                    switch paidWith {
                    case .named: Outcome.completed.rawValue
                    case .probable: Self.probablyCompleted
                    case .possible, .elsewhere: Self.unknown
                    }
            } else if entries[index].result == Outcome.completed.rawValue {
                entries[index].result = "failed"
            }
        }
    }

    /// The result of an attempt that has not ended.
    static let running = "running"
    /// The result of an attempt that was in progress when the PSP reported the payment, without
    /// saying how it was paid.
    static let probablyCompleted = "probablyCompleted"
    /// The result of an attempt that may have taken money.
    static let unknown = "unknown"
    /// The result of an attempt that an operator found paid at the PSP.
    static let resolvedAsPaid = "resolvedAsPaid"

    /// The attempts as JSON.
    package var json: JSONValue {
        .array(
            entries.map { entry in
                [
                    "number": .integer(Int64(entry.number)),
                    "instrument": .string(entry.choice.instrument.rawValue),
                    "paymentMethod": .string(entry.choice.method.rawValue),
                    "startedAt": .string("\(entry.startedAt)"),
                    "endedAt": JSONValue(entry.endedAt?.description),
                    "result": .string(entry.result),
                    "problem": JSONValue(entry.problem.flatMap { $0.kind?.rawValue ?? $0.type }),
                ]
            }
        )
    }

    /// The attempts as text.
    package func text(_ style: Style) -> StyledText {
        entries.map { entry in
            let problem = entry.problem.map {
                ": " + ($0.kind?.rawValue ?? $0.type.map { EventWords.slug(of: $0) } ?? "")
            }
            let words = "\(entry.number)  \(entry.choice.words), \(entry.result)"
            return style.paint(Screen.padded("attempts", to: 11), .dim)
                + Screen.safe(words + (problem ?? "")) + "\n"
        }.joined()
    }
}
