internal import ArgumentParser

/// Options for saved lists.
struct SavedListOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "Show the saved list with this name; other options override the saved ones.",
            valueName: "name"
        )
    )
    var view: String?

    @Option(
        help: ArgumentHelp(
            "Save the filters, columns and order of this list under a name, for --view.",
            valueName: "name"
        )
    )
    var save: String?

    @Option(help: ArgumentHelp("Remove the saved list with this name.", valueName: "name"))
    var forget: String?

    @Flag(help: "List the saved lists.")
    var saved = false

    /// Refuses conflicting options and invalid names.
    func check() throws(Failure) {
        let modes = [save != nil, forget != nil, saved].count { $0 }
        guard modes <= 1, forget == nil && !saved || view == nil else {
            throw .usage(
                "view",
                "--save, --forget and --saved cannot be combined; only --save can be used with --view"
            )
        }
        for name in [view, save, forget].compactMap({ $0 }) where !SavedLists.isName(name) {
            throw .usage(
                "view",
                "list names must have 1 to 64 letters, digits, dots, dashes or underscores"
            )
        }
    }
}
