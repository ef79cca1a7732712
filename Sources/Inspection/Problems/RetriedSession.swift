package import EventLog
package import SwedbankPay

/// A session that was chosen to be retried with others, and the result of its retry.
package struct RetriedSession: Sendable {
    /// Why a session was not, or would not be, retried.
    package struct Refusal: Error, Hashable, Sendable {
        /// A short, stable code.
        package var code: String
        /// A description for people.
        package var message: String

        /// Creates a refusal.
        package init(code: String, message: String) {
            (self.code, self.message) = (code, message)
        }
    }

    /// The session before the retry.
    package let summary: SessionSummary
    /// The state after the retry; `nil` when it was not retried.
    package var state: SessionState?
    /// Why it was not, or would not be, retried.
    package var refusal: Refusal?

    /// Creates a session that was not retried.
    package init(_ summary: SessionSummary, refusal: Refusal?) {
        (self.summary, self.refusal) = (summary, refusal)
    }
}

extension RetriedSession {
    /// The result, in one word.
    package var result: String {
        guard refusal == nil else { return "refused" }
        guard let state else { return "retryable" }
        return failedAgain ? "failed" : state.outcome.map(\.rawValue) ?? "retried"
    }

    /// Whether a request failed again.
    package var failedAgain: Bool { state?.problem?.problem.kind == .requestFailed }

    /// The state of the money.
    package var money: String? { state.map { $0.money.standing.rawValue } ?? summary.facts?.money }

    /// The current problem.
    package var problem: String? {
        guard let state else { return summary.problemName }
        return state.problem.map { $0.problem.kind?.rawValue ?? $0.problem.type ?? "" }
    }

    /// The session and its result as JSON.
    package var json: JSONValue {
        [
            "session": .string("\(summary.session)"),
            "reference": JSONValue(summary.reference.map(Screen.safe)),
            "host": JSONValue(summary.facts?.host), "money": JSONValue(money),
            "problem": JSONValue(problem), "result": .string(result),
            "refused": JSONValue(refusal?.code),
        ]
    }
}
