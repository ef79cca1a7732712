internal import Adapters
internal import EventLog
internal import Glibc
internal import Inspection
internal import SwedbankPay

/// The lists that a user has saved under names, in a file of the user's own: the options of `list`
/// as a JSON object each.
struct SavedLists {
    /// A saved list: its options and their values; a flag has no value.
    struct List {
        var name: String
        var options: [(name: String, value: String?)]

        /// The options as command-line arguments.
        var words: [String] { options.flatMap { ["--\($0.name)"] + ($0.value.map { [$0] } ?? []) } }

        /// The options as text, quoted for a shell.
        var text: String {
            (["list"] + words.map { ShellText.word($0) }).joined(separator: " ")
        }
    }

    /// The path of the file.
    let path: String
    private(set) var lists: [List] = []

    /// The maximum number of lists.
    static let limit = 100
    /// The maximum size of the file, in bytes.
    static let byteLimit = 1 << 18

    /// Reads the lists of the user in whose environment this runs.
    init(_ environment: [String: String]) throws(Failure) {
        let folder =
            environment["XDG_CONFIG_HOME"].nonEmpty
            ?? environment["HOME"].nonEmpty.map { $0 + "/.config" }
        guard let folder, folder.hasPrefix("/") else {
            throw .usage(
                "view",
                "no folder for saved lists is configured",
                hint: "set HOME or XDG_CONFIG_HOME"
            )
        }
        path = folder + "/workflowctl/lists.json"
        guard access(path, F_OK) == 0 else { return }
        let bytes = try FileBytes.read(path, limit: Self.byteLimit)
        guard case .object(let members)? = try? JSONValue(parsing: bytes) else {
            throw unreadable("it is not a JSON object")
        }
        for member in members {
            guard case .object(let options) = member.value else {
                throw unreadable("a list is not a JSON object")
            }
            var list = List(name: member.name, options: [])
            for option in options {
                switch option.value {
                case .string(let value): list.options.append((option.name, value))
                case .integer(let number): list.options.append((option.name, "\(number)"))
                case .bool(true): list.options.append((option.name, nil))
                case .bool(false): break
                default: throw unreadable("an option is neither a string nor a number nor true")
                }
            }
            lists.append(list)
        }
    }

    /// Returns the list with a name.
    func list(_ name: String) throws(Failure) -> List {
        guard let list = lists.first(where: { $0.name == name }) else {
            let names = lists.map(\.name)
            let nearest = Spelling.nearest(to: name, among: names).map {
                "did you mean '\($0)'? "
            }
            throw .usage(
                "view",
                "no such saved list",
                hint: (nearest ?? "")
                    + (names.isEmpty
                        ? "save one with 'list … --save NAME'"
                        : "choose from: " + names.joined(separator: ", "))
            )
        }
        return list
    }

    /// Saves a list, replacing one of the same name.
    mutating func save(_ list: List) throws(Failure) {
        lists.removeAll { $0.name == list.name }
        guard lists.count < Self.limit else {
            throw .usage(
                "view",
                "there are already \(Self.limit) saved lists",
                hint: "remove one with 'workflowctl list --forget NAME'"
            )
        }
        lists.append(list)
        lists.sort { $0.name < $1.name }
        try write()
    }

    /// Removes a list.
    mutating func forget(_ name: String) throws(Failure) {
        _ = try list(name)
        lists.removeAll { $0.name == name }
        try write()
    }

    private func write() throws(Failure) {
        let document = JSONValue.object(
            lists.map { list in
                .init(
                    list.name,
                    .object(
                        list.options.map {
                            .init($0.name, $0.value.map { .string($0) } ?? .bool(true))
                        }
                    )
                )
            }
        )
        let folder = String(path.dropLast("/lists.json".count))
        for place in [String(folder.dropLast("/workflowctl".count)), folder] {
            mkdir(place, 0o700)
        }
        let text = JSONDocument.text(document, indented: true) + "\n"
        try FileDraft.write(Array(text.utf8), to: path)
    }

    private func unreadable(_ reason: String) -> Failure {
        Failure(
            .configuration,
            "configuration.lists",
            "the saved lists cannot be read: \(reason)",
            hint: "correct \(path), or remove it"
        )
    }

    /// Returns whether a text can be the name of a list.
    static func isName(_ text: String) -> Bool {
        (1...64).contains(text.utf8.count) && text.first != "-"
            && text.utf8.allSatisfy {
                switch $0 {
                case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, 0x2D, 0x2E, 0x5F: true
                default: $0 >= 0x80
                }
            }
    }
}
