package import EventLog

/// The result of a verification as text and as JSON.
extension Verification {
    /// Returns the result as text, line by line.
    ///
    /// `isComplete` says whether all faults are listed, or the first only.
    package func lines(_ style: Style, listing isComplete: Bool) -> [StyledText] {
        var lines: [StyledText] = []
        if first == nil {
            lines.append(
                style.paint("verified", .good) + "  records: \(records), sessions: \(sessions)"
            )
        } else {
            if isComplete { lines += faults.map { StyledText($0.row) } }
            lines.append(style.paint("damaged", .bad) + "  sessions: \(damaged) of \(sessions)")
            lines.append(StyledText("still trustworthy: \(trustworthy)"))
        }
        return lines + tallyLines.map { StyledText($0) }
    }

    private var tallyLines: [String] {
        var lines: [String] = []
        if tally.sealedValues > 0 { lines.append("sealed values: \(sealWords)") }
        if !tally.unknown.isEmpty { lines.append("unknown to this build: \(unknownWords)") }
        if let checkpoints, checkpoints > 0 { lines.append("checkpoints: \(checkpoints)") }
        if let digest { lines.append("digest: \(digest)") }
        return lines
    }

    /// The part that is still trustworthy in spite of damage.
    private var trustworthy: String {
        var words: [String] = []
        if let told = first?.stillTrue {
            words.append(told)
        } else if let first, let session = first.session, let sequence = first.sequence,
            sequence > 1
        {
            words.append("records 1 to \(sequence - 1) of session \(session)")
        } else if let first, first.session == nil, let line = first.line, line > 1 {
            words.append("lines 1 to \(line - 1)")
        }
        let sound = sessions - damaged
        words.append("\(sound) valid session\(sound == 1 ? "" : "s")")
        return words.joined(separator: ", ") + "; records in all: \(records)"
    }

    private var sealWords: String {
        var words = "\(tally.sealedValues)"
        if tally.seals < tally.sealedValues {
            words += ", redacted: \(tally.sealedValues - tally.seals)"
        }
        guard let seals else {
            return words + ", not decrypted, and records not authenticated: no keys"
        }
        words += ", decrypted: \(seals.opened), authentic records: \(seals.authentic)"
        if seals.withoutKeys > 0 { words += ", keys destroyed: \(seals.withoutKeys)" }
        if seals.withOtherKeys > 0 {
            words += ", wrapped by another master key or altered: \(seals.withOtherKeys)"
        }
        return words
    }

    private var unknownWords: String {
        tally.unknown.sorted { $0.key < $1.key }.map { form, count in
            "\(Screen.safe(Screen.cut(form.type, to: 60))) v\(form.version): \(count)"
        }.joined(separator: ", ")
            + "; written by a newer version and ignored"
    }

    /// The result as JSON.
    ///
    /// `isComplete` says whether all faults are listed, or the first only.
    package func json(listing isComplete: Bool) -> JSONValue {
        var members: [JSONValue.Member] = [
            .init("sound", .bool(first == nil)), .init("sessions", .integer(sessions)),
            .init("damaged", .integer(damaged)), .init("records", .integer(records)),
            .init("fault", first?.json ?? .null),
            .init("sealedValues", .integer(tally.sealedValues)),
            .init("redactedValues", .integer(tally.sealedValues - tally.seals)),
        ]
        let opened = seals.map { seals in
            JSONValue.object([
                .init("opened", .integer(seals.opened)),
                .init("withoutKeys", .integer(seals.withoutKeys)),
                .init("withOtherKeys", .integer(seals.withOtherKeys)),
                .init("authentic", .integer(seals.authentic)),
            ])
        }
        members.append(.init("seals", opened ?? .null))
        members.append(
            .init(
                "unknown",
                .array(
                    tally.unknown.sorted { $0.key < $1.key }.map { form, count in
                        [
                            "type": .string(form.type),
                            "v": .integer(Int64(form.version)),
                            "records": .integer(count),
                        ]
                    }
                )
            )
        )
        members.append(.init("checkpoints", JSONValue(checkpoints.map { Int64($0) })))
        members.append(.init("digest", JSONValue(digest?.description)))
        if isComplete { members.append(.init("faults", .array(faults.map(\.json)))) }
        return .object(members)
    }
}

extension Verification.Fault {
    /// The fault as JSON.
    package var json: JSONValue {
        [
            "session": JSONValue(session?.description),
            "seq": JSONValue(sequence), "line": JSONValue(line.map { Int64($0) }),
            "kind": .string(kind), "message": .string(message),
        ]
    }

    /// Returns the fault as a line of a list.
    fileprivate var row: String {
        [
            session?.description ?? "-", sequence.map { "\($0)" } ?? "-", kind,
            Screen.safe(message),
        ].joined(separator: "\t")
    }
}
