internal import ArgumentParser

/// Lists that are saved under names.
struct SavedListOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "Show the list that was saved under this name; what is typed besides goes before it.",
            valueName: "name"
        )
    )
    var view: String?

    @Option(
        help: ArgumentHelp(
            "Save this list's filters, columns and order under a name, for --view.",
            valueName: "name"
        )
    )
    var save: String?

    @Option(help: ArgumentHelp("Take a saved list away.", valueName: "name"))
    var forget: String?

    @Flag(help: "Name the saved lists.")
    var saved = false

    /// Refuses options that exclude each other, and invalid names.
    func check() throws(Failure) {
        let modes = [save != nil, forget != nil, saved].count { $0 }
        guard modes <= 1, forget == nil && !saved || view == nil else {
            throw .usage(
                "view",
                "--save, --forget and --saved go alone, and only --save with --view"
            )
        }
        for name in [view, save, forget].compactMap({ $0 }) where !SavedLists.isName(name) {
            throw .usage(
                "view",
                "a list's name is 1 to 64 letters, digits, dots, dashes and underscores"
            )
        }
    }
}
