internal import Workflow

/// Where two builds part over a log.
struct BisectReport {
    /// Events in a row that the same build decided with the same catalogue.
    struct Stretch: Hashable {
        var first: Int64
        var last: Int64
        var build: String
        var catalogue: String
    }

    private let log: SessionLog
    private let own: CheckReport
    private let catalogue: String
    private let other: OtherBuild?
    /// Who decided which events.
    let stretches: [Stretch]
    /// The first event at which the two part; nothing when they decide alike as far as the log can tell.
    let place: Int64?

    /// Compares what this build says with the records, or with what another build says.
    init(_ log: SessionLog, _ own: CheckReport, catalogue: String, _ other: OtherBuild?) {
        (self.log, self.own, self.catalogue, self.other) = (log, own, catalogue, other)
        var stretches: [Stretch] = []
        for event in log.events {
            let (build, catalogue) = (event.metadata.build, event.metadata.catalogue)
            if let last = stretches.indices.last, stretches[last].build == build,
                stretches[last].catalogue == catalogue
            {
                stretches[last].last = event.sequence
            } else {
                stretches.append(
                    Stretch(
                        first: event.sequence,
                        last: event.sequence,
                        build: build,
                        catalogue: catalogue
                    )
                )
            }
        }
        self.stretches = stretches
        guard let other else {
            place = own.parting?.sequence
            return
        }
        switch (own.parting, other.decision) {
        case (nil, nil): place = nil
        case (let mine?, nil): place = mine.sequence
        case (nil, let theirs?): place = theirs.sequence
        case (let mine?, let theirs?):
            place =
                mine.sequence == theirs.sequence && mine.wantsSame(as: theirs)
                ? nil : min(mine.sequence, theirs.sequence)
        }
    }

    /// The build that the records name at the place, or the other one that was asked.
    private var opponent: String {
        if let other { return other.version }
        return own.parting.map { "build \($0.build), catalogue \($0.catalogue)" } ?? ""
    }

    private var ownName: String { "build \(Build.version), catalogue \(catalogue)" }

    /// The result for people.
    func lines(_ sink: Sink) -> [String] {
        let style = sink.style
        let table = Table(
            columns: ["events", "decided by build", "catalogue"],
            rows: stretches.map { ["\($0.first)-\($0.last)", $0.build, $0.catalogue] }
        )
        var lines = [String(table.text(for: sink).dropLast()), ""]
        guard let place else {
            lines.append(style.paint("alike", .good) + "  \(log.session)  \(alike)")
            return lines
        }
        lines.append(
            style.paint("parts", .bad) + "  \(log.session)  at event \(place): "
                + "\(Screen.safe(opponent)) | \(ownName)"
        )
        if let parting = own.parting, parting.sequence == place {
            lines += parting.lines(style).map { "  " + $0 }
        } else {
            lines.append("  " + Screen.padded("this build wants", to: 18) + "what the log has")
        }
        guard let other else { return lines }
        if let theirs = other.decision, theirs.sequence == place {
            let wanted =
                theirs.rejection.map { "a refusal [\($0)]" }
                ?? theirs.type.map { "\($0) (\(theirs.words ?? ""))" } ?? "nothing"
            lines.append("  " + Screen.padded("the other wants", to: 18) + wanted)
        } else {
            lines.append("  " + Screen.padded("the other wants", to: 18) + "what the log has")
        }
        return lines
    }

    private var alike: String {
        guard other != nil, let parting = own.parting else {
            return other == nil
                ? "this build takes all decisions of \(own.eventCount) events as they were taken"
                : "both builds take all decisions of \(own.eventCount) events alike"
        }
        return "both builds part from the log at event \(parting.sequence) and want the same; "
            + "past it the log has no answer"
    }

    /// The result as JSON.
    var json: JSONValue {
        let theirs = other?.decision.map { decision in
            JSONValue.object([
                .init("seq", .integer(decision.sequence)), .init("type", JSONValue(decision.type)),
                .init("words", JSONValue(decision.words)),
                .init("rejection", JSONValue(decision.rejection)),
            ])
        }
        return .object([
            .init("session", .string("\(log.session)")),
            .init("events", .integer(Int64(own.eventCount))),
            .init("build", .string(Build.version)), .init("catalogue", .string(catalogue)),
            .init("other", JSONValue(other?.version)), .init("partsAt", JSONValue(place)),
            .init("partsFrom", JSONValue(place.map { _ in opponent })),
            .init("divergence", own.parting.map { .object($0.members) } ?? .null),
            .init("otherDivergence", theirs ?? .null),
            .init(
                "decidedBy",
                .array(
                    stretches.map {
                        .object([
                            .init("from", .integer($0.first)), .init("to", .integer($0.last)),
                            .init("build", .string($0.build)),
                            .init("catalogue", .string($0.catalogue)),
                        ])
                    }
                )
            ),
        ])
    }
}

extension Parting {
    /// Whether another build wants what this one wants, as far as it says.
    fileprivate func wantsSame(as other: OtherBuild.Decision) -> Bool {
        if let rejection = divergence.rejection { return rejection.code == other.rejection }
        guard other.rejection == nil else { return false }
        guard let decided = divergence.decided else { return other.type == nil }
        let changes = members.first { $0.name == "changes" }?.value
        // Builds that do not say what changed are compared by words.
        return EventCodec.typeName(of: decided) == other.type
            && EventWords(decided).words == other.words
            && (other.changes == nil || other.changes == changes)
    }
}
