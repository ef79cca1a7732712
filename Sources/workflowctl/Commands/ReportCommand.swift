internal import ArgumentParser
internal import EventLog
internal import FoundationEssentials
internal import Inspection
internal import SwedbankPay
internal import Workflow

/// `report`: records what the client did about an action.
struct ReportCommand: DrivingCommand, SessionCommand {
    static let configuration = CommandConfiguration(
        commandName: "report",
        abstract: "Record what the payer's app or browser did with a client action.",
        discussion: """
            OUTCOME is one of: launched, launch-failed; done, failed; shown, completed, \
            canceled, failed; authorized, canceled, failed; checked-in. Sending the same report \
            twice has no further effect. For the open page of a checkout, 'left', 'navigated' \
            and 'terms' record where the payer is; the page stays open.

            Examples:
              workflowctl report SESSION a-12 launched
              workflowctl report SESSION a-12 completed --cres-file cres.txt
              workflowctl report SESSION a-12 failed --error "the page did not load"
              workflowctl report SESSION a-12 failed --origin view --message-id timeout
              workflowctl report SESSION a-12 authorized --payload token.json
            """
    )

    @OptionGroup var given: SessionArgument

    @Argument(help: ArgumentHelp("The id of the action, such as a-12.", valueName: "action"))
    var action: String

    @Argument(help: ArgumentHelp("What happened.", valueName: "outcome"))
    var outcome: String

    @Option(help: ArgumentHelp("With completed, the challenge response.", valueName: "value"))
    var cres: String?

    @Option(
        help: ArgumentHelp(
            "With completed, a file with the challenge response, or -.",
            valueName: "file"
        )
    )
    var cresFile: String?

    @Option(
        help: ArgumentHelp(
            "With authorized, a file with the wallet token, or -.",
            valueName: "file"
        )
    )
    var payload: String?

    @Option(
        help: ArgumentHelp(
            "With checked-in, a file with the consumer profile reference, or -.",
            valueName: "file"
        )
    )
    var profileFile: String?

    @Option(
        help: ArgumentHelp(
            "With left or navigated, the host or the app's URL scheme.",
            valueName: "name"
        )
    )
    var to: String?

    @Option(
        name: .customLong("in"),
        help: ArgumentHelp("With left or navigated, where the page opened.", valueName: "place")
    )
    var place: Navigated.Place?

    @Option(
        help: ArgumentHelp(
            "With left or navigated, a file with the full URL, or -.",
            valueName: "file"
        )
    )
    var urlFile: String?

    @Option(help: ArgumentHelp("With failed, the client's error message.", valueName: "text"))
    var error: String?

    @Option(
        help: ArgumentHelp(
            "With failed, the 'origin' that the PSP's page reported.",
            valueName: "text"
        )
    )
    var origin: String?

    @Option(
        help: ArgumentHelp(
            "With failed, the 'messageId' that the PSP's page reported.",
            valueName: "text"
        )
    )
    var messageId: String?

    @Option(
        help: ArgumentHelp(
            "With failed, the 'details' that the PSP's page reported.",
            valueName: "text"
        )
    )
    var details: String?

    @OptionGroup var driving: DrivingOptions
    @OptionGroup var global: GlobalOptions

    func refuseBadArguments() throws(Failure) {
        try given.refuseMalformed()
        guard ClientReport.Word(rawValue: outcome) != nil else {
            let words = ClientReport.Word.allCases.map(\.rawValue).sorted()
            throw .usage(
                "outcome",
                "no such outcome",
                hint: "choose from: " + words.joined(separator: ", ")
            )
        }
        guard cres == nil || cresFile == nil else {
            throw .usage("cres", "--cres and --cres-file cannot be combined")
        }
        if outcome != "completed", cres != nil || cresFile != nil {
            throw .usage("stray-option", "--cres and --cres-file require the outcome 'completed'")
        }
        if outcome != "authorized", payload != nil {
            throw .usage("stray-option", "--payload requires the outcome 'authorized'")
        }
        if outcome == "authorized", payload == nil {
            throw .usage("payload", "'authorized' requires --payload FILE with the wallet token")
        }
        if (outcome == "checked-in") != (profileFile != nil) {
            throw .usage(
                "profile",
                "'checked-in' requires --profile-file FILE, and no other outcome accepts it"
            )
        }
        if !["left", "navigated"].contains(outcome), to != nil || place != nil || urlFile != nil {
            throw .usage(
                "stray-option",
                "--to, --in and --url-file require the outcome 'left' or 'navigated'"
            )
        }
        if outcome != "failed", error != nil || saysPageFailure {
            throw .usage(
                "stray-option",
                "--error, --origin, --message-id and --details require the outcome 'failed'"
            )
        }
        if error != nil, saysPageFailure {
            throw .usage(
                "stray-option",
                "--error cannot be combined with --origin, --message-id and --details",
                hint: "if the PSP's page reported the error, leave out --error"
            )
        }
    }

