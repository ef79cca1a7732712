package import EventLog
internal import SwedbankPay
internal import Workflow

/// The first difference between the decisions of two builds for a log.
package struct BisectReport: Explanation, Sendable {
    /// Consecutive events that the same build decided with the same catalogue.
    struct Stretch: Hashable, Sendable {
        var first: SequenceNumber
        var last: SequenceNumber
        var build: String
        var catalogue: String
    }

    /// The divergence in one line.
    struct Line: Sendable {
        var session: SessionID
        var sequence: SequenceNumber
        var at: Instant
        var opponent: BisectSummary.Opponent

        /// Whether it was recorded before another one.
        func isBefore(_ other: Line) -> Bool { at < other.at }
    }

    private let log: SessionLog
    private let own: CheckReport
    private let build: String
    private let catalogue: String
    private let other: OtherBuild?
    /// Which build decided which events.
    let stretches: [Stretch]
    /// The sequence number of the first event at which the two diverge; `nil` when they make the
    /// same decisions as far as the log shows.
    package let sequence: SequenceNumber?

    /// Compares this build's decisions with the records, or with another build's.
    ///
    /// - Parameters:
    ///   - log: The log.
    ///   - own: This build's check of it.
    ///   - build: The name of this build.
    ///   - catalogue: The problem catalogue that it uses.
    ///   - other: Another build's result; `nil` to compare with the records.
    package init(
        _ log: SessionLog,
        _ own: CheckReport,
        build: String,
        catalogue: String,
        _ other: OtherBuild?
    ) {
        (self.log, self.own, self.other) = (log, own, other)
        (self.build, self.catalogue) = (build, catalogue)
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
            sequence = own.parting?.sequence
            return
        }
        switch (own.parting, other.decision) {
        case (nil, nil): sequence = nil
        case (let mine?, nil): sequence = mine.sequence
        case (nil, let theirs?): sequence = theirs.sequence
        case (let mine?, let theirs?):
            sequence =
                mine.sequence == theirs.sequence && mine.wantsSame(as: theirs)
                ? nil : min(mine.sequence, theirs.sequence)
        }
    }

    /// The number of events in the log.
    var eventCount: Int { own.eventCount }

    /// The builds to which this build is compared: those that made the decisions in the log, or the
    /// other program.
    var opponents: Set<BisectSummary.Opponent> {
        if let other { return [BisectSummary.Opponent(build: other.version, catalogue: nil)] }
        return Set(
            stretches.map { BisectSummary.Opponent(build: $0.build, catalogue: $0.catalogue) }
        )
    }

    /// The divergence in one line; one past the end of the log has the time of the last event.
    var line: Line? {
        guard let sequence else { return nil }
        let index = min(sequence.count, log.events.count) - 1
        guard log.events.indices.contains(index) else { return nil }
        let metadata = log.events[index].metadata
        return Line(
            session: log.session,
            sequence: sequence,
            at: log.events[index].at,
            opponent: other.map { .init(build: $0.version, catalogue: nil) }
                ?? .init(build: metadata.build, catalogue: metadata.catalogue)
        )
    }

    /// The divergence as the first one of a pair of builds, as JSON.
    var firstJSON: JSONValue? {
        line.map { line in
            .object([
                .init("session", .string("\(line.session)")),
                .init("seq", .sequence(line.sequence)),
                .init("at", .string("\(line.at)")),
                .init("divergence", own.parting.map { .object($0.members) } ?? .null),
                .init("otherDivergence", theirs ?? .null),
            ])
        }
    }

    /// The build that the records name at the divergence, or the other program.
    private var opponent: String {
        if let other { return other.version }
        return line?.opponent.words ?? ""
    }

    private var ownName: String { "build \(build), catalogue \(catalogue)" }

    /// The result as text.
    package func text(for form: TextForm) -> StyledText {
        let style = form.style
        let table = Table(
            columns: ["events", "decided by build", "catalogue"],
            rows: stretches.map { ["\($0.first)-\($0.last)", $0.build, $0.catalogue] }
        )
        var lines = [table.text(for: form)]
        if sequence == nil {
            lines.append(style.paint("same", .good) + "  \(log.session)  \(alike)")
        }
        return (lines + parts(style)).lines
    }

    /// The divergence and both decisions as text; empty when there is none.
    func parts(_ style: Style) -> [StyledText] {
        guard let sequence else { return [] }
        var lines = [
            style.paint("differs", .bad) + "  \(log.session)  at event \(sequence): "
                + "\(Screen.safe(opponent)) | \(ownName)"
        ]
        if let parting = own.parting, parting.sequence == sequence {
            lines += parting.lines(style).map { "  " + $0 }
        } else {
            lines.append(StyledText("  " + Screen.padded("this build", to: 18) + asTheLog))
        }
        guard let other else { return lines }
        if let theirs = other.decision, theirs.sequence == sequence {
            let wanted =
                theirs.rejection.map { "a rejection [\($0)]" }
                ?? theirs.type.map { "\($0) (\(theirs.words ?? ""))" } ?? "no event"
            lines.append(StyledText("  " + Screen.padded("the other build", to: 18) + wanted))
        } else {
            lines.append(StyledText("  " + Screen.padded("the other build", to: 18) + asTheLog))
        }
        return lines
    }

    private var asTheLog: String { "the same as the log" }

    private var alike: String {
        guard other != nil, let parting = own.parting else {
            return other == nil
                ? "this build makes the same decisions for all \(own.eventCount) events"
                : "both builds make the same decisions for all \(own.eventCount) events"
        }
        return
            "both builds make the same decision, which differs from the log, at event \(parting.sequence); "
            + "later events cannot be compared"
    }

    /// The event at which the other program diverges from the log.
    private var theirs: JSONValue? {
        other?.decision.map { decision in
            .object([
                .init("seq", .sequence(decision.sequence)), .init("type", JSONValue(decision.type)),
                .init("words", JSONValue(decision.words)),
                .init("rejection", JSONValue(decision.rejection)),
            ])
        }
    }

    /// The result as JSON.
    package var json: JSONValue {
        .object([
            .init("session", .string("\(log.session)")),
            .init("events", .integer(Int64(own.eventCount))),
            .init("build", .string(build)), .init("catalogue", .string(catalogue)),
            .init("other", JSONValue(other?.version)), .init("partsAt", JSONValue(sequence)),
            .init("partsFrom", JSONValue(sequence.map { _ in opponent })),
            .init("divergence", own.parting.map { .object($0.members) } ?? .null),
            .init("otherDivergence", theirs ?? .null),
            .init(
                "decidedBy",
                .array(
                    stretches.map {
                        .object([
                            .init("from", .sequence($0.first)), .init("to", .sequence($0.last)),
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
    /// Whether another build makes the same decision, as far as it reports.
    fileprivate func wantsSame(as other: OtherBuild.Decision) -> Bool {
        if let rejection = divergence.rejection { return rejection.code == other.rejection }
        guard other.rejection == nil else { return false }
        guard let decided = divergence.decided else { return other.type == nil }
        guard EventCodec.typeName(of: decided) == other.type else { return false }
        // Builds that do not report the changed members are compared by their descriptions.
        guard let changes = other.changes, changes != .array([]) else {
            return EventWords(decided).words == other.words
        }
        return changes == members.first { $0.name == "changes" }?.value
    }
}
