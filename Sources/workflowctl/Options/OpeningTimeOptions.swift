internal import ArgumentParser
internal import EventLog

/// When the sessions were opened that a command reads.
struct OpeningTimeOptions: ParsableArguments, Sendable {
    @Option(help: ArgumentHelp("Only sessions opened at or after this time.", valueName: "time"))
    var since: TimeArgument?

    @Option(
        help: ArgumentHelp(
            "Only sessions opened before this time, or until the end of this day.",
            valueName: "time"
        )
    )
    var until: TimeArgument?

    /// Whether sessions are left out.
    var isBounded: Bool { since != nil || until != nil }

    /// The query for these sessions, or for those with a label.
    func query(at now: Instant, label: String? = nil) -> SessionQuery {
        SessionQuery(
            label: label,
            since: since?.instant(from: now),
            until: until?.end(from: now)
        )
    }
}