    func perform(in invocation: Invocation) async throws(Failure) -> ExitStatus {
        let session = try session
        let document = try document(invocation)
        let report = try document.report()
        let action = ActionID(rawValue: action)
        let remote = try await RemoteDriver.run(self, in: invocation) {
            service throws(Failure) in
            if case .completed = report,
                Self.isChallenge(action, of: try await service.state(of: session))
            {
                throw Self.missingResponse
            }
            let path = "actions/\(PercentEncoding.encoded(action.rawValue))/report"
            let call = ServiceCall(path: path, body: document)
            return try await service.drive(session, self, call)
        }
        if let remote { return remote }
        return try await Driver.withEngine(for: self, in: invocation, session: session) {
            driver throws(Failure) in
            if case .completed = report {
                let state: SessionState
                do throws(EngineError) { state = try await driver.engine.state(of: session) } catch
                {
                    throw Failure(error)
                }
                if Self.isChallenge(action, of: state) { throw Self.missingResponse }
            }
            do throws(EngineError) {
                try await driver.engine.report(session, action: action, report)
            } catch {
                throw await driver.refusal(error, of: session, for: self)
            }
            return try await driver.finish(session, self)
        }
    }

    /// Whether the report is of the page's own failure.
    private var saysPageFailure: Bool { origin != nil || messageId != nil || details != nil }

    /// Returns whether an action is a challenge, whose report carries the issuer's response.
    private static func isChallenge(_ action: ActionID, of state: SessionState) -> Bool {
        state.actions.contains {
            guard $0.id == action, case .show3DS = $0.kind else { return false }
            return true
        }
    }

    private static let missingResponse = Failure.usage(
        "cres",
        "the challenge response is required for this action",
        hint: "add --cres-file FILE, or --cres-file - to read it from standard input"
    )

    /// The report as a document, such as the service receives from clients.
    private func document(_ invocation: Invocation) throws(Failure) -> JSONValue {
        func text(in file: String?) throws(Failure) -> String? {
            guard let file else { return nil }
            return try value(of: file, invocation)
        }
        var response = try text(in: cresFile)
        if let cres { response = try Self.nonEmpty(cres) }
        let members: [(String, String?)] = [
            ("outcome", outcome), ("cRes", response),
            ("payload", try text(in: payload)),
            ("consumerProfileRef", try text(in: profileFile)), ("error", error),
            ("origin", origin), ("messageId", messageId), ("details", details), ("to", to),
            ("in", place?.rawValue), ("url", try text(in: urlFile)),
        ]
        return .object(members.compactMap { name, text in text.map { .init(name, .string($0)) } })
    }

    /// Returns the text in a file, without surrounding white space.
    private func value(of path: String, _ invocation: Invocation) throws(Failure) -> String {
        let bytes =
            path == "-"
            ? try invocation.readInput(FileBytes.valueLimit)
            : try FileBytes.read(path, limit: FileBytes.valueLimit)
        guard let text = String(validating: bytes, as: UTF8.self) else {
            throw .usage("value", "the file is empty or not text")
        }
        return try Self.nonEmpty(text)
    }

    private static func nonEmpty(_ text: String) throws(Failure) -> String {
        let trimmed = text.drop(while: \.isWhitespace).reversed().drop(while: \.isWhitespace)
        guard !trimmed.isEmpty else { throw .usage("value", "the value is empty") }
        return String(trimmed.reversed())
    }
}

extension JSONValue {
    /// Reads a report of a client.
    fileprivate func report() throws(Failure) -> ClientReport {
        do {
            return try JSONDecoder().decode(ClientReport.self, from: Data(try canonical()))
        } catch {
            throw .usage("value", "the report cannot be written as JSON")
        }
    }
}
