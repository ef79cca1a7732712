internal import Adapters
internal import EventLog
internal import Glibc
internal import Inspection
internal import SwedbankPay

/// The configuration file of a command, with the profile in effect.
///
/// The command line overrides the environment, and both override the file; in the file, a profile
/// overrides the common part.
struct ConfigurationFile: Sendable {
    /// The path of the file, and its source.
    struct Place: Hashable, Sendable {
        var path: String
        /// The source of the path, for messages.
        var source: String
    }

    /// The path; `nil` when only the defaults apply.
    let place: Place?
    /// The names of its profiles, in order.
    let profiles: [String]
    /// The profile in effect.
    let profile: String?
    /// Whether the profile was named on the command line.
    let isProfileTyped: Bool
    /// The common part.
    let common: [JSONValue.Member]
    /// The profile's part.
    let section: [JSONValue.Member]
    /// The members of all profiles.
    var sections: [JSONValue.Member] = []

    /// The member of the file that contains the profiles.
    static let profilesMember = "profiles"
    /// The maximum number of profiles.
    static let profileLimit = 64

    /// The configuration without a file: the defaults.
    static let none = ConfigurationFile(
        place: nil,
        profiles: [],
        profile: nil,
        isProfileTyped: false,
        common: [],
        section: []
    )

    /// Reads the configuration file of a command.
    ///
    /// `system` is the path of the machine-wide file.
    static func read(
        _ options: GlobalOptions,
        environment: [String: String],
        system: String = systemPath
    ) throws(Failure) -> ConfigurationFile {
        let wanted = options.profile ?? environment["WORKFLOWCTL_PROFILE"].nonEmpty
        guard let place = place(options, environment, system) else {
            if wanted != nil {
                throw unknownProfile(
                    options,
                    "no such profile: no configuration file was found",
                    hint:
                        "name the file with --config FILE or WORKFLOWCTL_CONFIG, or create "
                        + "\(usualPath) or \(systemPath)"
                )
            }
            return .none
        }
        let document = try ConfigurationReader().members(
            of: try contents(of: place.path),
            at: "the configuration"
        )
        var sections: [JSONValue.Member] = []
        if let all = document.first(where: { $0.name == profilesMember }) {
            sections = try Self.sections(all)
        }
        let names = sections.map(\.name)
        var section: [JSONValue.Member] = []
        if let wanted {
            guard let found = sections.first(where: { $0.name == wanted }) else {
                throw unknownProfile(
                    options,
                    "no such profile in the configuration",
                    hint: known(names, nearest: Spelling.nearest(to: wanted, among: names))
                )
            }
            section = try ConfigurationReader().members(of: found.value, at: "profiles." + wanted)
        }
        return ConfigurationFile(
            place: place,
            profiles: names,
            profile: wanted,
            isProfileTyped: options.profile != nil,
            common: document.filter { $0.name != profilesMember },
            section: section,
            sections: sections
        )
    }

    /// A value from the command line, the environment or the file, with its source.
    ///
    /// A profile on the command line overrides the environment, like all other options.
    func value(
        _ member: String,
        typed: String?,
        variable: String,
        in environment: [String: String]
    ) throws(Failure) -> (text: String, source: String)? {
        if let typed { return (typed, "the command line") }
        let own = try text(member, in: section)
        let name = "profile \(profile ?? "")"
        if isProfileTyped, let own { return (own, name) }
        if let text = environment[variable].nonEmpty { return (text, variable) }
        if let own { return (own, name) }
        return try text(member, in: common).map { ($0, "the configuration") }
    }

    private func text(
        _ member: String,
        in part: [JSONValue.Member]
    ) throws(Failure) -> String? {
        guard let member = part.first(where: { $0.name == member }) else { return nil }
        return try ConfigurationReader().text(member)
    }

    /// A description of the source for people.
    var words: String {
        guard let place else { return "no file; the defaults are used" }
        let file = "\(place.path), from \(place.source), is valid"
        guard !profiles.isEmpty else { return file }
        let all = profiles.joined(separator: ", ")
        return file + (profile.map { "; profile \($0) of \(all)" } ?? "; no profile of \(all)")
    }

    // MARK: Location

    /// The default path of a user's file.
    static let usualPath = "~/.config/workflowctl/config.json"

    /// The path of the machine's file, which applies to users without a file.
    static let systemPath = "/etc/workflowctl/config.json"

    private static func place(
        _ options: GlobalOptions,
        _ environment: [String: String],
        _ system: String
    ) -> Place? {
        if let path = options.config { return Place(path: path, source: "--config") }
        if let path = environment["WORKFLOWCTL_CONFIG"].nonEmpty {
            return Place(path: path, source: "WORKFLOWCTL_CONFIG")
        }
        let folder =
            environment["XDG_CONFIG_HOME"].nonEmpty
            ?? environment["HOME"].nonEmpty.map { $0 + "/.config" }
        let own = folder.flatMap { $0.hasPrefix("/") ? $0 + "/workflowctl/config.json" : nil }
        for path in [own, system].compactMap(\.self) where FileFacts(path: path) != nil {
            return Place(path: path, source: "the default path")
        }
        return nil
    }

    // MARK: Contents

    private static func contents(of path: String) throws(Failure) -> JSONValue {
        let bytes: [UInt8]
        let facts: FileFacts?
        do throws(Failure) {
            let descriptor = try FileBytes.opened(path)
            defer { close(descriptor) }
            facts = FileFacts(descriptor: descriptor)
            bytes = try FileBytes.read(descriptor, limit: FileBytes.valueLimit)
        } catch {
            throw Failure(
                .configuration,
                "configuration.unreadable",
                "the configuration cannot be used: \(error.message)",
                hint: error.hint
            )
        }
        let document = try ConfigurationReader().document(bytes)
        if let facts { try ConfigurationSecrets.check(document, path: path, facts: facts) }
        return document
    }

    private static func sections(_ all: JSONValue.Member) throws(Failure) -> [JSONValue.Member] {
        let sections = try ConfigurationReader().members(of: all.value, at: profilesMember)
        guard sections.count <= profileLimit else {
            throw ConfigurationReader.wrong("there are more than \(profileLimit) profiles")
        }
        for section in sections {
            guard isName(section.name) else {
                throw ConfigurationReader.wrong(
                    "profile names must have 1 to 64 letters, digits, dots, dashes or underscores"
                )
            }
            let members = try ConfigurationReader().members(
                of: section.value,
                at: "profiles." + section.name
            )
            guard !members.contains(where: { $0.name == profilesMember }) else {
                throw ConfigurationReader.wrong("a profile cannot contain profiles")
            }
        }
        return sections
    }

    /// Whether a text is a valid name of a profile.
    private static func isName(_ text: String) -> Bool {
        (1...64).contains(text.utf8.count)
            && text.utf8.allSatisfy {
                switch $0 {
                case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, 0x2D, 0x2E, 0x5F: true
                default: false
                }
            }
    }

    /// Lists the profiles, with a suggestion.
    private static func known(_ names: [String], nearest: String?) -> String {
        guard !names.isEmpty else { return "the configuration has no profiles" }
        let all = "the configuration has " + names.joined(separator: ", ")
        return nearest.map { "did you mean '\($0)'? " + all } ?? all
    }

    /// A typing error on the command line is a usage error, one in the environment a configuration
    /// error.
    private static func unknownProfile(
        _ options: GlobalOptions,
        _ message: String,
        hint: String
    ) -> Failure {
        Failure(
            options.profile == nil ? .configuration : .usage,
            "configuration.unknown-profile",
            message,
            hint: hint
        )
    }
}
