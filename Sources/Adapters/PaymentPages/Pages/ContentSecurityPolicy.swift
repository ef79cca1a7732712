internal import Inspection

/// The Content-Security-Policy of a page: everything that is not listed here is forbidden.
struct ContentSecurityPolicy: Hashable, Sendable {
    /// The page's only script, permitted by its hash.
    var script: PageScript
    /// The sources of further scripts.
    var scriptSources: [String] = []
    /// The origins that may be framed.
    var frames: [String] = []
    /// The origins that forms may be posted to, also after a redirect.
    var forms: [String] = []
    /// The origins that scripts may connect to.
    var connections: [String] = []
    /// The sources of images, fonts and styles.
    var styles: [String] = []
    /// Whether scripts may add their own styles.
    var allowsInlineStyles = false
    /// The origins that may frame the page itself; empty permits none.
    var ancestors: [String] = []

    /// The policy as a header value.
    var text: String { inDocument + "; frame-ancestors " + Self.sources(ancestors) }

    /// The policy without the directives that only a header can contain.
    var inDocument: String {
        // A hash beside 'unsafe-inline' would disable the latter.
        let style = allowsInlineStyles ? "'unsafe-inline'" : Self.hash(of: PageStyle.text)
        return [
            "default-src 'none'",
            "script-src " + Self.sources([Self.hash(of: script.text)] + scriptSources),
            "style-src " + Self.sources([style] + styles),
            "img-src " + Self.sources(styles.isEmpty ? [] : styles + ["data:"]),
            "font-src " + Self.sources(styles),
            "connect-src " + Self.sources(connections),
            "frame-src " + Self.sources(frames),
            "form-action " + Self.sources(forms),
            "base-uri 'none'",
        ].joined(separator: "; ")
    }

    /// The sources without duplicates, in the order of their first occurrence.
    private static func sources(_ sources: [String]) -> String {
        var seen: Set<String> = []
        let distinct = sources.filter { seen.insert($0).inserted }
        return distinct.isEmpty ? "'none'" : distinct.joined(separator: " ")
    }

    private static func hash(of text: String) -> String { Markup.policySource(allowing: text) }
}
