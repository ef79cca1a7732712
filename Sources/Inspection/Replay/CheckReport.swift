package import EventLog
package import SwedbankPay

/// Whether this build makes the decisions recorded in a log.
package struct CheckReport: Explanation, Sendable {
    let session: SessionID
    let eventCount: Int
    package let parting: Parting?

    /// Repeats every decision in a log.
    package init(_ log: SessionLog, by decider: SessionDecider) {
        session = log.session
        eventCount = log.events.count
        var check = ReplayCheck(of: log.session, by: decider)
        do throws(ReplayCheck.Divergence) {
            for (index, recorded) in log.events.enumerated() {
                let following = log.events.indices.contains(index + 1) ? log.events[index + 1] : nil
                try check.verify(recorded, followedBy: following?.event)
            }
            try check.finish()
            parting = nil
        } catch {
            parting = Parting(error, in: log)
        }
    }

    /// The first difference.
    package var divergence: ReplayCheck.Divergence? { parting?.divergence }

    /// The result as JSON.
    package var json: JSONValue {
        .object([
            .init("session", .string("\(session)")),
            .init("events", .integer(Int64(eventCount))),
            .init("agrees", .bool(parting == nil)),
            .init("divergence", parting.map { .object($0.members) } ?? .null),
        ])
    }

    /// The result as text.
    package func text(for form: TextForm) -> StyledText { text(form.style) + "\n" }

    /// The result as text, without the last line end.
    func text(_ style: Style) -> StyledText {
        guard let parting else {
            return style.paint("agrees", .good)
                + "  \(session)  this build makes the same decisions for all \(eventCount) events"
        }
        return
            ([
                style.paint("differs", .bad) + "  \(session)  at event \(parting.sequence)"
            ] + parting.lines(style).map { "  " + $0 }).joined(separator: "\n")
    }
}

/// The first difference between a log and rules: both decisions, and the build that made the
/// recorded one.
package struct Parting: Hashable, Sendable {
    /// How two decisions differ.
    enum Kind: String, CaseIterable {
        /// The same event with different content.
        case otherContent = "other-content"
        /// Another event.
        case otherEvent = "other-event"
        /// These rules decide no event where the log has one.
        case noEvent = "no-event"
        /// These rules decide an event where the log has none.
        case oneMore = "one-more"
        /// These rules reject what was permitted according to the log.
        case refusal
    }

    let divergence: ReplayCheck.Divergence
    /// The build and the problem catalogue of the recorded decision.
    let build: String
    let catalogue: String
    /// Both events as JSON, for listing their differences.
    private let written: (recorded: JSONValue, decided: JSONValue)?

    package init(_ divergence: ReplayCheck.Divergence, in log: SessionLog) {
        self.divergence = divergence
        // Past the end of the log, the difference is due to the build that made the last decision.
        let index = min(divergence.sequence.count, log.events.count) - 1
        let there = log.events.indices.contains(index) ? log.events[index] : nil
        build = there?.metadata.build ?? ""
        catalogue = there?.metadata.catalogue ?? ""
        guard let there, let recorded = divergence.recorded, let decided = divergence.decided,
            EventCodec.typeName(of: recorded) == EventCodec.typeName(of: decided)
        else {
            written = nil
            return
        }
        func data(_ event: SessionEvent) -> JSONValue? {
            var written = there
            written.event = event
            return (try? JSONValue(parsing: EventCodec.encode(written).canonical))?["data"]
        }
        if let left = data(recorded), let right = data(decided) {
            written = (left, right)
        } else {
            written = nil
        }
    }

    /// The sequence number of the event.
    var sequence: SequenceNumber { divergence.sequence }

    /// How the decisions differ.
    var kind: Kind {
        if divergence.rejection != nil { return .refusal }
        guard let recorded = divergence.recorded else { return .oneMore }
        guard let decided = divergence.decided else { return .noEvent }
        return EventCodec.typeName(of: recorded) == EventCodec.typeName(of: decided)
            ? .otherContent : .otherEvent
    }

    /// The type names of the recorded and the decided event, for counting.
    var names: (recorded: String, decided: String) {
        func name(_ event: SessionEvent?) -> String {
            event.map { EventCodec.typeName(of: $0) } ?? "no event"
        }
        return (
            name(divergence.recorded), divergence.rejection?.code ?? name(divergence.decided)
        )
    }

    /// The width of the labels, and of the space behind the longest one.
    private static let width = 20

    /// Both decisions as text.
    func lines(_ style: Style, to other: String = "this build decides") -> [StyledText] {
        func words(_ event: SessionEvent?) -> String {
            event.map { "\(EventCodec.typeName(of: $0)) (\(EventWords($0).words))" } ?? "no event"
        }
        let decided =
            divergence.rejection.map { "a rejection: \($0) [\($0.code)]" }
            ?? words(divergence.decided)
        var lines = [
            StyledText(Screen.padded("the log has", to: Self.width) + words(divergence.recorded)),
            StyledText(Screen.padded(other, to: Self.width) + decided),
        ]
        if let written {
            lines += ViewDifference(written.recorded, written.decided).lines(style).map {
                Screen.padded("", to: Self.width) + $0
            }
        }
        lines.append(
            StyledText(
                Screen.padded("recorded by", to: Self.width)
                    + "build \(Screen.safe(build)), catalogue \(Screen.safe(catalogue))"
            )
        )
        return lines
    }

    /// Both decisions, as members of an object.
    var members: [JSONValue.Member] {
        let changes = written.map { ViewDifference($0.recorded, $0.decided).json } ?? .array([])
        return [
            .init("seq", .sequence(sequence)), .init("kind", .string(kind.rawValue)),
            .init("recorded", Self.value(divergence.recorded)),
            .init("decided", Self.value(divergence.decided)),
            .init("rejection", JSONValue(divergence.rejection?.code)),
            .init("changes", changes), .init("build", .string(build)),
            .init("catalogue", .string(catalogue)),
        ]
    }

    private static func value(_ event: SessionEvent?) -> JSONValue {
        guard let event else { return .null }
        return .object([
            .init("type", .string(EventCodec.typeName(of: event))),
            .init("words", .string(EventWords(event).words)),
        ])
    }

    package static func == (left: Parting, right: Parting) -> Bool {
        left.divergence == right.divergence && left.build == right.build
            && left.catalogue == right.catalogue
    }

    package func hash(into hasher: inout Hasher) { hasher.combine(divergence) }
}
