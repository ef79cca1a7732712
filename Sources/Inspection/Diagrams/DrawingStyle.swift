internal import EventLog

/// The style of drawings: the rules of `drawing.css`, with the colors of two themes.
package enum DrawingStyle {
    private typealias Color = (name: String, light: String, dark: String)

    private static let colors: [Color] = [
        ("ground", "#ffffff", "#14181d"),
        ("ink", "#1b1f24", "#e6eaee"),
        ("faint", "#59636e", "#9aa5b1"),
        ("rule", "#c4cbd3", "#46505b"),
        ("box", "#eef2f6", "#222a33"),
        ("accent", "#0a58ca", "#7ab7ff"),
        ("good", "#116329", "#6fdd8b"),
        ("good-box", "#dff4e4", "#163822"),
        ("bad", "#b3261e", "#ff9a91"),
        ("bad-box", "#fde8e6", "#45201d"),
        ("mark", "#fff3bf", "#3a320e"),
    ]

    /// The colors of the light theme, as declarations of custom properties.
    static let light = colors.map { "--\($0.name): \($0.light);" }.joined(separator: " ")

    /// The colors of the dark theme.
    static let dark = colors.map { "--\($0.name): \($0.dark);" }.joined(separator: " ")

    /// The rules for the parts of a drawing, whose colors are custom properties.
    static let rules = String(decoding: PackageResources.drawing_css, as: UTF8.self)

    /// The colors of both themes as custom properties, and the rules: for the style of a page.
    package static let declarations = """

        :root { color-scheme: light dark; \(light) }
        @media screen and (prefers-color-scheme: dark) { :root { \(dark) } }

        """ + rules

    /// The style of a separate file, without variables: not every program that draws SVG supports
    /// them.
    static let document =
        "\n" + filled { $0.light } + "@media screen and (prefers-color-scheme: dark) {\n"
        + filled { $0.dark } + "}\n"

    /// Returns the rules with the colors of a theme.
    private static func filled(_ theme: (Color) -> String) -> String {
        colors.reduce(rules) { $0.rewriting("var(--\($1.name))", as: theme($1)) }
    }
}
