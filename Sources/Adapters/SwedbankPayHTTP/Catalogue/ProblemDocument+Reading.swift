internal import EventLog
internal import SwedbankPay

extension ProblemDocument {
    /// Reads the body of an unsuccessful response, whatever its form.
    ///
    /// The body itself is always kept, sealed and truncated to a limit; whatever cannot be read is
    /// left out.
    ///
    /// - Parameters:
    ///   - body: The body.
    ///   - keys: The session's keys.
    ///   - secrets: The table that receives the plaintexts of sealed values.
    ///   - known: Secrets of the request that no text may quote in the clear.
    ///   - limits: The limits.
    /// - Returns: The document, of type `about:blank` when the body does not name one.
    /// - Note: Source: problem catalogue, parsing rules.
    static func read(
        _ body: [UInt8],
        keys: SessionKeys,
        secrets: inout SecretTable,
        known: [String],
        limits: ResponseLimits
    ) -> ProblemDocument {
        var document = ProblemDocument(type: "about:blank", isWellFormed: false)
        guard !body.isEmpty else { return document }
        document.raw = secrets.seal(
            String(decoding: body, upTo: limits.rawBytes),
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

/// Reads the status member of a problem.
enum ProblemStatus {
    /// Reads a number, leniently also one written as text.
    ///
    /// - Returns: `nil` for a value that cannot be a status.
    static func read(_ json: ForeignJSON) -> Int? {
        let number = json.integer ?? json.string.flatMap { Int64($0) }
        guard let number, (100...999).contains(number) else { return nil }
        return Int(number)
    }
}
