internal import ArgumentParser
internal import EventLog
internal import Inspection
internal import SwedbankPay
internal import Workflow

/// `close`: ends a session that can never settle.
struct CloseCommand: SessionCommand {
    static let configuration = CommandConfiguration(
        commandName: "close",
        abstract: "End a session that can never settle.",
        discussion: """
            Use this when the engine has given up on a session and neither 'retry' nor 'abort' \
            helps. The session is read at the PSP once more, within --wait; nothing else is \
            sent. The log records who closed the session and why, and the session ends as \
            'failed'. Its money is recorded as 'none' only if the PSP has just confirmed that \
            nothing was taken and nothing is in progress; otherwise it is 'unknown', and \
            'at-risk' lists the payment until you run 'resolve'. A session with work still in \
            progress cannot be closed.

            A session whose host is not allowed, and an order whose access token is missing, are \
            refused. If they are not to be read at all, close them with --unread.

            Examples:
              workflowctl close SESSION --reason "the PSP knows no payment"
              workflowctl close SESSION --reason "test order" --json
            """
    )

    @OptionGroup var given: SessionArgument

    @Flag(help: "Do not read the session at the PSP first.")
    var unread = false

    @OptionGroup var global: GlobalOptions

    static var commonOptions: Set<String> {
        ["--wait", "--allow-insecure-loopback", "--by", "--reason"]
    }

    func refuseBadArguments() throws(Failure) {
        try given.refuseMalformed()
        guard global.reason != nil else {
            throw .usage(
                "reason",
                "--reason is required",
                hint: "explain why with --reason TEXT; the reason is recorded in the session's log"
            )
        }
    }

    /// Refuses a session that is still active, before any request to the PSP.
    private func refuseGoing(
        _ session: SessionID,
        _ invocation: Invocation
    ) async throws(Failure) {
        try await Reader.withStore(for: self, in: invocation, session: session) {
            reader throws(Failure) in
            let isImported = try await reader.store.listedRow(of: session)?.isForeign == true
            if isImported { throw Failure(EngineError.imported(session)) }
            let log = try await SessionLog.read(session, from: reader.store)
            var state = SessionState(session: session)
            for recorded in log.events { state.apply(recorded.event, at: recorded.at) }
            do throws(Rejection) {
                try reader.decider.mayClose(state)
            } catch {
                throw Failure(EngineError.rejected(error))
            }
        }
    }

    /// Reads the session once more; if that fails, money whose state is not final ends as unknown.
    ///
    /// Nothing is recorded when this installation itself would not send the request: an option that
    /// was forgotten or mistyped must not make the money unknown.
    private func read(_ session: SessionID, _ invocation: Invocation) async throws(Failure) {
        try await Driver.withEngine(for: self, in: invocation, session: session) {
            driver throws(Failure) in
            try await driver.refuseUnreachable(session, for: self)
            do throws(Failure) {
                do throws(EngineError) {
                    _ = try await driver.engine.refetch(session, by: SessionDecider.closing)
                } catch {
                    throw Failure(error)
                }
                _ = try await driver.follow(
                    session,
                    until: .settled,
                    for: global.wait.duration,
                    verbosely: global.verbose
                )
            } catch {
                invocation.note(
                    "note: the session could not be read before closing [\(error.code)]"
                )
            }
        }
    }

    /// Closes the session at the service that was chosen; `nil` when none was.
    private func closeAtService(
        _ session: SessionID,
        _ invocation: Invocation
    ) async throws(Failure) -> ExitStatus? {
        try await RemoteDriver.run(self, in: invocation) { service throws(Failure) in
            guard !unread else {
                throw .usage(
                    "server",
                    "a service reads a session before it closes it",
                    hint: "leave out --unread, or close it where the store is, with --store URL"
                )
            }
            let closed = try await service.post("sessions/\(session)/close", global.reasonBody)
            guard closed.status < 300 else { throw Failure(closed) }
            try await service.printStory(of: session, self)
            return .done
        }
    }

    func perform(in invocation: Invocation) async throws(Failure) -> ExitStatus {
        let session = try session
        if let remote = try await closeAtService(session, invocation) { return remote }
        try await refuseGoing(session, invocation)
        if !unread { try await read(session, invocation) }
        guard !Task.isCancelled else { return .interrupted }
        return try await Reader.withStore(for: self, in: invocation, session: session) {
            reader throws(Failure) in
            let decider = reader.decider
            let acted = reader.person.acted(SessionDecider.closing)
            _ = try await reader.withTrail(of: session) { trail throws(Failure) in
                try await trail.append(to: session, cause: "command.close") {
                    log throws(Failure) in
                    try decider.events(
                        of: .command(.close(acted)),
                        on: log,
                        at: invocation.now()
                    )
                }
            }
            let log = try await SessionLog.read(session, from: reader.store)
            let story = Story(of: session, events: log.events, by: decider)
            if global.json {
                invocation.print(
                    SessionView(story.state, by: decider, disclosing: .masked).json
                )
            } else {
                let program = global.call(invocation.program, for: story.state)
                invocation.print(StoryReport(story, program: program, why: false), asJSON: false)
            }
            return .done
        }
    }
}
