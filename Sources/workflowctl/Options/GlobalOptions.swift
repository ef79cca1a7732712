internal import Adapters
internal import ArgumentParser
internal import Inspection
internal import SwedbankPay

/// The options that every command accepts, before or after its name.
struct GlobalOptions: ParsableArguments, Sendable {
    @Option(
        help: ArgumentHelp(
            "The store: \(StoreLocation.forms). Default: "
                + "$WORKFLOWCTL_STORE, else the configuration's, else sqlite:payments.db.",
            valueName: "url"
        )
    )
    var store: String?

    @Option(
        help: ArgumentHelp(
            "A service to ask in place of a store, with a token in --token-file. Default: "
                + "$WORKFLOWCTL_SERVER.",
            valueName: "url"
        )
    )
    var server: String?

    @Flag(help: "Print JSON: one document, or one per line for streams.")
    var json = false

    @Option(
        help: ArgumentHelp(
            "How long to wait for the session to settle, such as 500ms, 30s, 5m or 2h30m.",
            valueName: "duration"
        )
    )
    var wait = DurationArgument(.seconds(30))

    @Flag(help: "Allow http:// to 127.0.0.1, ::1 and localhost, for sandboxes.")
    var allowInsecureLoopback = false

    @Option(
        help: ArgumentHelp(
            "The configuration file (JSON). Default: $WORKFLOWCTL_CONFIG, else "
                + "~/.config/workflowctl/config.json, else /etc/workflowctl/config.json.",
            valueName: "file"
        )
    )
    var config: String?

    @Option(
        help: ArgumentHelp(
            "The configuration profile to use. Default: $WORKFLOWCTL_PROFILE.",
            valueName: "name"
        )
    )
    var profile: String?

    @Option(
        help: ArgumentHelp(
            "A file with the PSP's access token, for payment orders, or with the token of --server. Default: $WORKFLOWCTL_TOKEN_FILE.",
            valueName: "file"
        )
    )
    var tokenFile: String?

    @Option(
        help: ArgumentHelp(
            "A file with headers for a merchant backend, one per line. Default: $WORKFLOWCTL_HEADERS_FILE.",
            valueName: "file"
        )
    )
    var headersFile: String?

    @Option(
        help: ArgumentHelp(
            "A shell command that prints the master key. Default: $WORKFLOWCTL_KEY_COMMAND.",
            valueName: "command"
        )
    )
    var keyCommand: String?

    @Flag(help: "Show sealed values; requires the keys.")
    var reveal = false

    @Option(
        help: ArgumentHelp(
            "Your name, for the log. Default: $WORKFLOWCTL_OPERATOR, else user@host.",
            valueName: "who"
        )
    )
    var by: String?

    @Option(help: ArgumentHelp("The reason, for the log; it is not sealed.", valueName: "text"))
    var reason: String?

    @Option(
        help: ArgumentHelp("When to use colors.", valueName: "when")
    )
    var color = Style.Choice.auto

    @Option(
        help: ArgumentHelp(
            "The time zone for displayed times and for times given without a zone, such as "
                + "Europe/Stockholm. Default: $TZ, else the system's.",
            valueName: "zone"
        )
    )
    var timeZone: String?

    @Flag(help: "Do not use a pager.")
    var noPager = false

    @Flag(
        name: .shortAndLong,
        help: "Print events to standard error as they happen, and what the libraries log."
    )
    var verbose = false

    /// Refuses `--reveal` where it could change nothing.
    func refuseReveal() throws(Failure) {
        guard !reveal else {
            throw .usage(
                "reveal",
                "this output never contains sealed values",
                hint: "use 'show --reveal' or 'log --reveal' to see them"
            )
        }
    }

    /// Returns the call of the program with the same store and permissions, for commands to paste.
    func call(_ program: String) -> String {
        var call = program
        if let store { call += " --store " + Self.quotedStore(store) }
        if let server { call += " --server " + ShellText.word(server) }
        if let config { call += " --config " + ShellText.word(config) }
        if let profile { call += " --profile " + ShellText.word(profile) }
        if let tokenFile { call += " --token-file " + ShellText.word(tokenFile) }
        if let headersFile { call += " --headers-file " + ShellText.word(headersFile) }
        if let keyCommand { call += " --key-command " + ShellText.word(keyCommand) }
        if allowInsecureLoopback { call += " --allow-insecure-loopback" }
        return call
    }

    /// Returns the call of the program for a session: the commands of one at a sandbox on this
    /// machine have to allow it.
    func call(_ program: String, for state: SessionState) -> String {
        var options = self
        if state.host.map(APIAddress.isLoopback) == true { options.allowInsecureLoopback = true }
        return options.call(program)
    }

    /// A connection string with a password is not printed: the variable has to contain it.
    static func quotedStore(_ store: String) -> String {
        let text = StoreLocation.pasted(store)
        return text == store ? ShellText.word(text) : "\"\(text)\""
    }

    /// The options with a value, for moving them behind the command.
    static let withValue: Set<String> = [
        "--store", "--server", "--wait", "--config", "--profile", "--color", "--until",
        "--token-file",
        "--headers-file",
        "--key-command", "--by", "--reason", "--time-zone",
    ]
    /// The options without a value.
    static let withoutValue: Set<String> = [
        "--json", "--allow-insecure-loopback", "--reveal", "--verbose", "-v", "--no-pager",
    ]
}

/// The options of commands that drive a session.
struct DrivingOptions: ParsableArguments, Sendable {
    @Option(
        help: ArgumentHelp(
            "Wait until the session has settled, or has ended (and then exit 1 if it ended unpaid).",
            valueName: "settled|ended"
        )
    )
    var until = Goal.settled
}

/// The condition for which a driving command waits.
enum Goal: String, CaseIterable, Sendable {
    /// Nothing is pending on the engine's side.
    case settled
    /// The session has ended.
    case ended
}

extension Goal: ExpressibleByArgument {}
extension Style.Choice: ExpressibleByArgument {}
