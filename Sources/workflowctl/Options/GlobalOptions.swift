internal import ArgumentParser
internal import Inspection
internal import SwedbankPay

/// The options that every command accepts, before or after its name.
struct GlobalOptions: ParsableArguments, Sendable {
    @Option(
        help: ArgumentHelp(
            "The store: sqlite:PATH or postgres://USER@HOST/DATABASE. Default: $WORKFLOWCTL_STORE, else sqlite:payments.db.",
            valueName: "url"
        )
    )
    var store: String?

    @Flag(help: "Write one JSON document to standard output (streams: one a line).")
    var json = false

    @Option(
        help: ArgumentHelp(
            "How long a driving command waits for the session to settle: 500ms, 30s, 5m, 1h, 2h30m.",
            valueName: "duration"
        )
    )
    var wait = DurationArgument(.seconds(30))

    @Flag(help: "Accept http:// to 127.0.0.1, ::1 and localhost, for sandboxes.")
    var allowInsecureLoopback = false

    @Option(
        help: ArgumentHelp(
            "The configuration, a JSON file. Default: $WORKFLOWCTL_CONFIG, else ~/.config/workflowctl/config.json, else "
                + "/etc/workflowctl/config.json.",
            valueName: "file"
        )
    )
    var config: String?

    @Option(
        help: ArgumentHelp(
            "The profile of the configuration that lies over its common part. Default: $WORKFLOWCTL_PROFILE.",
            valueName: "name"
        )
    )
    var profile: String?

    @Option(
        help: ArgumentHelp(
            "A file with the PSP's access token, for payment orders. Default: $WORKFLOWCTL_TOKEN_FILE.",
            valueName: "file"
        )
    )
    var tokenFile: String?

    @Option(
        help: ArgumentHelp(
            "A file with headers for a merchant backend, one a line. Default: $WORKFLOWCTL_HEADERS_FILE.",
            valueName: "file"
        )
    )
    var headersFile: String?

    @Option(
        help: ArgumentHelp(
            "A line of shell that writes the master key to its output. Default: $WORKFLOWCTL_KEY_COMMAND.",
            valueName: "command"
        )
    )
    var keyCommand: String?

    @Flag(help: "Show sealed values; needs the keys.")
    var reveal = false

    @Option(
        help: ArgumentHelp(
            "Who runs this, for the record. Default: $WORKFLOWCTL_OPERATOR, else user@host.",
            valueName: "who"
        )
    )
    var by: String?

    @Option(help: ArgumentHelp("Why, for the record; it is never sealed.", valueName: "text"))
    var reason: String?

    @Option(
        help: ArgumentHelp("When output is coloured: auto, always, never.", valueName: "when")
    )
    var color = Style.Choice.auto

    @Option(
        help: ArgumentHelp(
            "The time zone of times on a terminal and of times without one: Europe/Stockholm. Default: $TZ, else the machine's.",
            valueName: "zone"
        )
    )
    var timeZone: String?

    @Flag(help: "Write to the terminal itself, whatever $PAGER says.")
    var noPager = false

    @Flag(name: .shortAndLong, help: "Tell on standard error what happens.")
    var verbose = false

    /// Returns the call of the program with the same store and permissions, for commands to paste.
    func call(_ program: String) -> String {
        var call = program
        if let store { call += " --store " + Self.quotedStore(store) }
        if let config { call += " --config " + Self.quoted(config) }
        if let profile { call += " --profile " + Self.quoted(profile) }
        if let tokenFile { call += " --token-file " + Self.quoted(tokenFile) }
        if let headersFile { call += " --headers-file " + Self.quoted(headersFile) }
        if let keyCommand { call += " --key-command " + Self.quoted(keyCommand) }
        if allowInsecureLoopback { call += " --allow-insecure-loopback" }
        return call
    }

    /// Returns the store's option; a connection string with a password is replaced by its variable.
    private static func quotedStore(_ store: String) -> String {
        let text = StoreLocation.pasted(store)
        return text == store ? quoted(text) : "\"\(text)\""
    }

    /// Returns a word quoted for a shell.
    static func quoted(_ text: String) -> String {
        let isPlain = text.utf8.allSatisfy {
            switch $0 {
            case 0x30...0x39, 0x41...0x5A, 0x61...0x7A: true
            default: "/._-:+,@%".utf8.contains($0)
            }
        }
        return isPlain ? text : "'" + text.replacing("'", with: "'\\''") + "'"
    }

    /// The options that have a value, for moving them behind the command.
    static let withValue: Set<String> = [
        "--store", "--wait", "--config", "--profile", "--color", "--until", "--token-file",
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
            "Wait until the session has settled, or has ended (then exit 1 if it ended unpaid).",
            valueName: "settled|ended"
        )
    )
    var until = Goal.settled
}

/// What a driving command waits for.
enum Goal: String, CaseIterable, Sendable {
    /// Nothing is pending on the engine's side.
    case settled
    /// The session is over.
    case ended
}

extension Goal: ExpressibleByArgument {}
extension Style.Choice: ExpressibleByArgument {}
