internal import ArgumentParser
internal import EventLog
internal import Inspection
internal import SwedbankPay

/// `config`: shows and checks the configuration.
struct ConfigCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "config",
        abstract: "Show and check the configuration.",
        discussion: """
            Examples:
              workflowctl config show
              workflowctl config check
            """,
        subcommands: [ConfigShowCommand.self, ConfigCheckCommand.self]
    )
}

/// `config show`: prints the values in effect.
struct ConfigShowCommand: Command {
    static let configuration = CommandConfiguration(
        commandName: "show",
        abstract: "Show the value of every member, and where it comes from.",
        discussion: """
            Where a value comes from: default, file, environment or option; and which variable, option or member of the \
            file. Passwords and commands for keys are not shown. The file is the one of --config, else of \
            $WORKFLOWCTL_CONFIG, else ~/.config/workflowctl/config.json, else /etc/workflowctl/config.json.

            Examples:
              workflowctl config show
              workflowctl config show --json
            """
    )

    @OptionGroup var global: GlobalOptions

    var isPaged: Bool { true }

    func perform(in invocation: Invocation) async throws(Failure) -> ExitStatus {
        let configuration = try Configuration.read(global, environment: invocation.environment)
        let settings = try Settings(
            global,
            environment: invocation.environment,
            configuration
        )
        let file = configuration.file
        guard !global.json else {
            invocation.print([
                "file": JSONValue(file.place?.path),
                "namedBy": JSONValue(file.place?.source),
                "profile": JSONValue(file.profile),
                "settings": settings.json,
            ])
            return .done
        }
        if invocation.output.isTerminal { invocation.note(Screen.safe(file.words)) }
        let table = Table(
            columns: ["member", "value", "source", "from"],
            rows: settings.all.map {
                // A cell must not begin like a formula of a spreadsheet.
                [
                    $0.member, $0.value.plainText, $0.source.rawValue,
                    String(($0.from ?? "").drop { $0 == "-" }),
                ]
            }
        )
        invocation.output.write(table.text(for: invocation.output))
        return .done
    }
}

/// `config check`: checks a configuration file.
struct ConfigCheckCommand: Command {
    static let configuration = CommandConfiguration(
        commandName: "check",
        abstract: "Check a configuration file with all of its profiles.",
        discussion: """
            Without a file: the one that would be used. Exits 78 and names the path of the member that is wrong, as \
            profiles.live.limits.tries. 'workflowctl schema configuration' prints what a file may hold.

            Examples:
              workflowctl config check
              workflowctl config check config.json
            """
    )

    @Argument(
        help: ArgumentHelp("The file; without one the file that would be used.", valueName: "file"),
        completion: .file()
    )
    var file: String?

    @OptionGroup var global: GlobalOptions

    func perform(in invocation: Invocation) async throws(Failure) -> ExitStatus {
        var options = global
        if let file { options.config = file }
        let found = try ConfigurationFile.read(options, environment: invocation.environment)
        guard let place = found.place else {
            throw Failure(
                .unknown,
                "configuration.none",
                "there is no configuration file: the defaults count",
                hint:
                    "name one, or write \(ConfigurationFile.usualPath) or \(ConfigurationFile.systemPath)"
            )
        }
        try found.check()
        guard !global.json else {
            invocation.print([
                "file": .string(place.path), "sound": .bool(true),
                "profiles": .array(found.profiles.map { .string($0) }),
            ])
            return .done
        }
        let all = found.profiles.joined(separator: ", ")
        invocation.print(
            Screen.safe("\(place.path) is sound" + (all.isEmpty ? "" : "; profiles: \(all)"))
        )
        return .done
    }
}

extension ConfigurationFile {
    /// Reads the whole file: its common part, and each profile on top of it.
    ///
    /// - Throws: A failure that names the path of the first invalid member.
    func check() throws(Failure) {
        var shared = Configuration()
        try ConfigurationReader().read(common, into: &shared)
        try Self.checkStore(in: common, at: "")
        for profile in sections {
            let reader = ConfigurationReader(place: "profiles.\(profile.name)")
            var configuration = shared
            let members = try reader.members(of: profile.value, at: reader.place)
            try reader.read(members, into: &configuration)
            try Self.checkStore(in: members, at: reader.place + ".")
        }
    }

    /// Checks that the settings describe a valid store.
    private static func checkStore(
        in part: [JSONValue.Member],
        at place: String
    ) throws(Failure) {
        guard let member = part.first(where: { $0.name == "store" }),
            case .string(let text) = member.value
        else { return }
        do {
            _ = try StoreLocation(text)
        } catch {
            throw ConfigurationReader.wrong("\(place)store: \(error.message)")
        }
    }
}

extension JSONValue {
    /// The value as a cell of a table.
    fileprivate var plainText: String {
        switch self {
        case .null: ""
        case .string(let text): text
        case .array(let values): values.map(\.plainText).joined(separator: ", ")
        default: JSONDocument.text(self)
        }
    }
}
