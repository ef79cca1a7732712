package import EventLog
package import SwedbankPay

/// What is known of a problem that a person names: who has to act, what the engine does, and what
/// the payer may be told.
package struct NamedProblem: Explanation {
    /// Where the rules for a problem come from.
    package enum Source: Sendable {
        /// The rows of the catalogue.
        case catalogue
        /// The engine, which raises the problem itself.
        case engine
        /// The family or the status, as the catalogue has no row for the type.
        case substitute
        /// Nowhere: no problem has this name.
        case unknown
    }

    /// A row, or the substitute for one that does not exist.
    private struct Row {
        var slug: String
        var status: Int?
        var family: String?
        var advice: ProblemAdvice
        var source: String?
    }

    /// Where the rules come from.
    package let source: Source
    private let catalogue: ProblemCatalogue
    /// The engine's own problem that was named, if it is one.
    private let kind: EngineProblemKind?
    private let rows: [Row]

    /// Finds a problem in the catalogue or among those of the engine.
    ///
    /// - Parameters:
    ///   - name: The type, in any spelling that other reports print, or the engine's name.
    ///   - status: The status of the response.
    ///   - instrument: The instrument of the attempt. With it or a status, the row is the one that
    ///     the engine would use; otherwise all rows of the type are found.
    ///   - catalogue: The catalogue.
    package init(
        _ name: String,
        status: Int?,
        instrument: Instrument?,
        in catalogue: ProblemCatalogue
    ) {
        self.catalogue = catalogue
        kind = ProblemCatalogue.engineKind(named: name)
        rows =
            kind.map { [Self.row(of: $0, instrument: instrument, in: catalogue)] }
            ?? Self.rows(
                of: catalogue.spelling(of: name),
                status: status,
                instrument: instrument,
                in: catalogue
            )
        // As reports print types, or with the status of a response.
        let mayBeType = status != nil || name.unicodeScalars.contains { $0 == "/" || $0 == ":" }
        source =
            if kind != nil {
                .engine
            } else if rows.allSatisfy(\.advice.isKnown) {
                .catalogue
            } else {
                mayBeType ? .substitute : .unknown
            }
    }

    /// Returns the substitute for a row of one of the engine's own problems.
    private static func row(
        of kind: EngineProblemKind,
        instrument: Instrument?,
        in catalogue: ProblemCatalogue
    ) -> Row {
        let problem = Problem(origin: .engine, kind: kind, isRetryable: false, actor: kind.actor)
        var advice = SessionDecider(catalogue: catalogue).catalogueAdvice(
            on: problem,
            instrument: instrument
        )
        advice.actor = kind.actor
        advice.operatorMessage = StoryWords.text(problem)
        return Row(slug: kind.rawValue, advice: advice)
    }

    private static func rows(
        of type: String,
        status: Int?,
        instrument: Instrument?,
        in catalogue: ProblemCatalogue
    ) -> [Row] {
        let rows = catalogue.rows(of: type)
        guard rows.isEmpty || status != nil || instrument != nil else {
            return rows.map {
                Row(
                    slug: $0.slug,
                    status: $0.status,
                    family: $0.family,
                    advice: $0.advice,
                    source: $0.source
                )
            }
        }
        let whole = type.unicodeScalars.contains(":") ? type : ProblemCatalogue.typePrefix + type
        let advice = catalogue.advice(type: whole, status: status, instrument: instrument)
        let row = rows.first { $0.advice == advice }
        return [
            Row(
                slug: row?.slug ?? ProblemCatalogue.slug(of: whole) ?? type,
                status: row?.status ?? status,
                family: row?.family,
                advice: advice,
                source: row?.source
            )
        ]
    }
}

extension NamedProblem {
    /// The rows as one JSON document.
    package var json: JSONValue {
        [
            "catalogue": .string(catalogue.version),
            "known": .bool(rows.allSatisfy(\.advice.isKnown)),
            "rows": .array(rows.map(document)),
        ]
    }

    private func document(_ row: Row) -> JSONValue {
        let whole =
            row.slug.unicodeScalars.contains(":")
            ? row.slug : ProblemCatalogue.typePrefix + row.slug
        return .object(
            [
                .init("slug", .string(row.slug)),
                .init("type", kind == nil ? .string(whole) : .null),
                .init("status", JSONValue(row.status.map { Int64($0) })),
                .init("family", JSONValue(row.family)),
            ] + row.advice.members + [
                .init("source", JSONValue(row.source)),
                .init(
                    "next",
                    .array(ProblemWords(row.advice, kind: kind).next.map { .string($0) })
                ),
            ]
        )
    }

    /// The rows, with an empty line between two.
    package func text(for form: TextForm) -> StyledText {
        rows.map { text($0, form.style) }.joined(separator: "\n\n") + "\n"
    }

    private func text(_ row: Row, _ style: Style) -> StyledText {
        var lines = [
            style.paint(Screen.safe(row.slug), .heading)
                + Screen.safe(row.status.map { "  \($0)" } ?? "")
                + (row.family.map { "  (\(Screen.safe($0)))" }
                    ?? (kind == nil ? "  (not in the catalogue)" : "  (the engine's own)"))
        ]
        func add(_ name: String, _ text: String) {
            lines.append(style.paint(Screen.padded(name, to: 10), .dim) + Screen.safe(text))
        }
        add("actor", row.advice.actor.rawValue)
        add("class", row.advice.retryClass.rawValue)
        for (place, step) in ProblemWords(row.advice, kind: kind).next.enumerated() {
            add(place == 0 ? "next" : "", step)
        }
        add("payer", row.advice.payerMessage)
        if row.advice.asksFirst, kind != .orderMismatch, kind != .paymentWithdrawn {
            add("", "while the outcome is unknown, tell the payer: \(PayerGuidance.doNotPayAgain)")
        }
        add("operator", row.advice.operatorMessage)
        if let source = row.source { add("source", source) }
        return lines.joined(separator: "\n")
    }
}

extension EngineProblemKind {
    /// The party that usually has to act; the problem in a log names the party there.
    fileprivate var actor: SwedbankPay.Actor {
        switch self {
        case .requestFailed, .inconsistency: .psp
        case .configurationFailed, .endReached, .orderMismatch, .notConfirmed, .paymentWithdrawn:
            .merchant
        case .threeDSLoadFailed, .abortNotAllowed, .appLaunchFailed, .methodNotAvailable,
            .challengeClosed, .walletFailed, .menuFailed, .deadlineExceeded, .checkInFailed:
            .payer
        }
    }
}
