internal import ArgumentParser
internal import EventLog
internal import Inspection
internal import SwedbankPay
internal import Workflow

/// `report`: records what the payer's app reports about a client action.
struct ReportCommand: DrivingCommand, SessionCommand {
    static let configuration = CommandConfiguration(
        commandName: "report",
        abstract: "Say what the payer's app or browser did about an action.",
        discussion: """
            Outcomes: launched, launch-failed; done, failed; shown, completed, canceled, failed; authorized, canceled, \
            failed; checked-in. The same report twice is fine. Of a checkout's open page, 'left', 'navigated' and 'terms' \
            only tell where the payer is; the page stays open.

            Examples:
              workflowctl report SESSION a-12 launched
              workflowctl report SESSION a-12 completed --cres-file cres.txt
              workflowctl report SESSION a-12 failed --error "the page did not load"
              workflowctl report SESSION a-12 failed --origin view --message-id timeout
              workflowctl report SESSION a-12 authorized --payload token.json
            """
    )

    @OptionGroup var given: SessionArgument

    @Argument(help: ArgumentHelp("The action, for example a-12.", valueName: "action"))
    var action: String

    @Argument(help: ArgumentHelp("What came of it.", valueName: "outcome"))
    var outcome: String

    @Option(help: ArgumentHelp("completed: the challenge response.", valueName: "value"))
    var cres: String?

    @Option(
        help: ArgumentHelp(
            "completed: a file with the challenge response, or -.",
            valueName: "file"
        )
    )
    var cresFile: String?

    @Option(
        help: ArgumentHelp("authorized: a file with the wallet's token, or -.", valueName: "file")
    )
    var payload: String?

    @Option(
        help: ArgumentHelp(
            "checked-in: a file with the consumer profile reference, or -.",
            valueName: "file"
        )
    )
    var profileFile: String?

    @Option(
        help: ArgumentHelp("left, navigated: the host, or the scheme of an app.", valueName: "name")
    )
    var to: String?

    @Option(
        name: .customLong("in"),
        help: ArgumentHelp("left, navigated: webView, browser or app.", valueName: "place")
    )
    var place: Navigated.Place?

    @Option(
        help: ArgumentHelp(
            "left, navigated: a file with the whole address, or -.",
            valueName: "file"
        )
    )
    var urlFile: String?

    @Option(help: ArgumentHelp("failed: what the client said.", valueName: "text"))
    var error: String?

    @Option(
        help: ArgumentHelp(
            "failed, of the PSP's page: the 'origin' it reported.",
            valueName: "text"
        )
    )
    var origin: String?

    @Option(
        help: ArgumentHelp("failed, of the PSP's page: its 'messageId'.", valueName: "text")
    )
    var messageId: String?

    @Option(
        help: ArgumentHelp("failed, of the PSP's page: its 'details'.", valueName: "text")
    )
    var details: String?

    @OptionGroup var driving: DrivingOptions
    @OptionGroup var global: GlobalOptions

    private static let outcomes: Set<String> = [
        "launched", "launch-failed", "done", "failed", "shown", "completed", "authorized",
        "canceled", "checked-in", "left", "navigated", "terms",
    ]

    func refuseBadArguments() throws(Failure) {
        try given.refuseMalformed()
        guard Self.outcomes.contains(outcome) else {
            throw .usage(
                "outcome",
                "there is no such outcome",
                hint: "one of: " + Self.outcomes.sorted().joined(separator: ", ")
            )
        }
        guard cres == nil || cresFile == nil else {
            throw .usage("cres", "give --cres or --cres-file, not both")
        }
        if outcome != "completed", cres != nil || cresFile != nil {
            throw .usage("stray-option", "a challenge response belongs to 'completed'")
        }
        if outcome != "authorized", payload != nil {
            throw .usage("stray-option", "--payload belongs to 'authorized'")
        }
        if outcome == "authorized", payload == nil {
            throw .usage("payload", "'authorized' needs --payload FILE with the wallet's token")
        }
        if (outcome == "checked-in") != (profileFile != nil) {
            throw .usage(
                "profile",
                "'checked-in' needs --profile-file FILE, and nothing else takes it"
            )
        }
        if !["left", "navigated"].contains(outcome), to != nil || place != nil || urlFile != nil {
            throw .usage(
                "stray-option",
                "--to, --in and --url-file belong to 'left' and 'navigated'"
            )
        }
        if outcome != "failed", error != nil || saysPageFailure {
            throw .usage(
                "stray-option",
                "--error, --origin, --message-id and --details belong to 'failed'"
            )
        }
        if error != nil, saysPageFailure {
            throw .usage(
                "stray-option",
                "--error is what the client says, --origin, --message-id and --details what the page said",
                hint: "give what the page reported, if it did, and leave out --error"
            )
        }
    }

