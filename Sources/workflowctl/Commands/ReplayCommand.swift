internal import Adapters
internal import ArgumentParser
internal import EventLog
internal import Inspection
internal import SwedbankPay

/// `replay`: folds a log with the current code.
struct ReplayCommand: SourceCommand {
    static let configuration = CommandConfiguration(
        commandName: "replay",
        abstract: "Rebuild a session's state from its log, as it was or under different rules.",
        discussion: """
            Nothing is sent and no keys are needed. --at and --until show the state after an \
            event; --diff shows what changed between two events. --step moves through the log \
            one event at a time; on a terminal, with the keyboard (press ? for the keys). If the \
            log is damaged, only the records before the first bad one are shown.

            --check makes every decision again and exits 1 at the first one that this build \
            would make differently. --what-if lists the payments that would have ended \
            differently under this build, a --catalogue or a --config, with the PSP's responses \
            taken from the log. Without a session or file, both process the whole store.

            Examples:
              workflowctl replay SESSION --at 5
              workflowctl replay SESSION --diff 5..9
              workflowctl replay --check
              workflowctl replay --what-if --catalogue problems.json
              workflowctl log SESSION --json | workflowctl replay - --step
            """
    )

    @Argument(
        help: ArgumentHelp(
            "A session, a file, or - for standard input. Default with --check and --what-if: the whole store.",
            valueName: "id|file"
        ),
        completion: SessionCompletion.sessionsAndFiles
    )
    var source: String?

    @Option(
        help: ArgumentHelp("If the file has several sessions, the one to replay.", valueName: "id")
    )
    var session: String?

    @Option(help: ArgumentHelp("Show the state after this event.", valueName: "seq"))
    var at: SequenceNumber?

    @Option(
        help: ArgumentHelp(
            "Show the state at this time, or at the end of this day.",
            valueName: "time"
        )
    )
    var until: TimeArgument?

    @Flag(help: "Show each event; on a terminal, move with the keyboard.")
    var step = false

    @Option(help: ArgumentHelp("Show what changed between two events.", valueName: "a..b"))
    var diff: String?

    @Flag(help: "Compare every decision in the log with this build's.")
    var check = false

    @Flag(help: "Show which payments would have ended differently under other rules.")
    var whatIf = false

    @Option(
        help: ArgumentHelp(
            "With --what-if, a file with changed catalogue rows, as printed by 'problems list --json'.",
            valueName: "file"
        )
    )
    var catalogue: String?

    @Flag(help: "With --check and --what-if, process the whole store (the default).")
    var all = false

    @OptionGroup var global: GlobalOptions

    // The keyboard and a pager would compete for the same keys.
    var isPaged: Bool { !step }

    func refuseBadArguments() throws(Failure) {
        if let session { _ = try SessionArgument.session(session) }
        if let at, at < 0 {
            throw .usage("at", "--at must be 0 (before the first event) or a sequence number")
        }
        _ = try range()
        let modes = [at != nil || until != nil, step, diff != nil, check, whatIf]
        let count = modes.filter { $0 }.count
        guard count <= 1 || (count == 2 && step && (at != nil || until != nil)) else {
            throw .usage(
                "mode",
                "--check, --what-if, --diff and --at or --until cannot be combined"
            )
        }
        guard at == nil || until == nil else {
            throw .usage("mode", "--at and --until cannot be combined")
        }
        guard source == nil ? check || whatIf : !all else {
            throw .usage(
                "mode",
                source == nil
                    ? "a session or file is required"
                    : "--all cannot be combined with a session or file",
                hint: "only --check and --what-if can process a whole store"
            )
        }
        guard catalogue == nil || whatIf else {
            throw .usage("mode", "--catalogue requires --what-if")
        }
    }

