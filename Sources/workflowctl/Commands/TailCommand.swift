internal import ArgumentParser
internal import Inspection
internal import SwedbankPay

/// `tail`: prints events as they are recorded.
struct TailCommand: Command {
    static let configuration = CommandConfiguration(
        commandName: "tail",
        abstract: "Follow one session or all: events as they are recorded, by whatever process.",
        discussion: """
            Of one session the last events are shown first. With --json: lines of the log format. It ends when it is \
            interrupted (exit 130), when nobody reads any more, and with --until ended when the session is over. A store \
            that is away for a while is waited for.

            Examples:
              workflowctl tail SESSION --until ended --last 3
              workflowctl tail --problems --reference order-4711 --for 2s
              workflowctl tail --json --type completed --type problem --for 2s
            """
    )

    @Argument(
        help: ArgumentHelp("The session; without it, all.", valueName: "id"),
        completion: SessionCompletion.sessions
    )
    var id: String?

    @Option(help: ArgumentHelp("Only events of this type; may be repeated.", valueName: "type"))
    var type: [String] = []

    @Flag(help: "Only what went wrong: problems, failed requests, ends unpaid.")
    var problems = false

    @Option(help: ArgumentHelp("Only sessions with this merchant reference.", valueName: "text"))
    var reference: String?

    @Option(
        help: ArgumentHelp(
            "Of one session: how many events that are there already.",
            valueName: "n"
        )
    )
    var last = 10

    @Option(
        help: ArgumentHelp("Of one session: ended, to stop when it is over.", valueName: "ended")
    )
    var until: Goal?

    @Option(
        name: .customLong("for"),
        help: ArgumentHelp("Stop after so long.", valueName: "duration")
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
            throw .usage("last", "--last takes a number from 0 to 100000")
        }
        try EventTypes.refuseUnknown(type)
        guard until == nil || (until == .ended && id != nil) else {
            throw .usage("until", "tail stops by itself only with one session and --until ended")
        }
    }

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