    func perform(in invocation: Invocation) async throws(Failure) -> ExitStatus {
        let session = try session
        let answer = try answer(invocation)
        let action = ActionID(rawValue: action)
        return try await Driver.withEngine(for: self, in: invocation, session: session) {
            driver throws(Failure) in
            if case .completed = answer, try await driver.isChallenge(action, of: session) {
                throw Self.missingResponse
            }
            do throws(EngineError) {
                try await driver.engine.report(session, action: action, answer)
            } catch {
                throw await driver.refusal(error, of: session, for: self)
            }
            return try await driver.finish(session, self)
        }
    }

    /// Whether the options describe a failure of the PSP's page.
    private var saysPageFailure: Bool { origin != nil || messageId != nil || details != nil }

    private static let missingResponse = Failure.usage(
        "cres",
        "this action is answered with the challenge response",
        hint: "add --cres-file FILE, or --cres-file - for standard input"
    )

    private func answer(_ invocation: Invocation) throws(Failure) -> ClientAnswer {
        switch outcome {
        case "launched": return .launched
        case "launch-failed": return .launchFailed
        case "done": return .done
        case "shown": return .shown
        case "canceled": return .canceled
        case "failed" where saysPageFailure:
            return .pageFailed(origin: origin, messageID: messageId, details: details)
        case "failed": return .failed(error: error)
        case "checked-in":
            return .checkedIn(
                consumerProfileRef: try value(of: profileFile ?? "-", invocation)
            )
        case "left":
            return .leftForExternalContent(
                destination: destination,
                place ?? .app,
                url: try address(invocation)
            )
        case "navigated":
            return .navigated(
                destination: destination,
                place ?? .webView,
                url: try address(invocation)
            )
        case "terms": return .openedTermsOfService
        case "authorized":
            return .authorized(payload: try value(of: payload ?? "-", invocation))
        default:
            if let cres { return .challengeCompleted(cRes: try Self.nonEmpty(cres)) }
            guard let cresFile else { return .completed }
            return .challengeCompleted(cRes: try value(of: cresFile, invocation))
        }
    }

    private func address(_ invocation: Invocation) throws(Failure) -> String? {
        guard let urlFile else { return nil }
        return try value(of: urlFile, invocation)
    }

    /// The URL that was opened; a scheme of an app ends in a colon.
    private var destination: String? {
        guard let to else { return nil }
        return place == .app && !to.hasSuffix(":") ? to + ":" : to
    }

    /// Returns the text of a file without surrounding white space.
    private func value(of path: String, _ invocation: Invocation) throws(Failure) -> String {
        let bytes =
            path == "-"
            ? try invocation.readInput(FileBytes.valueLimit)
            : try FileBytes.read(path, limit: FileBytes.valueLimit)
        guard let text = String(validating: bytes, as: UTF8.self) else {
            throw .usage("value", "the file holds no text")
        }
        return try Self.nonEmpty(text)
    }

    private static func nonEmpty(_ text: String) throws(Failure) -> String {
        let trimmed = text.drop(while: \.isWhitespace).reversed().drop(while: \.isWhitespace)
        guard !trimmed.isEmpty else { throw .usage("value", "the value is empty") }
        return String(trimmed.reversed())
    }
}

extension Driver {
    /// Whether an action is a challenge, which is completed with the issuer's response.
    fileprivate func isChallenge(
        _ action: ActionID,
        of session: SessionID
    ) async throws(Failure) -> Bool {
        do {
            return try await engine.state(of: session).actions.contains {
                guard $0.id == action, case .show3DS = $0.kind else { return false }
                return true
            }
        } catch {
            throw Failure(error)
        }
    }
}
