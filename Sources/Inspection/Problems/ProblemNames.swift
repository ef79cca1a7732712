internal import EventLog
package import SwedbankPay

/// The names of problems as people write them: types, slugs, and the engine's own kinds.
extension ProblemCatalogue {
    /// Returns whether two spellings are of one problem: `request failed` and `requestFailed`, in
    /// any letter case.
    package static func isSame(_ left: String, _ right: String) -> Bool {
        key(ofName: left) == key(ofName: right)
    }

    /// Returns the kind of the engine's own problem with a name, if there is one.
    package static func engineKind(named name: String) -> EngineProblemKind? {
        EngineProblemKind.allCases.first { isSame(name, $0.rawValue) }
    }

    /// Returns the spelling of a type that has rows, if there is one, else the type itself.
    ///
    /// Other commands print the last two parts of a type, the first of which may be the end of the
    /// prefix.
    package func spelling(of type: String) -> String {
        let last = Self.typePrefix.pieces(between: "/").last.map { $0 + "/" } ?? ""
        guard rows(of: type).isEmpty, type.lowercased().hasPrefix(last.lowercased())
        else { return type }
        return String(type.dropFirst(last.count))
    }

    /// Returns whether a text names a problem: one of the engine's own, or a type that has rows.
    package func knows(_ name: String) -> Bool {
        let type = name.rewriting(" ", as: "")
        return Self.engineKind(named: name) != nil || !rows(of: spelling(of: type)).isEmpty
    }

    /// Returns the name that was probably meant by one that is not known, if one is similar.
    package func nearest(to name: String) -> String? {
        let kinds = EngineProblemKind.allCases.map(\.rawValue)
        let slugs = rows.map(\.slug)
        var spellings: [(String, String)] = (kinds + slugs).map { ($0, $0) }
        // Also the part after the family alone.
        for slug in slugs {
            spellings.append((String(slug.pieces(between: "/").last ?? ""), slug))
        }
        let names = Dictionary(
            spellings.map { (Self.key(ofName: $0.0), $0.1) },
            uniquingKeysWith: { first, _ in first }
        )
        let word = Self.key(ofName: name)
        return Spelling.nearest(to: word, among: names.keys.sorted()).flatMap { names[$0] }
    }

    /// The key that all spellings of a name share, also in words.
    private static func key(ofName name: String) -> String {
        key(of: name.rewriting(" ", as: ""))
    }
}
