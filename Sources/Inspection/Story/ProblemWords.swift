package import EventLog
package import SwedbankPay

/// Describes the meaning of a row of the problem catalogue.
package struct ProblemWords {
    private let advice: ProblemAdvice
    private let kind: EngineProblemKind?

    /// Creates the words of a row, or of a kind of problem that the engine itself records.
    package init(_ advice: ProblemAdvice, kind: EngineProblemKind? = nil) {
        (self.advice, self.kind) = (advice, kind)
    }

    /// The catalogue's remark for people who help payers; `nil` when all of it is for developers.
    ///
    /// The parts of the remark about calling the PSP or about its codes are left out, with what
    /// follows them in their sentence, which refers to them; so are lists of reasons in
    /// parentheses, of which the PSP says only that one of them applies.
    package var remark: String? {
        let message = advice.operatorMessage
            .replacing(/\s\(e\.g\.\s[^)]*\)/, with: "").replacing(/,\se\.g\.\s[^;.]*/, with: "")
            .replacing(/\s\([^()]*(?:,\s|\sor\s)[^()]*\)/, with: "")
        let parts = message.pieces(between: ". ").compactMap { sentence in
            let clauses = sentence.pieces(between: ";").prefix { !Self.isForEngineers($0) }
            var text = clauses.joined(separator: ";").trimmingBlanks
            if text.last == "." { text.removeLast() }
            // A single word repeats the problem's name.
            return text.unicodeScalars.contains(" ")
                ? text.prefix(1).uppercased() + text.dropFirst() + "." : nil
        }
        return parts.isEmpty ? nil : parts.joined(separator: " ")
    }

    /// Phrases that mark a remark for developers.
    private static let engineersMarks = [
        "GET", "POST", "Codes ", " code", "(NO)", "Norway", "served as", "e.g.", "auto-retry",
        " loop", "back off", "snapshot", "ledger", "repeat", "client programming",
        "invalid resource state", "supply a new id", "see detail",
    ]

    private static func isForEngineers(_ clause: Substring) -> Bool {
        engineersMarks.contains { clause.contains($0) }
            || clause.pieces(between: " ").contains { isCode($0) }
    }

    /// Whether a word is written as only programs are: `problems[]`, `sessionId`,
    /// `abort-not-allowed`, `a=b`.
    private static func isCode(_ word: Substring) -> Bool {
        word.utf8.contains { "[]{}=".utf8.contains($0) } || word.pieces(between: "-").count > 2
            || word.first?.isLowercase == true && word.contains { $0.isUppercase }
    }

    /// The engine's reaction to a request that is refused with this problem.
    var next: [String] {
        [repeating, actor, newAttempt, charging].compactMap(\.self)
    }

    /// A merchant's options when a charge of a stored token was refused with this problem; `nil`
    /// when it may simply be tried again.
    private var charging: String? {
        let time = Self.words(advice.delay)
        return switch advice.chargeAgain {
        case .never: "A stored token refused with this problem must not be charged again."
        case .later:
            "A stored token must not be charged again for \(time)"
                + (advice.chargeLimits.isEmpty
                    ? "."
                    : "; the limit of failed charges of one card is \(ChargeWords.words(advice.chargeLimits)).")
        case .withPayer:
            "A stored token must not be charged again without the payer, who has to pay with 3-D Secure."
        case nil: nil
        }
    }

    private var repeating: String {
        guard advice.isRetryable, kind != .orderMismatch, kind != .paymentWithdrawn else {
            return "The engine does not repeat the request."
        }
        guard advice.cap.tries != 1 else {
            return "The engine does not repeat the request on its own; 'retry' does."
        }
        var words =
            advice.asksFirst
            ? "The engine reads the session first, and repeats the request if it is still offered"
            : "The engine repeats the request; if its outcome is unknown, it reads the session first"
        if advice.delay > .zero { words += ", after at least \(Self.words(advice.delay))" }
        if let tries = advice.cap.tries { words += ", sending it at most \(tries) times" }
        if let time = advice.cap.time { words += ", for at most \(Self.words(time))" }
        return words
            + ". The PSP's Retry-After takes precedence. When the engine has given up, 'retry' repeats the request."
    }

    private var actor: String {
        switch advice.actor {
        case .payer: "The payer has to act."
        case .merchant
        where kind == .orderMismatch || kind == .notConfirmed || kind == .paymentWithdrawn:
            "The merchant has to check the order at the PSP."
        case .merchant: "The merchant has to fix the cause: data, configuration or contract."
        case .psp: "The PSP has to fix the cause; waiting may help."
        }
    }

    private var newAttempt: String {
        switch advice.newAttempt {
        case .any:
            return "The payer can try again, with the same payment method or another one."
        case .other:
            let words = "The payer can try again, but only with another card or method."
            guard !advice.isRetryable, advice.delay > .zero else { return words }
            return words + " The same one stays refused for \(Self.words(advice.delay))."
        case .never:
            return "The payer should not try again until the cause is fixed."
        }
    }

    /// A duration in its largest whole unit; empty for zero.
    package static func words(_ duration: Duration) -> String {
        let seconds = duration.components.seconds
        switch seconds {
        case ...0: return ""
        case let days where days % 86_400 == 0: return "\(days / 86_400) d"
        case let hours where hours % 3600 == 0: return "\(hours / 3600) h"
        case let minutes where minutes % 60 == 0: return "\(minutes / 60) min"
        default: return "\(seconds) s"
        }
    }
}

extension ProblemCatalogue.Row {
    /// The row as JSON, in the form of the catalogue's data.
    package var json: JSONValue { .object(members) }

    /// The members of the row's JSON.
    var members: [JSONValue.Member] {
        [
            .init("slug", .string(slug)),
            .init("type", .string(type)),
            .init("status", JSONValue(status.map { Int64($0) })),
            .init("family", .string(family)),
        ] + advice.members + [.init("source", JSONValue(source))]
    }
}

extension ProblemAdvice {
    /// The members with instructions.
    var members: [JSONValue.Member] {
        let cap = effectiveCap
        return [
            .init("actor", .string(actor.rawValue)),
            .init("class", .string(retryClass.rawValue)),
            .init("retrySameRequest", .bool(isRetryable)),
            .init("newAttempt", .string(newAttempt.rawValue)),
            .init("askFirst", .bool(asksFirst)),
            .init("delaySeconds", .integer(delay.components.seconds)),
            .init("maximumTries", JSONValue(cap.tries.map { Int64($0) })),
            .init("maximumSeconds", JSONValue(cap.time?.components.seconds)),
            .init("chargeAgain", JSONValue(chargeAgain?.rawValue)),
            .init("chargeLimits", .array(chargeLimits.map(\.json))),
            .init("payerMessage", .string(payerMessage)),
            .init("operatorMessage", .string(operatorMessage)),
        ]
    }
}

extension ChargeLimit {
    /// The limit as JSON, in the form of the catalogue's data.
    fileprivate var json: JSONValue {
        .object([
            .init("scheme", .string(scheme)), .init("failures", .integer(Int64(failures))),
            .init("seconds", .integer(window.components.seconds)),
        ])
    }
}

extension String {
    /// The text without surrounding blanks.
    fileprivate var trimmingBlanks: String {
        String(drop { $0 == " " }.reversed().drop { $0 == " " }.reversed())
    }
}
