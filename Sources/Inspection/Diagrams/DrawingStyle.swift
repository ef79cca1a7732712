/// The style of a drawing, as a separate file and within a page.
package enum DrawingStyle {
    /// The colors of the light theme, as declarations of custom properties.
    static let light = """
        --ground: #ffffff; --ink: #1b1f24; --faint: #59636e; --rule: #c4cbd3; --box: #eef2f6; \
        --accent: #0a58ca; --good: #116329; --good-box: #dff4e4; --bad: #b3261e; --bad-box: #fde8e6; --mark: #fff3bf;
        """
    /// The colors of the dark theme.
    static let dark = """
        --ground: #14181d; --ink: #e6eaee; --faint: #9aa5b1; --rule: #46505b; --box: #222a33; \
        --accent: #7ab7ff; --good: #6fdd8b; --good-box: #163822; --bad: #ff9a91; --bad-box: #45201d; --mark: #3a320e;
        """

    /// The rules for the parts of a drawing, independent of the colors.
    static let rules = rules { "var(--\($0))" }

    /// The style of a separate file, without variables: not every program that draws SVG supports
    /// them.
    static let document = """

        \(rules(value(in: light)))
        @media screen and (prefers-color-scheme: dark) {
        \(rules(value(in: dark)))
        }

        """

    private static func rules(_ color: (String) -> String) -> String {
        """
        .d-drawing { font-family: "DejaVu Sans", system-ui, sans-serif; font-size: 12px; }
        .d-ground { fill: \(color("ground")); }
        .d-name { fill: \(color("ink")); font-size: 15px; font-weight: bold; }
        .d-title { fill: \(color("ink")); font-weight: bold; text-anchor: middle; }
        .d-head { fill: \(color("box")); stroke: \(color("rule")); }
        .d-lane { stroke: \(color("rule")); fill: none; }
        .d-time { fill: \(color("faint")); font-size: 11px; }
        .d-place { fill: \(color("faint")); font-size: 11px; text-anchor: end; }
        .d-text { fill: \(color("ink")); text-anchor: middle; stroke: \(color("ground")); stroke-width: 4px; \
        stroke-linejoin: round; paint-order: stroke; }
        .d-line { stroke: \(color("accent")); stroke-width: 1.5px; fill: none; }
        .d-response { stroke-dasharray: 5 3; }
        .d-tip { fill: \(color("accent")); }
        .d-note { fill: \(color("box")); stroke: \(color("rule")); }
        .d-note ~ .d-text { stroke: none; }
        .d-gap { stroke: \(color("rule")); stroke-dasharray: 2 5; fill: none; }
        .d-mark { fill: none; }
        .d-quiet .d-text { fill: \(color("faint")); }
        .d-quiet .d-line { stroke: \(color("faint")); }
        .d-quiet .d-tip { fill: \(color("faint")); }
        .d-good .d-text { fill: \(color("good")); }
        .d-good .d-note { fill: \(color("good-box")); stroke: \(color("good")); }
        .d-bad .d-text { fill: \(color("bad")); }
        .d-bad .d-line { stroke: \(color("bad")); }
        .d-bad .d-tip { fill: \(color("bad")); }
        .d-bad .d-note { fill: \(color("bad-box")); stroke: \(color("bad")); }
        """
    }

    /// Returns a lookup of colors in declarations.
    private static func value(in colors: String) -> (String) -> String {
        { name in
            for declaration in colors.split(separator: ";") {
                let parts = declaration.split(separator: ":").map { $0.filter { $0 != " " } }
                if parts.count == 2, parts[0] == "--" + name { return parts[1] }
            }
            return "none"
        }
    }
}
