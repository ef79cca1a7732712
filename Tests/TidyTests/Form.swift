/// The form of sources: the length of functions and comments, names, and words that do not belong
/// in them.
enum Form {
    /// The maximum number of lines of a function, from its name to its last brace.
    static let functionLimit = 70

    /// Names for leftovers, which are not allowed.
    static let leftovers = [
        "Utils", "Util", "Helpers", "Helper", "Manager", "Common", "Misc", "Base",
    ]

    /// Returns the functions of a source that are too long.
    ///
    /// This relies on the format: a function ends with the first brace that has the indentation of
    /// its first line.
    static func longFunctions(in file: TextFile) -> [Finding] {
        let code = Lines(of: SwiftCode.only(of: file.text))
        let lines = code.all
        return code.containing(["func", "init"]).compactMap { number, line in
            let first = number - 1
            guard isFunction(line), let last = end(of: first, in: lines),
                last - first >= functionLimit
            else { return nil }
            let name = line.trimmingPrefix { $0 == " " }
            return Finding(
                path: file.path,
                line: first + 1,
                what: "\(last - first + 1) lines: \(name)"
            )
        }
    }

    private static func isFunction(_ line: Substring) -> Bool {
        let words = line.split { !$0.isLetter && $0 != "@" }.prefix { $0 != "let" && $0 != "var" }
        return words.contains { $0 == "func" || $0 == "init" } && !line.contains("self.init")
            && !line.contains("super.init") && !line.contains(".init")
    }

    private static func end(of first: Int, in lines: [Substring]) -> Int? {
        let margin = lines[first].utf8.prefix { $0 == UInt8(ascii: " ") }.count
        for index in lines.indices.dropFirst(first + 1) {
            let line = lines[index]
            let indent = line.utf8.prefix { $0 == UInt8(ascii: " ") }.count
            guard indent <= margin, indent < line.utf8.count else { continue }
            let rest = line.dropFirst(margin)
            if rest.hasPrefix("}") { return index }
            // The end of a signature, or the line with which its body begins.
            guard rest.hasPrefix(")") || rest.hasPrefix("{") || rest.hasPrefix("where ") else {
                return nil
            }
        }
        return nil
    }

    /// The maximum number of columns of a comment.
    static let commentLimit = 100

    /// Returns the lines of comments, and of documentation strings in Python, that are too long.
    ///
    /// Comments behind code are not checked.
    static func longComments(in file: TextFile) -> [Finding] {
        guard let mark = commentMark(of: file) else { return [] }
        let lines = file.lines
        // No line has more columns than bytes.
        guard lines.contains(where: { $0.utf8.count > commentLimit }) else { return [] }
        let isPython = file.name.hasSuffix(".py") || lines.first?.hasSuffix("python3") == true
        var (isInString, isDocumentation) = (false, false)
        return zip(1..., lines).compactMap { number, line in
            guard isPython || line.utf8.count > commentLimit else { return nil }
            let text = line.drop { $0 == " " || $0 == "\t" }
            if isPython {
                if !isInString { isDocumentation = text.hasPrefix("\"\"\"") }
                if line.ranges(of: "\"\"\"").count % 2 == 1 { isInString.toggle() }
            }
            let isComment = text.hasPrefix(mark) && !text.hasPrefix("#!") || isDocumentation
            guard isComment, line.count > commentLimit else { return nil }
            return Finding(path: file.path, line: number, what: "\(line.count) columns")
        }
    }

    /// Returns what comments begin with; `nil` for generated files and for those of other kinds.
    private static func commentMark(of file: TextFile) -> String? {
        if [".swift", ".c", ".h"].contains(where: { file.name.hasSuffix($0) }) {
            return file.name.hasPrefix("Embedded") ? nil : "//"
        }
        let isScript =
            file.name.hasSuffix(".py") || file.path.hasPrefix("scripts/")
            || ["Makefile", ".ci/run"].contains(file.path)
        return isScript ? "#" : nil
    }

    /// Returns whether a file or one of its folders has such a name.
    static func hasLeftoverName(_ file: TextFile) -> Bool {
        file.path.split(separator: "/").contains { part in
            let words = part.prefix { $0 != "." }.split { $0 == "+" || $0 == "-" || $0 == "_" }
            return words.contains { word in leftovers.contains { word.hasSuffix($0) } }
        }
    }

    /// Returns words of the workshop: marks of unfinished work, paths on one machine, numbers of a
    /// tracker.
    static func workshopWords(in file: TextFile) -> [Finding] {
        // Concatenated, so that this file does not match itself.
        let marks = ["TO" + "DO", "FIX" + "ME", "XX" + "X", "HA" + "CK"]
        let places = ["/wo" + "rk/", "/ro" + "ot/", "/ho" + "me/"]
        let pattern =
            "\\b(?:\(marks.joined(separator: "|")))\\b"
            + "|(?:^|[\\s\"'`(])(?:\(places.joined(separator: "|")))"
            + "|\\b[Ii]ssue #?[0-9]+"
        guard let regex = try? Regex(pattern, as: Substring.self) else {
            return [Finding(path: file.path, line: 0, what: "the pattern does not compile")]
        }
        return file.matches(of: regex, near: marks + places + ["Issue ", "issue "])
    }

    /// Returns where a page or a script is written in Swift, which no parser of theirs reads.
    static func pages(in file: TextFile) -> [Finding] {
        file.matches(
            of: /^ *<(?:!doctype|html|head|body)\b|\b(?:addEventListener|getElementById)\b/,
            near: [
                "<!doctype", "<html", "<head", "<body", "addEventListener", "getElementById",
            ]
        )
    }
}
