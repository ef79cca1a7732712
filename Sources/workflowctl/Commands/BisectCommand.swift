internal import Adapters
internal import ArgumentParser
internal import EventLog
internal import Inspection
internal import SwedbankPay

/// `bisect`: finds the first event at which two builds differ.
struct BisectCommand: SourceCommand {
    static let configuration = CommandConfiguration(
        commandName: "bisect",
        abstract: "Find the first event that two builds would decide differently.",
        discussion: """
            Every record names the build and the problem catalogue that produced it. This \
            command decides each event of a log again with this build; at the first difference, \
            it prints the event and the build that recorded it. Without a session or file, it \
            checks the whole store and prints the earliest difference for each pair of builds.

            With --with, it compares this build with another workflowctl program instead. The \
            other program gets each log as a redacted export, so no keys are needed and no \
            secrets are passed on. Events after the first difference are not compared. Exits 1 \
            if there is a difference.

            Examples:
              workflowctl bisect SESSION
              workflowctl bisect
              workflowctl bisect SESSION --with /usr/bin/workflowctl
              workflowctl log SESSION --json | workflowctl bisect -
            """
    )

    @Argument(
        help: ArgumentHelp(
            "A session, a file, or - for standard input. Default: the whole store.",
            valueName: "id|file"
        ),
        completion: SessionCompletion.sessionsAndFiles
    )
    var source: String?

    @Option(
        help: ArgumentHelp("If the file has several sessions, the one to check.", valueName: "id")
    )
    var session: String?

    @Option(
        help: ArgumentHelp(
            "Another workflowctl program to compare with this build.",
            valueName: "program"
        ),
        completion: .file()
    )
    var with: String?

    @OptionGroup var global: GlobalOptions

    func refuseBadArguments() throws(Failure) {
        if let session { _ = try SessionArgument.session(session) }
        if source == nil, let session {
            throw .usage(
                "mode",
                "--session selects a session in a file, and no file was given",
                hint: "for a session in the store, run 'workflowctl bisect \(session)'"
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
        // A single log is reported in full, whether it is in the store or in a file.
        if source != nil, count == 1, walk.unreadable == 0, let last {
            invocation.print(last, asJSON: global.json)
            return last.sequence == nil ? .done : .refused
        }
        summary.sweep.unreadable = walk.unreadable
        invocation.print(summary, asJSON: global.json)
        guard walk.status == .done else { return walk.status }
        return summary.parting == 0 ? .done : .refused
    }

    /// Compares one session of the store.
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
