internal import Adapters
internal import ArgumentParser
internal import Inspection
internal import SwedbankPay

/// `tail`: prints events as they are recorded.
struct TailCommand: Command {
    static let configuration = CommandConfiguration(
        commandName: "tail",
        abstract: "Follow the events of one session or all sessions as they are recorded.",
        discussion: """
            Shows events from all processes that use the store. For a single session, the latest \
            events are shown first. On a terminal, times are local, and the date is printed \
            wherever it changes. With --json, prints the log format. Stops when interrupted \
            (exit 130), when its output is closed and, with --until ended, when the session has \
            ended. If the store becomes unavailable, waits until it is back.

            Examples:
              workflowctl tail SESSION --until ended --last 3
              workflowctl tail --problems --reference order-4711 --for 2s
              workflowctl tail --json --type completed --type problem --for 2s
            """
    )

    @Argument(
        help: ArgumentHelp("The session. Default: all.", valueName: "id"),
        completion: SessionCompletion.sessions
    )
    var id: String?

    @Option(
        help: ArgumentHelp("Show only events of this type; may be repeated.", valueName: "type")
    )
    var type: [String] = []

    @Flag(help: "Show only problems, failed requests and sessions that ended unpaid.")
    var problems = false

    @Option(
        help: ArgumentHelp("Show only sessions with this merchant reference.", valueName: "text")
    )
    var reference: String?

    @Option(
        help: ArgumentHelp(
            "With a session, the number of existing events to show first.",
            valueName: "n"
        )
    )
    var last = 10

    @Option(
        help: ArgumentHelp("With a session, 'ended' stops when it has ended.", valueName: "ended")
    )
    var until: Goal?

    @Option(
        name: .customLong("for"),
        help: ArgumentHelp("Stop after this duration.", valueName: "duration")
    )
    var time: DurationArgument?

    @OptionGroup var global: GlobalOptions

    var sessionNames: [String] {
        get { id.map { [$0] } ?? [] }
        set { id = newValue.first }
    }

    func refuseBadArguments() throws(Failure) {
        if let id { try SessionNames.refuseMalformed(id) }
        guard (0...100_000).contains(last) else {
            throw .usage("last", "--last must be from 0 to 100000")
        }
        try EventTypes.refuseUnknown(type)
        guard until == nil || (until == .ended && id != nil) else {
            throw .usage("until", "--until accepts only 'ended' and requires a session")
        }
    }

    static var commonOptions: Set<String> { ["--server"] }
    func perform(in invocation: Invocation) async throws(Failure) -> ExitStatus {
        let session = try id.map(SessionArgument.session)
        return try await Reader.withStore(for: self, in: invocation, session: session) {
            reader throws(Failure) in
            var tail = Tail(
                reader: reader,
                filter: Tail.Filter(
                    types: type,
                    onlyProblems: problems,
                    reference: reference
                ),
                asJSON: global.json
            )
            return try await tail.follow(
                session,
                last: last,
                untilEnded: until == .ended,
                for: time?.duration
            )
        }
    }
}
