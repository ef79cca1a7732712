internal import Inspection

/// What a page may do: nothing but what is named here.
struct ContentSecurityPolicy: Hashable, Sendable {
    /// The page's one script, allowed by what it says.
    var script: PageScript
    /// Where further scripts may come from.
    var scriptSources: [String] = []
    /// What may be framed.
    var frames: [String] = []
    /// Where forms may be posted, also after a redirect.
    var forms: [String] = []
    /// What scripts may ask.
    var connections: [String] = []
    /// Where pictures, fonts and styles may come from.
    var looks: [String] = []
    /// Whether scripts may add styles of their own.
    var allowsInlineStyles = false
    /// Who may frame the page itself; nobody when empty.
    var ancestors: [String] = []

    /// The policy for a header.
    var text: String { inDocument + "; frame-ancestors " + Self.sources(ancestors) }

    /// The policy without what only a header can say.
    var inDocument: String {
        // A hash beside 'unsafe-inline' would switch the latter off.
        let style = allowsInlineStyles ? "'unsafe-inline'" : Self.hash(of: PageStyle.text)
        return [
            "default-src 'none'",
            "script-src " + Self.sources([Self.hash(of: script.text)] + scriptSources),
            "style-src " + Self.sources([style] + looks),
            "img-src " + Self.sources(looks.isEmpty ? [] : looks + ["data:"]),
            "font-src " + Self.sources(looks),
            "connect-src " + Self.sources(connections),
            "frame-src " + Self.sources(frames),
            "form-action " + Self.sources(forms),
            "base-uri 'none'",
        ].joined(separator: "; ")
    }

    /// The sources, each once, in the order of their first occurrence.
    private static func sources(_ sources: [String]) -> String {
        var seen: Set<String> = []
        let distinct = sources.filter { seen.insert($0).inserted }
        return distinct.isEmpty ? "'none'" : distinct.joined(separator: " ")
    }

    private static func hash(of text: String) -> String { Markup.policySource(allowing: text) }
}
