/// How files look: their length, their names, and words that have no place in them.
enum Form {
    /// The greatest number of lines that a source may have.
    static let lineLimit = 300

    /// Files that a program writes.
    static let generated: Set<String> = ["Sources/workflowctl/Schemas/EmbeddedSchemas.swift"]

    /// Names for what is left over; nothing is.
    static let leftovers = [
        "Utils", "Util", "Helpers", "Helper", "Manager", "Common", "Misc", "Base",
    ]

    /// Whether a source is longer than fits in the head.
    static func isTooLong(_ file: TextFile) -> Bool {
        !generated.contains(file.path) && file.lines.count - 1 > lineLimit
    }

    /// Whether a file or one of its folders is named by what is left over.
    static func hasLeftoverName(_ file: TextFile) -> Bool {
        file.path.split(separator: "/").contains { part in
            let words = part.prefix { $0 != "." }.split { $0 == "+" || $0 == "-" || $0 == "_" }
            return words.contains { word in leftovers.contains { word.hasSuffix($0) } }
        }
    }

    /// Words of the workshop: marks of unfinished work, places on one machine, numbers of a tracker.
    static func workshopWords(in file: TextFile) -> [Finding] {
        // Put together here, so that this file doesn't find itself.
        let marks = ["TO" + "DO", "FIX" + "ME", "XX" + "X", "HA" + "CK"].joined(separator: "|")
        let places = ["/wo" + "rk/", "/ro" + "ot/", "/ho" + "me/"].joined(separator: "|")
        let pattern = "\\b(?:\(marks))\\b|(?:^|[\\s\"'`(])(?:\(places))|\\b[Ii]ssue #?[0-9]+"
        guard let regex = try? Regex(pattern, as: Substring.self) else {
            return [Finding(path: file.path, line: 0, what: "the pattern does not compile")]
        }
        return file.matches(of: regex)
    }

    /// The settings that a target has to ask for; the compiler ignores a misspelt one.
    static let features = [
        "ExistentialAny", "InternalImportsByDefault", "MemberImportVisibility",
        "NonisolatedNonsendingByDefault",
    ]

    /// What is missing in a target's check of its settings.
    static func missingFeatures(in source: String) -> [String] {
        features.filter { !source.contains("#if !hasFeature(\($0))\n    #error(") }
    }
}