    func perform(in invocation: Invocation) async throws(Failure) -> ExitStatus {
        if whatIf { return try await askWhatIf(invocation) }
        let chosen = try session.map(SessionArgument.session)
        let configuration = try Configuration.read(global, environment: invocation.environment)
        let decider = SessionDecider(
            catalogue: configuration.catalogue,
            limits: configuration.session
        )
        guard let source, let id = SessionID(source) else {
            if check { return try await checkAll(by: decider, chosen, invocation) }
            let log = try LogSource.readOne(source ?? "-", session: chosen, in: invocation)
            guard !global.reveal else {
                throw .usage("reveal", "--reveal requires a session in a store; files have no keys")
            }
            return try replay(log, .masked, by: decider, invocation)
        }
        let (log, disclosure) = try await Reader.withStore(
            for: self,
            in: invocation,
            session: id
        ) { reader throws(Failure) in
            let log = try await SessionLog.read(id, from: reader.store)
            try await reader.noteOrigin(of: id)
            return (log, try await reader.disclosure(of: log, revealing: global.reveal))
        }
        return try replay(log, disclosure, by: decider, invocation)
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
                "events from a newer version: \(log.unknownEvents); they are ignored"
            )
        }
        if check {
            try log.requireSound(upTo: .max)
            return printResult(CheckReport(log, by: decider), invocation)
        }
        if let range = try range() {
            try require(range.upperBound, in: log)
            try log.requireSound(upTo: range.upperBound)
            invocation.print(replay.difference(range), asJSON: global.json)
            return .done
        }
        var end = SequenceNumber(log.events.count)
        if let at {
            try require(at, in: log)
            end = at
        } else if let until {
            let instant = until.end(from: invocation.now())
            end = SequenceNumber(log.events.prefix { $0.at <= instant }.count)
        }
        try log.requireSound(upTo: end)
        guard step else {
            invocation.print(replay.result(at: end), asJSON: global.json)
            return .done
        }
        let output = invocation.output
        guard output.isTerminal, !global.json else {
            replay.forEachStep(upTo: end) { step in
                if global.json {
                    invocation.print(line: step.json)
                } else {
                    output.write(step.text(for: output.form))
                }
            }
            return .done
        }
        let place = at == nil && until == nil ? min(1, end) : end
        return try StepSession.run(replay, from: place, invocation)
    }

    private func require(_ sequence: SequenceNumber, in log: SessionLog) throws(Failure) {
        guard sequence <= SequenceNumber(log.events.count) else {
            throw .usage(
                "at",
                "the log has only \(log.events.count) events",
                hint: "choose a smaller sequence number"
            )
        }
    }

    private func range() throws(Failure) -> ClosedRange<SequenceNumber>? {
        guard let diff else { return nil }
        guard let dots = diff.unicodeScalars.firstRange(of: "..".unicodeScalars),
            let first = SequenceNumber(String(diff[..<dots.lowerBound])),
            let last = SequenceNumber(String(diff[dots.upperBound...])), first >= 0, first <= last
        else {
            throw .usage("diff", "--diff takes two sequence numbers A..B, the smaller one first")
        }
        return first...last
    }
}

/// Replays many logs at once.
extension ReplayCommand {
    /// Repeats the decisions of all logs of a store or file.
    private func checkAll(
        by decider: SessionDecider,
        _ chosen: SessionID?,
        _ invocation: Invocation
    ) async throws(Failure) -> ExitStatus {
        let summary = CheckSummary()
        var last: CheckReport?
        let status = try await walk(chosen, invocation) {
            CheckReport($0, by: decider)
        } receive: {
            summary.add($0)
            last = $0
        }
        // A file with one log is reported as a session is.
        if source != nil, summary.sweep.sessions == 1, status.unreadable == 0, let last {
            return printResult(last, invocation)
        }
        summary.sweep.unreadable = status.unreadable
        summary.sweep.isWhole = status.exit != .interrupted
        invocation.print(summary, asJSON: global.json)
        guard status.exit == .done else { return status.exit }
        return summary.differing == 0 ? .done : .refused
    }

    /// Reports which payments would have ended differently.
    private func askWhatIf(_ invocation: Invocation) async throws(Failure) -> ExitStatus {
        let chosen = try session.map(SessionArgument.session)
        let other = try Configuration.read(global, environment: invocation.environment)
        // The rules in force are those without the option.
        var options = global
        options.config = nil
        if global.config != nil { options.profile = nil }
        let inForce = try Configuration.read(options, environment: invocation.environment)
        var catalogue = other.catalogue
        if let file = self.catalogue { catalogue = try ProblemsFile.read(file).catalogue }
        let rules = SessionDecider(catalogue: catalogue, limits: other.session)
        let known = SessionDecider(catalogue: inForce.catalogue, limits: inForce.session)
        let report = WhatIfReport(
            under: "build \(Build.version), catalogue \(catalogue.version)"
                + (rules.limits == known.limits ? "" : ", limits of the configuration")
        )
        let status = try await walk(chosen, invocation) {
            WhatIfEnd($0, under: rules, insteadOf: known)
        } receive: {
            report.add($0)
        }
        report.sweep.unreadable = status.unreadable
        invocation.print(report, asJSON: global.json)
        return status.exit
    }

    /// Prints the result for one log; a difference also changes the exit status.
    private func printResult(_ report: CheckReport, _ invocation: Invocation) -> ExitStatus {
        invocation.print(report, asJSON: global.json)
        return report.parting == nil ? .done : .refused
    }

    /// Processes the named logs: a session's, those of a file, or all of the store.
    private func walk<Value: Sendable>(
        _ chosen: SessionID?,
        _ invocation: Invocation,
        _ make: @escaping @Sendable (SessionLog) -> Value,
        receive: @escaping (Value) -> Void
    ) async throws(Failure) -> (exit: ExitStatus, unreadable: Int) {
        var walk = LogWalk(make, receive: receive)
        if let source, SessionID(source) == nil {
            try walk.walk(source, session: chosen, in: invocation)
            return (walk.status, walk.unreadable)
        }
        let session = source.flatMap { SessionID($0) }
        try await Reader.withStore(
            for: self,
            in: invocation,
            session: session,
            readers: StoreAudit.usefulReaders
        ) { reader throws(Failure) in
            if let session {
                let log = try await SessionLog.read(session, from: reader.store)
                try await reader.noteOrigin(of: session)
                try log.requireSound(upTo: .max)
                receive(make(log))
            } else {
                try await walk.walk(reader)
            }
        }
        return (walk.status, walk.unreadable)
    }
}
