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

/// `config show`: shows the effective values.
struct ConfigShowCommand: Command {
    static let configuration = CommandConfiguration(
        commandName: "show",
        abstract: "Show every configuration value and its source.",
        discussion: """
            The source of a value is default, file, environment or option; the last column names \
            the member of the file, the variable or the option. Passwords and key commands are \
            hidden. The configuration file is the one given with --config or \
            $WORKFLOWCTL_CONFIG; otherwise ~/.config/workflowctl/config.json or, if that does \
            not exist, /etc/workflowctl/config.json.

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
        let output = invocation.output
        if output.isTerminal { invocation.note(Screen.safe(file.words)) }
        output.write(Self.table(of: settings, for: output.form).text(for: output))
        return .done
    }

    /// The maximum width of a source on a terminal.
    private static let widestSource = 28

    /// Returns the table of the settings; on a terminal, each source is in one column, and long
    /// values are continued below their rows.
    private static func table(of settings: Settings, for form: TextForm) -> Table {
        guard form.isTerminal else {
            return Table(
                columns: ["member", "value", "source", "from"],
                rows: settings.all.map {
                    // No cell may begin like a formula.
                    [
                        $0.member, $0.value.plainText, $0.source.rawValue,
                        String(($0.from ?? "").unicodeScalars.drop { $0 == "-" }),
                    ]
                }
            )
        }
        let table = Table(
            columns: ["member", "value", "source"],
            rows: settings.all.map {
                let source = Screen.safe($0.sourceWords)
                return [
                    $0.member, $0.value.plainText, form.style.cut(source, to: Self.widestSource),
                ]
            },
            flexible: 1
        )
        return table.wrapping(column: 1, for: form)
    }
}

extension Settings.Setting {
    /// The source in words for people: the option or the variable, or the part of the file.
    fileprivate var sourceWords: String {
        guard source == .file else { return from ?? source.rawValue }
        guard let from, from.hasSuffix("." + member) else { return source.rawValue }
        return "\(source.rawValue), \(from.dropLast(member.count + 1))"
    }
}

/// `config check`: checks whether a file can be used.
struct ConfigCheckCommand: Command {
    static let configuration = CommandConfiguration(
        commandName: "check",
        abstract: "Check a configuration file and all its profiles.",
        discussion: """
            Without a file, checks the file that workflowctl would use. If a value is invalid, \
            exits 78 and prints its path, such as profiles.live.limits.tries. Run 'workflowctl \
            schema configuration' for the format.

            Examples:
              workflowctl config check
              workflowctl config check config.json
            """
    )

    @Argument(
        help: ArgumentHelp("The file to check. Default: the file in use.", valueName: "file"),
        completion: .file()
    )
    var file: String?

    @OptionGroup var global: GlobalOptions

    func perform(in invocation: Invocation) async throws(Failure) -> ExitStatus {
        do throws(Failure) {
            return try check(in: invocation)
        } catch {
            var failure = error
            // The hint of all others names this command.
            if failure.hint == ConfigurationReader.hint {
                failure.hint = ConfigurationReader.formatHint
            }
            throw failure
        }
    }

    private func check(in invocation: Invocation) throws(Failure) -> ExitStatus {
        var options = global
        if let file { options.config = file }
        let found = try ConfigurationFile.read(options, environment: invocation.environment)
        guard let place = found.place else {
            throw Failure(
                .unknown,
                "configuration.none",
                "no configuration file was found; the defaults are used",
                hint:
                    "name a file, or create \(ConfigurationFile.usualPath) or \(ConfigurationFile.systemPath)"
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
            Screen.safe("\(place.path) is valid" + (all.isEmpty ? "" : "; profiles: \(all)"))
        )
        return .done
    }
}

extension ConfigurationFile {
    /// Reads everything in the file, with each profile over the common part.
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

    /// Checks whether a setting can name a store.
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
