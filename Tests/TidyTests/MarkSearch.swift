/// Searches for a mark of a syntax that compare whole characters.
///
/// `"'\u{301}"` is one character that is not `'`, so such a search misses a mark that a combining
/// one follows. Searches use `utf8`, `unicodeScalars`, `rewriting(_:as:)` or `pieces(between:)`.
enum MarkSearch {
    /// What comes before the searches that compare bytes or scalars.
    private static let views: Set<Substring> = ["utf8", "unicodeScalars"]
    /// Collections of whole texts.
    private static let collections: Set<Substring> = ["arguments", "countries", "payeeReferences"]

    /// Returns the searches by whole characters in a source.
    static func byCharacters(in file: TextFile) -> [Finding] {
        let words = [".contains", ".first", ".last", ".ranges", ".split", ".components", ".repl"]
        let closures = [".prefix", ".drop", ".filter", ".count"]
        let lines = Lines(of: file.text).containing(words + closures)
        return lines.compactMap { number, line in
            guard !line.trimmingPrefix(while: { $0 == " " }).hasPrefix("//"), isFound(in: line)
            else { return nil }
            return Finding(path: file.path, line: number, what: "\(line)")
        }
    }

    private static func isFound(in line: Substring) -> Bool {
        // Only lines with a text, and no arrays of scalars; other lines are not worth the patterns.
        guard line.utf8.contains(UInt8(ascii: "\"")) || line.contains(".replacing("),
            !line.contains("scalars")
        else { return false }
        let call =
            /(\w*)[\])}?!]*\.(?:contains|(?:first|last)(?:Index|Range)|ranges|split|components|replac(?:e|ing))\((?:of: |separator: |separatedBy: )?#*"(?:[^"\\]|\\.)*"#*(\.utf8|\.unicodeScalars)?/
        let replacing = /(\w*)[\])}?!]*\.replacing\((?!\/)(?!.*, by: )/
        let closure =
            /(\w*)[\])}?!]*\.(?:prefix|drop|split|filter|(?:first|last)(?:Index)?|contains|count)(?:\(where: |\(whereSeparator: )? ?\{ ?\$0 [!=]= "(?! "|\\t|[A-Za-z0-9\-]+")/
        return line.matches(of: call).contains { $0.2 == nil && !isExempt($0.1) }
            || line.matches(of: replacing).contains { !isExempt($0.1) }
            || line.matches(of: closure).contains { !isExempt($0.1) }
    }

    private static func isExempt(_ base: Substring) -> Bool {
        views.contains(base) || collections.contains(base)
    }
}
