internal import Adapters
internal import ArgumentParser
internal import EventLog
internal import Inspection
internal import SwedbankPay

/// `bisect`: the first event at which two builds part.
struct BisectCommand: Command {
    static let configuration = CommandConfiguration(
        commandName: "bisect",
        abstract: "Find the first event at which two builds part, and name the builds.",
        discussion: """
            Every record names the build and the problem catalogue that decided it. This build takes all decisions of \
            a log anew: where it first decides otherwise, it parts from the build that is named there. Without a session \
            or a file that is done with the whole store, and for each pair of builds the earliest event is named at which \
            they part. --with asks another workflowctl instead of the records: each log is given to that program as a \
            redacted export, which needs no keys and tells it no secret. Exits 1 when they part. Past that place a log has \
            no answer.

            Examples:
              workflowctl bisect SESSION
              workflowctl bisect
              workflowctl bisect SESSION --with /usr/bin/workflowctl
              workflowctl log SESSION --json | workflowctl bisect -
            """
    )

    @Argument(
        help: ArgumentHelp(
            "A session, a file, or - for standard input; the whole store when left out.",
            valueName: "id|file"
        ),
        completion: SessionCompletion.sessionsAndFiles
    )
    var source: String?

    @Option(help: ArgumentHelp("In a file with several sessions: only this one.", valueName: "id"))
    var session: String?

    @Option(
        help: ArgumentHelp(
            "Another workflowctl, whose decisions are compared with this build's.",
            valueName: "program"
        ),
        completion: .file()
    )
    var with: String?

    @OptionGroup var global: GlobalOptions

    var sessionNames: [String] {
        get { source.map { [$0] } ?? [] }
        set { source = newValue.first }
    }

    var mayNameFiles: Bool { true }

    func refuseBadArguments() throws(Failure) {
        if let session { _ = try SessionArgument.session(session) }
        if source == nil, let session {
            throw .usage(
                "mode",
                "--session chooses one of a file",
                hint: "of the store: 'workflowctl bisect \(session)'"
            )
        }
    }

    func perform(in invocation: Invocation) async throws(Failure) -> ExitStatus {
        let configuration = try Configuration.read(global, environment: invocation.environment)
        let decider = SessionDecider(
            catalogue: configuration.catalogue,
            limits: configuration.session
        )
        let asked = try with.map { (program) throws(Failure) in
            try OtherBuildQuestions(
                program,
                config: global.config ?? invocation.environment["WORKFLOWCTL_CONFIG"].nonEmpty,
                invocation.environment
            )
        }
        let compare = { @Sendable (log: SessionLog) -> BisectReport in
            BisectReport(
                log,
                CheckReport(log, by: decider),
                build: Build.version,
                catalogue: decider.catalogue.version,
                asked?.ask(about: log)
            )
        }
        let summary = BisectSummary(
            build: Build.version,
            catalogue: decider.catalogue.version,
            other: asked?.version
        )
        var (last, count) = (BisectReport?.none, 0)
        var walk = LogWalk(compare) {
            summary.add($0)
            (last, count) = ($0, count + 1)
        }
        if let id = source.flatMap({ SessionID($0) }) {
            (last, count) = (try await one(id, invocation, compare), 1)
        } else if let source {
            let chosen = try session.map(SessionArgument.session)
            try walk.walk(source, session: chosen, in: invocation)
        } else {
            try await Reader.withStore(
                for: self,
                in: invocation,
                readers: StoreAudit.usefulReaders
            ) { reader throws(Failure) in
                try await walk.walk(reader)
            }
        }
        try asked?.requireAnswers()
        // One log is told of as a whole, whether it is of the store or in a file.
        if source != nil, count == 1, walk.unreadable == 0, let last {
            invocation.print(last, asJSON: global.json)
            return last.place == nil ? .done : .refused
        }
        summary.sweep.unreadable = walk.unreadable
        invocation.print(summary, asJSON: global.json)
        guard walk.status == .done else { return walk.status }
        return summary.parting == 0 ? .done : .refused
    }

    /// Compares over a session of the store.
    private func one(
        _ id: SessionID,
        _ invocation: Invocation,
        _ compare: @escaping @Sendable (SessionLog) -> BisectReport
    ) async throws(Failure) -> BisectReport {
        try await Reader.withStore(for: self, in: invocation, session: id) {
            reader throws(Failure) in
            let log = try await SessionLog.read(id, from: reader.store)
            try log.requireSound(upTo: .max)
            return compare(log)
        }
    }
}
