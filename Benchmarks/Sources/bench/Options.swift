/// The options of the command line.
struct Options: Sendable {
    /// The path of the JSON; `nil` means in the temporary directory.
    var json: String?
    /// The rows to measure; empty for all.
    var only: [String] = []
    /// The file with the instructions of an event's work; `nil` when they were not counted.
    var instructions: String?
    /// Whether fewer and shorter rounds suffice.
    var isQuick = false

    static let usage = """
        usage: bench [--quick] [--only NAME]… [--json FILE] [--instructions FILE]

        Measures the engine against baselines in the same run and prints ratios. The JSON has the
        instructions, too, that 'scripts/count-instructions --into FILE' counted.
        Rows: \(Rows.all.map(\.name).joined(separator: " "))
        """

    /// Parses the arguments; returns `nil` when they are invalid.
    init?(_ arguments: [String]) {
        var rest = arguments[...]
        while let argument = rest.popFirst() {
            switch argument {
            case "--quick": isQuick = true
            case "--json":
                guard let file = rest.popFirst() else { return nil }
                json = file
            case "--instructions":
                guard let file = rest.popFirst() else { return nil }
                instructions = file
            case "--only":
                guard let name = rest.popFirst(), Rows.all.contains(where: { $0.name == name })
                else { return nil }
                only.append(name)
            default: return nil
            }
        }
    }

    /// Returns one of two counts: the first for a full run, the second for a quick one.
    func count(_ full: Int, quick: Int) -> Int { isQuick ? quick : full }
}
