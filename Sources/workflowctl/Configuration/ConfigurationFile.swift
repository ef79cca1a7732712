internal import Adapters
internal import EventLog
internal import Glibc
internal import Inspection
internal import SwedbankPay

/// The configuration file that a command reads, and its profile in force.
///
/// The command line takes precedence over the environment, and both over the file; in the file a
/// profile overrides the common part.
struct ConfigurationFile: Sendable {
    /// The path of the file, and who named it.
    struct Place: Hashable, Sendable {
        var path: String
        /// Who named it, for people.
        var source: String
    }

    /// Where the file is; `nil` when only the defaults apply.
    let place: Place?
    /// The names of its profiles, in order.
    let profiles: [String]
    /// The profile in force.
    let profile: String?
    /// Whether the profile was named on the command line.
    let isProfileTyped: Bool
    /// The members of the file outside of profiles.
    let common: [JSONValue.Member]
    /// The members of the profile.
    let section: [JSONValue.Member]
    /// The members of all profiles.
    var sections: [JSONValue.Member] = []

    /// The name of the member that contains the profiles.
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

    /// Reads the file that a command is to use.
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
                    "there is no profile of that name: no configuration file is there",
                    hint:
                        "name the file with --config FILE or WORKFLOWCTL_CONFIG, or write \(usualPath) or \(systemPath)"
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
                    "there is no profile of that name in the configuration",
                    hint: known(names, nearest: Suggestion.nearest(to: wanted, among: names))
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

    /// Returns a value of the command line, the environment or the file, and where it came from.
    ///
    /// A profile named on the command line takes precedence over the environment, like everything
    /// else there.
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

    /// The words that describe it to a person.
    var words: String {
        guard let place else { return "the defaults" }
        let file = "\(place.path), named by \(place.source), is sound"
        guard !profiles.isEmpty else { return file }
        let all = profiles.joined(separator: ", ")
        return file + (profile.map { "; profile \($0) of \(all)" } ?? "; no profile of \(all)")
    }

    // MARK: Location

    /// The path of a user's file when no other is named.
    static let usualPath = "~/.config/workflowctl/config.json"

    /// The path of the machine's file, for users without one of their own.
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
            return Place(path: path, source: "its usual place")
        }
        return nil
    }

    // MARK: Content

    private static func contents(of path: String) throws(Failure) -> JSONValue {
        let bytes: [UInt8]
        let facts: FileFacts?
        do throws(Failure) {
            let descriptor = open(path, O_RDONLY | O_CLOEXEC)
            guard descriptor >= 0 else { throw FileBytes.unopened() }
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
                    "a profile's name is not one to 64 letters, digits, dots, dashes and underscores"
                )
            }
            let members = try ConfigurationReader().members(
                of: section.value,
                at: "profiles." + section.name
            )
            guard !members.contains(where: { $0.name == profilesMember }) else {
                throw ConfigurationReader.wrong("a profile has profiles of its own")
            }
        }
        return sections
    }

    /// Returns whether a text can be the name of a profile.
    private static func isName(_ text: String) -> Bool {
        (1...64).contains(text.utf8.count)
            && text.utf8.allSatisfy {
                switch $0 {
                case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, 0x2D, 0x2E, 0x5F: true
                default: false
                }
            }
    }

    /// Returns a hint with the existing profiles, and the one that was probably meant.
    private static func known(_ names: [String], nearest: String?) -> String {
        guard !names.isEmpty else { return "it has no profiles" }
        let all = "it has " + names.joined(separator: ", ")
        return nearest.map { "did you mean '\($0)'? " + all } ?? all
    }

    /// Returns the failure for an unknown profile: of usage if it was typed, else of the
    /// configuration.
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
