internal import EventLog
internal import SwedbankPay

extension ProblemDocument {
    /// Reads the body of an answer that refuses, whatever it is.
    ///
    /// The body itself is always kept, sealed and cut to a bound; what can't be read of it is left out.
    ///
    /// - Parameters:
    ///   - body: The body.
    ///   - keys: The session's keys.
    ///   - secrets: The table that takes the plaintexts of what is sealed.
    ///   - known: Secrets of the request that no text may quote in the clear.
    ///   - limits: The bounds.
    ///
    /// - Note: Source: problem catalogue, parsing rules.
    static func read(
        _ body: [UInt8],
        keys: SessionKeys,
        secrets: inout SecretTable,
        known: [String],
        limits: AnswerLimits
    ) -> ProblemDocument {
        var document = ProblemDocument(type: "about:blank", isWellFormed: false)
        guard !body.isEmpty else { return document }
        document.raw = secrets.seal(
            String(decoding: body, as: UTF8.self).prefix(bytes: limits.rawBytes),
            with: keys
        )
        guard let members = ProblemMembers(body, limits: limits) else { return document }
        if let type = members.type, OutsideTextScreen.isProblemType(type, known: known) {
            document.type = type
        }
        document.status = members.status
        func screened(_ text: String) -> OutsideText {
            OutsideTextScreen.text(text, keys: keys, secrets: &secrets, known: known)
        }
        document.title = members.title.map(screened)
        document.detail = members.explanation.map(screened)
        document.isWellFormed = members.isWellFormed
        return document
    }
}

/// The status that a problem carries.
enum ProblemStatus {
    /// Reads a number, leniently also one that was written as text.
    ///
    /// - Returns: Nothing for what no status can be.
    static func read(_ json: ProviderJSON) -> Int? {
        let number = json.integer ?? json.string.flatMap { Int64($0) }
        guard let number, (100...999).contains(number) else { return nil }
        return Int(number)
    }
}
