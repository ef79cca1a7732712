internal import Workflow

/// Whether this build decides what a log says that was decided.
struct CheckReport: Sendable {
    let session: SessionID
    let eventCount: Int
    let divergence: ReplayCheck.Divergence?

    /// Takes every decision in a log anew.
    init(_ log: SessionLog, by decider: SessionDecider) {
        session = log.session
        eventCount = log.events.count
        let masked = log.records.lazy.filter(\.isMasked).map(\.sequence)
        var check = ReplayCheck(of: log.session, by: decider, masked: Set(masked))
        do throws(ReplayCheck.Divergence) {
            for (index, recorded) in log.events.enumerated() {
                let following = log.events.indices.contains(index + 1) ? log.events[index + 1] : nil
                try check.take(recorded, followedBy: following?.event)
            }
            try check.finish()
            divergence = nil
        } catch {
            divergence = error
        }
    }

    /// Prints the result.
    ///
    /// - Returns: 1 at a difference.
    func tell(_ invocation: Invocation, asJSON: Bool) -> ExitStatus {
        if asJSON {
            invocation.print(json)
        } else {
            invocation.print(text(invocation.output.style))
        }
        return divergence == nil ? .done : .refused
    }

    /// The result as JSON.
    var json: JSONValue {
        var difference = JSONValue.null
        if let divergence {
            difference = .object([
                .init("seq", .integer(divergence.sequence)),
                .init("recorded", Self.value(divergence.recorded)),
                .init("decided", Self.value(divergence.decided)),
                .init("rejection", JSONValue(divergence.rejection?.code)),
            ])
        }
        return .object([
            .init("session", .string("\(session)")),
            .init("events", .integer(Int64(eventCount))),
            .init("agrees", .bool(divergence == nil)), .init("divergence", difference),
        ])
    }

    /// The result for people.
    func text(_ style: Style) -> String {
        guard let divergence else {
            return style.paint("agrees", .good)
                + "  \(session)  this build takes all decisions of \(eventCount) events alike"
        }
        func words(_ event: SessionEvent?) -> String {
            event.map { "\(EventCodec.typeName(of: $0)) (\(EventWords($0).words))" } ?? "nothing"
        }
        let decided =
            divergence.rejection.map { "a refusal: \($0) [\($0.code)]" }
            ?? words(divergence.decided)
        return style.paint("differs", .bad) + "  \(session)  at event \(divergence.sequence)\n"
            + "  the log has       \(words(divergence.recorded))\n"
            + "  this build wants  \(decided)"
    }

    private static func value(_ event: SessionEvent?) -> JSONValue {
        guard let event else { return .null }
        return .object([
            .init("type", .string(EventCodec.typeName(of: event))),
            .init("words", .string(EventWords(event).words)),
        ])
    }
}
