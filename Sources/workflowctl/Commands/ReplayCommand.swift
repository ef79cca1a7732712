internal import Adapters
internal import ArgumentParser
internal import Workflow

/// `replay`: folds a log with the current code.
struct ReplayCommand: Command {
    static let configuration = CommandConfiguration(
        commandName: "replay",
        abstract: "Fold a log and show the session as it was at any point.",
        discussion: """
            --check takes every decision in the log anew and exits 1 at the first that this build would take \
            otherwise. Nothing is performed, and no keys are needed. What was altered is not shown: of a damaged log \
            only what stands before the first bad record (--at).

            Examples:
              workflowctl replay SESSION --check
              workflowctl replay SESSION --at 5
              workflowctl replay SESSION --diff 5..9
              workflowctl log SESSION --json | workflowctl replay - --step
            """
    )

    @Argument(
        help: ArgumentHelp("A session, a file, or - for standard input.", valueName: "id|file"),
        completion: SessionCompletion.sessionsAndFiles
    )
    var source: String

    @Option(help: ArgumentHelp("In a file with several sessions: which.", valueName: "id"))
    var session: String?

    @Option(help: ArgumentHelp("After the event at this place.", valueName: "seq"))
    var at: Int64?

    @Option(help: ArgumentHelp("After the last event at or before this time.", valueName: "time"))
    var until: TimeArgument?

    @Flag(help: "Event by event: what each changed.")
    var step = false

    @Option(help: ArgumentHelp("What changed between two places.", valueName: "a..b"))
    var diff: String?

    @Flag(help: "Compare every decision in the log with what this build would decide.")
    var check = false

    @OptionGroup var global: GlobalOptions

    var isPaged: Bool { true }

    func refuseBadArguments() throws(Failure) {
        if let session { _ = try SessionArgument.session(session) }
        if let at, at < 0 { throw .usage("at", "places are counted from 1; 0 is before the first") }
        _ = try range()
        let modes = [at != nil || until != nil, step, diff != nil, check].filter { $0 }.count
        guard modes <= 1 || (modes == 2 && step && diff == nil && !check) else {
            throw .usage("mode", "--check, --diff, and a place to stop at do not go together")
        }
        guard at == nil || until == nil else {
            throw .usage("mode", "give --at or --until, not both")
        }
    }

    func perform(in invocation: Invocation) async throws(Failure) -> ExitStatus {
        let chosen = try session.map(SessionArgument.session)
        let configuration = try Configuration.read(global, environment: invocation.environment)
        let decider = SessionDecider(
            catalogue: configuration.catalogue,
            limits: configuration.session
        )
        guard let id = SessionID(source) else {
            let log = try LogSource.readOne(source, session: chosen, in: invocation)
            guard !global.reveal else {
                throw .usage("reveal", "a file has no keys; --reveal needs a session of a store")
            }
            return try replay(log, .masked, by: decider, invocation)
        }
        return try await Reader.withStore(for: self, in: invocation, session: id) {
            reader throws(Failure) in
            let log = try await SessionLog.read(id, from: reader.store)
            let disclosure = try await reader.disclosure(of: log, revealing: global.reveal)
            return try replay(log, disclosure, by: decider, invocation)
        }
    }

    private func replay(
        _ log: SessionLog,
        _ disclosure: Disclosure,
        by decider: SessionDecider,
        _ invocation: Invocation
    ) throws(Failure) -> ExitStatus {
        let replay = Replay(log: log, decider: decider, disclosure: disclosure)
        if log.unknownEvents > 0 {
            invocation.note(
                "events of a newer version: \(log.unknownEvents); they are kept as they are and passed over"
            )
        }
        if check {
            try log.requireSound(upTo: .max)
            return CheckReport(log, by: decider).tell(invocation, asJSON: global.json)
        }
        if let range = try range() {
            try require(range.upperBound, in: log)
            try log.requireSound(upTo: range.upperBound)
            replay.tellDifference(range, invocation, asJSON: global.json)
            return .done
        }
        var end = Int64(log.events.count)
        if let at {
            try require(at, in: log)
            end = at
        } else if let until {
            let instant = until.instant(from: invocation.now())
            end = Int64(log.events.prefix { $0.at <= instant }.count)
        }
        try log.requireSound(upTo: end)
        if step {
            replay.tellSteps(upTo: end, invocation, asJSON: global.json)
        } else {
            replay.tellView(at: end, invocation, asJSON: global.json)
        }
        return .done
    }

    private func require(_ sequence: Int64, in log: SessionLog) throws(Failure) {
        guard sequence <= Int64(log.events.count) else {
            throw .usage(
                "at",
                "the log has \(log.events.count) events",
                hint: "choose a place in it"
            )
        }
    }

    private func range() throws(Failure) -> ClosedRange<Int64>? {
        guard let diff else { return nil }
        guard let dots = diff.firstRange(of: ".."), let first = Int64(diff[..<dots.lowerBound]),
            let last = Int64(diff[dots.upperBound...]), first >= 0, first <= last
        else { throw .usage("diff", "two places are written A..B, the smaller one first") }
        return first...last
    }
}
